/** When exited sessions are cleaned away: once somebody has read all of their output, and a time after their end. */
import { SETTLE_CLOCK_MS } from './sessionLimits.ts';
import type { SessionRecord } from './sessionRecord.ts';

/** Longest delay of a Node timer, in ms. */
const MAX_TIMER_MS = 2_147_483_647;

export interface RetentionOptions {
  readonly keepMs: number;
  /** Wall clock. */
  readonly nowMs: () => number;
  readonly monotonicMs: () => number;
  /** Those whose program is gone. */
  readonly sessions: () => readonly SessionRecord[];
  readonly clean: (id: string) => Promise<void>;
}

export class Retention implements Disposable {
  readonly #options: RetentionOptions;
  readonly #bornMs: number;
  readonly #bornMonotonicMs: number;
  #timer: NodeJS.Timeout | undefined;
  #dueMs: number | undefined;
  #isOver = false;

  constructor(options: RetentionOptions) {
    this.#options = options;
    this.#bornMs = options.nowMs();
    this.#bornMonotonicMs = options.monotonicMs();
  }

  /** On the wall clock, in ms; undefined while nobody has read it, or it runs. */
  expiresMs({ isRead, exitedMs, startedMs, state, isOver }: SessionRecord): number | undefined {
    if (!isRead || (state === 'exited' && !isOver)) return undefined;
    const { keepMs, nowMs, monotonicMs } = this.#options;
    const endedMs = exitedMs ?? startedMs;
    // An end of another daemon's may have been written by a clock that was wrong, and ours may not be right yet.
    const settledMs = nowMs() + this.#bornMonotonicMs + SETTLE_CLOCK_MS - monotonicMs();
    return endedMs < this.#bornMs ? Math.max(endedMs + keepMs, settledMs) : endedMs + keepMs;
  }

  /** Something has changed: the timer is set for whoever goes next. At rest there is none. */
  schedule(): void {
    const { sessions, nowMs } = this.#options;
    if (this.#isOver) return;
    const times = sessions().flatMap((record) => this.expiresMs(record) ?? []);
    const dueMs = times.length === 0 ? undefined : Math.min(...times);
    if (dueMs === this.#dueMs && this.#timer !== undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#dueMs = dueMs;
    if (dueMs === undefined) return;
    const delayMs = Math.min(Math.max(dueMs - nowMs(), 0), MAX_TIMER_MS);
    this.#timer = setTimeout(() => void this.#clean(), delayMs).unref();
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  async #clean(): Promise<void> {
    this.#timer = undefined;
    const { sessions, nowMs, clean } = this.#options;
    const due = sessions().filter(
      (record) => (this.expiresMs(record) ?? Number.POSITIVE_INFINITY) <= nowMs(),
    );
    for (const { id } of due) await clean(id);
    this.schedule();
  }
}
