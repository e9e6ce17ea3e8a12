/**
 * Frames of the Unix socket: one JSON text a line, in UTF-8, ended by LF (a CR before it is dropped, so that `socat` and
 * telnet clients work). Counts bytes; characters appear only when a whole frame is decoded at once.
 * Does not look into the JSON.
 */

/**
 * Longest frame that a daemon takes, in bytes without the line end: room for the longest input of one send, small enough
 * for 64 clients at once. A longer one is reported and skipped up to its line end.
 */
export const MAX_FRAME_BYTES = 1_048_576;
/**
 * Longest frame that a client takes: an answer may carry two slices of a million characters, of up to four bytes each, or
 * two if escaped. The daemon is trusted more than its clients are, yet not with all of the memory.
 */
export const MAX_ANSWER_BYTES = 16_777_216;
/** Unit of storage for a frame that has not ended. A byte at a time must not cost an object per byte. */
const BLOCK_BYTES = 65_536;

const NEWLINE = 0x0a;
const RETURN = 0x0d;

export type Frame =
  | { readonly kind: 'frame'; readonly text: string }
  /** Reported as soon as it is known; the rest of that frame is skipped in silence. */
  | { readonly kind: 'too_long'; readonly maxFrameBytes: number }
  | { readonly kind: 'invalid_utf8' };

export interface FrameDecoderOptions {
  readonly maxFrameBytes?: number | undefined;
}

/** Bytes in, frames out. Holds at most `maxFrameBytes` + 64 KiB, and looks at each byte once. */
export class FrameDecoder {
  readonly #maxFrameBytes: number;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #blocks: Uint8Array[] = [];
  #pendingBytes = 0;
  #isSkipping = false;

  constructor(options: FrameDecoderOptions = {}) {
    this.#maxFrameBytes = options.maxFrameBytes ?? MAX_FRAME_BYTES;
  }

  /** Bytes held of a frame that has not ended. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /** Bytes of memory held for it. */
  get heldBytes(): number {
    return this.#blocks.length * BLOCK_BYTES;
  }

  /** A frame has begun and not ended, be it one that is skipped. Whoever owns the connection puts a time limit on it. */
  get hasPartial(): boolean {
    return this.#isSkipping || this.#pendingBytes > 0;
  }

  push(chunk: Uint8Array): Frame[] {
    const frames: Frame[] = [];
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end < 0) break;
      this.#handleEnd(chunk.subarray(start, end), frames);
      start = end + 1;
    }
    this.#handlePart(chunk.subarray(start), frames);
    return frames;
  }

  #handlePart(part: Uint8Array, frames: Frame[]): void {
    if (this.#isSkipping || part.length === 0) return;
    // One byte more than the limit is held, because it may be the CR of a CR LF.
    if (this.#pendingBytes + part.length > this.#maxFrameBytes + 1) {
      this.#isSkipping = true;
      this.#drop();
      frames.push({ kind: 'too_long', maxFrameBytes: this.#maxFrameBytes });
      return;
    }
    this.#hold(part);
  }

  #handleEnd(part: Uint8Array, frames: Frame[]): void {
    if (this.#isSkipping) {
      this.#isSkipping = false;
      return;
    }
    const bytes = withoutReturn(this.#pendingBytes === 0 ? part : this.#join(part));
    this.#drop();
    if (bytes === undefined || bytes.length > this.#maxFrameBytes) {
      frames.push({ kind: 'too_long', maxFrameBytes: this.#maxFrameBytes });
    } else if (bytes.length > 0) {
      frames.push(this.#decode(bytes));
    }
  }

  #decode(bytes: Uint8Array): Frame {
    try {
      return { kind: 'frame', text: this.#decoder.decode(bytes) };
    } catch {
      return { kind: 'invalid_utf8' };
    }
  }

  #hold(part: Uint8Array): void {
    let taken = 0;
    while (taken < part.length) {
      const offset = this.#pendingBytes % BLOCK_BYTES;
      if (offset === 0) this.#blocks.push(new Uint8Array(BLOCK_BYTES));
      const piece = part.subarray(taken, taken + BLOCK_BYTES - offset);
      this.#blocks.at(-1)?.set(piece, offset);
      this.#pendingBytes += piece.length;
      taken += piece.length;
    }
  }

  /** What is held plus the last part; undefined if that is certainly too long, so that it is not even copied. */
  #join(part: Uint8Array): Uint8Array | undefined {
    if (this.#pendingBytes + part.length > this.#maxFrameBytes + 1) return undefined;
    const whole = new Uint8Array(this.#pendingBytes + part.length);
    this.#blocks.forEach((block, index) => {
      const from = index * BLOCK_BYTES;
      whole.set(block.subarray(0, Math.min(BLOCK_BYTES, this.#pendingBytes - from)), from);
    });
    whole.set(part, this.#pendingBytes);
    return whole;
  }

  #drop(): void {
    this.#blocks = [];
    this.#pendingBytes = 0;
  }
}

function withoutReturn(bytes: Uint8Array | undefined): Uint8Array | undefined {
  return bytes?.at(-1) === RETURN ? bytes.subarray(0, -1) : bytes;
}

/**
 * One frame. JSON has no bare line end, and `JSON.stringify` writes lone surrogates as \uXXXX, so that the result is
 * always one line of valid Unicode. Throws what `JSON.stringify` throws.
 */
export function encodeFrame(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

/** Whether the text is longer than so many bytes in UTF-8; encodes only where the character count leaves a doubt. */
export function exceedsBytes(text: string, maxBytes: number): boolean {
  if (text.length > maxBytes) return true;
  if (text.length * 3 <= maxBytes) return false;
  return new TextEncoder().encode(text).length > maxBytes;
}
