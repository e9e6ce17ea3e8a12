import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blankScreen, Screen, type ScreenSnapshot } from '../../src/core/screen.ts';
import { nextTabStop } from '../../src/core/screenSize.ts';
import { bytesOf, charactersOf, cut, cuts, lineOutput, thawed } from './bytes.ts';

const TOP = '\x1bH';

function painted(...texts: readonly string[]): ScreenSnapshot {
  const screen = new Screen(7);
  for (const text of texts) screen.apply(bytesOf(text));
  return screen.snapshot();
}

/** Rows without trailing blanks, up to the last that has anything. */
function rowsOf({ rows }: ScreenSnapshot): string[] {
  const shown = rows.map((row) => row.trimEnd());
  while (shown.at(-1) === '') shown.pop();
  return shown;
}

function at(row: number, column: number): string {
  return `\x1bY${String.fromCharCode(row + 32)}${String.fromCharCode(column + 32)}`;
}

describe('EK-VT5X-OP, chapter 3', () => {
  test.each<[title: string, input: string, rows: string[], cursor: [row: number, column: number]]>([
    ['ESC A goes up', `${at(2, 3)}\x1bAx`, ['', '   x'], [1, 4]],
    ['ESC A stops at the top', '\x1bA\x1bAx', ['x'], [0, 1]],
    ['ESC B goes down', 'a\x1bBb', ['a', ' b'], [1, 2]],
    ['ESC B stops at the bottom and scrolls nothing', `top${at(23, 0)}\x1bB\x1bB`, ['top'], [23, 0]],
    ['ESC C goes right and prints nothing', 'abc\r\x1bCx', ['axc'], [0, 2]],
    ['ESC C stops at the margin', `${at(0, 78)}\x1bC\x1bC\x1bCx`, [`${' '.repeat(79)}x`], [0, 79]],
    ['ESC D goes left', 'abc\x1bD\x1bDx', ['axc'], [0, 2]],
    ['ESC D stops at the left margin', 'a\x1bD\x1bD\x1bDb', ['b'], [0, 1]],
    ['ESC F and ESC G change the font only', '\x1bFa\x1bGb', ['ab'], [0, 2]],
    ['ESC H goes home', `ab${at(5, 5)}\x1bHx`, ['xb'], [0, 1]],
    ['ESC I goes up', `${at(2, 1)}\x1bIx`, ['', ' x'], [1, 2]],
    ['ESC I scrolls down at the top', `a${at(23, 0)}lost${TOP}\x1bIx`, ['x', 'a'], [0, 1]],
    ['ESC J erases to the end of the screen', `abc\r\ndef\r\nghi${at(1, 1)}\x1bJ`, ['abc', 'd'], [1, 1]],
    ['ESC K erases to the end of the line', `abc\r\ndef${at(0, 1)}\x1bK`, ['a', 'def'], [0, 1]],
    ['ESC Y goes there', `${at(3, 4)}x`, ['', '', '', '    x'], [3, 5]],
    ['ESC Y to the last row and column', `${at(23, 79)}`, [], [23, 79]],
    ['ESC Y with a row out of range leaves the row', `${at(2, 0)}${at(24, 5)}x`, ['', '', '     x'], [2, 6]],
    [
      'ESC Y with a column out of range goes to the margin',
      `${at(1, 80)}x`,
      ['', `${' '.repeat(79)}x`],
      [1, 79],
    ],
    ['ESC Y takes control characters as they are', 'abc\x1bY\x07\x07x', [`abc${' '.repeat(76)}x`], [0, 79]],
    ['ESC Z, ESC = and ESC > change nothing', 'a\x1bZ\x1b=\x1b>b', ['ab'], [0, 2]],
    ['BS goes left, and stops at the margin', 'ab\b\b\bx', ['xb'], [0, 1]],
    ['CR goes to the left margin', 'abc\rx', ['xbc'], [0, 1]],
    ['LF keeps the column', 'abc\nx', ['abc', '   x'], [1, 4]],
    [
      'LF at the bottom scrolls',
      `first\r\nsecond${at(23, 0)}last\n\rnew`,
      ['second', ...Array.from({ length: 21 }, () => ''), 'last', 'new'],
      [23, 3],
    ],
    ['TAB goes to the next stop', 'a\tb\tc', [`a${' '.repeat(7)}b${' '.repeat(7)}c`], [0, 17]],
    ['TAB erases nothing', 'abcdefghij\r\tX', ['abcdefghXj'], [0, 9]],
    ['TAB behind the last stop goes one column', `${at(0, 72)}\tx`, [`${' '.repeat(73)}x`], [0, 74]],
    ['TAB stops at the margin', `${at(0, 79)}\t\tx`, [`${' '.repeat(79)}x`], [0, 79]],
    ['NUL, BEL and other controls change nothing', 'a\0\x07\x01\x7fb', ['ab'], [0, 2]],
    [
      'what comes behind the margin replaces the last character',
      `${'x'.repeat(79)}abc`,
      [`${'x'.repeat(79)}c`],
      [0, 79],
    ],
    ['an unfinished sequence shows nothing', 'a\x1bY!', ['a'], [0, 1]],
  ])('%s', (_title, input, rows, [row, column]) => {
    const screen = painted(input);
    expect([rowsOf(screen), screen.row, screen.column, screen.unknown]).toEqual([rows, row, column, 0]);
  });

  test('I06 · what it does not know is counted and shows nothing', () => {
    const screen = painted('a\x1bQ\x1b[12;3Hb\x1b]0;title\x07c');
    expect([rowsOf(screen), screen.unknown]).toEqual([['abc'], 3]);
  });

  test('the eighth bit is noise on a line of 7, a character on one of 8', () => {
    const eight = new Screen(8);
    eight.apply(Uint8Array.of(0xe1, 0x61));
    expect(eight.snapshot().rows[0]?.trimEnd()).toBe('\u00e1a');
    expect(rowsOf(painted('x\xe1\x9bHb'))).toEqual(['ba']); // E1 is a, 9B is ESC
  });

  test('ITS wraps by ESC H ESC K, and moves with ESC H, line feeds and tabs', () => {
    expect(rowsOf(painted(`old\r\nolder${at(23, 0)}end\x1bH\x1bKnew\r\n\x1bK`))).toEqual([
      'new',
      ...Array.from({ length: 22 }, () => ''),
      'end',
    ]);
    expect(rowsOf(painted('\x1bH\n\n\t\x1bC\x1bCx'))).toEqual(['', '', '          x']);
  });
});

describe('what changed', () => {
  test('each row knows the offset behind the byte that changed it last', () => {
    const { changedAt, offset } = painted('ab\r\ncd', '\r\nef', `${TOP}x`);
    expect([changedAt.slice(0, 4), offset]).toEqual([[13, 6, 10, 0], 13]);
  });

  test('erasing what is blank already changes nothing', () => {
    expect(painted('ab\x1bK\r\n\x1bK\x1bJ').changedAt.slice(0, 2)).toEqual([2, 0]);
    expect(painted('ab\r\x1bK').changedAt[0]).toBe(5);
  });

  test('scrolling changes every row', () => {
    expect(new Set(painted(`${at(23, 0)}\n`).changedAt)).toEqual(new Set([5]));
    expect(new Set(painted('\x1bI').changedAt)).toEqual(new Set([2]));
  });
});

test('tab stops are every eight columns up to the 73rd, then every column', () => {
  const stops = [0];
  while (stops.at(-1) !== 79) stops.push(nextTabStop(stops.at(-1) ?? 0, 80));
  expect(stops).toEqual([0, 8, 16, 24, 32, 40, 48, 56, 64, 72, 73, 74, 75, 76, 77, 78, 79]);
});

/** A VT52 written down a second time, the plainest way: one character after the other, the cells in one list. */
class NaiveVt52 {
  cells = Array.from({ length: 24 * 80 }, () => ' ');
  row = 0;
  column = 0;
  #pending = '';

  feed(text: string): this {
    for (const character of text) this.#one(String.fromCharCode(character.charCodeAt(0) & 0x7f));
    return this;
  }

  get rows(): string[] {
    return Array.from({ length: 24 }, (_, row) => this.cells.slice(row * 80, row * 80 + 80).join(''));
  }

  #one(c: string): void {
    if (this.#pending.startsWith('\x1bY')) {
      this.#pending += c;
      if (this.#pending.length < 4) return;
      const [row = 0, column = 0] = [2, 3].map((index) => this.#pending.charCodeAt(index) - 32);
      if (row >= 0 && row <= 23) this.row = row;
      this.column = column >= 0 && column <= 79 ? column : 79;
      this.#pending = '';
    } else if (this.#pending === '\x1b') {
      if (c === '\x1b') return;
      this.#pending = '';
      if (c === 'Y') this.#pending = '\x1bY';
      else if (c === '\r' || c === '\n' || c < ' ' || c === '\x7f') {
        if (c !== '\x18' && c !== '\x1a' && c !== '\r' && c !== '\n') this.#pending = '\x1b';
        this.#control(c);
      } else this.#escape(c);
    } else if (c === '\x1b') this.#pending = c;
    else if (c < ' ' || c === '\x7f') this.#control(c);
    else {
      this.cells[this.row * 80 + this.column] = c;
      this.column = Math.min(79, this.column + 1);
    }
  }

  #control(c: string): void {
    if (c === '\b') this.column = Math.max(0, this.column - 1);
    if (c === '\r') this.column = 0;
    if (c === '\t')
      this.column = this.column < 72 ? (Math.floor(this.column / 8) + 1) * 8 : Math.min(79, this.column + 1);
    if (c !== '\n') return;
    if (this.row < 23) this.row += 1;
    else this.cells = [...this.cells.slice(80), ...Array.from({ length: 80 }, () => ' ')];
  }

  #escape(c: string): void {
    const here = this.row * 80 + this.column;
    if (c === 'A') this.row = Math.max(0, this.row - 1);
    if (c === 'B') this.row = Math.min(23, this.row + 1);
    if (c === 'C') this.column = Math.min(79, this.column + 1);
    if (c === 'D') this.column = Math.max(0, this.column - 1);
    if (c === 'H') [this.row, this.column] = [0, 0];
    if (c === 'J') this.cells.fill(' ', here);
    if (c === 'K') this.cells.fill(' ', here, (this.row + 1) * 80);
    if (c !== 'I') return;
    if (this.row > 0) this.row -= 1;
    else this.cells = [...Array.from({ length: 80 }, () => ' '), ...this.cells.slice(0, -80)];
  }
}

/** ANSI is out of the range of the second one. */
const ANSI = ['\x1b[', '\x1b]', '\x1bP'];

const strokes = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...'ABCDFGHIJKZ=>'.split('')).map((final) => `\x1b${final}`) },
      {
        weight: 2,
        arbitrary: fc.tuple(fc.nat({ max: 26 }), fc.nat({ max: 82 })).map(([row, column]) => at(row, column)),
      },
      {
        weight: 3,
        arbitrary: fc.constantFrom('\r\n', '\n', '\n\n\n\n\n\n', '\r', '\t', '\b', '\0', '\x07', '\x1b'),
      },
      { weight: 4, arbitrary: fc.constantFrom('abc', 'x', ' ', '0123456789'.repeat(5), '*') },
      { weight: 1, arbitrary: fc.nat({ max: 255 }).map((code) => String.fromCharCode(code)) },
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(''))
  .filter(
    (text) =>
      !ANSI.some((introducer) => charactersOf(bytesOf(text).map((byte) => byte & 0x7f)).includes(introducer)),
  );

test('an independent VT52 shows the same after any strokes', () => {
  fc.assert(
    fc.property(strokes, (text) => {
      const { rows, row, column } = painted(text);
      const naive = new NaiveVt52().feed(text);
      expect({ rows, row, column }).toEqual({ rows: naive.rows, row: naive.row, column: naive.column });
    }),
    { numRuns: 1_000 },
  );
});

test('I3 · any split, frozen and thawed between the pieces, paints the same screen', () => {
  fc.assert(
    fc.property(
      fc.oneof(lineOutput, strokes.map(bytesOf)),
      cuts,
      fc.nat({ max: 9_999 }),
      (bytes, places, start) => {
        const whole = new Screen(7, blankScreen(start));
        whole.apply(bytes);
        let pieces = new Screen(7, blankScreen(start));
        for (const piece of cut(bytes, places)) {
          pieces.apply(piece);
          pieces = new Screen(7, thawed(pieces.snapshot()));
        }
        const { changedAt: _, ...rest } = pieces.snapshot();
        expect(whole.snapshot()).toMatchObject(rest);
        expect(pieces.offset).toBe(start + bytes.length);
      },
    ),
  );
});

test('a row changed at the same offset however its bytes were split, to the character', () => {
  fc.assert(
    fc.property(strokes, cuts, (text, places) => {
      const bytes = bytesOf(text);
      const pieces = new Screen(7);
      for (const piece of cut(bytes, places)) pieces.apply(piece);
      expect(pieces.snapshot().changedAt).toEqual(painted(text).changedAt);
    }),
  );
});
