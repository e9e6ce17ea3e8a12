/** The last characters that were added to a line: a ring, because a flood adds and forgets them all the time. */

/** Overstriking goes back one character, rubbing out as many as a word has. A power of two: places wrap by a mask. */
export const REMEMBERED_CHARACTERS = 16;
const MASK = REMEMBERED_CHARACTERS - 1;

export class RecentCharacters {
  readonly #ring = new Int32Array(REMEMBERED_CHARACTERS);
  #next = 0;
  #count = 0;

  /** Of `characters` the last ones, the oldest first. */
  constructor(characters: readonly number[]) {
    for (const character of characters) this.add(character);
  }

  /** The oldest first. */
  snapshot(): number[] {
    return Array.from({ length: this.#count }, (_, index) => this.at(this.#count - index) ?? 0);
  }

  /** The character that was added `back` (from 1) before what comes next; undefined: it is not remembered. */
  at(back: number): number | undefined {
    return back > this.#count ? undefined : this.#ring[(this.#next - back) & MASK];
  }

  /** Another character stands where `at` found one. */
  replace(back: number, codePoint: number): void {
    this.#ring[(this.#next - back) & MASK] = codePoint;
  }

  add(codePoint: number): void {
    this.#ring[this.#next] = codePoint;
    this.#next = (this.#next + 1) & MASK;
    if (this.#count < REMEMBERED_CHARACTERS) this.#count += 1;
  }

  /** `bytes[from, to)`, one character each. */
  addRun(bytes: Uint8Array, from: number, to: number): void {
    const ring = this.#ring;
    let next = this.#next;
    for (let at = Math.max(from, to - REMEMBERED_CHARACTERS); at < to; at += 1) {
      ring[next] = bytes[at] ?? 0;
      next = (next + 1) & MASK;
    }
    this.#next = next;
    this.#count = Math.min(this.#count + to - from, REMEMBERED_CHARACTERS);
  }

  clear(): void {
    this.#count = 0;
  }
}
