/**
 * Notices that the client has died although somebody else still holds our standard input open (a wrapper script, a
 * sibling server). A process whose parent has died gets another one.
 */

/** Time between two looks, in ms: with it a bridge ends within the second that it has. One getppid(2) each. */
export const PARENT_POLL_MS = 400;

export interface ParentWatchOptions {
  readonly getParent: () => number;
  readonly onGone: () => void;
  /** Default: `PARENT_POLL_MS`. */
  readonly pollMs?: number | undefined;
}

/** Calls `onGone` once. Does not keep the process alive. */
export function watchParent({ getParent, onGone, pollMs = PARENT_POLL_MS }: ParentWatchOptions): Disposable {
  const parent = getParent();
  const timer = setInterval(() => {
    if (getParent() === parent) return;
    clearInterval(timer);
    onGone();
  }, pollMs);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
