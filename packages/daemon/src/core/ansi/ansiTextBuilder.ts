/** Collects the text of one chunk of an ANSI stream; with `hasEnds` also where in the chunk each code unit came from. */
import type { Bell } from '../renderedText.ts';

/** Room for what was held back before the chunk, in code units. */
const SPARE_UNITS = 16;

export class AnsiTextBuilder {
  readonly bells: Bell[] = [];
  #codes: Uint16Array<ArrayBuffer>;
  #ends: Uint32Array<ArrayBuffer> | undefined;
  #length = 0;

  constructor(bytes: number, hasEnds: boolean) {
    this.#codes = new Uint16Array(bytes + SPARE_UNITS);
    this.#ends = hasEnds ? new Uint32Array(bytes + SPARE_UNITS) : undefined;
  }

  /** Printing ASCII, as it stands. */
  ascii(bytes: Uint8Array, from: number, to: number): void {
    this.#reserve(to - from);
    const codes = this.#codes;
    const ends = this.#ends;
    let length = this.#length;
    for (let at = from; at < to; at += 1) {
      codes[length] = bytes[at] ?? 0;
      if (ends !== undefined) ends[length] = at + 1;
      length += 1;
    }
    this.#length = length;
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

  get codes(): Uint16Array {
    return this.#codes.subarray(0, this.#length);
  }

  get ends(): Uint32Array {
    return this.#ends?.subarray(0, this.#length) ?? new Uint32Array(0);
  }

  #unit(code: number, at: number): void {
    this.#reserve(1);
    this.#codes[this.#length] = code;
    if (this.#ends !== undefined) this.#ends[this.#length] = at + 1;
    this.#length += 1;
  }

  #reserve(units: number): void {
    if (this.#length + units <= this.#codes.length) return;
    const size = (this.#length + units) * 2;
    const codes = new Uint16Array(size);
    codes.set(this.#codes);
    this.#codes = codes;
    if (this.#ends === undefined) return;
    const ends = new Uint32Array(size);
    ends.set(this.#ends);
    this.#ends = ends;
  }
}
