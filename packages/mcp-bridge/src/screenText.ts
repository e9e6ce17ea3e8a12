/** A screen as a model reads it: numbered rows, a mark under the cursor, and a trailer. Rows and columns count from 0. */
import type { MethodResult } from '@pidp10/protocol/methods';
import { toActivityWord, toGoingDown } from './activityText.ts';
import { toLine } from './trailer.ts';
import { toCount, toVisible } from './visibleText.ts';

export interface Cursor {
  readonly row: number;
  readonly column: number;
}

export interface NumberedRow {
  readonly row: number;
  readonly text: string;
}

/** One line for each row; several empty ones that follow each other share one (`3-19|`), but for the cursor's. */
export function toGrid(rows: readonly NumberedRow[], cursor: Cursor): string {
  const lines: string[] = [];
  let run: { first: number; last: number } | undefined;
  for (const { row, text } of rows) {
    const isBlank = text.trim() === '' && row !== cursor.row;
    if (isBlank && run?.last === row - 1) {
      run.last = row;
      lines.splice(-1, 1, `${run.first}-${row}|`);
      continue;
    }
    run = isBlank ? { first: row, last: row } : undefined;
    // Whatever is painted in a row, it stays one line, or the mark would stand under the wrong one.
    lines.push(`${String(row).padStart(2)}|${toVisible(text.replace(/[\n\t]/g, ' '))}`);
    if (row === cursor.row) lines.push(`${' '.repeat(3 + cursor.column)}^`);
  }
  return lines.join('\n');
}

export interface ScreenTexts {
  readonly grid: string;
  readonly trailer: string;
}

/** `since`: the offset behind which changes were asked for. */
export function toScreenTexts(screen: MethodResult<'line.screen'>, since: number | undefined): ScreenTexts {
  const { rows, changed, cursor, offset, unknown, activity, lineState } = screen;
  const shown =
    since === undefined
      ? rows
          .map((text, row) => ({ row, text }))
          .filter(({ row, text }) => text.trim() !== '' || row === cursor.row)
      : changed.map((row) => ({ row, text: rows[row] ?? '' }));
  const what =
    since === undefined
      ? `${rows.length} rows, empty ones left out`
      : `${changed.length} rows changed since ${since}`;
  const word = toActivityWord(activity);
  const down = toGoingDown(screen);
  const parts = [
    `screen: ${what}`,
    toCursorWords(cursor),
    `offset ${offset}`,
    ...(unknown === 0 ? [] : [`${toCount(unknown)} escape sequences not understood`]),
    ...(word === undefined ? [] : [word]),
    ...(down === undefined ? [] : [down]),
    toLine(lineState),
  ];
  return { grid: toGrid(shown, cursor), trailer: `[${parts.join(' · ')}]` };
}

export function toCursorWords({ row, column }: Cursor): string {
  return `cursor: row ${row}, column ${column}`;
}
