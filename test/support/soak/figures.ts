/** Counts of what happened in a soak, for its report and for what must hold. */

export class Figures {
  readonly counts = new Map<string, number>();
  readonly faults: string[] = [];
  /** How much longer than it asked for a call took at most, in ms. */
  worstExcessMs = 0;
  worstExcess = '';

  count(what: string, by = 1): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + by);
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
      `longest over its limit: ${Math.round(this.worstExcessMs)} ms (${this.worstExcess})`,
    ].join('\n');
  }
}
