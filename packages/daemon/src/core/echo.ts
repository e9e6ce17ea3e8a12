/**
 * Echo: tells the far end's echo of an input apart from its answer, so that nobody takes his own words for output.
 *
 * What a character looks like when it comes back (measured, docs/its-line.md 4 and 13): itself, TAB too; in either case
 * where the terminal is set to upper case; `^X` for a control character; `$` for ESC; a line end for CR. ITS's folds are
 * not in the text that comes here. Where a message of somebody else's came between, its line end is left. Anything else is
 * not our echo: the recogniser stops there for good.
 */
import { INCOMPLETE, INVALID, REPLACEMENT, Utf8Decoder } from './ansi/utf8.ts';
import { echoOf, sureEchoOf } from './pacing/echoForm.ts';

const DEL = 0x7f;

export interface EchoSnapshot {
  /** What is expected, `\n` for a line end. */
  readonly expected: string;
  readonly matched: number;
  /** A line end came that was not typed; the echo goes on behind it, or was none. */
  readonly isBroken: boolean;
  readonly state: EchoState;
}

/** `pending`: more of it may come; `complete`: all of it came; `differs`: something else came instead. */
export type EchoState = 'pending' | 'complete' | 'differs';

export class EchoRecogniser {
  readonly #expected: string;
  #matched: number;
  #isBroken: boolean;
  #state: EchoState;

  private constructor(snapshot: EchoSnapshot) {
    this.#expected = snapshot.expected;
    this.#matched = snapshot.matched;
    this.#isBroken = snapshot.isBroken;
    this.#state = snapshot.state;
  }

  /**
   * A recogniser for `input`, the bytes before telnet encoding. `isUtf8`: the far end's terminal has that, and shows its
   * characters as they are.
   */
  static of(input: Uint8Array, isUtf8 = false): EchoRecogniser {
    const expected = isUtf8 ? utf8EchoOf(input) : sureEchoOf(input);
    return new EchoRecogniser({
      expected,
      matched: 0,
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
      isBroken: this.#isBroken,
      state: this.#state,
    };
  }

  #takes(character: string): boolean {
    const expected = this.#expected.charAt(this.#matched);
    if (character === expected || character.toLowerCase() === expected.toLowerCase()) {
      this.#matched += 1;
      this.#isBroken = false;
      return true;
    }
    if (this.#isBroken || character !== '\n' || this.#matched === 0) return false;
    this.#isBroken = true;
    return true;
  }
}

/** As `sureEchoOf`, up to the first byte that is no character's, or is a control character of eight bits. */
function utf8EchoOf(input: Uint8Array): string {
  const decoder = new Utf8Decoder();
  let echo = '';
  for (const byte of input) {
    if (byte === DEL) return echo;
    if (byte < DEL && !decoder.isPending) {
      echo += echoOf(byte);
      continue;
    }
    const codePoint = decoder.take(byte);
    if (codePoint === INVALID || codePoint === REPLACEMENT || isC1(codePoint)) return echo;
    if (codePoint !== INCOMPLETE) echo += String.fromCodePoint(codePoint);
  }
  return echo;
}

function isC1(codePoint: number): boolean {
  return codePoint >= 0x80 && codePoint < 0xa0;
}
