import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_TURNS, PagerTurns } from '../../src/core/pagerTurns.ts';
import { remainderOf } from '../../src/core/spans.ts';
import { TextView } from '../../src/core/text.ts';
import { bytesOf, charactersOf, cut, cuts, lineOutput, thawed } from './bytes.ts';

const PROMPT = '--More-- (Space=yes, Rubout=no)';

/** What is left of a prompt and the output behind it, once the prompt was answered. */
function left(after: string, at: readonly number[] = [], isThawed = false): string {
  const page = 'last line\r\n\x1bK';
  const view = new TextView(7);
  view.skip(bytesOf(page + PROMPT));
  let turns = new PagerTurns();
  turns.turn(page.length, page.length + PROMPT.length);
  let offset = page.length + PROMPT.length;
  for (const piece of cut(bytesOf(after), at)) {
    if (turns.isOpen) turns.hear(view.render(piece), offset);
    offset += piece.length;
    if (isThawed) turns = new PagerTurns(thawed(turns.snapshot()));
  }
  const all = page + PROMPT + after;
  return remainderOf({ start: 0, end: all.length }, turns.spans)
    .map(({ start, end }) => all.slice(start, end))
    .join('');
}

describe('what leaves the text', () => {
  test.each<[title: string, after: string, left: string]>([
    ['the prompt, the echoed space and the line end', ' \x1bH\x1bKnext', '\x1bKnext'],
    ['the prompt alone while nothing came', '', ''],
    ['the prompt and the space, when the page begins on the same line', ' next', 'next'],
    ['the prompt and the line end, where the space was not echoed', '\x1bH\x1bKnext', '\x1bKnext'],
    ['the prompt only, when something else comes', 'Flushed\r\n', 'Flushed\r\n'],
    ['one space and one line end, and not the next', '  \r\nx', ' \r\nx'],
    ['a blank first line of the page stays', ' \x1bH\x1bK\r\n\x1bKx', '\x1bK\r\n\x1bKx'],
  ])('%s', (_title, after, rest) => {
    expect(left(after)).toBe(`last line\r\n\x1bK${rest}`);
  });

  test('I3 · any split of what comes, frozen and thawed between the pieces, leaves the same', () => {
    const answers = fc.constantFrom('', ' ', ' \x1bH\x1bK', ' \r\n', '\x1bH');
    fc.assert(
      fc.property(answers, lineOutput, cuts, (answer, output, at) => {
        const after = answer + charactersOf(output);
        expect(left(after, at, true)).toBe(left(after));
      }),
    );
  });
});

test('a prompt that was answered is known, also when its turn is over', () => {
  const turns = new PagerTurns();
  expect(turns.isTurned(10)).toBe(false);
  turns.turn(10, 20);
  expect([turns.isTurned(10), turns.isTurned(11)]).toEqual([true, false]);
  turns.turn(50, 60);
  expect([turns.isTurned(10), turns.isTurned(50)]).toEqual([true, true]);
});

test('a span is cut where a turn lies in it, at its borders and around it', () => {
  const turns = new PagerTurns();
  turns.turn(10, 20);
  turns.turn(30, 40);
  const spans = [
    [0, 50],
    [15, 35],
    [10, 20],
    [20, 30],
    [12, 18],
    [40, 40],
  ] as const;
  expect(
    spans.map(([start, end]) => remainderOf({ start, end }, turns.spans).map((s) => [s.start, s.end])),
  ).toEqual([
    [
      [0, 10],
      [20, 30],
      [40, 50],
    ],
    [[20, 30]],
    [],
    [[20, 30]],
    [],
    [],
  ]);
});

test(`I6 · ${MAX_TURNS} turns are remembered, of one more the oldest is forgotten`, () => {
  const turns = new PagerTurns();
  for (let n = 0; n <= MAX_TURNS; n += 1) turns.turn(n * 10, n * 10 + 5); // the last one is open
  expect(turns.isTurned(0)).toBe(true);
  const snapshot = turns.snapshot();
  turns.turn(1e6, 1e6 + 5);
  expect([turns.isTurned(0), turns.isTurned(10), snapshot.spans.length]).toEqual([false, true, MAX_TURNS]);
  expect(snapshot.spans[0]).toEqual({ start: 0, end: 5 });
});
