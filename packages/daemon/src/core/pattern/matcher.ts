/** The place of one wait in its text: pairs surrogates over chunks, and turns steps into indices. */

import type { CodeUnits } from '../renderedText.ts';
import { type Alphabet, classOf } from './alphabet.ts';
import { Context, isContext } from './context.ts';
import { LazyDfa } from './dfa.ts';
import type { Pattern } from './program.ts';
import { isHighSurrogate, isLowSurrogate, toCodePoint } from './surrogates.ts';

/** Raised when a change to the engine gives old snapshots another meaning. */
const SNAPSHOT_VERSION = 1;

/** Plain JSON, under 2 kB. Fits only a matcher for the same source. */
export interface MatcherSnapshot {
  readonly version: number;
  /** Bitset of positions, 32 a word. */
  readonly set: readonly number[];
  readonly previous: number;
  /** A high surrogate that waits for its other half. */
  readonly half?: number;
}

export interface MatcherOptions {
  /** Whether the text starts at the start of a line, so that `^` holds there. Default true. `\A` holds there in any case. */
  readonly atLineStart?: boolean;
  /** Goes on where another matcher was; `atLineStart` then means nothing. */
  readonly snapshot?: MatcherSnapshot;
}

/** One wait's place in the text. Holds at most MAX_CACHE_BYTES and some kB. */
export class Matcher {
  readonly #alphabet: Alphabet;
  readonly #dfa: LazyDfa;
  readonly #atLineStart: boolean;
  #half: number | undefined;
  #hasMatched = false;

  /** @throws RangeError when the snapshot is not one of this pattern's */
  constructor(pattern: Pattern, options: MatcherOptions = {}) {
    const { atLineStart = true, snapshot } = options;
    this.#alphabet = pattern.forward.alphabet;
    this.#atLineStart = atLineStart;
    this.#dfa = new LazyDfa(pattern.forward, atLineStart ? Context.edge : Context.edgeInLine);
    if (snapshot === undefined) return;
    const { version, set, previous, half } = snapshot;
    if (version !== SNAPSHOT_VERSION || set.length !== pattern.forward.words || !isContext(previous)) {
      throw new RangeError(
        `cannot restore a matcher for ${pattern.source}: the snapshot is of another pattern or version`,
      );
    }
    this.#dfa.load(set, previous);
    this.#half = half;
  }

  /**
   * Feeds the text that follows. Returns the index in `text` right behind the match, undefined when there is none yet. 0 means
   * that the match ended with the text before: `$` and `\b` are decided by the character behind them, and a pattern that matches
   * nothing matches at the first push. -1 is possible only where the chunks cut a surrogate pair: then the match ended before
   * that pair. No further push is allowed after a match.
   */
  push(text: CodeUnits): number | undefined {
    if (this.#hasMatched) throw new Error('cannot push text to a matcher that has matched');
    const end = this.#dfa.hasMatched ? 0 : this.#scan(text);
    this.#hasMatched = end !== undefined;
    return end;
  }

  /** Whether a match ends here if no text follows. Changes nothing. */
  matchesAtSilence(): boolean {
    if (this.#dfa.hasMatched) return true;
    if (this.#half === undefined) return this.#dfa.wouldMatch(Context.edge);
    const saved = this.#dfa.save();
    const isMatch =
      this.#dfa.step(classOf(this.#alphabet, this.#half)) !== 'none' || this.#dfa.wouldMatch(Context.edge);
    this.#dfa.load(saved.set, saved.previous);
    return isMatch;
  }

  /** Begins anew with another text, and keeps what it knows of the pattern. */
  restart(): void {
    this.#dfa.restart(this.#atLineStart ? Context.edge : Context.edgeInLine);
    this.#half = undefined;
    this.#hasMatched = false;
  }

  snapshot(): MatcherSnapshot {
    const { set, previous } = this.#dfa.save();
    const snapshot = { version: SNAPSHOT_VERSION, set: [...set], previous };
    return this.#half === undefined ? snapshot : { ...snapshot, half: this.#half };
  }

  #scan(text: CodeUnits): number | undefined {
    const { length } = text;
    // A half pair from the last chunk starts at -1, so to speak.
    let at = this.#half === undefined ? 0 : -1;
    while (at < length) {
      if (at >= 0) at = this.#dfa.run(text, at);
      if (at === length) return undefined;
      let code = at < 0 ? (this.#half ?? 0) : text.charCodeAt(at);
      let width = 1;
      if (isHighSurrogate(code)) {
        if (at + 1 === length) {
          this.#half = code;
          return undefined;
        }
        const low = text.charCodeAt(at + 1);
        if (isLowSurrogate(low)) {
          code = toCodePoint(code, low);
          width = 2;
        }
      }
      this.#half = undefined;
      const outcome = this.#dfa.step(classOf(this.#alphabet, code));
      if (outcome === 'matchedBefore') return at;
      at += width;
      if (outcome === 'matchedAfter') return at;
    }
    return undefined;
  }
}
