/** The sends whose input is not out yet, in order; what the socket has taken of each. */

export interface QueuedInput {
  readonly id: string;
  /** Input of the send. No numbers in an array: a MiB of those takes as long as all the rest of a turn. */
  readonly bytes: Uint8Array;
  readonly written: number;
  readonly taken: number;
  /** What lets it go on: the echo of what went before, the clock, or nothing but the socket. */
  readonly mode: 'echo' | 'timed' | 'urgent';
  /** Whoever reads it is known to read, and not to echo: the clock alone paces it. */
  readonly isUnseen: boolean;
  /** Nobody waits for it any more; only its credit is still to come. */
  readonly isGivenUp: boolean;
}

/** The same in JSON, one number a byte. */
export type QueuedSnapshot = Omit<QueuedInput, 'bytes'> & { readonly bytes: readonly number[] };

/** A send that is over: all its bytes are out, or the rest was dropped. */
export interface PumpEnd {
  readonly id: string;
  readonly sent: number;
  readonly isComplete: boolean;
  /** The far end's buffer ran over: the first byte that was lost is at this offset of the input or behind it. */
  readonly overflow?: number;
}

export class InputQueue {
  #entries: QueuedInput[];

  constructor(snapshot: readonly QueuedSnapshot[] = []) {
    this.#entries = snapshot.map((entry) => ({ ...entry, bytes: Uint8Array.from(entry.bytes) }));
  }

  get entries(): readonly QueuedInput[] {
    return this.#entries;
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** Nobody waits for anything here. */
  get isWaitless(): boolean {
    return this.#entries.every((entry) => entry.isGivenUp);
  }

  /** Bytes accepted and not yet taken by the socket. */
  get pendingBytes(): number {
    return this.#entries.reduce((sum, entry) => sum + entry.bytes.length - entry.taken, 0);
  }

  /** Bytes of the sends that are not wholly written, so that short ones can go at once. */
  get waitingBytes(): number {
    const waiting = this.#entries.filter((entry) => entry.written < entry.bytes.length);
    return waiting.reduce((sum, entry) => sum + entry.bytes.length, 0);
  }

  /** Bytes that are still to be written. */
  get unwrittenBytes(): number {
    return this.#entries.reduce((sum, entry) => sum + entry.bytes.length - entry.written, 0);
  }

  /** What is still to be written, by send. */
  get unwritten(): readonly { readonly id: string; readonly bytes: Uint8Array }[] {
    const waiting = this.#entries.filter((entry) => entry.written < entry.bytes.length);
    return waiting.map(({ id, bytes, written }) => ({ id, bytes: bytes.subarray(written) }));
  }

  /** The send whose byte goes next. */
  get next(): QueuedInput | undefined {
    return this.#entries.find((entry) => entry.written < entry.bytes.length);
  }

  /** A send that somebody waits for. */
  find(id: string): QueuedInput | undefined {
    return this.#entries.find((entry) => entry.id === id && !entry.isGivenUp);
  }

  push(entry: QueuedInput): void {
    this.#entries.push(entry);
  }

  replace(old: QueuedInput, entry: QueuedInput): void {
    this.#entries[this.#entries.indexOf(old)] = entry;
  }

  /** The socket took `bytes` of what was written; returns the sends that are complete with it. */
  credit(bytes: number): readonly PumpEnd[] {
    const ends: PumpEnd[] = [];
    let left = bytes;
    while (left > 0) {
      const head = this.#entries[0];
      if (head === undefined) break; // credit of a send that was given up
      const taken = Math.min(left, head.written - head.taken);
      if (taken === 0) break;
      left -= taken;
      if (head.taken + taken === head.bytes.length) {
        this.#entries.shift();
        if (!head.isGivenUp) ends.push({ id: head.id, sent: head.bytes.length, isComplete: true });
      } else this.#entries[0] = { ...head, taken: head.taken + taken };
    }
    return ends;
  }

  /** Gives the rest of a send up; what is written stays written. Undefined when it is over already. */
  cancel(id: string): PumpEnd | undefined {
    const entry = this.find(id);
    if (entry === undefined) return undefined;
    if (entry.written === entry.taken) this.#entries.splice(this.#entries.indexOf(entry), 1);
    else this.replace(entry, { ...entry, bytes: entry.bytes.subarray(0, entry.written), isGivenUp: true });
    return { id, sent: entry.written, isComplete: entry.written === entry.bytes.length };
  }

  /** Gives the rest of all these up. */
  giveUp(isMeant: (entry: QueuedInput) => boolean): readonly PumpEnd[] {
    const ends: PumpEnd[] = [];
    for (const { id } of this.#entries.filter((entry) => !entry.isGivenUp && isMeant(entry))) {
      const end = this.cancel(id);
      if (end !== undefined) ends.push({ ...end, isComplete: false });
    }
    return ends;
  }

  /** Drops everything, with what the socket took of each. */
  clear(): readonly PumpEnd[] {
    const ends = this.#entries
      .filter((entry) => !entry.isGivenUp)
      .map(({ id, taken }) => ({ id, sent: taken, isComplete: false }));
    this.#entries = [];
    return ends;
  }

  snapshot(): readonly QueuedSnapshot[] {
    return this.#entries.map((entry) => ({ ...entry, bytes: [...entry.bytes] }));
  }
}
