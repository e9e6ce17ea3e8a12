/** The last few of many that were used, by id: those behind them are to give up what they take. */

export class LeastUsed {
  readonly #most: number;
  /** The least used first. */
  readonly #ids = new Set<string>();

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#ids.size;
  }

  /** It is used now. Returns those that there is no room for any more. */
  use(id: string): readonly string[] {
    this.#ids.delete(id);
    this.#ids.add(id);
    const over = [...this.#ids].slice(0, Math.max(this.#ids.size - this.#most, 0));
    for (const each of over) this.#ids.delete(each);
    return over;
  }

  forget(id: string): void {
    this.#ids.delete(id);
  }
}
