import { expect, it } from 'vitest';
import { toGrid, toScreenTexts } from '../src/screenText.ts';

const SCREEN = {
  rows: ['', 'title hello', '', '  end', '', 'EMACS (Fundamental) Main: RMS; HELLO 1 *'],
  changed: [2, 3],
  cursor: { row: 3, column: 2 },
  offset: 2_046,
  unknown: 0,
  lineState: { state: 'open', codec: 'telnet' },
  activity: { kind: 'screen_program', name: 'emacs' },
  echo: 'on',
  epoch: 'e1',
} as const;

type Screen = Parameters<typeof toScreenTexts>[0];

function screen(more: Partial<Screen> = {}): Screen {
  return { ...SCREEN, rows: [...SCREEN.rows], changed: [...SCREEN.changed], ...more };
}

it('T7 · the screen: numbered rows without the empty ones, a mark under the cursor, one line of ours', () => {
  const { grid, trailer } = toScreenTexts(screen(), undefined);
  expect(grid).toBe(
    [' 1|title hello', ' 3|  end', '     ^', ' 5|EMACS (Fundamental) Main: RMS; HELLO 1 *'].join('\n'),
  );
  expect(trailer).toBe(
    '[screen: 6 rows, empty ones left out · cursor: row 3, column 2 · offset 2046 · screen program emacs · line open]',
  );
});

it('only the changed rows where an offset was given, those that became empty too', () => {
  const { grid, trailer } = toScreenTexts(screen(), 0);
  expect(grid).toBe(' 2|\n 3|  end\n     ^');
  expect(trailer).toMatch(/^\[screen: 2 rows changed since 0 · /);
  expect(toScreenTexts(screen({ changed: [] }), 2_046).grid).toBe('');
});

it('several empty rows that follow each other share one line', () => {
  const rows = [0, 1, 2, 3, 4, 7, 8].map((row) => ({ row, text: row === 1 ? 'x' : ' ' }));
  expect(toGrid(rows, { row: 3, column: 0 })).toBe(' 0| \n 1|x\n 2| \n 3| \n   ^\n 4| \n7-8|');
});

it('the cursor has its mark on an empty row and behind the last column', () => {
  expect(toScreenTexts(screen({ cursor: { row: 0, column: 0 } }), undefined).grid).toMatch(/^ 0\|\n {3}\^\n/);
  expect(toGrid([{ row: 12, text: 'x'.repeat(80) }], { row: 12, column: 79 })).toBe(
    `12|${'x'.repeat(80)}\n${' '.repeat(82)}^`,
  );
});

it('I17 · a row is one line whatever is painted in it, and says what was not understood', () => {
  const { grid, trailer } = toScreenTexts(
    screen({ rows: ['a\nb\x1b[2J'], cursor: { row: 0, column: 0 }, unknown: 1_200 }),
    undefined,
  );
  expect(grid).toBe(' 0|a b\u241b[2J\n   ^');
  expect(trailer).toContain('1,200 escape sequences not understood');
});
