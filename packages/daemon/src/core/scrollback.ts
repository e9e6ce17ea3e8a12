/**
 * Scrollback: the newest bytes of one stream under absolute offsets, and text of any span of them.
 *
 * An offset counts data bytes since the channel's birth and is never reused. The ring keeps a fixed number of bytes;
 * what it has dropped can no longer be read here, and a slice that asked for it says `truncated`.
 */
import type { RenderedText } from './renderedText.ts';
import type { ScreenSize } from './screenSize.ts';
import {
  CHECKPOINT_BYTES,
  spanText,
  type TextCheckpoint,
  type TextSource,
  type TextSpan,
  viewAt,
} from './spanText.ts';
import { vt52Text } from './text.ts';
import type { TextRenderer, TextRendererFactory } from './textRenderer.ts';

export { CHECKPOINT_BYTES } from './spanText.ts';

/** Bytes kept in memory by default: half a minute of the line at its full 7.8 kB/s, a hundred pages of a screen. */
export const DEFAULT_RING_BYTES = 256 * 1024;
/** Distance of the screen's checkpoints, in bytes: a screen is 2 kB (50 kB at most), and is painted in 0.2 ms from there. */
export const SCREEN_CHECKPOINT_BYTES = 16_384;
/** Checkpoints of bytes that are gone which are dropped together. */
export const PRUNED_CHECKPOINTS = 16;
/** An escape sequence or CR at the end is handed out as it stands after this silence, in ms (CONTRACT 1). */
export const FRAGMENT_AGE_MS = 200;
/** Bytes at the end in which the last line is looked for; a pager's or prompt's has 36 and some motions. */
const LAST_LINE_BYTES = 512;

export interface ScrollbackSnapshot {
  readonly end: number;
  /** The bytes kept, one character each. */
  readonly bytes: string;
  readonly checkpoints: readonly TextCheckpoint[];
  readonly tail: unknown;
}

export interface ScrollbackOptions {
  readonly ringBytes: number;
  readonly bits: 7 | 8;
  /** Take ITS's folds out of the text. */
  readonly joinsFolds?: boolean;
  /** Of the VT52's screen; default 24 x 80. */
  readonly size?: ScreenSize;
  /** Another text view than the VT52's. */
  readonly view?: TextRendererFactory | undefined;
}

/** Text of consecutive bytes, the first of which has `offset`. */
export interface RenderedPiece {
  readonly offset: number;
  readonly rendered: RenderedText;
}

export class Scrollback implements TextSource {
  readonly view: TextRendererFactory;
  readonly #ring: Uint8Array;
  readonly #readableBytes: number;
  readonly #tail: TextRenderer;
  #checkpoints: TextCheckpoint[];
  #end: number;
  #kept: number;

  constructor(options: ScrollbackOptions, snapshot?: ScrollbackSnapshot) {
    const { ringBytes, bits } = options;
    this.view = options.view ?? vt52Text(bits, options);
    // One checkpoint distance more than promised, because the oldest byte that can be read is one with a context; and
    // behind it what the screen there is painted with.
    this.#readableBytes = ringBytes + CHECKPOINT_BYTES;
    this.#ring = new Uint8Array(ringBytes + SCREEN_CHECKPOINT_BYTES);
    this.#tail = this.view(snapshot?.tail);
    this.#checkpoints =
      snapshot === undefined ? [{ offset: 0, context: this.#tail.context() }] : [...snapshot.checkpoints];
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
    const kept = Math.min(this.#kept, this.#readableBytes);
    return Math.ceil((this.#end - kept) / CHECKPOINT_BYTES) * CHECKPOINT_BYTES;
  }

  /** Oldest offset whose byte is there to paint a screen with, at most SCREEN_CHECKPOINT_BYTES before the oldest that can be read. */
  get oldestPaint(): number {
    const checkpoint = Math.floor(this.oldest / SCREEN_CHECKPOINT_BYTES) * SCREEN_CHECKPOINT_BYTES;
    return Math.max(checkpoint, this.#end - this.#kept);
  }

  get column(): number {
    return this.#tail.column;
  }

  /** Column of the cursor when the bytes before `offset`, which must be kept, had come. */
  columnAt(offset: number): number {
    return offset === this.#end ? this.#tail.column : viewAt(this, offset).column;
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
    const view = viewAt(this, start);
    for (let at = start; at < end; at += CHECKPOINT_BYTES) {
      pieces.push({
        offset: at,
        rendered: view.render(this.bytes(at, Math.min(at + CHECKPOINT_BYTES, end))),
      });
    }
    return pieces;
  }

  /** Bytes of `[start, end)` as far as they can still be read. */
  bytes(start: number, end: number): Uint8Array {
    return this.#bytes(Math.max(start, this.oldest), end);
  }

  /** Bytes of `[start, end)` as far as they are there to paint a screen with. */
  paint(start: number, end: number): Uint8Array {
    return this.#bytes(Math.max(start, this.oldestPaint), end);
  }

  /** Text of `[start, end)`, see `spanText`. */
  text(start: number, end: number, maxChars = Number.POSITIVE_INFINITY): TextSpan {
    return spanText(this, start, end, maxChars);
  }

  checkpointBefore(offset: number): TextCheckpoint {
    const nearest = this.#checkpoints.findLast((checkpoint) => checkpoint.offset <= offset);
    return nearest ?? this.#checkpoints[0] ?? { offset, context: undefined };
  }

  /** What stands behind the last line end, and the offset at which it begins. */
  lastLine(): { readonly line: string; readonly start: number } {
    const { from, text } = this.#lastText();
    const index = text.lastIndexOf('\n') + 1;
    return { line: text.slice(index), start: index === 0 ? from : this.text(from, this.#end, index).end };
  }

  /** `lastLine` without its place, which is the dearer part. */
  lastWords(): string {
    const { text } = this.#lastText();
    return text.slice(text.lastIndexOf('\n') + 1);
  }

  snapshot(): ScrollbackSnapshot {
    return {
      end: this.#end,
      bytes: toCharacters(this.#bytes(this.oldestPaint, this.#end)),
      checkpoints: [...this.#checkpoints],
      tail: this.#tail.context(),
    };
  }

  #lastText(): { readonly from: number; readonly text: string } {
    const from = Math.max(this.#end - LAST_LINE_BYTES, this.oldest);
    return { from, text: this.text(from, this.#end).text };
  }

  /** Bytes from `from` on, which is kept. */
  #bytes(from: number, end: number): Uint8Array {
    const out = new Uint8Array(Math.max(Math.min(end, this.#end) - from, 0));
    for (let copied = 0; copied < out.length; ) {
      const index = (from + copied) % this.#ring.length;
      const piece = this.#ring.subarray(index, Math.min(index + out.length - copied, this.#ring.length));
      out.set(piece, copied);
      copied += piece.length;
    }
    return out;
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
    parts.push(
      Reflect.apply(String.fromCharCode, undefined, bytes.subarray(from, from + CHECKPOINT_BYTES)) as string,
    );
  }
  return parts.join('');
}

function fromCharacters(characters: string): Uint8Array {
  return Uint8Array.from(characters, (character) => character.charCodeAt(0));
}
