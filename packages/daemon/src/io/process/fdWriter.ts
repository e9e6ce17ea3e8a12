/**
 * Queue of bytes for a descriptor that does not block.
 *
 * Not a stream of Node's: for a full PTY poll(2) says "writable" and write(2) says EAGAIN, so that libuv spins (P06), and no
 * stream says how much of a chunk was taken. So a full descriptor is tried again by the clock.
 */
import { writeSync } from 'node:fs';

/** Bytes that may wait for a child that does not read: a pasted source file, many times over. */
export const INPUT_QUEUE_BYTES = 1024 * 1024;
/** Bytes of one write(2): small enough that no call takes long, as much as a pipe holds. */
const WRITE_BYTES = 65_536;
/** Bytes written before others get their turn. */
const TURN_BYTES = 1024 * 1024;
/** First and longest wait for a full descriptor, in ms; the longest costs 40 wake-ups a second and 0.2 % of a core. */
const FIRST_WAIT_MS = 1;
const LONGEST_WAIT_MS = 25;

export interface FdWriterListener {
  written(bytes: number): void;
  /** The descriptor takes nothing any more: the reader is gone. */
  failed(code: string): void;
  /** All is written, and `end` was asked for. */
  ended(): void;
}

export type WriteCall = (fd: number, bytes: Uint8Array) => number;

export class FdWriter {
  readonly #fd: number;
  readonly #listener: FdWriterListener;
  readonly #write: WriteCall;
  #chunks: Uint8Array[] = [];
  #queuedBytes = 0;
  #waitMs = FIRST_WAIT_MS;
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;
  #state: 'open' | 'ending' | 'stopped' = 'open';

  constructor(
    fd: number,
    listener: FdWriterListener,
    write: WriteCall = (to, bytes) => writeSync(to, bytes),
  ) {
    this.#fd = fd;
    this.#listener = listener;
    this.#write = write;
  }

  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** Room in the queue, in bytes. */
  get roomBytes(): number {
    return INPUT_QUEUE_BYTES - this.#queuedBytes;
  }

  /** Queues a copy of `bytes`; the caller has looked for room. Listeners are never called from here. */
  queue(bytes: Uint8Array): void {
    if (this.#state !== 'open' || bytes.length === 0) return;
    this.#chunks.push(bytes.slice());
    this.#queuedBytes += bytes.length;
    this.#scheduleNow();
  }

  /** Forgets what is queued; returns how many bytes. */
  discard(): number {
    const lost = this.#queuedBytes;
    this.#chunks = [];
    this.#queuedBytes = 0;
    return lost;
  }

  /** Ends behind what is queued. */
  end(): void {
    if (this.#state !== 'open') return;
    this.#state = 'ending';
    this.#scheduleNow();
  }

  /** Never touches the descriptor again; returns how many bytes are lost. */
  stop(): number {
    this.#state = 'stopped';
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
    this.#timer = undefined;
    this.#immediate = undefined;
    return this.discard();
  }

  #scheduleNow(): void {
    if (this.#timer !== undefined || this.#immediate !== undefined) return;
    this.#immediate = setImmediate(() => {
      this.#immediate = undefined;
      this.#pump();
    });
  }

  #scheduleLater(ms: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#pump();
    }, ms);
  }

  #pump(): void {
    let written = 0;
    while (written < TURN_BYTES && this.#state !== 'stopped') {
      const chunk = this.#chunks[0];
      if (chunk === undefined) break;
      const taken = this.#tryWrite(chunk.subarray(0, WRITE_BYTES));
      if (taken === undefined) return; // failed
      if (taken === 0) {
        if (written === 0) this.#waitMs = Math.min(this.#waitMs * 2, LONGEST_WAIT_MS);
        this.#scheduleLater(this.#waitMs);
        break;
      }
      written += taken;
      this.#waitMs = FIRST_WAIT_MS;
      this.#queuedBytes -= taken;
      if (taken === chunk.length) this.#chunks.shift();
      else this.#chunks[0] = chunk.subarray(taken);
    }
    if (written > 0) this.#listener.written(written);
    if (this.#chunks.length > 0) this.#scheduleNow();
    else if (this.#state === 'ending') {
      this.#state = 'stopped';
      this.#listener.ended();
    }
  }

  /** Bytes taken; 0: full; undefined: it failed, and the listener knows. */
  #tryWrite(bytes: Uint8Array): number | undefined {
    try {
      return this.#write(this.#fd, bytes);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
      if (code === 'EAGAIN' || code === 'EINTR') return 0;
      this.#state = 'stopped';
      this.#listener.failed(code);
      return undefined;
    }
  }
}
