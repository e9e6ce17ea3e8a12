import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ClosedInput,
  INPUT_ENTRY_MS,
  InputLog,
  MAX_INPUT_ENTRY_BYTES,
  type Typed,
} from '../../src/core/inputLog.ts';
import { bytesOf, charactersOf, cut, cuts, thawed } from './bytes.ts';

const me = { client: 'Me', reader: 'me' };
const you = { client: 'You', reader: 'you' };

function typed(text: string, more: Partial<Typed> = {}): Typed {
  const bytes = bytesOf(text);
  return { author: me, inputId: '1', bytes, isUrgent: false, isAnswer: false, isSecret: false, ...more };
}

/** Entries as people read them: who, what or how much, where, when. */
function told(closed: readonly ClosedInput[]): unknown[] {
  return closed.map(({ happening: { author, bytes, length }, offset, atMs }) => [
    author.reader,
    bytes === undefined ? length : charactersOf(Uint8Array.from(bytes)),
    offset,
    atMs,
  ]);
}

describe('joining', () => {
  test('pieces of one input become one entry, with the place and the time of the first', () => {
    const log = new InputLog();
    expect(log.push(typed('ab'), 10, 1)).toEqual([]);
    expect(log.push(typed('cd'), 12, 2)).toEqual([]);
    expect(told(log.close())).toEqual([['me', 'abcd', 10, 1]]);
    expect(log.close()).toEqual([]);
  });

  test('another input, be it of the same author, is another entry', () => {
    const log = new InputLog();
    log.push(typed('ab'), 0, 0);
    expect(told(log.push(typed('cd', { inputId: '2' }), 0, 1))).toEqual([['me', 'ab', 0, 0]]);
    expect(told(log.push(typed('ef', { inputId: '3', author: you }), 0, 2))).toEqual([['me', 'cd', 0, 1]]);
    expect(told(log.close())).toEqual([['you', 'ef', 0, 2]]);
  });

  test(`I6 · an entry has ${MAX_INPUT_ENTRY_BYTES} bytes at most`, () => {
    const log = new InputLog();
    expect(log.push(typed('x'.repeat(MAX_INPUT_ENTRY_BYTES - 1)), 0, 0)).toEqual([]);
    expect(log.push(typed('y'), 0, 0)[0]?.happening.length).toBe(MAX_INPUT_ENTRY_BYTES);
    const closed = log.push(typed('z'.repeat(MAX_INPUT_ENTRY_BYTES + 1)), 0, 0);
    expect(closed.map(({ happening }) => happening.length)).toEqual([MAX_INPUT_ENTRY_BYTES]);
    expect(told(log.close())).toEqual([['me', 'z', 0, 0]]);
  });

  test('I4 · it is complete after its time, and not before', () => {
    const log = new InputLog();
    expect(log.deadlineMs()).toBeUndefined();
    log.push(typed('a'), 0, 500);
    log.push(typed('b'), 0, 900);
    expect(log.deadlineMs()).toBe(500 + INPUT_ENTRY_MS);
    expect(log.tick(499.999 + INPUT_ENTRY_MS)).toEqual([]);
    expect(told(log.tick(500 + INPUT_ENTRY_MS))).toEqual([['me', 'ab', 0, 500]]);
    expect(log.deadlineMs()).toBeUndefined();
  });

  test('what kind of input it was stands with it', () => {
    const log = new InputLog();
    log.push(typed('\x07', { isUrgent: true }), 0, 0);
    log.push(typed(' ', { inputId: '', isAnswer: true }), 0, 0);
    expect(log.close()[0]?.happening).toMatchObject({ isUrgent: false, isAnswer: true });
  });
});

describe('C04 · secrets', () => {
  test('of what is typed where a secret is asked for only the length is kept, up to the CR', () => {
    const log = new InputLog();
    log.push(typed('hunter', { isSecret: true }), 0, 0);
    log.push(typed('2\r:listf\r'), 0, 1);
    expect(told(log.close())).toEqual([['me', ':listf\r', 0, 1]]);
    expect(JSON.stringify(log.snapshot())).not.toContain('104');
  });

  test('up to the LF too, which is Enter on pipes', () => {
    const log = new InputLog();
    log.push(typed('hunter', { isSecret: true }), 0, 0);
    expect(told(log.push(typed('2\nseen\n', { inputId: '2' }), 0, 1))).toEqual([
      ['me', 6, 0, 0],
      ['me', 2, 0, 1],
    ]);
    expect(told(log.close())).toEqual([['me', 'seen\n', 0, 1]]);
  });

  test('what is written in one go while a secret is asked for is one, also behind its CR', () => {
    const log = new InputLog();
    expect(log.push(typed('old\rnew\rmo', { isSecret: true }), 0, 0)).toEqual([]);
    expect(told(log.push(typed('re\rseen'), 0, 0))).toEqual([['me', 13, 0, 0]]);
    expect(log.newestBytes).toEqual([...bytesOf('seen')]);
  });

  test('a secret that is cut off goes on being one in the next input', () => {
    const log = new InputLog();
    log.push(typed('hun', { isSecret: true }), 0, 0);
    expect(told(log.push(typed('ter2\r', { inputId: '2' }), 0, 0))).toEqual([['me', 3, 0, 0]]);
    expect(told(log.close())).toEqual([['me', 5, 0, 0]]);
  });

  test('the newest input is nobody else’s, and undefined while it is a secret', () => {
    const log = new InputLog();
    expect(log.newestBytes).toBeUndefined();
    log.push(typed('open'), 0, 0);
    expect(log.newestBytes).toEqual([...bytesOf('open')]);
    log.push(typed('pass', { isSecret: true, inputId: '2', author: you }), 0, 0);
    expect(log.newestBytes).toBeUndefined();
    log.close();
    expect(log.newestBytes).toBeUndefined();
  });
});

const step = fc.record({
  text: fc.constantFrom('a', 'abc\r', '\r', 'x\ry', 'x\ny', 'longer words', 'z'.repeat(1_500)),
  inputId: fc.constantFrom('1', '2'),
  isSecret: fc.boolean(),
});

test('I3 · C04 · however a piece is split, the same bytes are kept and the same ones hidden', () => {
  const play = (
    steps: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[],
    at: readonly number[],
  ) => {
    const log = new InputLog();
    const closed: ClosedInput[] = [];
    for (const { text, ...more } of steps)
      for (const bytes of cut(bytesOf(text), at))
        closed.push(...log.push({ ...typed('', more), bytes }, 0, 0));
    return [...closed, ...log.close()].map(({ happening: { bytes, length } }) => bytes ?? length);
  };
  fc.assert(
    fc.property(fc.array(step, { maxLength: 8 }), cuts, (steps, at) => {
      expect(play(steps, at)).toEqual(play(steps, []));
    }),
  );
});

test('frozen and thawed anywhere, it goes on the same', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
      const plain = new InputLog();
      let frozen = new InputLog();
      for (const { text, ...more } of steps) {
        frozen = new InputLog(thawed(frozen.snapshot()));
        expect(frozen.push(typed(text, more), 0, 0)).toEqual(plain.push(typed(text, more), 0, 0));
        expect(frozen.newestBytes).toEqual(plain.newestBytes);
      }
      expect(frozen.close()).toEqual(plain.close());
    }),
  );
});
