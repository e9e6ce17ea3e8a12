/** When the program that reads stops reading for a while: at random places, the same ones for the same seed. */

import { around, mulberry32 } from './random.ts';

export class Stalls {
  readonly #everyChars: number;
  readonly #random: () => number;
  #left: number;

  /** About every so many characters. */
  constructor(everyChars: number, seed: number) {
    this.#everyChars = everyChars;
    this.#random = mulberry32(seed);
    this.#left = around(everyChars, this.#random);
  }

  /** One more character was read: true when the program stops now. */
  isDue(): boolean {
    this.#left -= 1;
    if (this.#left > 0) return false;
    this.#left = around(this.#everyChars, this.#random);
    return true;
  }
}
