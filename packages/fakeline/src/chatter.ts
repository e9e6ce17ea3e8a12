/** Messages of another user at random moments, the same ones for the same seed, as long as somebody is on the line. */

import type { Guest } from './guest.ts';
import { around, mulberry32 } from './random.ts';
import { Timers } from './timers.ts';

const FROM = 'FOO';

export class Chatter {
  readonly #guest: Guest;
  readonly #everyMs: number;
  readonly #random: () => number;
  readonly #timers = new Timers();
  #count = 0;

  /** About one every `everyMs`. */
  constructor(guest: Guest, everyMs: number, seed: number) {
    this.#guest = guest;
    this.#everyMs = everyMs;
    this.#random = mulberry32(seed);
    this.#wait();
  }

  close(): void {
    this.#timers.close();
  }

  #wait(): void {
    this.#timers.later(around(this.#everyMs, this.#random), () => {
      this.#wait();
      if (!this.#guest.isInUse) return;
      this.#count += 1;
      this.#guest.message(FROM, `message ${this.#count}`);
    });
  }
}
