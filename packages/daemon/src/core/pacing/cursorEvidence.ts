/**
 * Cursor evidence: how far an input has certainly been read, judged by where the cursor rests.
 *
 * A program that paints may send any part of its picture at any time, so what it sends proves nothing. But when it is
 * silent its cursor stands behind the last character that it took, and what stands left of it is what was typed. Of all
 * numbers of characters that fit the picture the smallest is taken: too few costs a little time, too many could cost input.
 */
import type { ScreenSnapshot } from '../screen.ts';
import { echoOf } from './echoForm.ts';

/** Where the cursor rests, with the picture around it. */
export type Resting = Pick<ScreenSnapshot, 'rows' | 'row' | 'column'>;

/** Columns of a row that carry text; ITS puts a `!` into the one behind when a line goes on in the next row. */
export const LINE_COLUMNS = 79;
/** Characters left of the cursor, blanks not counted, that have to be what was typed: a line's ordinary words. */
const CONTEXT_CHARS = 24;
/** Fewer of them tell nothing: a message or a mode line may end alike. */
const MIN_CONTEXT_CHARS = 6;
/** Without those that were proved before there must be more. */
const MIN_ALONE_CHARS = 12;
/** Where it is not known in which column the cursor has to be, its own row alone has to have so many. */
const MIN_ROW_CHARS = 12;
/** Rows above the cursor that are looked at: a line that goes on, and the end of the one before. */
const ROWS_ABOVE = 3;
const TAB_COLUMNS = 8;
const CR = 0x0d;
const LF = 0x0a;
const TAB = 0x09;
const DEL = 0x7f;

export interface Unproved {
  readonly bytes: readonly number[];
  /** What was proved before them, as `trailOf` makes it. */
  readonly trail: string;
  /** Where the cursor stood behind that; undefined when nobody knows. */
  readonly column: number | undefined;
}

/** How many of the bytes have been read for certain; undefined when the picture tells nothing. */
export function readByCursor(unproved: Unproved, resting: Resting): number | undefined {
  const row = rowOf(resting);
  // In the first column it rests behind anything that ends in a line end, such as a message.
  if (row === '') return undefined;
  const seen = contextOf(resting);
  const isInPlace = (typed: string, alone: string, at: number | undefined): boolean =>
    at !== undefined &&
    at % LINE_COLUMNS === resting.column % LINE_COLUMNS &&
    (endsIn(seen, typed, MIN_CONTEXT_CHARS) || endsIn(seen, alone, MIN_ALONE_CHARS));
  // A message has moved it elsewhere: then its own row has to do.
  const isInRow = (typed: string, alone: string): boolean => endsAlike(row, typed) || endsAlike(row, alone);
  return firstFit(unproved, isInPlace) ?? firstFit(unproved, isInRow);
}

/** The smallest number of bytes behind which the cursor may rest. */
function firstFit(
  { bytes, trail, column }: Unproved,
  fits: (typed: string, alone: string, column: number | undefined) => boolean,
): number | undefined {
  let [typed, alone, at] = [trail, '', column];
  for (let count = 0; ; count += 1) {
    if (fits(typed, alone, at)) return count;
    const byte = bytes[count];
    if (byte === undefined) return undefined;
    typed = trailOf(typed, byte);
    alone = trailOf(alone, byte);
    at = columnBehind(at, byte);
  }
}

/** What stands before the cursor, as `trailOf` makes what was typed. */
export function contextOf(resting: Resting): string {
  const { rows, row } = resting;
  const above = rows.slice(Math.max(row - ROWS_ABOVE, 0), row).map((text) => text.slice(0, LINE_COLUMNS));
  return (toCompared(above.join('')) + rowOf(resting)).slice(-2 * CONTEXT_CHARS);
}

/** What was typed, as it is compared with the picture: in lower case, without blanks, the newest of it. */
export function trailOf(trail: string, byte: number): string {
  if (byte === DEL) return trail.slice(0, -1);
  return (trail + toCompared(echoOf(byte))).slice(-2 * CONTEXT_CHARS);
}

/** Column behind a typed byte. */
export function columnBehind(column: number | undefined, byte: number): number | undefined {
  if (byte === CR || byte === LF) return 0;
  if (column === undefined) return undefined;
  if (byte === DEL) return Math.max(column - 1, 0);
  if (byte === TAB) return (column + TAB_COLUMNS - (column % TAB_COLUMNS)) % LINE_COLUMNS;
  return (column + echoOf(byte).length) % LINE_COLUMNS;
}

function endsIn(seen: string, typed: string, minChars: number): boolean {
  return typed.length >= minChars && seen.endsWith(typed.slice(-CONTEXT_CHARS));
}

/** Both end in the same, as far as either goes. */
function endsAlike(row: string, typed: string): boolean {
  const chars = Math.min(row.length, typed.length, CONTEXT_CHARS);
  return chars >= MIN_ROW_CHARS && row.slice(-chars) === typed.slice(-chars);
}

function rowOf({ rows, row, column }: Resting): string {
  return toCompared((rows[row] ?? '').slice(0, Math.min(column, LINE_COLUMNS)));
}

function toCompared(text: string): string {
  return text.replaceAll(/\s/g, '').toLowerCase();
}
