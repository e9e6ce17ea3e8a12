import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CHECKPOINT_BYTES, PRUNED_CHECKPOINTS, Scrollback } from '../../src/core/scrollback.ts';
import { TextView } from '../../src/core/text.ts';
import { bytesOf, charactersOf, cut, cuts, lineOutput, thawed } from './bytes.ts';

const OPTIONS = { ringBytes: 4 * CHECKPOINT_BYTES, bits: 7 } as const;

function scrollbackOf(...chunks: readonly Uint8Array[]): Scrollback {
  const scrollback = new Scrollback(OPTIONS);
  for (const chunk of chunks) scrollback.append(chunk, false);
  return scrollback;
}

/** A stream that crosses a few checkpoints, with an interesting piece across each of them. */
const longOutput: fc.Arbitrary<Uint8Array> = fc
  .array(fc.tuple(lineOutput, fc.integer({ min: CHECKPOINT_BYTES - 60, max: CHECKPOINT_BYTES + 5 })), {
    maxLength: 3,
  })
  .map((parts) => bytesOf(parts.map(([words, fill]) => 'x'.repeat(fill) + charactersOf(words)).join('')));

const someOutput = fc.oneof(lineOutput, longOutput);

describe('offsets', () => {
  test('I2 · every byte enters once, in order, and is found under its offset', () => {
    fc.assert(
      fc.property(someOutput, cuts, (bytes, at) => {
        const scrollback = scrollbackOf(...cut(bytes, at));
        expect(scrollback.end).toBe(bytes.length);
        expect(scrollback.bytes(0, bytes.length)).toEqual(bytes);
      }),
    );
  });

  test('I6 · the ring keeps ringBytes at least, and never more than a checkpoint distance on top', () => {
    const scrollback = new Scrollback(OPTIONS);
    for (let end = 0; end < 12 * CHECKPOINT_BYTES; ) {
      const piece = new Uint8Array(1 + ((end * 7) % 1_000)).map((_, index) => (end + index) % 97);
      scrollback.append(piece, false);
      end += piece.length;
      expect(scrollback.end).toBe(end);
      const kept = end - scrollback.oldest;
      expect(kept).toBeGreaterThanOrEqual(Math.min(end, OPTIONS.ringBytes));
      expect(kept).toBeLessThanOrEqual(OPTIONS.ringBytes + CHECKPOINT_BYTES);
      expect(scrollback.snapshot().checkpoints.length).toBeLessThanOrEqual(
        OPTIONS.ringBytes / CHECKPOINT_BYTES + 2 + PRUNED_CHECKPOINTS,
      );
      const { oldest } = scrollback;
      expect(scrollback.bytes(oldest, oldest + 1)).toEqual(Uint8Array.of(oldest % 97));
    }
  });

  test('I6 · a full ring drops nothing, one byte more drops the oldest checkpoint distance, and a slice says so', () => {
    const scrollback = new Scrollback(OPTIONS);
    scrollback.append(new Uint8Array(OPTIONS.ringBytes + CHECKPOINT_BYTES).fill(0x61), false);
    expect([scrollback.oldest, scrollback.text(0, 5).truncated]).toEqual([0, false]);
    scrollback.append(bytesOf('b'), false);
    expect(scrollback.oldest).toBe(CHECKPOINT_BYTES);
    expect(scrollback.text(0, CHECKPOINT_BYTES + 3)).toEqual({
      start: CHECKPOINT_BYTES,
      end: CHECKPOINT_BYTES + 3,
      folds: 0,
      motions: 0,
      text: 'aaa',
      bells: 0,
      truncated: true,
    });
    expect(scrollback.text(0, 5)).toMatchObject({ start: CHECKPOINT_BYTES, end: CHECKPOINT_BYTES, text: '' });
  });
});

describe('text', () => {
  test('I3 · it is the same however the bytes were split, as a whole and as pieces for those who wait', () => {
    fc.assert(
      fc.property(someOutput, cuts, fc.nat(), fc.nat(), (bytes, at, i, j) => {
        const [whole, split] = [scrollbackOf(bytes), new Scrollback(OPTIONS)];
        const pieces = cut(bytes, at).flatMap((chunk) => split.append(chunk, true));
        const [a, b] = [i % (bytes.length + 1), j % (bytes.length + 1)].sort((x, y) => x - y);
        expect(split.text(a ?? 0, b ?? 0)).toEqual(whole.text(a ?? 0, b ?? 0));
        expect(split.snapshot()).toEqual(whole.snapshot());
        const { text } = whole.text(0, bytes.length);
        expect(pieces.map((piece) => piece.rendered.text).join('')).toBe(text);
        expect(
          whole
            .rendered(0, bytes.length)
            .map((piece) => piece.rendered.text)
            .join(''),
        ).toBe(text);
        expect(text).toBe(new TextView(7).render(bytes).text);
      }),
    );
  });

  test('text(a, b) and text(b, c) together are text(a, c)', () => {
    fc.assert(
      fc.property(someOutput, fc.array(fc.nat(), { minLength: 3, maxLength: 3 }), (bytes, places) => {
        const scrollback = scrollbackOf(bytes);
        const [a = 0, b = 0, c = 0] = places.map((place) => place % (bytes.length + 1)).sort((x, y) => x - y);
        expect(scrollback.text(a, b).text + scrollback.text(b, c).text).toBe(scrollback.text(a, c).text);
      }),
    );
  });

  test('answers cut at maxChars go on exactly where they ended, each full, each end safe', () => {
    fc.assert(
      fc.property(someOutput, fc.integer({ min: 1, max: 6_000 }), (bytes, chars) => {
        const maxChars = Math.max(chars, bytes.length >> 5, 1);
        const scrollback = scrollbackOf(bytes);
        const texts: string[] = [];
        for (let at = 0; at < scrollback.end; ) {
          const slice = scrollback.text(at, scrollback.end, maxChars);
          expect(slice.end).toBeGreaterThan(at);
          expect(slice.text.length).toBeLessThanOrEqual(maxChars);
          const view = new TextView(7);
          view.skip(bytes.subarray(0, slice.end));
          // Only a control inside a longer sequence than the answer has room for is cut there.
          const isFull = slice.end === scrollback.end || slice.text.length === maxChars;
          expect(isFull || view.sequenceBytes === 0).toBe(true);
          texts.push(slice.text);
          at = slice.end;
        }
        expect(texts.join('')).toBe(scrollback.text(0, scrollback.end).text);
      }),
    );
  });

  test.each<[title: string, input: string, maxChars: number, end: number, text: string]>([
    ['what prints nothing goes with the line end before it', 'ab\r\n\x1bKcd', 3, 6, 'ab\n'],
    ['a CR that no LF follows is no fragment', 'ab\rcd', 3, 3, 'ab\n'],
    ['a sequence is never cut', 'ab\x1bHcd', 2, 2, 'ab'],
    ['one character is always given', '\rx', 1, 1, '\n'],
    ['all of it when there is room', 'ab\r\n', 3, 4, 'ab\n'],
  ])('a cut: %s', (_title, input, maxChars, end, text) => {
    expect(scrollbackOf(bytesOf(input)).text(0, input.length, maxChars)).toMatchObject({ end, text });
  });

  test('a cut is safe where a sequence lies across a checkpoint', () => {
    const scrollback = scrollbackOf(bytesOf(`${'x'.repeat(CHECKPOINT_BYTES - 1)}\x1bHcd`));
    const { end, text } = scrollback.text(0, scrollback.end, CHECKPOINT_BYTES - 1);
    expect([end, text.length]).toEqual([CHECKPOINT_BYTES - 1, CHECKPOINT_BYTES - 1]);
  });

  test('BELs are counted in the slice that they lie in', () => {
    const scrollback = scrollbackOf(bytesOf('\x07a\x07b\x07\x07c'));
    expect([scrollback.text(1, 7).bells, scrollback.text(0, 7, 1).bells]).toEqual([3, 2]);
  });

  test('spans out of order or out of range are empty', () => {
    const scrollback = scrollbackOf(bytesOf('abc'));
    expect([scrollback.text(2, 1), scrollback.text(5, 9)]).toMatchObject([{ text: '' }, { text: '' }]);
    expect([scrollback.bytes(2, 1), scrollback.bytes(5, 9)]).toEqual([new Uint8Array(0), new Uint8Array(0)]);
  });
});

describe('the end', () => {
  test.each<[input: string, safeEnd: number, column: number]>([
    ['abc', 3, 3],
    ['abc\r', 3, 0],
    ['abc\r\n', 5, 0],
    ['abc\x1b', 3, 3],
    ['abc\x1bY!', 3, 3],
  ])('%j is safe up to %i', (input, safeEnd, column) => {
    const scrollback = scrollbackOf(bytesOf(input));
    expect([scrollback.safeEnd, scrollback.column]).toEqual([safeEnd, column]);
  });

  test.each<[input: string, line: string, start: number]>([
    ['', '', 0],
    ['abc', 'abc', 0],
    ['abc\r\n\x1bK*', '*', 7],
    ['abc\r*', '*', 4],
    ['abc\x1bH\x1bK--More--', '--More--', 7],
    ['abc\r\n\x1bK*\0\0', '*', 7],
    ['abc\r\n\x1bK', '', 7],
  ])('the last line of %j is %j', (input, line, start) => {
    const scrollback = scrollbackOf(bytesOf(input));
    expect(scrollback.lastLine()).toEqual({ line, start });
    expect(scrollback.lastWords()).toBe(line);
  });

  test('the last line of a long one is its end', () => {
    const { line, start } = scrollbackOf(bytesOf('x'.repeat(1_000))).lastLine();
    expect([line.length, start]).toEqual([512, 488]);
  });
});

test('I3 · frozen at any point and thawed, it goes on the same', () => {
  fc.assert(
    fc.property(fc.array(longOutput, { maxLength: 4 }), cuts, (outputs, at) => {
      const bytes = bytesOf(outputs.map(charactersOf).join(''));
      const whole = scrollbackOf(bytes);
      let split = new Scrollback(OPTIONS);
      for (const piece of cut(
        bytes,
        at.map((index) => index * 131),
      )) {
        split.append(piece, true);
        split = new Scrollback(OPTIONS, thawed(split.snapshot()));
      }
      expect([split.oldest, split.safeEnd, split.snapshot()]).toEqual([
        whole.oldest,
        whole.safeEnd,
        whole.snapshot(),
      ]);
    }),
    { numRuns: 50 },
  );
});

test('a snapshot is not changed by what comes after it', () => {
  const scrollback = scrollbackOf(new Uint8Array(CHECKPOINT_BYTES));
  const snapshot = scrollback.snapshot();
  const before = thawed(snapshot);
  scrollback.append(new Uint8Array(3 * CHECKPOINT_BYTES), false);
  expect(snapshot).toEqual(before);
});
