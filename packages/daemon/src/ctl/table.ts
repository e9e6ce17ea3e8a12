/** Rows as columns, separated by two blanks, below a heading. */
import { neutralize } from './neutralize.ts';

/** Each row has as many cells as the heading. Made harmless here, because the width of what is shown counts. */
export function toTable(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [heading, ...rows].map((row) => row.map((cell) => neutralize(cell)));
  const widths = heading.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) => `${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
    .map((line) => `${line}\n`)
    .join('');
}
