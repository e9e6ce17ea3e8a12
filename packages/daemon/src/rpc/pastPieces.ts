/**
 * Past output for a watch, piece by piece, each with the time when it came: cut where the record knows a time, so that a
 * recording can be played as it was.
 */
import type { Archive, PastView } from './archive.ts';
import { MAX_PIECE_CHARS, type Piece } from './outputForms.ts';
import { PAST_BYTES } from './pastOutput.ts';

export interface PastPiece extends Piece {
  /** Wall clock in ms; undefined where no time is known. */
  readonly wallMs: number | undefined;
}

/** Makes a piece of `[start, end)` in the form that was asked for. */
export type PastForm = (view: PastView, start: number, end: number) => Piece;

export const PAST_TEXT: PastForm = (view, start, end) => view.text(start, end, MAX_PIECE_CHARS);
export const PAST_BASE64: PastForm = (view, start, end) => {
  const to = Math.min(end, start + MAX_PIECE_CHARS);
  return { end: to, text: btoa(String.fromCharCode(...view.bytes(start, to))) };
};

export class PastPieces {
  readonly #archive: Archive;
  readonly #form: PastForm;
  readonly #times: AsyncIterator<{ readonly offset: number; readonly wallMs: number }>;
  #time: { readonly offset: number; readonly wallMs: number } | undefined;
  #view: PastView | undefined;

  /** From `offset` on. */
  constructor(archive: Archive, offset: number, form: PastForm) {
    this.#archive = archive;
    this.#form = form;
    this.#times = archive.times(offset)[Symbol.asyncIterator]();
  }

  /** The next piece of `[start, end)`, up to `cut` at most; `start` is where the last one ended. */
  async next(start: number, end: number, cut = end): Promise<PastPiece> {
    while (this.#time === undefined || this.#time.offset <= start) {
      const { value, done } = await this.#times.next();
      this.#time = done === true ? { offset: Number.POSITIVE_INFINITY, wallMs: Number.NaN } : value;
    }
    if (this.#view === undefined || start >= this.#view.safeEnd) {
      this.#view = await this.#archive.view(start, Math.min(end, start + PAST_BYTES));
    }
    const view = this.#view;
    const { offset, wallMs } = this.#time;
    const to = Math.min(end, cut, offset, view.safeEnd > start ? view.safeEnd : view.end);
    const piece = this.#form(view, start, to);
    const known = Number.isNaN(wallMs) ? undefined : wallMs;
    return { ...piece, end: piece.end > start ? piece.end : to, wallMs: known };
  }
}
