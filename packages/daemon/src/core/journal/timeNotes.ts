/**
 * When to write down what time it is: at most 20 times a second while bytes come, and only as often as the bytes
 * themselves pay for it, so that the index of ordinary traffic is not larger than the traffic (S11).
 *
 * A burst gets a note at its first byte and one at its last (written when the next burst begins, or by `flush`). Two bytes earn a
 * byte of credit, a note costs about its own length; without credit the notes wait for `flush`, once a second.
 */
import { STREAMS, type StreamName } from './names.ts';

/** Shortest time between two notes and the silence that ends a burst, in ms: 20 a second. */
export const NOTE_EVERY_MS = 50;
/** What a note costs: its usual length in bytes. */
export const NOTE_BYTES = 128;
/** Share of the traffic that notes may weigh; inputs and other records need the rest of what is allowed. */
const CREDIT_SHARE = 0.5;
/** Most credit that is kept, in bytes: 32 single characters are noted one by one before notes wait for `flush`. */
export const MAX_CREDIT_BYTES = 4_096;

export interface Moment {
  readonly wallMs: number;
  readonly monoMs: number;
}

/** The bytes of `stream` up to `offset` had come at that moment. */
export interface TimeNote extends Moment {
  readonly stream: StreamName;
  readonly offset: number;
}

export interface TimeNotesSnapshot {
  readonly creditBytes: number;
  readonly notedMs: number;
  readonly waiting: Readonly<Partial<Record<StreamName, TimeNote>>>;
}

export class TimeNotes {
  #creditBytes: number;
  #notedMs: number;
  readonly #waiting: Partial<Record<StreamName, TimeNote>>;

  constructor(snapshot?: TimeNotesSnapshot) {
    this.#creditBytes = snapshot?.creditBytes ?? MAX_CREDIT_BYTES;
    this.#notedMs = snapshot?.notedMs ?? -NOTE_EVERY_MS;
    this.#waiting = { ...snapshot?.waiting };
  }

  get isWaiting(): boolean {
    return STREAMS.some((stream) => this.#waiting[stream] !== undefined);
  }

  /** `bytes` more came, up to `offset`; gives the notes to write now. */
  arrive(stream: StreamName, offset: number, bytes: number, moment: Moment): readonly TimeNote[] {
    this.#creditBytes = Math.min(this.#creditBytes + bytes * CREDIT_SHARE, MAX_CREDIT_BYTES);
    const before = this.#waiting[stream];
    const note: TimeNote = { stream, offset, ...moment };
    if (before !== undefined && moment.monoMs - before.monoMs >= NOTE_EVERY_MS && this.#pay(moment)) {
      this.#waiting[stream] = note;
      return [before];
    }
    if (moment.monoMs - this.#notedMs >= NOTE_EVERY_MS && this.#pay(moment)) {
      delete this.#waiting[stream];
      return [note];
    }
    this.#waiting[stream] = note;
    return [];
  }

  /** Another record of the stream is about to say the time: gives what must stand before it, forgets what it says too. */
  precede(stream: StreamName, moment: Moment): readonly TimeNote[] {
    const before = this.#waiting[stream];
    delete this.#waiting[stream];
    const isOld = before !== undefined && moment.monoMs - before.monoMs >= NOTE_EVERY_MS;
    return isOld && this.#pay(moment) ? [before] : [];
  }

  /** What still waits, whatever it costs. */
  flush(): readonly TimeNote[] {
    const notes = STREAMS.flatMap((stream) => this.#waiting[stream] ?? []);
    for (const { stream } of notes) delete this.#waiting[stream];
    this.#creditBytes = Math.max(this.#creditBytes - notes.length * NOTE_BYTES, 0);
    return notes.toSorted((a, b) => a.monoMs - b.monoMs);
  }

  snapshot(): TimeNotesSnapshot {
    return { creditBytes: this.#creditBytes, notedMs: this.#notedMs, waiting: { ...this.#waiting } };
  }

  #pay(moment: Moment): boolean {
    if (this.#creditBytes < NOTE_BYTES) return false;
    this.#creditBytes -= NOTE_BYTES;
    this.#notedMs = moment.monoMs;
    return true;
  }
}
