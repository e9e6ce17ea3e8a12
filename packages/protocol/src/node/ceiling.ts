/**
 * The upper limit of every request. A request may rightly take longer than its own wait (a long paste goes out slowly), so
 * that being late proves nothing; silence does. Past the wait, a small request that any daemon answers at once is sent: if
 * nothing at all arrives until the grace is over, the daemon is stopped or stuck.
 */

/** A caller hears at the latest so long past its own wait that the daemon does not answer, in ms. */
export const ANSWER_GRACE_MS = 5_000;
/** An answer this late, in ms, is only late: the daemon is not asked before. */
const LATE_MS = 1_000;

export interface CeilingOptions {
  /** The request's own wait. */
  readonly waitMs: number;
  /** Default: `ANSWER_GRACE_MS`. */
  readonly graceMs?: number | undefined;
  /** From its abort on, the grace counts and no sign of life prolongs it. */
  readonly signal?: AbortSignal | undefined;
  /** Asks for a sign of life. Without it the limit is simply wait plus grace. */
  readonly probe?: (() => Promise<unknown>) | undefined;
  /** A count that grows whenever anything of the daemon arrives. */
  readonly signsOfLife?: (() => number) | undefined;
  readonly toError: () => Error;
}

/** Settles as `answer` does, or rejects with `toError()` at the ceiling; a later answer is then ignored. */
export function withCeiling<T>(answer: Promise<T>, options: CeilingOptions): Promise<T> {
  const { waitMs, graceMs = ANSWER_GRACE_MS, signal, probe, signsOfLife, toError } = options;
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const arm = (ms: number, callback: () => void) => {
      clearTimeout(timer);
      timer = setTimeout(callback, ms);
    };
    const release = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', handleAbort);
    };
    const fail = () => {
      release();
      reject(toError());
    };
    const ask = () => {
      const before = signsOfLife?.();
      // Its answer, even an error, is heard as bytes; there is nothing to do with it.
      probe?.().catch(() => {});
      arm(graceMs - LATE_MS, () => {
        if (signsOfLife?.() === before) fail();
        else ask();
      });
    };
    const handleAbort = () => arm(graceMs, fail);
    signal?.addEventListener('abort', handleAbort, { once: true });
    if (probe === undefined) arm(waitMs + graceMs, fail);
    else arm(waitMs + LATE_MS, ask);
    answer.then(
      (value) => {
        release();
        resolve(value);
      },
      (error: unknown) => {
        release();
        reject(error);
      },
    );
  });
}
