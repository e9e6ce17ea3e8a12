/** Patience: how long what is to go next waits for echo, for the clock, for anything at all, and how much may go meanwhile. */
import type { FarEnd } from './farEnd.ts';
import type { InputQueue, QueuedInput } from './inputQueue.ts';
import { FAR_BUFFER_CHARS } from './readProofState.ts';

/** After so many ms without credit the rest of the input is dropped and its caller told (CONTRACT 2). */
export const STALL_MS = 30_000;
/** No echo of a send's first characters for so long, in ms: it goes on by the clock, as far as the buffer has room. */
export const NO_ECHO_MS = 1_500;
/**
 * Nothing at all for so long behind that, in ms: the far end is taken for one that reads and does not echo, and the clock
 * goes on beyond the buffer. Long, since a program that thinks, or that a full disk holds, would lose that; and less than
 * `STALL_MS`.
 */
export const SILENT_MS = 20_000;
/** Between two characters that go by the clock, in ms: two thirds of what the line takes (60 a second). */
export const TIMED_INTERVAL_MS = 25;

/** Behind a BEL that may tell of a loss nothing goes at the moment at which text comes, but so much later, in ms. */
const DOUBT_MS = 1;

export interface PatienceSnapshot {
  /** When credit last came, or when the first byte began to wait for it. */
  readonly progressMs: number;
  /** When text came last. */
  readonly heardMs: number;
}

export class Patience {
  progressMs: number;
  heardMs: number;
  readonly #queue: InputQueue;
  readonly #farEnd: FarEnd;

  constructor(queue: InputQueue, farEnd: FarEnd, snapshot?: PatienceSnapshot) {
    this.#queue = queue;
    this.#farEnd = farEnd;
    this.progressMs = snapshot?.progressMs ?? 0;
    this.heardMs = snapshot?.heardMs ?? 0;
  }

  /** Characters of a send that may go now, for the far end's sake. */
  room(entry: QueuedInput, nowMs: number): number {
    if (entry.mode === 'urgent') return Number.POSITIVE_INFINITY;
    if (entry.mode === 'echo') return nowMs < this.#doubtEndMs ? 0 : this.#echoRoom;
    return nowMs >= this.progressMs + TIMED_INTERVAL_MS ? Math.min(this.#timedRoom(entry), 1) : 0;
  }

  /** The clock takes the send beyond what the buffer holds: a BEL means that it has run over. */
  isBlind({ mode, isUnseen }: QueuedInput): boolean {
    return mode === 'timed' && (isUnseen || this.#farEnd.isSilentReader);
  }

  /** The send whose next character waits for echo or proof; undefined when none does. */
  get blocked(): QueuedInput | undefined {
    const { next } = this.#queue;
    return next?.mode === 'echo' && this.#echoRoom <= 0 ? next : undefined;
  }

  /** When what waits for nothing else may go, the rest of a moment being heard; undefined when nothing does. */
  doubtEndMs(): number | undefined {
    const isWaiting = this.#queue.next?.mode === 'echo' && this.#echoRoom > 0;
    return isWaiting && this.#doubtEndMs > 0 ? this.#doubtEndMs : undefined;
  }

  /** When the echo is given up; undefined: a send of which anything came back is worth waiting for to the end. */
  echoDeadlineMs(): number | undefined {
    const entry = this.blocked;
    if (entry === undefined || this.#farEnd.echoedChars(entry.id) > 0) return undefined;
    return this.progressMs + (this.#farEnd.isSilentReader ? TIMED_INTERVAL_MS : NO_ECHO_MS);
  }

  /** When a far end that has said nothing is taken for a silent reader; undefined when nothing waits for that. */
  silenceDeadlineMs(): number | undefined {
    const { next } = this.#queue;
    if (next?.mode !== 'timed' || this.#timedRoom(next) > 0 || !this.#farEnd.hasShownNothing)
      return undefined;
    // Whoever says something else meanwhile is not silent: it may show what it reads in a way that is not understood.
    return Math.max(this.progressMs, this.heardMs) + SILENT_MS;
  }

  /** When the next character goes by the clock. */
  timedMs(): number | undefined {
    const { next } = this.#queue;
    return next?.mode === 'timed' && this.#timedRoom(next) > 0
      ? this.progressMs + TIMED_INTERVAL_MS
      : undefined;
  }

  /** Where nothing at all of a send was ever seen, each probe may be the last that the buffer has room for. */
  probeMs(): number | undefined {
    const entry = this.blocked;
    return entry !== undefined && this.#farEnd.echoedChars(entry.id) > 0 ? this.#farEnd.probeMs : undefined;
  }

  stallDeadlineMs(): number | undefined {
    return this.#queue.isWaitless ? undefined : this.progressMs + STALL_MS;
  }

  snapshot(): PatienceSnapshot {
    return { progressMs: this.progressMs, heardMs: this.heardMs };
  }

  get #echoRoom(): number {
    return this.#farEnd.room(this.#waiting);
  }

  /** Characters that wait; of a long send never so few that its last ones would use up the room for probes. */
  get #waiting(): number {
    const { waitingBytes, unwrittenBytes } = this.#queue;
    return waitingBytes > FAR_BUFFER_CHARS ? waitingBytes : unwrittenBytes;
  }

  /** What was heard in part only must not let input go that the rest of it would stop. */
  get #doubtEndMs(): number {
    const { doubtMs } = this.#farEnd;
    return doubtMs !== undefined && doubtMs < this.heardMs ? this.heardMs + DOUBT_MS : 0;
  }

  #timedRoom(entry: QueuedInput): number {
    return this.isBlind(entry) ? 1 : this.#farEnd.roomInBuffer(this.#waiting);
  }
}
