/**
 * Overflow watch: where in a send the far end's buffer may have run over. It never names an offset behind the first byte
 * that was lost: nothing is lost of what was proved read, nor of the 65 characters behind it, which the buffer holds.
 */

/** Characters that ITS keeps for a terminal (ts3tty TIBS). */
export const BUFFER_CHARS = 65;

/**
 * Without proof and without a BEL: what was written before the newest so many is taken for read. What the buffer holds, and as
 * much again for the time until a BEL is heard, 1.6 s by the clock.
 */
export const MAX_UNTOLD_CHARS = 2 * BUFFER_CHARS;

interface Written {
  readonly id: string;
  /** Characters of the send, counted like all others from the first one on. */
  readonly start: number;
  readonly end: number;
}

export interface OverflowWatchSnapshot {
  /** Sends of which something is not proved read, and the last one. */
  readonly sends: readonly Written[];
  readonly written: number;
  readonly unproved: number;
  /** A BEL came when everything before this character was proved read … */
  readonly rungAt: number | undefined;
  /** … at this moment. */
  readonly rungMs: number;
  readonly lost: Overflow | undefined;
  /** The send whose loss was told. */
  readonly told: string | undefined;
}

/** The first lost byte of a send is at this offset or behind it. */
export interface Overflow {
  readonly id: string;
  readonly offset: number;
  /** Its bytes that are written. */
  readonly sent: number;
}

const NOTHING: OverflowWatchSnapshot = {
  sends: [],
  written: 0,
  unproved: 0,
  rungAt: undefined,
  rungMs: 0,
  lost: undefined,
  told: undefined,
};

export class OverflowWatch {
  #s: OverflowWatchSnapshot;

  constructor(snapshot: OverflowWatchSnapshot = NOTHING) {
    this.#s = snapshot;
  }

  wrote(id: string, chars: number): void {
    const { sends, written, unproved } = this.#s;
    const last = sends.at(-1);
    const end = written + chars;
    this.#s = {
      ...this.#s,
      written: end,
      unproved: Math.min(unproved + chars, MAX_UNTOLD_CHARS),
      sends:
        last?.id === id ? [...sends.slice(0, -1), { ...last, end }] : [...sends, { id, start: written, end }],
    };
  }

  /** Only so many are left without proof. */
  proved(unproved: number): void {
    const { sends, written, rungAt } = this.#s;
    const read = written - unproved;
    this.#s = {
      ...this.#s,
      unproved,
      rungAt: unproved === 0 ? undefined : rungAt,
      // The last one stays: the rest of it is counted from its beginning.
      sends: sends.filter(({ end }, index) => end > read || index === sends.length - 1),
    };
  }

  /**
   * A BEL came that belongs to nobody's message: perhaps for a character that was dropped. Where more is unproved than the
   * buffer holds, or `isBlind` because nothing else would tell of a loss, it is taken for that.
   */
  ring(isBlind: boolean, nowMs: number): void {
    const { written, unproved, rungAt } = this.#s;
    if (unproved === 0) return;
    const read = written - unproved;
    if (unproved > BUFFER_CHARS) this.#lose(read + BUFFER_CHARS);
    else if (isBlind) this.#lose(read);
    else if (rungAt === undefined) this.#s = { ...this.#s, rungAt: read, rungMs: nowMs };
  }

  /** Characters did not come back and those behind them did; after a BEL at an earlier moment they are lost. */
  skip(nowMs: number): void {
    const { rungAt, rungMs, sends, told } = this.#s;
    if (rungAt === undefined || rungMs >= nowMs) return;
    this.#s = { ...this.#s, rungAt: undefined };
    if (sends.find(({ end }) => end > rungAt)?.id !== told) this.#lose(rungAt);
  }

  /** When a BEL came that may have been for a character that was dropped. */
  get doubtMs(): number | undefined {
    return this.#s.rungAt === undefined ? undefined : this.#s.rungMs;
  }

  /** What was lost, told once. */
  take(): Overflow | undefined {
    const { lost } = this.#s;
    if (lost !== undefined) this.#s = { ...this.#s, lost: undefined };
    return lost;
  }

  snapshot(): OverflowWatchSnapshot {
    return this.#s;
  }

  /** The first character that was lost is this one or one behind it. */
  #lose(at: number): void {
    const { sends, told } = this.#s;
    // Behind a loss that was told there is another one: nothing was read in between.
    const send = sends.find(({ id, end }) => end > at && id !== told);
    if (send === undefined) return;
    const { id, start, end } = send;
    this.#s = { ...this.#s, lost: { id, offset: Math.max(at - start, 0), sent: end - start }, told: id };
  }
}
