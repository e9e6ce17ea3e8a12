/**
 * Runs of printing characters in a chunk of bytes. Most of a flood prints, so four bytes are looked at at a time: one at a
 * time was a third of all that draining a line costs (bench/drain.mjs).
 */

/** Fewer bytes are not worth it: most pieces of a line that nobody floods are one byte. */
const MIN_WORDS_BYTES = 32;
const NO_WORDS = new Uint32Array(0);

export class PrintingRuns {
  readonly #bytes: Uint8Array;
  readonly #words: Uint32Array;
  /** Bytes in front of the first word. */
  readonly #skipped: number;

  constructor(bytes: Uint8Array) {
    const { buffer, byteOffset, length } = bytes;
    this.#bytes = bytes;
    this.#skipped = -byteOffset & 3;
    this.#words =
      length < MIN_WORDS_BYTES
        ? NO_WORDS
        : new Uint32Array(buffer, byteOffset + this.#skipped, (length - this.#skipped) >> 2);
  }

  /** Index behind the printing characters from `from` on. */
  endOf(from: number, mask: number): number {
    const bytes = this.#bytes;
    const words = this.#words;
    const { length } = bytes;
    const wordMask = (mask * 0x01010101) | 0;
    let at = from;
    while (at < length && isPrinting((bytes[at] ?? 0) & mask)) {
      at += 1;
      if (((at - this.#skipped) & 3) !== 0) continue;
      let word = (at - this.#skipped) >> 2;
      while (word < words.length && isAllPrinting((words[word] ?? 0) & wordMask)) word += 1;
      at = (word << 2) + this.#skipped;
    }
    return at;
  }
}

/** Four ASCII characters, each with bit 5 or 6 set, and none of them DEL, which alone carries into bit 7. */
function isAllPrinting(word: number): boolean {
  return (
    ((word | (word >>> 1)) & 0x20202020) === 0x20202020 && ((word | (word + 0x01010101)) & 0x80808080) === 0
  );
}

function isPrinting(byte: number): boolean {
  return (byte >= 0x20 && byte < 0x7f) || byte >= 0xa0;
}
