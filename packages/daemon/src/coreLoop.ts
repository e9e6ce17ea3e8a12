/** Runs a core: feeds it facts with the time, one after the other, carries its orders out, wakes it with one timer. */

/** Longest delay of a Node timer, in ms; a longer one would fire at once. */
const MAX_TIMER_MS = 2_147_483_647;

export interface Core<I, E> {
  handle(input: I, nowMs: number): readonly E[];
  /** When a tick has something to do next; undefined: not before the next input. */
  deadlineMs(): number | undefined;
}

export interface CoreLoopOptions<I, E> {
  readonly core: Core<I, E>;
  readonly tick: I;
  readonly run: (effect: E) => void;
  /** All that was fed has been handled. */
  readonly onIdle?: () => void;
}

export class CoreLoop<I, E> implements Disposable {
  readonly #options: CoreLoopOptions<I, E>;
  readonly #inbox: I[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isFeeding = false;
  #isSuspended = false;
  #ticks = 0;
  #lateMs = 0;
  #latestMs = 0;

  constructor(options: CoreLoopOptions<I, E>) {
    this.#options = options;
  }

  /** How late the timer fired, in ms: what else went on had to wait as long. */
  get lateness(): { readonly mean: number; readonly max: number } {
    return { mean: this.#ticks === 0 ? 0 : this.#lateMs / this.#ticks, max: this.#latestMs };
  }

  /** An input that comes while the orders of another are carried out waits for its turn. */
  feed(input: I): void {
    const { core, run, onIdle } = this.#options;
    this.#inbox.push(input);
    if (this.#isFeeding) return;
    this.#isFeeding = true;
    try {
      for (let next = this.#inbox.shift(); next !== undefined; next = this.#inbox.shift()) {
        for (const effect of core.handle(next, monotonicMs())) run(effect);
      }
    } finally {
      this.#isFeeding = false;
    }
    this.#wakeAtDeadline();
    onIdle?.();
  }

  /** Ticks no more until `resume`. */
  suspend(): void {
    clearTimeout(this.#timer);
    this.#isSuspended = true;
  }

  resume(): void {
    this.#isSuspended = false;
    this.feed(this.#options.tick);
  }

  /** Ticks no more. */
  [Symbol.dispose](): void {
    this.suspend();
  }

  #wakeAtDeadline(): void {
    clearTimeout(this.#timer);
    if (this.#isSuspended) return;
    const deadlineMs = this.#options.core.deadlineMs();
    if (deadlineMs === undefined) return;
    // Timers count whole milliseconds and may fire a little early; an early tick would only set the next one.
    const delayMs = Math.min(Math.max(Math.ceil(deadlineMs - monotonicMs()), 0), MAX_TIMER_MS);
    this.#timer = setTimeout(() => {
      const lateMs = Math.max(monotonicMs() - deadlineMs, 0);
      this.#ticks += 1;
      this.#lateMs += lateMs;
      this.#latestMs = Math.max(this.#latestMs, lateMs);
      this.feed(this.#options.tick);
    }, delayMs);
  }
}

/** The system-wide monotonic clock, in ms; a successor of this process reads the same. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1_000n) / 1_000;
}
