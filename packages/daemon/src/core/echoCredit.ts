/**
 * Echo credit: which of the characters on their way have certainly been read by the far end, judged by what comes back.
 *
 * Loose where `echo.ts` is strict: there the question is what may be left out of a text, here only whether more may be
 * typed. Text between two echoed characters (a fold, a message, a screen being repainted) is passed over. Two rules keep
 * output that merely resembles the input from being taken for it: on a line that prints, a character counts only together
 * with its neighbours, and the more other text has come, the more of them it takes (a listing of 8 kB has every pair of
 * digits in it); on a screen that is painted, where every character comes with its surroundings, it counts alone. A
 * character whose echo never comes (an editor fills a line and its blank is gone) is passed over when a long run of those
 * behind it has come: they were read in order.
 */
import { echoOf, mayShowNothing } from './pacing/echoForm.ts';

/** Neighbours that must match where hardly anything else comes. */
const MIN_RUN_CHARS = 2;
/** So many in a row must match where some in front of them are missing … */
const SKIPPING_RUN_CHARS = 12;
/** … and where more than a few lines of other text came, with silence behind them. */
const MAX_SKIPPING_NOISE = 256;
/** Characters heard last that are kept to find such a run in. */
const RECENT_CHARS = 24;

export interface EchoCreditSnapshot {
  /** Bytes written whose echo has not been seen, in order. */
  readonly unechoed: readonly number[];
  /** How many of them, the newest, were written at `freshMs`: what comes at that moment is no echo of them. */
  readonly fresh: number;
  readonly freshMs: number;
  /** Characters of the first one's echo that have come. */
  readonly partial: number;
  /** Bytes matched that wait for a neighbour to confirm them. */
  readonly unconfirmed: number;
  /** The last character heard was echo. */
  readonly isInRun: boolean;
  /** Characters that came and were none of ours, less what echo has made up for. */
  readonly noise: number;
  /** The last character that came is one that was typed, and prints. */
  readonly endsInEcho: boolean;
  /** What was heard since a character was proved read, the newest of it, in lower case. */
  readonly recent: string;
  /** Characters that were passed over because those behind them came, and nothing else in their place. */
  readonly skipped: number;
}

const NOTHING: EchoCreditSnapshot = {
  unechoed: [],
  fresh: 0,
  freshMs: 0,
  partial: 0,
  unconfirmed: 0,
  isInRun: false,
  noise: 0,
  endsInEcho: false,
  recent: '',
  skipped: 0,
};

export class EchoCredit {
  #unechoed: number[];
  #fresh: number;
  #freshMs: number;
  #partial: number;
  #unconfirmed: number;
  #isInRun: boolean;
  #noise: number;
  #endsInEcho: boolean;
  #recent: string;
  #skipped: number;

  constructor(snapshot: EchoCreditSnapshot = NOTHING) {
    this.#unechoed = [...snapshot.unechoed];
    this.#fresh = snapshot.fresh;
    this.#freshMs = snapshot.freshMs;
    this.#partial = snapshot.partial;
    this.#unconfirmed = snapshot.unconfirmed;
    this.#isInRun = snapshot.isInRun;
    this.#noise = snapshot.noise;
    this.#endsInEcho = snapshot.endsInEcho;
    this.#recent = snapshot.recent;
    this.#skipped = snapshot.skipped;
  }

  /** Bytes on their way or in the far end's buffer, as far as one can know. */
  get outstanding(): number {
    return this.#unechoed.length;
  }

  wrote(bytes: Uint8Array, nowMs: number): void {
    this.#age(nowMs);
    this.#freshMs = nowMs;
    this.#fresh += bytes.length;
    this.#unechoed.push(...bytes);
  }

  /** Takes text that came; `isPainting`: a program paints the screen. Returns how many bytes are proved read by it. */
  hear(text: string, isPainting: boolean, nowMs: number): number {
    this.#age(nowMs);
    const before = this.#unechoed.length;
    for (const character of text) {
      if (this.#waiting === 0) {
        this.passOver();
        break;
      }
      this.#hearOne(character, isPainting);
    }
    return before - this.#unechoed.length;
  }

  /** Text came while nothing was without its echo. */
  passOver(): void {
    this.#endsInEcho = false;
  }

  /** Whether the last words are what was typed, so that they tell nothing of the far end. */
  get endsInEcho(): boolean {
    return this.#endsInEcho;
  }

  /** The far end is silent: keys that show nothing (^A, ESC, a rubout at the margin) have been read all the same. */
  pause(): number {
    this.#noise = Math.floor(this.#noise / 2); // what comes next is another answer
    let silent = 0;
    while (silent < this.#unechoed.length && mayShowNothing(this.#unechoed[silent])) silent += 1;
    // In front of a character that should have shown itself they prove nothing: the program may not be reading at all.
    if (silent < this.#unechoed.length) silent = 0;
    this.#drop(silent);
    return silent;
  }

  /** Looks at the last words before a silence once more. Returns how many bytes are proved read by them. */
  lookBack(): number {
    const before = this.#unechoed.length;
    this.#skips(SKIPPING_RUN_CHARS);
    return before - this.#unechoed.length;
  }

  /** Only the newest `bytes` can still be on their way. Returns how many were taken for it until now. */
  keep(bytes: number): number {
    const read = Math.max(this.#unechoed.length - bytes, 0);
    if (read > 0) this.#drop(read);
    return read;
  }

  /** Characters passed over so far, because a run of those behind them came, and nothing else in their place. */
  get skipped(): number {
    return this.#skipped;
  }

  /** Nothing that is on its way will be waited for any longer. */
  forget(): number {
    const forgotten = this.#unechoed.length;
    this.#drop(forgotten);
    return forgotten;
  }

  snapshot(): EchoCreditSnapshot {
    return {
      unechoed: this.#unechoed,
      fresh: this.#fresh,
      freshMs: this.#freshMs,
      partial: this.#partial,
      unconfirmed: this.#unconfirmed,
      isInRun: this.#isInRun,
      noise: this.#noise,
      endsInEcho: this.#endsInEcho,
      recent: this.#recent,
      skipped: this.#skipped,
    };
  }

  #hearOne(character: string, isPainting: boolean): void {
    this.#recent = (this.#recent + character.toLowerCase()).slice(-RECENT_CHARS);
    const at = this.#find(character);
    if (at === undefined) {
      if (this.#noise <= MAX_SKIPPING_NOISE && this.#skips(SKIPPING_RUN_CHARS)) return;
      // What stood alone in other text was no echo of ours.
      this.#unconfirmed = 0;
      this.#partial = 0;
      this.#isInRun = false;
      this.#noise += 1;
      this.#endsInEcho = false;
      return;
    }
    this.#endsInEcho = !mayShowNothing(this.#unechoed[at]);
    const expected = echoOf(this.#unechoed[at]);
    const isWhole = (at === this.#unconfirmed ? this.#partial : 0) + 1 >= expected.length;
    if (!isWhole) {
      this.#partial = 1;
      return;
    }
    this.#partial = 0;
    const matched = at + 1;
    if (isPainting || this.#isInRun || matched >= this.#runNeeded) {
      this.#noise = Math.max(this.#noise - matched, 0);
      this.#drop(matched);
      this.#isInRun = true;
    } else this.#unconfirmed = matched;
  }

  /** Bytes whose echo may come now. */
  get #waiting(): number {
    return this.#unechoed.length - this.#fresh;
  }

  #age(nowMs: number): void {
    if (nowMs > this.#freshMs) this.#fresh = 0;
  }

  /** Characters in a row that prove each other: with four times the noise one more. */
  get #runNeeded(): number {
    const needed = MIN_RUN_CHARS + Math.floor(Math.log2(1 + this.#noise) / 2);
    return Math.min(needed, this.#waiting);
  }

  /** Whether the newest characters are a run of those on their way, some in front of it missing; takes it then. */
  #skips(length: number): boolean {
    if (this.#recent.length < length) return false;
    const run = this.#recent.slice(-length);
    let echo = '';
    for (const [index, byte] of this.#unechoed.slice(0, this.#waiting).entries()) {
      echo += echoOf(byte).toLowerCase();
      if (!echo.endsWith(run)) continue;
      this.#noise = Math.max(this.#noise - length, 0);
      // With nothing in their place: not those that an editor shows elsewhere.
      if (this.#recent.length === length) this.#skipped += echo.length - length;
      this.#drop(index + 1);
      this.#isInRun = true;
      this.#endsInEcho = true;
      return true;
    }
    return false;
  }

  /** Index of the byte that the character is the (next part of the) echo of; keys that may show nothing are skipped. */
  #find(character: string): number | undefined {
    for (let at = this.#unconfirmed; at < this.#waiting; at += 1) {
      const expected = echoOf(this.#unechoed[at]);
      const part = at === this.#unconfirmed ? this.#partial : 0;
      if (expected.charAt(part).toLowerCase() === character.toLowerCase()) return at;
      if (!mayShowNothing(this.#unechoed[at])) return undefined;
    }
    return undefined;
  }

  #drop(count: number): void {
    if (count > 0) this.#recent = '';
    this.#unechoed.splice(0, count);
    this.#fresh = Math.min(this.#fresh, this.#unechoed.length);
    this.#partial = 0;
    this.#unconfirmed = 0;
  }
}
