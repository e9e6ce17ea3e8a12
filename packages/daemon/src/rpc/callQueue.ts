/** One call per reader at a time, in the order in which they came (CONTRACT 3): two at once would each get half. */

export type QueueResult<T> =
  | { readonly kind: 'ran'; readonly result: T }
  | { readonly kind: 'gaveUp'; readonly isCancelled: boolean };

export interface QueueOptions {
  readonly signal: AbortSignal;
  /** Gives the place in the queue up after so many ms. */
  readonly patienceMs: number | undefined;
}

export class CallQueue {
  readonly #tails = new Map<string, Promise<void>>();

  /** Runs `act` when all earlier calls of `key` are over, unless the caller gives up before that. */
  async run<T>(
    key: string,
    { signal, patienceMs }: QueueOptions,
    act: () => Promise<T>,
  ): Promise<QueueResult<T>> {
    const previous = this.#tails.get(key) ?? Promise.resolve();
    let leave = () => {};
    const own = new Promise<void>((resolve) => {
      leave = resolve;
    });
    // Whoever comes later waits for everybody before him, also when this call gives its place up.
    const tail = previous.then(() => own);
    this.#tails.set(key, tail);
    try {
      const turn = await firstOf(previous, signal, patienceMs);
      if (turn !== 'mine') return { kind: 'gaveUp', isCancelled: turn === 'cancelled' };
      return { kind: 'ran', result: await act() };
    } finally {
      leave();
      void tail.then(() => {
        if (this.#tails.get(key) === tail) this.#tails.delete(key);
      });
    }
  }
}

function firstOf(
  previous: Promise<void>,
  signal: AbortSignal,
  patienceMs: number | undefined,
): Promise<'mine' | 'cancelled' | 'late'> {
  return new Promise((resolve) => {
    const cancelled = () => settle('cancelled');
    const timer = patienceMs === undefined ? undefined : setTimeout(() => settle('late'), patienceMs);
    const settle = (turn: 'mine' | 'cancelled' | 'late') => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancelled);
      resolve(turn);
    };
    if (signal.aborted) cancelled();
    else signal.addEventListener('abort', cancelled, { once: true });
    void previous.then(() => settle('mine'));
  });
}
