import headless from '@xterm/headless';
import { describe, expect, test } from 'vitest';
import { blankScreen, Screen } from '../../../src/core/screen.ts';
import { paint, Vt52ToAnsi } from '../../../src/core/vt52ToAnsi.ts';
import { paintPart, toLayout, toOrigin } from '../../../src/ctl/attach/frame.ts';
import { View } from '../../../src/ctl/attach/view.ts';
import { bytesOf } from '../../core/bytes.ts';

const GRID = { rows: 24, columns: 80 };

/** Rows that the terminal shows, without trailing blanks; `>` stands where the cursor is. */
async function shown(size: { rows: number; columns: number }, ...texts: readonly string[]) {
  const terminal = new headless.Terminal({
    rows: size.rows,
    cols: size.columns,
    scrollback: 0,
    allowProposedApi: true,
  });
  await new Promise<void>((resolve) => terminal.write(texts.join(''), resolve));
  const { active } = terminal.buffer;
  const rows = Array.from({ length: size.rows }, (_, row) =>
    (active.getLine(row)?.translateToString(true) ?? '').trimEnd(),
  );
  const cursor = [active.cursorY, active.cursorX];
  terminal.dispose();
  return { rows, cursor };
}

describe('toLayout', () => {
  test.each([
    ['of the same size has no row left', { rows: 24, columns: 80 }, 'whole', GRID, undefined],
    ['one row higher', { rows: 25, columns: 80 }, 'whole', GRID, 24],
    ['much larger', { rows: 50, columns: 132 }, 'whole', GRID, 49],
    ['one row lower', { rows: 23, columns: 80 }, 'part', { rows: 22, columns: 80 }, 22],
    ['one column narrower', { rows: 40, columns: 79 }, 'part', { rows: 24, columns: 79 }, 39],
    ['of one row', { rows: 1, columns: 10 }, 'part', { rows: 1, columns: 10 }, undefined],
  ])('a terminal %s', (_title, terminal, kind, part, statusRow) => {
    expect(toLayout(terminal, GRID)).toEqual({ kind, shown: part, statusRow });
  });
});

describe('toOrigin', () => {
  test.each([
    ['stays while the cursor is inside', { row: 5, column: 0 }, { row: 9, column: 3 }, { row: 5, column: 0 }],
    ['follows down', { row: 0, column: 0 }, { row: 10, column: 0 }, { row: 1, column: 0 }],
    ['follows up', { row: 8, column: 0 }, { row: 2, column: 0 }, { row: 2, column: 0 }],
    ['follows right', { row: 0, column: 0 }, { row: 0, column: 60 }, { row: 0, column: 21 }],
    ['follows left', { row: 0, column: 30 }, { row: 0, column: 3 }, { row: 0, column: 3 }],
  ])('%s', (_title, last, cursor, origin) => {
    expect(toOrigin(last, cursor, { rows: 10, columns: 40 })).toEqual(origin);
  });
});

test('the part around the cursor, with what stood there erased', async () => {
  const rows = Array.from({ length: 24 }, (_, index) => `row ${index} ${'.'.repeat(70)}${index}`);
  const layout = toLayout({ rows: 6, columns: 20 }, GRID);
  const painting = paintPart({ rows, cursor: { row: 12, column: 3 } }, layout, { row: 10, column: 2 });
  const result = await shown({ rows: 6, columns: 20 }, 'x'.repeat(100), painting);
  expect(result.rows.slice(0, 5)).toEqual([10, 11, 12, 13, 14].map((row) => `w ${row} ${'.'.repeat(15)}`));
  expect(result.cursor).toEqual([2, 1]);
});

describe('View', () => {
  const screenOf = (text: string) => {
    const screen = new Screen(7);
    screen.apply(bytesOf(text));
    return screen.snapshot();
  };

  test('a larger terminal: the grid on top, the status line at the bottom, the cursor in the grid', async () => {
    const size = { rows: 30, columns: 90 };
    const view = new View(size);
    const screen = screenOf('one\r\ntwo');
    const follower = Vt52ToAnsi.at(7, screen);
    const scrolled = follower.push(bytesOf(`${'\r\n'.repeat(22)}last\r\nthree`));
    const texts = [view.begin(paint(screen), GRID), view.showStatus('hello'), view.follow(scrolled)];
    const { rows, cursor } = await shown(size, 'rubbish'.repeat(300), ...texts);
    expect([rows[0], rows[22], rows[23], rows[24], rows[29]]).toEqual(['two', 'last', 'three', '', 'hello']);
    expect(cursor).toEqual([23, 5]);
  });

  test('the same size: the status line hides the last row only while it says something', async () => {
    const view = new View(GRID);
    const begun = view.begin(paint(screenOf('\x1bY7 bottom\x1bHx')), GRID);
    expect((await shown(GRID, begun)).rows[23]).toBe('bottom');
    const told = view.showStatus('told');
    expect(await shown(GRID, begun, told)).toMatchObject({ cursor: [0, 1] });
    expect((await shown(GRID, begun, told)).rows[23]).toBe('told');
    expect(view.showStatus('')).toBe('');
    expect(view.hasStatusRow).toBe(false);
  });

  test('a smaller one shows parts and follows no text', () => {
    const view = new View({ rows: 10, columns: 40 });
    const begun = view.begin('PAINT', GRID);
    expect(begun).not.toContain('PAINT');
    expect(view.follow('text')).toBe('');
    expect(view.showPart({ rows: ['abc'], cursor: { row: 0, column: 1 } })).toContain('abc');
  });

  test('nothing shows through lines that cover it, also when it is begun anew; a key takes them away', async () => {
    const view = new View({ rows: 30, columns: 90 });
    const texts = [view.begin(paint(blankScreen()), GRID), view.cover(['help', 'more'], 'any key')];
    expect([
      view.follow('x'),
      view.showStatus('y'),
      view.showPart({ rows: [], cursor: { row: 0, column: 0 } }),
    ]).toEqual(['', '', '']);
    const { rows } = await shown({ rows: 30, columns: 90 }, ...texts);
    expect([rows[0], rows[1], rows[29]]).toEqual(['help', 'more', 'any key']);
    expect(view.begin(paint(blankScreen()), GRID)).toBe('');
    expect(view.isCovered).toBe(true);
    view.uncover();
    expect(view.begin(paint(blankScreen()), GRID)).not.toBe('');
    expect(view.follow('x')).toBe('x');
  });

  test('I17: no control character of anybody gets into the status line or into covering lines', () => {
    const view = new View({ rows: 30, columns: 90 });
    view.begin(paint(blankScreen()), GRID);
    expect(view.showStatus('a\x1b]0;owned\x07b\nc')).toContain('a^[]0;owned^Gb c');
    expect(view.cover(['\x1b[2J'], '\x1bc')).toMatch(/\^\[\[2J[^]*\^\[c/);
  });

  test('a status line longer than the terminal is cut, with a column to spare', async () => {
    const size = { rows: 25, columns: 80 };
    const view = new View(size);
    const texts = [view.begin(paint(blankScreen()), GRID), view.showStatus('s'.repeat(200))];
    expect((await shown(size, ...texts)).rows[24]).toBe('s'.repeat(79));
  });
});
