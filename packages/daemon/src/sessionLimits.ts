/** Limits of command sessions, each with what happens at it. */

/** Programs that run at once: with pipes, terminal and files each takes some ten descriptors. More are refused. */
export const MAX_RUNNING = 64;
/** Sessions that are kept; behind it the oldest that was read goes for a new one, and without one the start is refused. */
export const MAX_KEPT = 1_000;
/** The same without a journal: each has its rings in memory. */
export const MAX_KEPT_IN_MEMORY = 64;
/** Sessions of programs that are gone whose newest output stays in memory; then the least used is unloaded. */
export const MAX_LOADED = 32;
/** An exited session whose output was read is cleaned away after so long by default, in ms. */
export const DEFAULT_SESSION_KEEP_MS = 86_400_000;
/** Longest time that can be set, in ms: ten years. */
export const MAX_SESSION_KEEP_MS = 315_360_000_000;
/** Bytes of all sessions' files by default; above it the oldest exited sessions go, those that were read first. */
export const DEFAULT_SESSION_QUOTA_BYTES = 1024 * 1024 * 1024;
/** Part of the quota that one session may take; then its oldest output goes. */
export const SESSION_SHARE = 1 / 8;
/** Size at which a session's next data file begins: its oldest output goes in such pieces. */
export const SESSION_SEGMENT_BYTES = 4 * 1024 * 1024;
/** Grace of a stop when the daemon ends, in ms: whoever waits for the daemon's end waits for it too. */
export const SHUTDOWN_GRACE_MS = 1_000;
/** Output of a program that was stopped because the daemon ends is waited for so long, in ms. */
export const LAST_OUTPUT_MS = 500;
/** What earlier daemons left is not cleaned away so long after the start, in ms: a Pi's clock may still be wrong (S10). */
export const SETTLE_CLOCK_MS = 600_000;
