/** Where the text view of a VT52 line stands: all that is needed to go on from there, as plain JSON. */
import type { ScreenSize } from './screenSize.ts';
import { INITIAL_VT52, type Vt52Snapshot } from './vt52.ts';

export interface TextContext {
  readonly vt52: Vt52Snapshot;
  /** Cursor, counted from 0. Clipped at the screen's edges, as the terminal does. */
  readonly row: number;
  readonly column: number;
  /** Column behind the rightmost character of the line that is not ended yet; 0: nothing was printed on it. */
  readonly extent: number;
  /** Bytes since a CR that ended a line, itself included; 0 when there is none: an LF next would belong to it. */
  readonly crBytes: number;
  /** What of a fold has come: its `!`; the CR behind it; the motion to the next row, which only ESC K still proves. */
  readonly fold: 'none' | 'mark' | 'return' | 'lineEnd';
  /** Bytes since that `!`, itself included; 0 when there is none. */
  readonly foldBytes: number;
  /** The last column has its character: what comes next on the row replaces it. */
  readonly isFull: boolean;
  /**
   * The cursor was just sent home: what follows tells what for. `painting`: to paint the screen, unless it clears it;
   * `blankLine`: ITS's line end behind an empty last row, unless it clears the screen.
   */
  readonly home: 'none' | 'painting' | 'blankLine';
  /** The row is known: before the first motion to a fixed place it is not, on a line that was in use before. */
  readonly isPlaced: boolean;
  /** Line feeds without a return in a row. */
  readonly lineFeeds: number;
}

/** The part of it that each byte may change. */
export type TextCursor = {
  -readonly [K in Exclude<keyof TextContext, 'vt52' | 'fold' | 'foldBytes'>]: TextContext[K];
};

export const INITIAL_TEXT_CONTEXT: TextContext = {
  vt52: INITIAL_VT52,
  row: 0,
  column: 0,
  extent: 0,
  crBytes: 0,
  fold: 'none',
  foldBytes: 0,
  isFull: false,
  home: 'none',
  isPlaced: false,
  lineFeeds: 0,
};

/** @throws RangeError when `context` is none of this view's. */
export function toTextContext(context: unknown): TextContext {
  if (!isTextContext(context))
    throw new RangeError('cannot go on with the text: its context is none of a VT52');
  return context;
}

/** The context on a screen of another size: the cursor stays on it. */
export function fitContext(context: TextContext, { rows, columns }: ScreenSize): TextContext {
  return {
    ...context,
    row: Math.min(context.row, rows - 1),
    column: Math.min(context.column, columns - 1),
    extent: Math.min(context.extent, columns - 1),
  };
}

function isTextContext(context: unknown): context is TextContext {
  if (typeof context !== 'object' || context === null) return false;
  return Object.keys(INITIAL_TEXT_CONTEXT).every((key) => key in context);
}
