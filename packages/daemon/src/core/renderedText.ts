/**
 * Text of one piece of the stream, as cheap as a flood needs it: the characters as codes, the string and the places of
 * the characters made when somebody asks.
 */

/** What a matcher reads; a string is one too. */
export interface CodeUnits {
  readonly length: number;
  charCodeAt(index: number): number;
}

/** A BEL: characters of the piece before it, and the index of its byte. */
export interface Bell {
  readonly index: number;
  readonly at: number;
}

/** UTF-16 code units of a text; a terminal of one byte a character needs but eight bits. */
export type Codes = Uint8Array | Uint16Array;

export interface RenderedParts {
  readonly codes: Codes;
  readonly bells: readonly Bell[];
  /** Cursor motions that only a program that paints the screen makes. */
  readonly motions: number;
  /** For each character how many bytes of the piece had been taken with it. */
  readonly toEnds: () => Uint32Array;
}

export class RenderedText implements CodeUnits {
  readonly bells: readonly Bell[];
  readonly motions: number;
  readonly #codes: Codes;
  readonly #toEnds: () => Uint32Array;
  /** Characters of the piece in front of this part of it. */
  readonly #skipped: number;
  #text: string | undefined;
  #ends: Uint32Array | undefined;

  constructor({ codes, bells, motions, toEnds }: RenderedParts, skipped = 0) {
    this.bells = bells;
    this.motions = motions;
    this.#codes = codes;
    this.#toEnds = toEnds;
    this.#skipped = skipped;
  }

  /** Characters. */
  get length(): number {
    return this.#codes.length;
  }

  get text(): string {
    this.#text ??= toText(this.#codes);
    return this.#text;
  }

  charCodeAt(index: number): number {
    return this.#codes[index] ?? Number.NaN;
  }

  /** Index of the last line end; -1: there is none. */
  get lastLineEnd(): number {
    return this.#codes.lastIndexOf(LF);
  }

  /** At most `maxChars` characters from `from` on, without the text being made. */
  textAt(from: number, maxChars: number): string {
    return toText(this.#codes.subarray(from, from + maxChars));
  }

  /** The characters `[from, to)` with the bells before each of them; without `to` also those behind the last one. */
  slice(from: number, to?: number): RenderedText {
    if (from === 0 && to === undefined) return this;
    const bells = this.bells
      .filter(({ index }) => index >= from && (to === undefined || index < to))
      .map(({ index, at }) => ({ index: index - from, at }));
    const parts = { codes: this.#codes.subarray(from, to), bells, motions: 0, toEnds: this.#toEnds };
    return new RenderedText(parts, this.#skipped + from);
  }

  /** Bytes behind the `count`-th character (0: before the first): an index into the piece's bytes. */
  byteIndexAfter(count: number): number {
    const characters = this.#skipped + count;
    if (characters <= 0) return 0;
    this.#ends ??= this.#toEnds();
    return this.#ends[Math.min(characters, this.#ends.length) - 1] ?? 0;
  }
}

const LF = 0x0a;
/** Longest argument list that every engine takes; longer texts are made in pieces. */
const APPLY_LIMIT = 8_192;

/** One character a code. `apply` takes the array as it is; a spread would visit each element first, ten times slower. */
function toText(codes: Codes): string {
  let text = '';
  for (let from = 0; from < codes.length; from += APPLY_LIMIT) {
    text += Reflect.apply(String.fromCharCode, undefined, codes.subarray(from, from + APPLY_LIMIT)) as string;
  }
  return text;
}
