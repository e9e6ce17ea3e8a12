/** Collects the text of one chunk, with what goes beside it. */
import type { Bell } from './renderedText.ts';

const LF = 0x0a;
/** Most characters of the chunk before that come with this one: `!` and a line end. */
const HELD_BACK = 2;

/** Collects text of one chunk; with `ends` also where in the chunk each character came from. */
export class TextBuilder {
  readonly bells: Bell[] = [];
  readonly #bytes: Uint8Array;
  readonly #mask: number;
  // Never more characters than bytes, but for the two of a fold of the chunk before that was none.
  readonly #codes: Uint8Array;
  readonly #ends: Uint32Array | undefined;
  #length = 0;

  constructor(bytes: Uint8Array, bits: 7 | 8, hasEnds: boolean) {
    this.#bytes = bytes;
    this.#mask = bits === 7 ? 0x7f : 0xff;
    this.#codes = new Uint8Array(bytes.length + HELD_BACK);
    this.#ends = hasEnds ? new Uint32Array(bytes.length + HELD_BACK) : undefined;
  }

  print(from: number, to: number): void {
    // The hot loop of a flood: locals, because the engine does not hoist private fields.
    const bytes = this.#bytes;
    const codes = this.#codes;
    const ends = this.#ends;
    const mask = this.#mask;
    let length = this.#length;
    this.#length = length + to - from;
    if (ends !== undefined) for (let at = from; at < to; at += 1) ends[length + at - from] = at + 1;
    for (let at = from; at < to; at += 1) {
      codes[length] = (bytes[at] ?? 0) & mask;
      length += 1;
    }
  }

  bell(at: number): void {
    this.bells.push({ index: this.#length, at });
  }

  newline(at: number): void {
    this.#add(LF, at);
  }

  character(at: number, character: string): void {
    this.#add(character.charCodeAt(0), at);
  }

  get codes(): Uint8Array {
    return this.#codes.subarray(0, this.#length);
  }

  get ends(): Uint32Array {
    return this.#ends?.subarray(0, this.#length) ?? new Uint32Array(0);
  }

  #add(code: number, at: number): void {
    this.#codes[this.#length] = code;
    if (this.#ends !== undefined) this.#ends[this.#length] = Math.max(at + 1, 0);
    this.#length += 1;
  }
}
