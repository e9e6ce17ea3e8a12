/**
 * Collects the text of one chunk of an ANSI stream; with `hasEnds` also where in the chunk each code unit came from. Most chunks
 * have no character above FF: those are kept in a byte each, as a flood is copied and searched twice as fast then.
 */
import type { Bell, Codes } from '../renderedText.ts';

/** Room for what was held back before the chunk, in code units. */
const SPARE_UNITS = 16;
/** Longest run that is copied in a loop; a call costs more than that. */
const LOOP_BYTES = 24;
const BYTE_LIMIT = 0xff;

export class AnsiTextBuilder {
  readonly bells: Bell[] = [];
  #codes: Codes;
  #ends: Uint32Array<ArrayBuffer> | undefined;
  #length = 0;

  constructor(bytes: number, hasEnds: boolean) {
    this.#codes = new Uint8Array(bytes + SPARE_UNITS);
    this.#ends = hasEnds ? new Uint32Array(bytes + SPARE_UNITS) : undefined;
  }

  /** ASCII, as it stands. */
  ascii(bytes: Uint8Array, from: number, to: number): void {
    this.#reserve(to - from);
    const codes = this.#codes;
    const ends = this.#ends;
    const shift = this.#length - from;
    if (to - from > LOOP_BYTES) codes.set(bytes.subarray(from, to), this.#length);
    else for (let at = from; at < to; at += 1) codes[shift + at] = bytes[at] ?? 0;
    if (ends !== undefined) for (let at = from; at < to; at += 1) ends[shift + at] = at + 1;
    this.#length += to - from;
  }

  /** A character that was complete with the byte at index `at`. */
  character(codePoint: number, at: number): void {
    if (codePoint < 0x10000) {
      this.#unit(codePoint, at);
      return;
    }
    this.#unit(0xd800 + ((codePoint - 0x10000) >> 10), at);
    this.#unit(0xdc00 + ((codePoint - 0x10000) & 0x3ff), at);
  }

  bell(at: number): void {
    this.bells.push({ index: this.#length, at });
  }

  get codes(): Codes {
    return this.#codes.subarray(0, this.#length);
  }

  get ends(): Uint32Array {
    return this.#ends?.subarray(0, this.#length) ?? new Uint32Array(0);
  }

  #unit(code: number, at: number): void {
    this.#reserve(1);
    if (code > BYTE_LIMIT && this.#codes instanceof Uint8Array) this.#codes = new Uint16Array(this.#codes);
    this.#codes[this.#length] = code;
    if (this.#ends !== undefined) this.#ends[this.#length] = at + 1;
    this.#length += 1;
  }

  #reserve(units: number): void {
    if (this.#length + units <= this.#codes.length) return;
    const size = (this.#length + units) * 2;
    const codes = this.#codes instanceof Uint8Array ? new Uint8Array(size) : new Uint16Array(size);
    codes.set(this.#codes);
    this.#codes = codes;
    if (this.#ends === undefined) return;
    const ends = new Uint32Array(size);
    ends.set(this.#ends);
    this.#ends = ends;
  }
}
