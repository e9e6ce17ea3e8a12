/** Chance that can be repeated: the minimal standard generator of Park and Miller (1988). */
const MODULUS = 2_147_483_647;
const MULTIPLIER = 48_271;

export class Chance {
  #state: number;

  /** `seed`: a whole number above 0. */
  constructor(seed: number) {
    this.#state = (seed % (MODULUS - 1)) + 1;
    for (let count = 0; count < 10; count += 1) this.#next(); // small seeds begin alike
  }

  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.#next() * (most - least + 1));
  }

  /** True in one case of `n`. */
  oneIn(n: number): boolean {
    return this.between(1, n) === 1;
  }

  /** One of these, each as often as its weight says. */
  weighted<T>(choices: readonly (readonly [weight: number, choice: T])[]): T {
    let left = this.#next() * choices.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, choice] of choices) {
      left -= weight;
      if (left < 0) return choice;
    }
    const [, first] = choices[0] ?? [];
    if (first === undefined) throw new Error('nothing to choose from');
    return first;
  }

  /** Another generator, independent of how often this one is asked later. */
  fork(): Chance {
    return new Chance(this.between(1, MODULUS - 2));
  }

  #next(): number {
    this.#state = (this.#state * MULTIPLIER) % MODULUS;
    return this.#state / MODULUS;
  }
}
