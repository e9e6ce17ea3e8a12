import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blankScreen, Screen } from '../../src/core/screen.ts';
import { ScreenHistory } from '../../src/core/screenHistory.ts';
import { SCREEN_CHECKPOINT_BYTES, Scrollback } from '../../src/core/scrollback.ts';
import { cut, thawed } from './bytes.ts';
import { outputOf } from './recordings.ts';

const RING_BYTES = 32 * 1024;

/** A screen program's output, long enough to go around the ring: pages of EMACS over and over, each a little different. */
function longOutput(bytes: number): Uint8Array {
  const pages = ['07b-emacs', '07c-peek', '07f-teco'].map((name) => outputOf(name).subarray(15));
  const out = new Uint8Array(bytes);
  let length = 0;
  for (let turn = 0; length < bytes; turn += 1) {
    const page = pages[turn % pages.length] ?? new Uint8Array(1);
    const part = page.subarray(turn % 97, Math.min(page.length, (turn % 97) + bytes - length));
    out.set(part, length);
    length += part.length;
  }
  return out;
}

const OUTPUT = longOutput(120_000);

interface Kept {
  readonly scrollback: Scrollback;
  readonly history: ScreenHistory;
}

function keep(chunks: readonly Uint8Array[], isThawed = false): Kept {
  const scrollback = new Scrollback({ ringBytes: RING_BYTES, bits: 7 });
  let history = new ScreenHistory(7, scrollback);
  for (const chunk of chunks) {
    scrollback.append(chunk, false);
    history.catchUp();
    if (isThawed) history = new ScreenHistory(7, scrollback, thawed(history.snapshot()));
  }
  return { scrollback, history };
}

function chunksOf(bytes: Uint8Array, size: number): Uint8Array[] {
  return cut(
    bytes,
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => index * size),
  );
}

/** The screen that all bytes before `offset` have painted. */
function replayed(offset: number): unknown {
  const screen = new Screen(7);
  screen.apply(OUTPUT.subarray(0, offset));
  return screen.snapshot();
}

describe('the past', () => {
  test('any offset that the ring has shows what a replay from the first byte shows', () => {
    const { scrollback, history } = keep(chunksOf(OUTPUT, 700));
    fc.assert(
      fc.property(fc.integer({ min: scrollback.oldest, max: scrollback.end }), (offset) => {
        expect(history.at(offset)).toEqual(replayed(offset));
      }),
      { numRuns: 60 },
    );
    expect(history.at(scrollback.oldest)).toEqual(replayed(scrollback.oldest));
    expect(history.at(scrollback.end)).toEqual(replayed(OUTPUT.length));
  });

  test('I3 · it is the same for any split, frozen and thawed at every step', () => {
    const { history } = keep(chunksOf(OUTPUT, 700));
    for (const size of [1_021, 4_096, 30_000]) {
      const other = keep(chunksOf(OUTPUT, size), true).history;
      for (const offset of [95_000, 100_001, 119_999]) expect(other.at(offset)).toEqual(history.at(offset));
    }
  });

  test('the scrollback itself frozen and thawed, the oldest offset still shows what it did', () => {
    const { scrollback, history } = keep(chunksOf(OUTPUT, 700));
    const options = { ringBytes: RING_BYTES, bits: 7 } as const;
    const again = new Scrollback(options, thawed(scrollback.snapshot()));
    const other = new ScreenHistory(7, again, thawed(history.snapshot()));
    expect(again.oldest).toBe(scrollback.oldest);
    for (let offset = again.oldest; offset <= again.end; offset += 1_009) {
      expect(other.at(offset)).toEqual(replayed(offset));
    }
  });

  test('an offset behind the end is the end, one before the oldest is the oldest', () => {
    const kept = keep(chunksOf(OUTPUT, 512));
    expect(kept.history.at(0)).toEqual(replayed(kept.scrollback.oldest));
    const { scrollback, history } = keep([OUTPUT.subarray(0, 100)]);
    expect(history.at(1e9)).toEqual(history.at(scrollback.end));
    expect(history.at(1e9).offset).toBe(100);
  });
});

describe('checkpoints', () => {
  test(`I6 · one every ${SCREEN_CHECKPOINT_BYTES} bytes, and none older than the oldest offset needs`, () => {
    const scrollback = new Scrollback({ ringBytes: RING_BYTES, bits: 7 });
    const history = new ScreenHistory(7, scrollback);
    for (const chunk of chunksOf(OUTPUT, 512)) {
      scrollback.append(chunk, false);
      history.catchUp();
      const offsets = history.snapshot().checkpoints.map(({ offset }) => offset);
      expect(offsets.every((offset) => offset % SCREEN_CHECKPOINT_BYTES === 0)).toBe(true);
      expect(offsets[0]).toBeLessThanOrEqual(scrollback.oldest);
      expect(offsets.length).toBeLessThanOrEqual(RING_BYTES / SCREEN_CHECKPOINT_BYTES + 3);
      expect(offsets).toEqual(offsets.toSorted((x, y) => x - y));
    }
  });

  test('one append of more than the ring: what is gone is unknown, what comes then is painted', () => {
    const { scrollback, history } = keep([OUTPUT]);
    const { oldest, end } = scrollback;
    expect(history.at(end).offset).toBe(end);
    const clear = new TextEncoder().encode('\x1bH\x1bJabc');
    scrollback.append(clear, false);
    history.catchUp();
    const { rows, row, column, offset } = history.at(scrollback.end);
    expect([rows[0]?.trimEnd(), rows.slice(1).join('').trim(), row, column, offset]).toEqual([
      'abc',
      '',
      0,
      3,
      end + clear.length,
    ]);
    expect(history.at(0).offset).toBe(oldest);
  });
});

describe('other screens', () => {
  test('a line without a VT52 has a blank one that costs nothing', () => {
    const scrollback = new Scrollback({ ringBytes: RING_BYTES, bits: 7 });
    const history = new ScreenHistory(7, scrollback, undefined, 'none');
    scrollback.append(OUTPUT, false);
    history.catchUp();
    expect(history.snapshot()).toEqual({ checkpoints: [] });
    expect(history.at(scrollback.end)).toEqual(blankScreen(scrollback.end));
  });

  test('one of another size keeps that size, and thaws into yet another', () => {
    const scrollback = new Scrollback({ ringBytes: RING_BYTES, bits: 7 });
    const history = new ScreenHistory(7, scrollback, undefined, { rows: 30, columns: 100 });
    for (const chunk of chunksOf(
      new TextEncoder().encode(`\x1bH\x1bJ${'x'.repeat(99)}y\r\n`.repeat(400)),
      700,
    )) {
      scrollback.append(chunk, false);
      history.catchUp();
    }
    const { rows } = history.at(scrollback.end);
    expect([rows.length, rows[0]]).toEqual([30, `${'x'.repeat(99)}y`]);
    const small = new ScreenHistory(7, scrollback, thawed(history.snapshot()), { rows: 2, columns: 20 });
    expect(small.at(scrollback.end).rows).toEqual([`${'x'.repeat(19)}y`, ' '.repeat(20)]);
  });
});
