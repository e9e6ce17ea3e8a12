/**
 * Timeline: what happened on a channel beside its output, in order, each with the offset at which the output stood: who
 * typed what, marks, messages, states, changes of the floor. The newest part of what the journal keeps for ever.
 */
import type { LineFacts } from './events.ts';
import type { Outage } from './outage.ts';

/** Entries that are kept in memory. */
export const MAX_ENTRIES = 10_000;
/** Bytes of input and text that they hold together. */
export const MAX_ENTRY_BYTES = 1_048_576;
/** What an entry takes besides its text, in bytes, about. */
const ENTRY_COST = 100;

/** Who typed or spoke: the client's name, and its reader, by which it is told from others of that name. */
export interface Author {
  readonly client: string;
  readonly reader: string;
}

export type Happening =
  | {
      readonly kind: 'input';
      readonly author: Author;
      /** One number a byte; undefined: a secret, only its length is known. */
      readonly bytes: readonly number[] | undefined;
      readonly length: number;
      readonly isUrgent: boolean;
      /** Our own answer to a pager. */
      readonly isAnswer: boolean;
    }
  | { readonly kind: 'mark'; readonly author: Author; readonly text: string }
  | { readonly kind: 'said'; readonly author: Author; readonly text: string }
  | { readonly kind: 'state'; readonly facts: LineFacts }
  /** A connection is open, so long after the one before it had ended. */
  | ({ readonly kind: 'outage' } & Outage)
  /** Something in the life of a command: it began, was stopped, has exited. */
  | { readonly kind: 'life'; readonly text: string }
  | {
      readonly kind: 'floor';
      readonly holder: Author | undefined;
      readonly previous: Author | undefined;
      readonly cause: 'taken' | 'released' | 'expired' | 'forced' | 'left';
    };

export type Entry = Happening & {
  readonly seq: number;
  /** End of the output when it began to happen. */
  readonly offset: number;
  readonly atMs: number;
};

export interface TimelineSnapshot {
  readonly entries: readonly Entry[];
  readonly nextSeq: number;
}

export class Timeline {
  #entries: Entry[];
  #nextSeq: number;
  #bytes: number;

  constructor(snapshot: TimelineSnapshot = { entries: [], nextSeq: 0 }) {
    this.#entries = [...snapshot.entries];
    this.#nextSeq = snapshot.nextSeq;
    this.#bytes = this.#entries.reduce((sum, entry) => sum + costOf(entry), 0);
  }

  get nextSeq(): number {
    return this.#nextSeq;
  }

  /** Number of the oldest entry that is still kept; `nextSeq` when there is none. */
  get oldestSeq(): number {
    return this.#entries[0]?.seq ?? this.#nextSeq;
  }

  add(happening: Happening, offset: number, atMs: number): Entry {
    const entry: Entry = { ...happening, seq: this.#nextSeq, offset, atMs };
    this.#nextSeq += 1;
    this.#entries.push(entry);
    this.#bytes += costOf(entry);
    let surplus = 0;
    while (this.#entries.length - surplus > MAX_ENTRIES || this.#bytes > MAX_ENTRY_BYTES) {
      const oldest = this.#entries[surplus];
      if (oldest === undefined || oldest === entry) break;
      this.#bytes -= costOf(oldest);
      surplus += 1;
    }
    if (surplus > 0) this.#entries.splice(0, surplus);
    return entry;
  }

  /** Entry number `seq`, or the oldest behind it that is still kept; undefined when it has not happened yet. */
  next(seq: number): Entry | undefined {
    return this.#entries[Math.max(seq - this.oldestSeq, 0)];
  }

  /** Entries from number `seq` on, the oldest first. */
  since(seq: number): readonly Entry[] {
    const skipped = Math.max(seq - this.oldestSeq, 0);
    return skipped >= this.#entries.length ? [] : this.#entries.slice(skipped);
  }

  snapshot(): TimelineSnapshot {
    return { entries: [...this.#entries], nextSeq: this.#nextSeq };
  }
}

function costOf(entry: Entry): number {
  switch (entry.kind) {
    case 'input':
      return ENTRY_COST + (entry.bytes?.length ?? 0);
    case 'mark':
    case 'said':
    case 'life':
      return ENTRY_COST + entry.text.length;
    default:
      return ENTRY_COST;
  }
}
