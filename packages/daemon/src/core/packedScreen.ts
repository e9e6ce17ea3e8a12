/** A screen as small as it gets in JSON: blanks at the right and rows at the bottom that have nothing are left out. */
import type { ScreenSnapshot } from './screen.ts';
import type { ScreenSize } from './screenSize.ts';
import type { Vt52Snapshot } from './vt52.ts';

export interface PackedScreen {
  readonly offset: number;
  readonly size: ScreenSize;
  readonly rows: readonly string[];
  /** Offsets behind the last change, for the rows from the top to the last one that was ever changed. */
  readonly changedAt: readonly number[];
  readonly row: number;
  readonly column: number;
  readonly vt52: Vt52Snapshot;
  readonly unknown: number;
}

export function packScreen(screen: ScreenSnapshot): PackedScreen {
  const rows = screen.rows.map(trimBlanks);
  return {
    ...screen,
    size: { rows: screen.rows.length, columns: screen.rows[0]?.length ?? 0 },
    rows: rows.slice(0, rows.findLastIndex((row) => row !== '') + 1),
    changedAt: screen.changedAt.slice(0, screen.changedAt.findLastIndex((at) => at > 0) + 1),
  };
}

/** The screen as it was; on one of another size what fits into it from the top left corner, the cursor on it. */
export function unpackScreen(packed: PackedScreen, size: ScreenSize = packed.size): ScreenSnapshot {
  const { offset, rows, changedAt, row, column, vt52, unknown } = packed;
  const { columns } = size;
  return {
    offset,
    rows: Array.from({ length: size.rows }, (_, at) => (rows[at] ?? '').slice(0, columns).padEnd(columns)),
    changedAt: Array.from({ length: size.rows }, (_, at) => changedAt[at] ?? 0),
    row: Math.min(row, size.rows - 1),
    column: Math.min(column, columns - 1),
    vt52,
    unknown,
  };
}

/** Blanks only: an 8-bit line may have other characters that `trimEnd` takes for white space. */
export function trimBlanks(row: string): string {
  let { length } = row;
  while (length > 0 && row.charAt(length - 1) === ' ') length -= 1;
  return row.slice(0, length);
}
