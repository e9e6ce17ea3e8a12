/**
 * How the grid of the line lies on a terminal of some size: whole in the upper left corner, or, where that is too small, the
 * part with the cursor. Below it, where a row is left, stands the status line.
 */
import { neutralize } from '../neutralize.ts';

export interface Size {
  readonly rows: number;
  readonly columns: number;
}

export interface Layout {
  readonly kind: 'whole' | 'part';
  /** Of the grid, as far as it is shown. */
  readonly shown: Size;
  /** Row of the status line, from 0; undefined where the grid takes them all. */
  readonly statusRow: number | undefined;
}

/** Upper left corner of what is shown, in the grid. */
export interface Origin {
  readonly row: number;
  readonly column: number;
}

const REVERSE = '\x1b[7m';
const PLAIN = '\x1b[m';
const ERASE_REST_OF_ROW = '\x1b[K';
const SAVE_CURSOR = '\x1b7';
const RESTORE_CURSOR = '\x1b8';

/** `isExact`: whole only on a terminal of the very same size. */
export function toLayout(terminal: Size, grid: Size, isExact = false): Layout {
  const isSame = terminal.rows === grid.rows && terminal.columns === grid.columns;
  if (isSame || (!isExact && terminal.rows >= grid.rows && terminal.columns >= grid.columns)) {
    const statusRow = terminal.rows > grid.rows ? terminal.rows - 1 : undefined;
    return { kind: 'whole', shown: grid, statusRow };
  }
  const height = Math.min(grid.rows, Math.max(terminal.rows - 1, 1));
  const shown = { rows: height, columns: Math.max(Math.min(terminal.columns, grid.columns), 1) };
  return { kind: 'part', shown, statusRow: terminal.rows > 1 ? terminal.rows - 1 : undefined };
}

/** Moves the part no further than the cursor demands, so that the picture stands still while somebody types. */
export function toOrigin(last: Origin, cursor: Origin, shown: Size): Origin {
  return {
    row: clamp(last.row, cursor.row - shown.rows + 1, cursor.row),
    column: clamp(last.column, cursor.column - shown.columns + 1, cursor.column),
  };
}

export interface Part {
  readonly rows: readonly string[];
  readonly cursor: Origin;
}

/** One text for the whole part, so that nothing flickers; the cursor last. */
export function paintPart({ rows, cursor }: Part, { shown }: Layout, origin: Origin): string {
  const painted = Array.from({ length: shown.rows }, (_, index) => {
    const row = rows[origin.row + index] ?? '';
    const text = neutralize(row.slice(origin.column, origin.column + shown.columns));
    return `${moveTo(index, 0)}${text}${text.length < shown.columns ? ERASE_REST_OF_ROW : ''}`;
  });
  return `${painted.join('')}${moveTo(cursor.row - origin.row, cursor.column - origin.column)}`;
}

/** The cursor stays where it is. One column is left free: a character in the last one may wrap. */
export function paintStatus(text: string, row: number, { columns }: Size): string {
  const shown = Array.from(neutralize(text).replaceAll(/\s+/g, ' '))
    .slice(0, Math.max(columns - 1, 0))
    .join('');
  return `${SAVE_CURSOR}${moveTo(row, 0)}${REVERSE}${shown}${ERASE_REST_OF_ROW}${PLAIN}${RESTORE_CURSOR}`;
}

/** Lines instead of the grid, as many as there is room for; the last row says how to go on. */
export function paintLines(lines: readonly string[], hint: string, terminal: Size): string {
  const room = Math.max(terminal.rows - 1, 0);
  const painted = lines
    .slice(0, room)
    .map((line, row) => `${moveTo(row, 0)}${neutralize(line).slice(0, Math.max(terminal.columns - 1, 0))}`);
  return `${CLEAR}${painted.join('')}${paintStatus(hint, room, terminal)}`;
}

/** An empty terminal without a scroll region. */
export const CLEAR = '\x1b[r\x1b[m\x1b[2J\x1b[H';

/** Both from 0. */
function moveTo(row: number, column: number): string {
  return `\x1b[${row + 1};${column + 1}H`;
}

function clamp(value: number, min: number, max: number): number {
  return Math.max(Math.min(value, max), min, 0);
}
