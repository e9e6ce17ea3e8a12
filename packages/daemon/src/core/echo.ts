/**
 * Echo: tells the far end's echo of an input apart from its answer, so that nobody takes his own words for output.
 *
 * What a character looks like when it comes back (measured, docs/its-line.md 4 and 13): itself, TAB too; in either case
 * where the terminal is set to upper case; `^X` for a control character; `$` for ESC; a line end for CR. A line that is too
 * long is folded by `!` and a line end; where a message of somebody else's came between, its line end is left. Anything
 * else is not our echo: the recogniser stops there for good.
 */
import { INCOMPLETE, INVALID, REPLACEMENT, Utf8Decoder } from './ansi/utf8.ts';

/** Column from which DDT folds its input line (80 columns, the last one is left free). */
const FOLD_COLUMN = 78;
const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const ESC = 0x1b;
const DEL = 0x7f;

export interface EchoSnapshot {
  /** What is expected, `\n` for a line end. */
  readonly expected: string;
  readonly matched: number;
  readonly column: number;
  /** A fold's `!` was seen; its line end is due. */
  readonly folding: boolean;
  /** A line end came that was not typed; the echo goes on behind it, or was none. */
  readonly isBroken: boolean;
  readonly state: EchoState;
}

/** `pending`: more of it may come; `complete`: all of it came; `differs`: something else came instead. */
export type EchoState = 'pending' | 'complete' | 'differs';

export class EchoRecogniser {
  readonly #expected: string;
  #matched: number;
  #column: number;
  #folding: boolean;
  #isBroken: boolean;
  #state: EchoState;

  private constructor(snapshot: EchoSnapshot) {
    this.#expected = snapshot.expected;
    this.#matched = snapshot.matched;
    this.#column = snapshot.column;
    this.#folding = snapshot.folding;
    this.#isBroken = snapshot.isBroken;
    this.#state = snapshot.state;
  }

  /**
   * A recogniser for `input` (the bytes before telnet encoding), typed with the cursor at `column`. `isUtf8`: the far end's
   * terminal has that, and shows its characters as they are.
   */
  static of(input: Uint8Array, column: number, isUtf8 = false): EchoRecogniser {
    const expected = expectedEcho(input, isUtf8);
    return new EchoRecogniser({
      expected,
      matched: 0,
      column,
      folding: false,
      isBroken: false,
      state: expected === '' ? 'complete' : 'pending',
    });
  }

  static restore(snapshot: EchoSnapshot): EchoRecogniser {
    return new EchoRecogniser(snapshot);
  }

  get state(): EchoState {
    return this.#state;
  }

  /** Whether all that was typed came back: a line end that did not is no loss, many programs answer it with a motion. */
  get isExact(): boolean {
    const rest = this.#expected.slice(this.#matched);
    return this.#state === 'complete' || (this.#matched > 0 && rest === '\n');
  }

  /** Takes the next text; returns how many of its characters are echo. After `complete` or `differs` it is 0. */
  push(text: string): number {
    let taken = 0;
    while (this.#state === 'pending' && taken < text.length) {
      if (!this.#takes(text.charAt(taken))) {
        this.#state = 'differs';
        break;
      }
      taken += 1;
      if (this.#matched === this.#expected.length) this.#state = 'complete';
    }
    return taken;
  }

  snapshot(): EchoSnapshot {
    return {
      expected: this.#expected,
      matched: this.#matched,
      column: this.#column,
      folding: this.#folding,
      isBroken: this.#isBroken,
      state: this.#state,
    };
  }

  #takes(character: string): boolean {
    if (this.#folding) {
      this.#folding = false;
      this.#column = 0;
      return character === '\n';
    }
    const expected = this.#expected.charAt(this.#matched);
    if (character === expected || character.toLowerCase() === expected.toLowerCase()) {
      this.#matched += 1;
      this.#isBroken = false;
      this.#column = character === '\n' ? 0 : this.#column + 1;
      return true;
    }
    if (this.#isBroken) return false;
    if (character === '\n' && this.#matched > 0) {
      this.#isBroken = true;
      this.#column = 0;
      return true;
    }
    this.#folding = character === '!' && this.#column >= FOLD_COLUMN;
    return this.#folding;
  }
}

function expectedEcho(input: Uint8Array, isUtf8: boolean): string {
  const decoder = new Utf8Decoder();
  let echo = '';
  for (const byte of input) {
    if (isUtf8 && (byte > DEL || decoder.isPending)) {
      const codePoint = decoder.take(byte);
      if (codePoint === INVALID || codePoint === REPLACEMENT || isC1(codePoint)) return echo; // nobody can tell what it looks like
      if (codePoint !== INCOMPLETE) echo += String.fromCodePoint(codePoint);
      continue;
    }
    if (byte === CR || byte === LF) echo += '\n';
    else if (byte === TAB) echo += '\t';
    else if (byte === ESC) echo += '$';
    else if (byte < 0x20) echo += `^${String.fromCharCode(byte + 0x40)}`;
    else if (byte < DEL) echo += String.fromCharCode(byte);
    else return echo; // a rubout or an 8-bit byte comes back in many ways: nothing behind it can be told
  }
  return echo;
}

function isC1(codePoint: number): boolean {
  return codePoint >= 0x80 && codePoint < 0xa0;
}
