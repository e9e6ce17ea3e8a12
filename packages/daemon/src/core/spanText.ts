/** Text of a span of bytes, made again from a context before it; at most so many characters of it. */
import type { TextRenderer, TextRendererFactory } from './textRenderer.ts';

/** A checkpoint of the text context every so many bytes: the most that is rendered for nothing to reach an offset. */
export const CHECKPOINT_BYTES = 4_096;

export interface TextCheckpoint {
  readonly offset: number;
  readonly context: unknown;
}

export interface TextSpan {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly bells: number;
  /** Lines that ITS had folded and that are one again. */
  readonly folds: number;
  /** Cursor motions that only a program that paints the screen makes. */
  readonly motions: number;
  /** `start` was asked for earlier, but those bytes are gone. */
  readonly truncated: boolean;
}

/** A stretch of a stream, with the contexts that its text can be made from. */
export interface TextSource {
  readonly oldest: number;
  readonly end: number;
  readonly view: TextRendererFactory;
  bytes(start: number, end: number): Uint8Array;
  /** The nearest checkpoint at or before `offset`. */
  checkpointBefore(offset: number): TextCheckpoint;
}

/** A view that stands at `offset`, which the source must have, and has counted nothing yet. */
export function viewAt(source: TextSource, offset: number): TextRenderer {
  const nearest = source.checkpointBefore(offset);
  const view = source.view(nearest.context);
  view.skip(source.bytes(nearest.offset, offset));
  return source.view(view.context());
}

/**
 * Text of `[start, end)` as far as the source has it, at most `maxChars` characters: then `end` is the offset behind the
 * last of them. An `end` in the middle of a fragment is the caller's business (`safeEnd`).
 */
export function spanText(source: TextSource, start: number, end: number, maxChars: number): TextSpan {
  const to = Math.max(Math.min(end, source.end), source.oldest);
  const from = Math.min(Math.max(start, source.oldest), to);
  const view = viewAt(source, from);
  const parts: string[] = [];
  let room = maxChars;
  let at = from;
  while (at < to) {
    const before = view.context();
    const piece = source.bytes(at, Math.min(at + CHECKPOINT_BYTES, to));
    const { text } = view.render(piece);
    if (text.length > room) {
      const { longest, safe } = cut(source.view, before, piece, room);
      // One byte (REP, TAB) may say more than there is room for: it goes all the same, else nobody would get past it.
      const least = at === from && room > 0 ? 1 : 0;
      const cutAt = at + (at + safe > from ? safe : Math.max(longest, least));
      return spanText(source, start, cutAt, Number.POSITIVE_INFINITY);
    }
    parts.push(text);
    room -= text.length;
    at += piece.length;
  }
  const { bells, folds, motions } = view;
  return { start: from, end: at, text: parts.join(''), bells, folds, motions, truncated: from > start };
}

/**
 * Bytes of the longest beginning of a piece that has at most `room` characters, and of it as far as it is safe: below 0
 * where a sequence began in the piece before. What follows a character without printing (ESC K behind CR LF) goes
 * with it, so that a CR at the end is one that no LF follows.
 */
function cut(
  view: TextRendererFactory,
  context: unknown,
  piece: Uint8Array,
  room: number,
): { longest: number; safe: number } {
  const probe = (length: number): { chars: number; sequenceBytes: number } => {
    const renderer = view(context);
    return {
      chars: renderer.render(piece.subarray(0, length)).length,
      sequenceBytes: renderer.sequenceBytes,
    };
  };
  let longest = 0;
  let high = piece.length;
  while (longest < high) {
    const middle = (longest + high + 1) >> 1;
    if (probe(middle).chars <= room) longest = middle;
    else high = middle - 1;
  }
  return { longest, safe: longest - probe(longest).sequenceBytes };
}
