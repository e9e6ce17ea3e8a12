/**
 * Calls that may outlast the patience of a client and have no way to return halfway: the tool answers in time, the request
 * goes on, and the same call made again joins it. At most one is under way for a key.
 */

/** A result that nobody has fetched is kept so long, in ms; then the same call begins anew. */
const KEPT_MS = 600_000;

export interface LongCallOptions {
  /** Aborting gives the request up, whoever began it. */
  readonly signal: AbortSignal;
  /** Undefined: wait for the end. */
  readonly patienceMs: number | undefined;
}

interface Running<T> {
  readonly answer: Promise<T>;
  readonly giveUp: AbortController;
}

export class LongCalls<T> {
  readonly #running = new Map<string, Running<T>>();

  /** Settles as the request does; undefined when it still runs after `patienceMs`. */
  async run(
    key: string,
    begin: (signal: AbortSignal) => Promise<T>,
    { signal, patienceMs }: LongCallOptions,
  ): Promise<T | undefined> {
    const running = this.#running.get(key) ?? this.#begin(key, begin);
    const handleAbort = (): void => running.giveUp.abort(signal.reason);
    if (signal.aborted) handleAbort();
    signal.addEventListener('abort', handleAbort, { once: true });
    const patience = startPatience(patienceMs);
    try {
      const ended = await Promise.race([running.answer.then((answer) => ({ answer })), patience.over]);
      if (ended === undefined) return undefined;
      this.#running.delete(key);
      return ended.answer;
    } catch (error) {
      this.#running.delete(key);
      throw error;
    } finally {
      patience.stop();
      signal.removeEventListener('abort', handleAbort);
    }
  }

  #begin(key: string, begin: (signal: AbortSignal) => Promise<T>): Running<T> {
    const giveUp = new AbortController();
    const running = { answer: begin(giveUp.signal), giveUp };
    this.#running.set(key, running);
    const forget = (): void => {
      setTimeout(() => {
        if (this.#running.get(key) === running) this.#running.delete(key);
      }, KEPT_MS).unref();
    };
    // Nobody may be waiting when it fails; whoever calls again hears of it.
    running.answer.then(forget, forget);
    return running;
  }
}

function startPatience(ms: number | undefined): {
  readonly over: Promise<undefined>;
  readonly stop: () => void;
} {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<undefined>((resolve) => {
    if (ms !== undefined) timer = setTimeout(() => resolve(undefined), ms);
  });
  return { over, stop: () => clearTimeout(timer) };
}
