import { describe, expect, test } from 'vitest';
import { columnBehind, readByCursor, trailOf } from '../../../src/core/pacing/cursorEvidence.ts';
import { blankScreen } from '../../../src/core/screen.ts';
import { bytesOf } from '../bytes.ts';

/** How many of `typed` are read, by a screen with these rows at the top and the cursor in the last of them. */
function readOf(
  typed: string,
  picture: readonly string[],
  column: number,
  before: { readonly trail?: string; readonly column?: number } = {},
): number | undefined {
  const rows = blankScreen().rows.map((row, at) => (picture[at] ?? '').padEnd(row.length));
  const unproved = { bytes: [...bytesOf(typed)], trail: before.trail ?? '', column: before.column };
  return readByCursor(unproved, { rows, row: picture.length - 1, column });
}

describe('the cursor rests', () => {
  test.each<
    [
      title: string,
      picture: string[],
      column: number,
      before: { trail?: string; column?: number },
      read: number | undefined,
    ]
  >([
    ['behind all of it', ['the quick brown fox'], 19, {}, 19],
    ['behind some of it', ['the quick brown and what stood there'], 15, {}, 15],
    ['behind too little of it to tell', ['the quick br'], 12, {}, undefined],
    ['behind little of it, but where it has to be', ['the quick'], 9, { column: 0 }, 9],
    ['behind as much, but elsewhere', ['  the quick'], 11, { column: 0 }, undefined],
    ['behind what was proved, and no more', ['some older words'], 16, { trail: 'someolderwords' }, 0],
    ['behind a message', ['the quick brown fox', ''], 0, { column: 0 }, undefined],
    ['behind other text', ['Mode line and words'], 19, {}, undefined],
  ])('%s', (_title, picture, column, before, read) => {
    expect(readOf('the quick brown fox', picture, column, before)).toBe(read);
  });

  test('of several numbers that fit the smallest is taken', () => {
    const lines = 'a line of words\r'.repeat(3);
    expect(readOf(lines, ['a line of words', 'a line of words'], 15, { column: 0 })).toBe(15);
    expect(readOf('x'.repeat(60), ['x'.repeat(40)], 40, {})).toBe(12);
    expect(readOf('x'.repeat(60), ['x'.repeat(40)], 40, { column: 0 })).toBe(40);
  });

  test('a line that goes on in the next row is one: the ! in the last column is not part of it', () => {
    const line = Array.from({ length: 14 }, (_, n) => `word${n}`).join(' ');
    const typed = `${line} and the end of it`;
    expect(readOf(typed, [`${typed.slice(0, 79)}!`, typed.slice(79, 90)], 11, { column: 0 })).toBe(90);
  });
});

test.each<[column: number | undefined, typed: string, behind: number | undefined]>([
  [3, 'a', 4],
  [78, 'a', 0],
  [3, '\t', 8],
  [3, '\r', 0],
  [undefined, '\r', 0],
  [undefined, 'a', undefined],
  [3, '\x7f', 2],
  [3, '\x03', 5],
])('in column %s %j leads to column %s', (column, typed, behind) => {
  expect(columnBehind(column, typed.charCodeAt(0))).toBe(behind);
});

test('what was typed is compared without blanks and case, and without what was rubbed out', () => {
  expect([...bytesOf('Ab \tC\rx\x7f!')].reduce(trailOf, '')).toBe('abc!');
});
