/**
 * UTF-8, one byte at a time, with a state that survives any cut of the input.
 *
 * Source: the Unicode standard 3.9, table 3-7 (well-formed sequences) and its practice of one U+FFFD for each maximal part of
 * a sequence that was well-formed so far, which is also what WHATWG's decoder does.
 */

export interface Utf8Snapshot {
  /** Bits so far of the character under way. */
  readonly codePoint: number;
  /** Continuation bytes still to come; 0: between characters. */
  readonly needed: number;
  /** Bounds of the next continuation byte: narrower behind E0, ED, F0 and F4. */
  readonly lower: number;
  readonly upper: number;
  /** Bytes since the character's first one, itself included; counts on over bytes that are no text. */
  readonly pendingBytes: number;
}

export const INITIAL_UTF8: Utf8Snapshot = {
  codePoint: 0,
  needed: 0,
  lower: 0x80,
  upper: 0xbf,
  pendingBytes: 0,
};

export const REPLACEMENT = 0xfffd;
/** The byte did not end a character. */
export const INCOMPLETE = -1;
/** The character under way is none: U+FFFD, and the byte is to be given again. */
export const INVALID = -2;

export class Utf8Decoder {
  #codePoint: number;
  #needed: number;
  #lower: number;
  #upper: number;
  #pendingBytes: number;

  constructor(snapshot: Utf8Snapshot = INITIAL_UTF8) {
    this.#codePoint = snapshot.codePoint;
    this.#needed = snapshot.needed;
    this.#lower = snapshot.lower;
    this.#upper = snapshot.upper;
    this.#pendingBytes = snapshot.pendingBytes;
  }

  get isPending(): boolean {
    return this.#needed > 0;
  }

  /** Bytes at the end of the input that belong to an unfinished character. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  snapshot(): Utf8Snapshot {
    return {
      codePoint: this.#codePoint,
      needed: this.#needed,
      lower: this.#lower,
      upper: this.#upper,
      pendingBytes: this.#pendingBytes,
    };
  }

  /** The code point that `byte` ends, U+FFFD for a byte that can begin none, `INCOMPLETE` or `INVALID`. */
  take(byte: number): number {
    if (this.#needed === 0) return this.#begin(byte);
    if (byte < this.#lower || byte > this.#upper) {
      this.reset();
      return INVALID;
    }
    this.#lower = 0x80;
    this.#upper = 0xbf;
    this.#codePoint = (this.#codePoint << 6) | (byte & 0x3f);
    this.#needed -= 1;
    if (this.#needed > 0) {
      this.#pendingBytes += 1;
      return INCOMPLETE;
    }
    const codePoint = this.#codePoint;
    this.reset();
    return codePoint;
  }

  /** Forgets the character under way. */
  reset(): void {
    this.#codePoint = 0;
    this.#needed = 0;
    this.#lower = 0x80;
    this.#upper = 0xbf;
    this.#pendingBytes = 0;
  }

  #begin(byte: number): number {
    if (byte < 0x80) return byte;
    if (byte < 0xc2 || byte > 0xf4) return REPLACEMENT;
    this.#pendingBytes = 1;
    if (byte < 0xe0) {
      this.#needed = 1;
      this.#codePoint = byte & 0x1f;
    } else if (byte < 0xf0) {
      this.#needed = 2;
      this.#codePoint = byte & 0x0f;
      if (byte === 0xe0) this.#lower = 0xa0; // else it would be overlong
      if (byte === 0xed) this.#upper = 0x9f; // surrogates
    } else {
      this.#needed = 3;
      this.#codePoint = byte & 0x07;
      if (byte === 0xf0) this.#lower = 0x90; // overlong
      if (byte === 0xf4) this.#upper = 0x8f; // above U+10FFFF
    }
    return INCOMPLETE;
  }
}
