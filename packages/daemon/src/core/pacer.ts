/**
 * Pacer: input on its way to the line, in order, the bytes of one send never mixed with another's (I8).
 *
 * Credit comes from the socket: only so much is written as it has room for, so that a send can still be given up at a
 * character border and its caller told exactly what went out (I12).
 */

/** Bytes written and not yet taken by the socket. Small, because what is written can no longer be given up. */
export const WINDOW_BYTES = 1_024;
/** Input of all sends that may wait, in bytes; a further send is refused before its first byte. */
export const MAX_QUEUED_BYTES = 1_048_576;
/** After so many ms without credit the rest of the input is dropped and its caller told (CONTRACT 2). */
export const STALL_MS = 30_000;

interface Entry {
  readonly id: string;
  /** Input of the send, one number a byte. */
  readonly bytes: readonly number[];
  readonly written: number;
  readonly taken: number;
  /** Nobody waits for it any more; only its credit is still to come. */
  readonly isGivenUp: boolean;
}

export interface PacerSnapshot {
  readonly queue: readonly Entry[];
  readonly inFlightBytes: number;
  /** When credit last came, or when the first byte began to wait for it. */
  readonly progressMs: number;
}

/** A send that is over: all its bytes are out, or the rest was dropped. */
export interface PumpEnd {
  readonly id: string;
  readonly sent: number;
  readonly isComplete: boolean;
}

export class Pacer {
  #queue: Entry[];
  #inFlightBytes: number;
  #progressMs: number;

  constructor(snapshot: PacerSnapshot = { queue: [], inFlightBytes: 0, progressMs: 0 }) {
    this.#queue = [...snapshot.queue];
    this.#inFlightBytes = snapshot.inFlightBytes;
    this.#progressMs = snapshot.progressMs;
  }

  get isIdle(): boolean {
    return this.#queue.length === 0 && this.#inFlightBytes === 0;
  }

  /** Bytes accepted and not yet taken by the socket. */
  get pendingBytes(): number {
    return this.#queue.reduce((sum, entry) => sum + entry.bytes.length - entry.taken, 0);
  }

  hasRoomFor(bytes: number): boolean {
    return this.pendingBytes + bytes <= MAX_QUEUED_BYTES;
  }

  enqueue(id: string, bytes: Uint8Array, nowMs: number): void {
    if (this.deadlineMs() === undefined) this.#progressMs = nowMs;
    this.#queue.push({ id, bytes: [...bytes], written: 0, taken: 0, isGivenUp: false });
  }

  /** Next bytes for the socket, as far as the credit goes; undefined when nothing may go now. */
  tryNext(): Uint8Array | undefined {
    const index = this.#queue.findIndex((entry) => entry.written < entry.bytes.length);
    const entry = this.#queue[index];
    const credit = WINDOW_BYTES - this.#inFlightBytes;
    if (entry === undefined || credit <= 0) return undefined;
    const bytes = Uint8Array.from(entry.bytes.slice(entry.written, entry.written + credit));
    this.#queue[index] = { ...entry, written: entry.written + bytes.length };
    this.#inFlightBytes += bytes.length;
    return bytes;
  }

  /** The socket took `bytes` of what was written; returns the sends that are complete with it. */
  credit(bytes: number, nowMs: number): readonly PumpEnd[] {
    this.#progressMs = nowMs;
    this.#inFlightBytes = Math.max(this.#inFlightBytes - bytes, 0);
    const ends: PumpEnd[] = [];
    let left = bytes;
    while (left > 0) {
      const head = this.#queue[0];
      if (head === undefined) break; // credit of a send that was given up
      const taken = Math.min(left, head.written - head.taken);
      if (taken === 0) break;
      left -= taken;
      if (head.taken + taken === head.bytes.length) {
        this.#queue.shift();
        if (!head.isGivenUp) ends.push({ id: head.id, sent: head.bytes.length, isComplete: true });
      } else this.#queue[0] = { ...head, taken: head.taken + taken };
    }
    return ends;
  }

  /** Gives the rest of a send up; what is written stays written. Undefined when it is over already. */
  cancel(id: string): PumpEnd | undefined {
    const index = this.#queue.findIndex((entry) => entry.id === id);
    const entry = this.#queue[index];
    if (entry === undefined || entry.isGivenUp) return undefined;
    if (entry.written === entry.taken) this.#queue.splice(index, 1);
    else this.#queue[index] = { ...entry, bytes: entry.bytes.slice(0, entry.written), isGivenUp: true };
    return { id, sent: entry.written, isComplete: entry.written === entry.bytes.length };
  }

  /** Drops everything: the connection is gone. */
  clear(): readonly PumpEnd[] {
    const live = this.#queue.filter((entry) => !entry.isGivenUp);
    const ends = live.map(({ id, taken }) => ({ id, sent: taken, isComplete: false }));
    this.#queue = [];
    this.#inFlightBytes = 0;
    return ends;
  }

  /** Sends given up because no credit came for too long. */
  tick(nowMs: number): readonly PumpEnd[] {
    const deadline = this.deadlineMs();
    if (deadline === undefined || nowMs < deadline) return [];
    const ends: PumpEnd[] = [];
    for (const id of this.#queue.map((entry) => entry.id)) {
      const end = this.cancel(id);
      if (end !== undefined) ends.push({ ...end, isComplete: false });
    }
    return ends;
  }

  deadlineMs(): number | undefined {
    return this.#queue.some((entry) => !entry.isGivenUp) ? this.#progressMs + STALL_MS : undefined;
  }

  /** Bytes of a send that the socket has taken; undefined when it is over. */
  takenBytes(id: string): number | undefined {
    return this.#queue.find((entry) => entry.id === id && !entry.isGivenUp)?.taken;
  }

  snapshot(): PacerSnapshot {
    return { queue: [...this.#queue], inFlightBytes: this.#inFlightBytes, progressMs: this.#progressMs };
  }
}
