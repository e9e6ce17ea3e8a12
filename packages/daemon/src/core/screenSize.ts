/** Size of the terminal's screen, and its tab stops. */

export interface ScreenSize {
  readonly rows: number;
  readonly columns: number;
}

export const VT52_SIZE: ScreenSize = { rows: 24, columns: 80 };

export const TAB_COLUMNS = 8;

/** EK-VT5X-OP 3.3: stops every eight columns up to the 73rd; behind it TAB moves one column. */
export function nextTabStop(column: number, columns: number): number {
  const stop = column < columns - TAB_COLUMNS ? column + TAB_COLUMNS - (column % TAB_COLUMNS) : column + 1;
  return Math.min(stop, columns - 1);
}
