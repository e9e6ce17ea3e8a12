/** Counts of what happened in a soak, for its report and for what must hold. */

/** How often the machine is looked at, in ms. */
const BEAT_MS = 100;

export class Figures {
  readonly counts = new Map<string, number>();
  readonly faults: string[] = [];
  /** How much longer than it asked for a call took at most, in ms. */
  worstExcessMs = 0;
  worstExcess = '';
  /** How late a timer of ours was at most, in ms. */
  worstLateMs = 0;

  count(what: string, by = 1): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + by);
  }

  /** Measures how late this process is: what the machine does not do for us, it does not do for the others either. */
  beat(): Disposable {
    let lastMs = performance.now();
    const timer = setInterval(() => {
      const nowMs = performance.now();
      this.worstLateMs = Math.max(this.worstLateMs, nowMs - lastMs - BEAT_MS);
      lastMs = nowMs;
    }, BEAT_MS);
    return { [Symbol.dispose]: () => clearInterval(timer) };
  }

  /** A call that was to take `limitMs` at most took `tookMs`. */
  took(what: string, tookMs: number, limitMs: number): void {
    const excessMs = tookMs - limitMs;
    if (excessMs <= this.worstExcessMs) return;
    this.worstExcessMs = excessMs;
    this.worstExcess = `${what}: ${Math.round(tookMs)} ms instead of ${limitMs}`;
  }

  describe(): string {
    const counts = [...this.counts].toSorted(([a], [b]) => a.localeCompare(b));
    return [
      ...counts.map(([what, count]) => `${count} ${what}`),
      `longest wait of a timer here: ${Math.round(this.worstLateMs)} ms`,
      `longest over its limit: ${Math.round(this.worstExcessMs)} ms (${this.worstExcess})`,
    ].join('\n');
  }
}
