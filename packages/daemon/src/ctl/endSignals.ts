/**
 * Signals that end a command: what is under way is cancelled, the terminal put right, what had come printed. A second one
 * ends at once, and so does time: whoever sends SIGTERM may not wait for a daemon that does not answer.
 */
import { EXIT } from './exitCodes.ts';

/** As shells count them: 128 and the signal's number. */
const CODES = { SIGINT: EXIT.interrupted, SIGHUP: 129, SIGTERM: 143 } as const;
type EndSignal = keyof typeof CODES;
/** Time for an orderly end after SIGHUP or SIGTERM, in ms; ^C has a person who can press it again. */
export const PATIENCE_MS = 2_000;

export interface Signals {
  once(signal: EndSignal, listener: () => void): unknown;
  exit(code: number): void;
}

export interface EndSignals {
  readonly signal: AbortSignal;
  /** The exit code of a command that ended with `code`: one that was interrupted says by what. */
  readonly toExitCode: (code: number) => number;
}

export function listenForEnd(process: Signals): EndSignals {
  const interrupt = new AbortController();
  let first: EndSignal | undefined;
  const end = (signal: EndSignal): void => {
    first ??= signal;
    if (signal !== 'SIGINT') setTimeout(() => process.exit(CODES[signal]), PATIENCE_MS).unref();
    // After those that the command itself listens with: attach has its own way to end by a signal.
    queueMicrotask(() => interrupt.abort());
  };
  process.once('SIGINT', () => end('SIGINT'));
  process.once('SIGHUP', () => end('SIGHUP'));
  process.once('SIGTERM', () => end('SIGTERM'));
  return {
    signal: interrupt.signal,
    toExitCode: (code) => (code === EXIT.interrupted && first !== undefined ? CODES[first] : code),
  };
}
