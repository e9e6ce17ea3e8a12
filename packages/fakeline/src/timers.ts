/** Timers that are all called off at the end. */

export class Timers {
  readonly #timers = new Set<NodeJS.Timeout>();

  /** Calls back after a time; the function returned calls it off. */
  later(ms: number, then: () => void): () => void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      then();
    }, ms);
    this.#timers.add(timer);
    return () => {
      clearTimeout(timer);
      this.#timers.delete(timer);
    };
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }
}
