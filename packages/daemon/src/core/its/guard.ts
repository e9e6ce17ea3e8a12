/**
 * Line guard: sees the line as it is being assembled, whoever types which character of it, and stops what needs a person's
 * word. A seat belt, not a wall: what a program makes of its input cannot be known here (docs/its-line.md).
 */
import { compilePattern, Matcher, type Pattern } from '../pattern/pattern.ts';

/** LOCK and its commands bring the system down for everybody (ITS's its.primer, IX.D; LOCK's own help). */
export const DEFAULT_GUARD: readonly string[] = ['(?i)^:\\s*lock\\b', '(?i)^lock\\x0b', '(?i)^\\d+\\s*kill'];

const BS = 0x08;
const LF = 0x0a;
const CR = 0x0d;
const DEL = 0x7f;
/** ^D, ^G, ^U, ^X, ^Z: ways to give a line up. */
const GIVES_UP: ReadonlySet<number> = new Set([0x04, 0x07, 0x15, 0x18, 0x1a]);
const BLANK = 0x20;
/** ^K and ESC begin commands. */
const BEGINS: ReadonlySet<number> = new Set([0x0b, 0x1b]);
/** Longest line that is assembled, in characters. */
const MAX_LINE_CHARS = 1_024;

export interface GuardSnapshot {
  readonly line: string;
}

export interface Danger {
  /** The assembled line, up to the character that made it dangerous. */
  readonly line: string;
  readonly pattern: string;
  /** Characters that stand on the line already and belong to it; 0 when it begins behind them. */
  readonly typedChars: number;
}

interface Watch {
  readonly pattern: Pattern;
  readonly matcher: Matcher;
}

export class LineGuard {
  readonly #patterns: readonly Pattern[];
  #line: string;

  /** Throws RangeError for a pattern that does not compile. */
  constructor(patterns: readonly string[] = DEFAULT_GUARD, snapshot: GuardSnapshot = { line: '' }) {
    this.#patterns = patterns.map((source) => {
      const compiled = compilePattern(source);
      if (compiled.kind === 'invalid') throw new RangeError(`guard pattern ${source}: ${compiled.message}`);
      return compiled.pattern;
    });
    this.#line = snapshot.line;
  }

  /** What typing `input` behind `ahead`, which is on its way, would complete, or undefined; types nothing. Looks at each character once. */
  check(input: Uint8Array, ahead: readonly Uint8Array[] = []): Danger | undefined {
    const before = ahead.reduce((line, bytes) => bytes.reduce(typedOn, line), this.#line);
    let line = before;
    // What of the line was there before: a line end, or as many rubouts, and the rest is the input's own.
    let standing = line.length;
    let watches = this.#watch(line);
    for (const byte of input) {
      if (line === '' && isNothingInFront(byte)) continue;
      const character = String.fromCharCode(byte);
      const found = watches.find(({ matcher }) => matcher.push(character) !== undefined);
      if (found !== undefined) {
        const typedChars = standing > 0 ? before.length : 0;
        return { line: (line + character).trimEnd(), pattern: found.pattern.source, typedChars };
      }
      const longer = typedOn(line, byte);
      const isBegunAnew = longer.length < line.length || longer === '';
      line = longer;
      standing = Math.min(standing, line.length);
      if (isBegunAnew) watches = this.#watch(line);
    }
    return undefined;
  }

  typed(input: Uint8Array): void {
    for (const byte of input) this.#line = typedOn(this.#line, byte);
  }

  /** A matcher for each pattern that `line` does not match already: that one was agreed to. */
  #watch(line: string): readonly Watch[] {
    return this.#patterns
      .map((pattern) => ({ pattern, matcher: new Matcher(pattern) }))
      .filter(({ matcher }) => matcher.push(line) === undefined);
  }

  snapshot(): GuardSnapshot {
    return { line: this.#line };
  }
}

function typedOn(line: string, byte: number): string {
  if (line === '' && isNothingInFront(byte)) return line;
  if (byte === CR || byte === LF || GIVES_UP.has(byte)) return '';
  if (byte === DEL || byte === BS) return line.slice(0, -1);
  return line.length < MAX_LINE_CHARS ? line + String.fromCharCode(byte) : line;
}

/** Blanks and control characters in front of a line hide nothing: a pager eats its space, DDT passes over the rest. */
function isNothingInFront(byte: number): boolean {
  return byte <= BLANK && !BEGINS.has(byte);
}
