/**
 * What the scrollback needs of a text view, whatever terminal it is of: `text.ts` is the VT52's of a line, a command
 * session brings its own. A view is a pure function of the bytes and of the context that it begins in.
 */
import type { RenderedText } from './renderedText.ts';

export interface TextRenderer {
  /** All that another view needs to go on from here: plain JSON, some hundred bytes. */
  context(): unknown;
  /** Column of the cursor, counted from 0. */
  readonly column: number;
  /** Bytes at the end that must not be split off: an unfinished sequence or character, a CR that an LF may follow. */
  readonly fragmentBytes: number;
  /** Of these the bytes of an unfinished escape sequence or character alone: an answer is never cut there. */
  readonly sequenceBytes: number;
  /** BELs since this view was made. */
  readonly bells: number;
  /** Folds taken out since this view was made. */
  readonly folds: number;
  /** Motions, since this view was made, that only a program that paints the screen makes. */
  readonly motions: number;
  /** Text of the next bytes. */
  render(bytes: Uint8Array): RenderedText;
  /** Moves over bytes whose text nobody wants. */
  skip(bytes: Uint8Array): void;
}

/**
 * Makes a view that goes on in `context`, which is what `context()` of one of its kind gave, through JSON perhaps; without
 * one at the beginning of a stream. Throws a RangeError when it is no such context.
 */
export type TextRendererFactory = (context?: unknown) => TextRenderer;
