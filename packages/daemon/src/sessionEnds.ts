/** Those who wait for a session's exit, or for the end of its output. */

type End = 'exit' | 'end';

export class EndWaits implements Disposable {
  readonly #isSo: (what: End) => boolean;
  readonly #waits = new Set<{ readonly what: End; readonly settle: () => void }>();

  /** `isSo`: whether it has come to that. */
  constructor(isSo: (what: End) => boolean) {
    this.#isSo = isSo;
  }

  /** Resolves when it has come to that, when the caller has given up, or when nobody waits for anything any more. */
  when(what: End, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted || this.#isSo(what)) {
        resolve();
        return;
      }
      const settle = () => {
        signal.removeEventListener('abort', settle);
        this.#waits.delete(wait);
        resolve();
      };
      const wait = { what, settle };
      this.#waits.add(wait);
      signal.addEventListener('abort', settle, { once: true });
    });
  }

  /** It may have come to something. */
  settle(): void {
    for (const { what, settle } of this.#waits) if (this.#isSo(what)) settle();
  }

  [Symbol.dispose](): void {
    for (const { settle } of this.#waits) settle();
  }
}
