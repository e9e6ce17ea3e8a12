/** Size of the terminal's screen, and its tab stops. */

export interface ScreenSize {
  readonly rows: number;
  readonly columns: number;
}

export const VT52_SIZE: ScreenSize = { rows: 24, columns: 80 };

/** Smallest and largest screen; outside them a Transcript throws. The largest is 50 kB in each checkpoint of the ring. */
export const MIN_SCREEN: ScreenSize = { rows: 2, columns: 20 };
export const MAX_SCREEN: ScreenSize = { rows: 200, columns: 250 };

export const TAB_COLUMNS = 8;

/** EK-VT5X-OP 3.3: stops every eight columns up to the 73rd; behind it TAB moves one column. */
export function nextTabStop(column: number, columns: number): number {
  const stop = column < columns - TAB_COLUMNS ? column + TAB_COLUMNS - (column % TAB_COLUMNS) : column + 1;
  return Math.min(stop, columns - 1);
}

/** `24x80`, rows first, in digits; undefined for anything else and for a size that no screen has. */
export function tryParseScreenSize(text: string): ScreenSize | undefined {
  const [, rows, columns] = /^(\d{1,3})x(\d{1,3})$/.exec(text) ?? [];
  const size = { rows: Number(rows), columns: Number(columns) };
  return isScreenSize(size) ? size : undefined;
}

/** @throws RangeError when the size is not one of whole numbers from MIN_SCREEN to MAX_SCREEN. */
export function assertScreenSize(size: ScreenSize): void {
  if (isScreenSize(size)) return;
  throw new RangeError(
    `a screen has ${MIN_SCREEN.rows} to ${MAX_SCREEN.rows} rows and ${MIN_SCREEN.columns} to ${MAX_SCREEN.columns} columns, not ${size.rows} x ${size.columns}`,
  );
}

function isScreenSize({ rows, columns }: ScreenSize): boolean {
  const isWithin = (value: number, min: number, max: number) =>
    Number.isInteger(value) && value >= min && value <= max;
  return (
    isWithin(rows, MIN_SCREEN.rows, MAX_SCREEN.rows) &&
    isWithin(columns, MIN_SCREEN.columns, MAX_SCREEN.columns)
  );
}
