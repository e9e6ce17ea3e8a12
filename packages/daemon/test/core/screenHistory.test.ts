import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Screen } from '../../src/core/screen.ts';
import { ScreenHistory } from '../../src/core/screenHistory.ts';
import { CHECKPOINT_BYTES, PRUNED_CHECKPOINTS, Scrollback } from '../../src/core/scrollback.ts';
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

  test('an offset behind the end is the end', () => {
    const { scrollback, history } = keep([OUTPUT.subarray(0, 100)]);
    expect(history.at(1e9)).toEqual(history.at(scrollback.end));
    expect(history.at(1e9).offset).toBe(100);
  });
});

describe('checkpoints', () => {
  test(`I6 · one every ${CHECKPOINT_BYTES} bytes, and none older than the ring needs`, () => {
    const { scrollback, history } = keep(chunksOf(OUTPUT, 512));
    const offsets = history.snapshot().checkpoints.map(({ offset }) => offset);
    expect(offsets.every((offset) => offset % CHECKPOINT_BYTES === 0)).toBe(true);
    const needless = offsets.filter((offset) => offset < scrollback.oldest).length;
    const most = RING_BYTES / CHECKPOINT_BYTES + 2 + PRUNED_CHECKPOINTS;
    expect([needless <= 1 + PRUNED_CHECKPOINTS, offsets.length <= most]).toEqual([true, true]);
    expect(offsets).toEqual(offsets.toSorted((a, b) => a - b));
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
