/**
 * The end of a child's input, for a child that has not opened it yet.
 *
 * open(2) of a FIFO for reading waits until somebody writes, so that a program which opens /dev/stdin by name behind the end of
 * its input would wait for ever (fifo(7); an ordinary pipe does not wait). Opening the other end for a moment wakes it, and it
 * reads the end. Whether somebody waits cannot be seen, so it is done in growing distances, which are never longer than the
 * time since the end. Only Linux opens a pipe anew there; macOS duplicates the descriptor.
 */
import { closeSync, constants, openSync } from 'node:fs';

const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/** First and longest distance between two tries, in ms. */
const FIRST_TRY_MS = 5;
const LONGEST_WAIT_MS = 60_000;

export class EndedInput implements Disposable {
  readonly #reader: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** Closes `fd`, our end of the pipe that the child reads. */
  constructor(fd: number) {
    this.#reader = process.platform === 'linux' ? reopen(fd, O_RDONLY) : undefined;
    closeSync(fd);
    this.#tryAfter(FIRST_TRY_MS);
  }

  /** To be called when the child is gone. Idempotent. */
  [Symbol.dispose](): void {
    if (this.#timer === undefined || this.#reader === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    closeSync(this.#reader);
  }

  #tryAfter(ms: number): void {
    const reader = this.#reader;
    if (reader === undefined) return;
    this.#timer = setTimeout(() => {
      const writer = reopen(reader, O_WRONLY);
      if (writer !== undefined) closeSync(writer);
      this.#tryAfter(Math.min(ms * 2, LONGEST_WAIT_MS));
    }, ms);
    this.#timer.unref();
  }
}

/** Another descriptor of the same pipe; undefined where /proc does not give one. */
function reopen(fd: number, direction: number): number | undefined {
  try {
    return openSync(`/proc/self/fd/${fd}`, direction | O_NONBLOCK);
  } catch {
    return undefined;
  }
}
