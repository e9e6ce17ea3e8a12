/**
 * Outage: the time between two connections of a line, from the end of the one until the next one is open, with the reason of
 * that end. What the far end said meanwhile nobody knows; what it does now may be something else than before.
 */
import type { LineFacts } from './events.ts';

/** How the last connection that was open ended. */
export interface LastEnd {
  readonly reason: string;
  readonly detail?: string;
  /** On the monotonic clock. */
  readonly atMs: number;
}

export interface Outage {
  readonly reason: string;
  readonly detail?: string;
  readonly durationMs: number;
}

export class OutageClock {
  #lastEnd: LastEnd | undefined;

  constructor(snapshot?: LastEnd) {
    this.#lastEnd = snapshot;
  }

  /** The line has come from `before` to where it is now; the outage that is over with that. */
  step(before: LineFacts['state'], { state, reason, detail }: LineFacts, nowMs: number): Outage | undefined {
    if (before === 'open' && state !== 'open') {
      this.#lastEnd = { reason: reason ?? state, ...(detail !== undefined && { detail }), atMs: nowMs };
    }
    if (before === 'open' || state !== 'open' || this.#lastEnd === undefined) return undefined;
    const { atMs, ...why } = this.#lastEnd;
    this.#lastEnd = undefined;
    return { ...why, durationMs: Math.max(nowMs - atMs, 0) };
  }

  snapshot(): LastEnd | undefined {
    return this.#lastEnd;
  }
}
