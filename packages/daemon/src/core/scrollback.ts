/**
 * Scrollback: the newest bytes of one stream under absolute offsets, and text of any span of them.
 *
 * An offset counts data bytes since the channel's birth and is never reused. The ring keeps a fixed number of bytes;
 * what it has dropped can no longer be read here, and a slice that asked for it says `truncated`.
 */
import type { RenderedText } from './renderedText.ts';
import { INITIAL_TEXT_CONTEXT, type TextContext, TextView } from './text.ts';

/** Bytes kept in memory by default: half a minute of the line at its full 7.8 kB/s, a hundred pages of a screen. */
export const DEFAULT_RING_BYTES = 256 * 1024;
/** A checkpoint of the text context every so many bytes: the most that is rendered for nothing to reach an offset. */
export const CHECKPOINT_BYTES = 4_096;
/** Checkpoints of bytes that are gone which are dropped together. */
export const PRUNED_CHECKPOINTS = 16;
/** An escape sequence or CR at the end is handed out as it stands after this silence, in ms (CONTRACT 1). */
export const FRAGMENT_AGE_MS = 200;
/** Bytes at the end in which the last line is looked for; a pager's or prompt's has 36 and some motions. */
const LAST_LINE_BYTES = 512;

interface Checkpoint {
  readonly offset: number;
  readonly context: TextContext;
}

export interface ScrollbackSnapshot {
  readonly end: number;
  /** The bytes kept, one character each. */
  readonly bytes: string;
  readonly checkpoints: readonly Checkpoint[];
  readonly tail: TextContext;
}

export interface ScrollbackOptions {
  readonly ringBytes: number;
  readonly bits: 7 | 8;
  /** Take ITS's folds out of the text. */
  readonly joinsFolds?: boolean;
}

/** Text of consecutive bytes, the first of which has `offset`. */
export interface RenderedPiece {
  readonly offset: number;
  readonly rendered: RenderedText;
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

export class Scrollback {
  readonly #ring: Uint8Array;
  readonly #options: ScrollbackOptions;
  readonly #tail: TextView;
  #checkpoints: Checkpoint[];
  #end: number;
  #kept: number;

  constructor(options: ScrollbackOptions, snapshot?: ScrollbackSnapshot) {
    // One checkpoint distance more than promised, because the oldest byte that can be read is one with a context.
    this.#ring = new Uint8Array(options.ringBytes + CHECKPOINT_BYTES);
    this.#options = options;
    this.#tail = new TextView(options.bits, snapshot?.tail, options);
    this.#checkpoints =
      snapshot === undefined ? [{ offset: 0, context: INITIAL_TEXT_CONTEXT }] : [...snapshot.checkpoints];
    this.#kept = 0;
    const bytes = snapshot === undefined ? new Uint8Array(0) : fromCharacters(snapshot.bytes);
    this.#end = (snapshot?.end ?? 0) - bytes.length;
    this.#store(bytes);
  }

  /** Offset that the next byte will get. */
  get end(): number {
    return this.#end;
  }

  /** Oldest offset that can still be read; always one with a checkpoint. */
  get oldest(): number {
    return Math.ceil((this.#end - this.#kept) / CHECKPOINT_BYTES) * CHECKPOINT_BYTES;
  }

  get column(): number {
    return this.#tail.column;
  }

  /** Column of the cursor when the bytes before `offset`, which must be kept, had come. */
  columnAt(offset: number): number {
    return offset === this.#end ? this.#tail.column : this.#viewAt(offset).column;
  }

  /** Largest offset at which an answer may end: not inside an escape sequence or CR LF (CONTRACT 1). */
  get safeEnd(): number {
    return this.#end - this.#tail.fragmentBytes;
  }

  /** Takes the next bytes; their text is given only when somebody waits for it. */
  append(bytes: Uint8Array, isWanted: boolean): readonly RenderedPiece[] {
    const pieces: RenderedPiece[] = [];
    for (let from = 0; from < bytes.length; ) {
      // Pieces end at multiples of the checkpoint distance, so that checkpoints do not depend on how bytes were split.
      const room = CHECKPOINT_BYTES - (this.#end % CHECKPOINT_BYTES);
      const piece = bytes.subarray(from, from + room);
      if (isWanted) pieces.push({ offset: this.#end, rendered: this.#tail.render(piece) });
      else this.#tail.skip(piece);
      this.#store(piece);
      from += piece.length;
      if (this.#end % CHECKPOINT_BYTES === 0) this.#checkpoint();
    }
    return pieces;
  }

  /** Text of bytes that are kept, piece by piece, for one who waits for something in them. */
  rendered(start: number, end: number): readonly RenderedPiece[] {
    const pieces: RenderedPiece[] = [];
    const view = this.#viewAt(start);
    for (let at = start; at < end; at += CHECKPOINT_BYTES) {
      pieces.push({
        offset: at,
        rendered: view.render(this.bytes(at, Math.min(at + CHECKPOINT_BYTES, end))),
      });
    }
    return pieces;
  }

  /** Bytes of `[start, end)` as far as they are still here. */
  bytes(start: number, end: number): Uint8Array {
    const from = Math.max(start, this.oldest);
    const to = Math.min(end, this.#end);
    const out = new Uint8Array(Math.max(to - from, 0));
    for (let copied = 0; copied < out.length; ) {
      const index = (from + copied) % this.#ring.length;
      const piece = this.#ring.subarray(index, Math.min(index + out.length - copied, this.#ring.length));
      out.set(piece, copied);
      copied += piece.length;
    }
    return out;
  }

  /**
   * Text of `[start, end)`, at most `maxChars` characters of it: then `end` is the offset behind the last of them.
   * An `end` in the middle of a fragment is the caller's business (`safeEnd`).
   */
  text(start: number, end: number, maxChars = Number.POSITIVE_INFINITY): TextSpan {
    const to = Math.max(Math.min(end, this.#end), this.oldest);
    const from = Math.min(Math.max(start, this.oldest), to);
    const view = this.#viewAt(from);
    const parts: string[] = [];
    let room = maxChars;
    let at = from;
    while (at < to) {
      const before = view.context();
      const piece = this.bytes(at, Math.min(at + CHECKPOINT_BYTES, to));
      const { text } = view.render(piece);
      if (text.length > room) {
        const cut = this.#cut(before, piece, room);
        return this.text(start, at + (at + cut.safe > from ? cut.safe : cut.longest));
      }
      parts.push(text);
      room -= text.length;
      at += piece.length;
    }
    return {
      start: from,
      end: at,
      text: parts.join(''),
      bells: view.bells,
      folds: view.folds,
      motions: view.motions,
      truncated: from > start,
    };
  }

  /** What stands behind the last line end, and the offset at which it begins. */
  lastLine(): { readonly line: string; readonly start: number } {
    const from = Math.max(this.#end - LAST_LINE_BYTES, this.oldest);
    const { text } = this.text(from, this.#end);
    const index = text.lastIndexOf('\n') + 1;
    return { line: text.slice(index), start: index === 0 ? from : this.text(from, this.#end, index).end };
  }

  snapshot(): ScrollbackSnapshot {
    return {
      end: this.#end,
      bytes: toCharacters(this.bytes(this.oldest, this.#end)),
      checkpoints: [...this.#checkpoints],
      tail: this.#tail.context(),
    };
  }

  /** Context at `offset`, which must be kept. */
  #viewAt(offset: number): TextView {
    let nearest = this.#checkpoints[0];
    for (const checkpoint of this.#checkpoints) {
      if (checkpoint.offset > offset) break;
      nearest = checkpoint;
    }
    const view = this.#viewOf(nearest?.context);
    view.skip(this.bytes(nearest?.offset ?? offset, offset));
    return this.#viewOf(view.context());
  }

  #viewOf(context: TextContext | undefined): TextView {
    return new TextView(this.#options.bits, context, this.#options);
  }

  /**
   * Bytes of the longest beginning of a piece that has at most `room` characters, and of it as far as it is safe: below 0
   * where a sequence began in the piece before. What follows a character without printing (ESC K behind CR LF) goes
   * with it, so that a CR at the end is one that no LF follows.
   */
  #cut(context: TextContext, piece: Uint8Array, room: number): { longest: number; safe: number } {
    const view = (length: number): { chars: number; sequenceBytes: number } => {
      const probe = this.#viewOf(context);
      return {
        chars: probe.render(piece.subarray(0, length)).length,
        sequenceBytes: probe.sequenceBytes,
      };
    };
    let longest = 0;
    let high = piece.length;
    while (longest < high) {
      const middle = (longest + high + 1) >> 1;
      if (view(middle).chars <= room) longest = middle;
      else high = middle - 1;
    }
    return { longest, safe: longest - view(longest).sequenceBytes };
  }

  #store(bytes: Uint8Array): void {
    const newest = bytes.subarray(Math.max(bytes.length - this.#ring.length, 0));
    const skipped = bytes.length - newest.length;
    this.#end += skipped;
    for (let copied = 0; copied < newest.length; ) {
      const index = this.#end % this.#ring.length;
      const piece = newest.subarray(copied, copied + this.#ring.length - index);
      this.#ring.set(piece, index);
      copied += piece.length;
      this.#end += piece.length;
    }
    this.#kept = Math.min(this.#kept + bytes.length, this.#ring.length);
  }

  #checkpoint(): void {
    this.#checkpoints.push({ offset: this.#end, context: this.#tail.context() });
    // Many at a time: a full ring of megabytes would else copy its list for every piece.
    if ((this.#checkpoints[PRUNED_CHECKPOINTS]?.offset ?? this.#end) >= this.oldest) return;
    const first = this.#checkpoints.findIndex((checkpoint) => checkpoint.offset >= this.oldest);
    this.#checkpoints = this.#checkpoints.slice(first);
  }
}

function toCharacters(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let from = 0; from < bytes.length; from += CHECKPOINT_BYTES) {
    parts.push(String.fromCharCode(...bytes.subarray(from, from + CHECKPOINT_BYTES)));
  }
  return parts.join('');
}

function fromCharacters(characters: string): Uint8Array {
  return Uint8Array.from(characters, (character) => character.charCodeAt(0));
}
