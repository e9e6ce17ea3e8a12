/** The time of day of a moment on the monotonic clock, ISO 8601. */
export function wallClock(clock: { nowMs(): number }, atMs: number): string {
  return new Date(Date.now() - (clock.nowMs() - atMs)).toISOString();
}
