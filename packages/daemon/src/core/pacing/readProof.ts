/**
 * Read proof: the characters that the far end has certainly read, and how many more may go.
 *
 * ITS keeps 65 characters for a terminal (docs/its-line.md 14). Never are that many without proof, so nothing can be lost,
 * whatever the far end prints or paints meanwhile. What proves a character read:
 *
 * - On a line that prints: its echo, as long as nothing else has come since the last proof. A program that does not read
 *   does not echo, and what it prints would have to begin with exactly the next character.
 * - Behind the line end of a message: a dozen of the next ones, with nothing else in front.
 * - Behind anything else, and wherever a program paints: a *round*. The far end is silent, some characters go, the far end
 *   is silent again, and what came in between is their echo and not one character more. A picture that is painted
 *   anew brings more than that, or ends its lines elsewhere.
 * - On a line that prints, behind other text: the last words before a silence, many in a row, or all that is unproved.
 * - Where it rests, the cursor (`cursorEvidence.ts`).
 * - Where what is typed shows nothing of itself, as an editor's commands: that each of three sends in a row, typed when
 *   nothing was under way, was answered at once.
 */
import { columnBehind, contextOf, type Resting, readByCursor, trailOf } from './cursorEvidence.ts';
import { echoOf, endAt, wholeIn } from './echoForm.ts';
import {
  AT_ONCE_CHARS,
  FAR_BUFFER_CHARS,
  NOTHING_TYPED,
  type ReadProofSnapshot,
  ROUND_CHARS,
} from './readProofState.ts';
import { readByRound, readByTail } from './roundProof.ts';

/** A round behind one that proved nothing: unlike anything else that is under way, as a few letters in a row are. */
export const PROBE_CHARS = 4;
/** What is kept of what came in a round, in characters: more than the echo of a full buffer, so a longer one is none. */
const MAX_HEARD_CHARS = 256;
/** An answer of any kind that begins so soon, in ms: an idle host takes 10 to 18, what comes by itself hardly hits that … */
const PROMPT_ANSWER_MS = 300;
/** … and not so many times in a row. */
const ANSWERS = 3;

/** So many in a row, behind line ends only, that are the next ones of the echo: a message came in between. */
const RESUMED_CHARS = 12;

export class ReadProof {
  #s: ReadProofSnapshot;

  constructor(snapshot: ReadProofSnapshot = NOTHING_TYPED) {
    this.#s = snapshot;
  }

  /** Bytes that the far end may not have read. */
  get unproved(): number {
    return this.#s.unproved.length;
  }

  /** When something was written last. */
  get writtenMs(): number {
    return this.#s.writtenMs;
  }

  /** Nothing but echo has come since the last proof. */
  get isFollowing(): boolean {
    return this.#s.isFollowing;
  }

  /** Characters that may go now of `waiting` ones: all of them, if they fit as a whole. */
  roomFor(waiting: number): number {
    const isWhole = this.unproved + waiting <= FAR_BUFFER_CHARS;
    return Math.max((isWhole ? FAR_BUFFER_CHARS : this.#s.limit) - this.unproved, 0);
  }

  /** A send begins where nothing else waits. */
  begin(): void {
    this.#s = { ...this.#s, limit: this.#nextLimit, isOpening: true };
  }

  /** Nothing can go, and the buffer has room for a probe. */
  get mayProbe(): boolean {
    return this.unproved >= this.#s.limit && this.unproved < FAR_BUFFER_CHARS;
  }

  /** What should have proved something did not come: it may have been taken for a message. */
  probe(): void {
    this.#s = { ...this.#s, limit: this.#probeLimit };
  }

  wrote(bytes: Uint8Array, nowMs: number): void {
    const s = this.#s;
    const isFirst = s.unproved.length === 0;
    this.#s = {
      ...s,
      unproved: [...s.unproved, ...bytes],
      fresh: (nowMs > s.writtenMs ? 0 : s.fresh) + bytes.length,
      writtenMs: nowMs,
      round: s.round + bytes.length,
      // All before it is read: what comes next is its echo or none at all.
      ...(isFirst && { isFollowing: true, heard: '', isPainted: false, round: bytes.length }),
    };
  }

  /** Takes text that came. Returns how many bytes are proved read by it. */
  hear(text: string, isPainting: boolean, nowMs: number): number {
    if (nowMs > this.#s.writtenMs && this.#s.fresh > 0) this.#s = { ...this.#s, fresh: 0 };
    const before = this.unproved;
    if (nowMs > this.#s.followedMs) {
      if (!isPainting) this.#resume();
      this.#s = { ...this.#s, followed: 0, followedMs: nowMs };
    }
    let at = 0;
    while (at < text.length && !isPainting && this.#follows(text.charAt(at))) at += 1;
    if (at < text.length) this.#listen(text.slice(at).toLowerCase(), isPainting, nowMs);
    return before - this.unproved;
  }

  /** What came is no echo, and nothing waits for any: the cursor has gone elsewhere. */
  passOver(): void {
    if (this.#s.column !== undefined) this.#s = { ...this.#s, column: undefined };
  }

  /** The far end is silent. Returns how many bytes are proved read by what came before. */
  pause(resting?: Resting): number {
    if (this.unproved === 0) this.#rest(resting);
    if (this.#s.heard === '' || this.unproved === 0) return 0;
    // All that a message leaves is line ends: that was no round, but echo may have gone with it, so a few more may tell.
    if (/^\n*$/.test(this.#s.heard)) {
      const limit = Math.max(this.#s.limit, this.#probeLimit);
      this.#s = { ...this.#s, heard: '', isPainted: false, isFollowing: false, limit };
      return 0;
    }
    const byEcho = Math.max(readByRound(this.#s), readByTail(this.#s));
    const proved = byEcho > 0 ? byEcho : Math.max(this.#byCursor(resting), this.#byAnswers());
    this.#drop(proved);
    this.#s = {
      ...this.#s,
      isFollowing: proved > 0,
      heard: '',
      isPainted: false,
      isOpening: false,
      round: 0,
      // At rest the cursor stands behind what was read.
      ...(proved > 0 && { column: resting?.column, answers: 0 }),
    };
    this.#s = { ...this.#s, limit: proved > 0 ? this.#nextLimit : this.#probeLimit };
    if (this.unproved === 0) this.#rest(resting);
    return proved;
  }

  /** Only the newest `chars` can still be unread. */
  keep(chars: number): void {
    if (this.unproved > chars) this.#drop(this.unproved - chars);
  }

  /** The far end has read, or thrown away, all that was typed. Returns how many that were. */
  forget(): number {
    const forgotten = this.unproved;
    this.#drop(forgotten);
    this.#s = { ...NOTHING_TYPED, trail: this.#s.trail };
    return forgotten;
  }

  snapshot(): ReadProofSnapshot {
    return this.#s;
  }

  /** All is read: what stands before the cursor now is no echo of what comes next. */
  #rest(resting: Resting | undefined): void {
    if (resting !== undefined) this.#s = { ...this.#s, trail: contextOf(resting), column: resting.column };
  }

  get #nextLimit(): number {
    return Math.max(ROUND_CHARS, this.#probeLimit);
  }

  get #probeLimit(): number {
    return Math.min(this.unproved + PROBE_CHARS, FAR_BUFFER_CHARS);
  }

  /** Takes a character as the next one of the echo. */
  #follows(character: string): boolean {
    const { isFollowing, followed, heard, unproved, fresh, lineEnds, partial } = this.#s;
    if (!isFollowing || followed >= AT_ONCE_CHARS || heard !== '' || unproved.length - fresh <= lineEnds)
      return false;
    const expected = echoOf(unproved[lineEnds]);
    if (expected.charAt(partial).toLowerCase() !== character.toLowerCase()) return false;
    if (partial + 1 < expected.length) this.#s = { ...this.#s, partial: partial + 1 };
    else if (character === '\n') this.#s = { ...this.#s, lineEnds: lineEnds + 1, followed: followed + 1 };
    else {
      this.#drop(lineEnds + 1);
      this.#s = { ...this.#s, followed: followed + 1 };
    }
    return true;
  }

  /** Keeps what came and is not the next of the echo, until the far end is silent. */
  #listen(text: string, isPainting: boolean, nowMs: number): void {
    const { heard, heardMs, isPainted, unproved, lineEnds, partial } = this.#s;
    if (unproved.length === this.#s.fresh) return this.passOver();
    const begun = '\n'.repeat(lineEnds) + echoOf(unproved[lineEnds]).slice(0, partial);
    const echo = unproved
      .slice(0, unproved.length - this.#s.fresh)
      .map((byte) => echoOf(byte))
      .join('')
      .toLowerCase();
    const matched = heard === '' ? begun.length : this.#s.matched;
    this.#s = {
      ...this.#s,
      heard: ((heard === '' ? begun : heard) + text).slice(-MAX_HEARD_CHARS),
      heardMs: heard === '' ? nowMs : heardMs,
      isPainted: isPainted || isPainting,
      matched: matched < 0 ? matched : (endAt(echo, matched, text, true) ?? -1),
      lineEnds: 0,
      partial: 0,
    };
  }

  /**
   * What came up to the last moment is the echo that was to come next, and line ends of messages in front of it or in it:
   * it goes on, and none of it has gone with a message.
   */
  #resume(): void {
    const { isFollowing, isPainted, heard, unproved, matched } = this.#s;
    // Whose the last line end is only the next character tells.
    if (!isFollowing || isPainted || matched < RESUMED_CHARS || heard.endsWith('\n')) return;
    const echoes = unproved.map((byte) => echoOf(byte));
    const count = wholeIn(echoes, matched);
    if (count === wholeIn(echoes, matched - 1)) return;
    this.#drop(count);
    this.#s = { ...this.#s, heard: '' };
  }

  #byCursor(resting: Resting | undefined): number {
    const { unproved, trail, column } = this.#s;
    return resting === undefined ? 0 : (readByCursor({ bytes: unproved, trail, column }, resting) ?? 0);
  }

  #byAnswers(): number {
    const { round, isOpening, heardMs, writtenMs } = this.#s;
    if (round === 0) return 0;
    const isAnswer = isOpening && heardMs <= writtenMs + PROMPT_ANSWER_MS;
    const answers = isAnswer ? this.#s.answers + 1 : 0;
    this.#s = { ...this.#s, answers };
    return answers >= ANSWERS ? this.unproved : 0;
  }

  #drop(count: number): void {
    if (count === 0) return;
    let { trail, column } = this.#s;
    for (const byte of this.#s.unproved.slice(0, count)) {
      trail = trailOf(trail, byte);
      column = columnBehind(column, byte);
    }
    const unproved = this.#s.unproved.slice(count);
    const round = Math.min(this.#s.round, unproved.length);
    const fresh = Math.min(this.#s.fresh, unproved.length);
    this.#s = {
      ...this.#s,
      unproved,
      trail,
      column,
      round,
      fresh,
      matched: -1,
      lineEnds: 0,
      partial: 0,
      limit: ROUND_CHARS,
    };
  }
}
