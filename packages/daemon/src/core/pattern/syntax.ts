/**
 * Parser for patterns: RE2's syntax (https://github.com/google/re2/wiki/Syntax), with these deviations:
 * - multiline from the start: `^` and `$` hold at line borders, `(?-m)` restores RE2's default;
 * - escapes beyond RE2's: see patternEscape.ts; no `\p{…}`;
 * - greedy or lazy makes no difference, since a match ends at its earliest possible end;
 * - look-around, back-references, atomic groups and possessive quantifiers are errors, as in RE2, with what to do instead.
 */

import { ANYTHING, type CharSet, createCaseFolder, NOT_NEWLINE } from './charSet.ts';
import { parseClass, parseEscape } from './escape.ts';
import { PatternReader } from './reader.ts';
import {
  assertionNode,
  charNode,
  choiceNode,
  EMPTY,
  type PatternNode,
  repeatNode,
  sequenceNode,
} from './tree.ts';

/** Times in `{n,m}`; as in RE2. More is an error: a longer text is better matched by its last line. */
export const MAX_REPEAT = 1000;

interface Flags {
  ignoreCase: boolean;
  multiline: boolean;
  dotAll: boolean;
}

const REFUSED_GROUPS: readonly (readonly [opening: string, message: string])[] = [
  [
    '(?=',
    'lookahead (?= is not supported (matching takes linear time); match the text itself: the answer shows where the match ended',
  ],
  [
    '(?!',
    'negative lookahead (?! is not supported (matching takes linear time); match what may follow, e.g. with a class [^…]',
  ],
  ['(?<=', 'lookbehind (?<= is not supported (matching takes linear time); match the text before it as well'],
  [
    '(?<!',
    'negative lookbehind (?<! is not supported (matching takes linear time); match what may stand before, e.g. with a class [^…]',
  ],
  ['(?>', 'atomic groups (?> are not supported; write (?: instead, nothing here ever backtracks'],
  ['(?#', 'comments (?# are not supported; leave them out'],
  ['(?(', 'conditionals (?( are not supported; write both cases as alternatives (?:…|…)'],
  ['(?|', 'branch reset (?| is not supported; write (?: instead'],
  [
    '(?P=',
    'back-references (?P= are not supported (matching takes linear time); match both texts alike and compare them yourself',
  ],
  ['(?P>', 'recursion (?P> is not supported; write the group out'],
];

/** @throws PatternError with the position in `source` */
export function parsePattern(source: string): PatternNode {
  return new Parser(source).parse();
}

class Parser {
  readonly #reader: PatternReader;
  readonly #names = new Set<string>();
  #folder: ((set: CharSet) => CharSet) | undefined;

  constructor(source: string) {
    this.#reader = new PatternReader(source);
  }

  parse(): PatternNode {
    const node = this.#parseChoice({ ignoreCase: false, multiline: true, dotAll: false });
    if (!this.#reader.isAtEnd) {
      throw this.#reader.error('there is no group to close; write \\) for a parenthesis', this.#reader.at);
    }
    return node;
  }

  /** Up to the end or an unmatched `)`. `flags` belongs to this group: `(?i)` in it changes the rest of it. */
  #parseChoice(flags: Flags): PatternNode {
    const reader = this.#reader;
    const alternatives: PatternNode[] = [];
    let parts: PatternNode[] = [];
    while (!reader.isAtEnd && !reader.isAt(')')) {
      if (reader.eat('|')) {
        alternatives.push(sequenceNode(parts));
        parts = [];
      } else if (reader.eat('\\Q')) {
        this.#parseQuoted(flags, parts);
      } else {
        parts.push(this.#parseQuantified(flags));
      }
    }
    alternatives.push(sequenceNode(parts));
    return choiceNode(alternatives);
  }

  #parseQuoted(flags: Flags, parts: PatternNode[]): void {
    while (!this.#reader.isAtEnd && !this.#reader.eat('\\E')) {
      const literal = charNode(this.#literal(this.#reader.take() ?? '', flags));
      const isLast = this.#reader.eat('\\E');
      // A quantifier behind \E belongs to the last character, as in RE2.
      parts.push(isLast ? this.#parseQuantifier(literal) : literal);
      if (isLast) return;
    }
  }

  #parseQuantified(flags: Flags): PatternNode {
    const reader = this.#reader;
    const start = reader.at;
    const quantifier = tryQuantifier(reader);
    if (quantifier !== undefined) {
      throw reader.error(
        `nothing to repeat before ${quantifier.text}; write \\${quantifier.text} for the text itself`,
        start,
      );
    }
    return this.#parseQuantifier(this.#parseAtom(flags));
  }

  #parseQuantifier(atom: PatternNode): PatternNode {
    const reader = this.#reader;
    const start = reader.at;
    const quantifier = tryQuantifier(reader);
    if (quantifier === undefined) return atom;
    const { min, max } = quantifier;
    if (min > MAX_REPEAT || (max !== Infinity && max > MAX_REPEAT)) {
      throw reader.error(`a repeat may count to ${MAX_REPEAT}; write * or + for more`, start);
    }
    if (max < min) throw reader.error(`the repeat ${quantifier.text} counts backwards`, start);
    reader.eat('?');
    const second = reader.at;
    const extra = tryQuantifier(reader);
    if (extra !== undefined) {
      throw reader.error(
        `two quantifiers in a row; write (?:…)${extra.text} to repeat a repeat, leave out a possessive +`,
        second,
      );
    }
    return repeatNode(atom, min, max);
  }

  #parseAtom(flags: Flags): PatternNode {
    const reader = this.#reader;
    const start = reader.at;
    const char = reader.take() ?? '';
    switch (char) {
      case '(':
        return this.#parseGroup(flags, start);
      case '[':
        return charNode(parseClass(reader, start, (set) => this.#fold(set, flags)));
      case '.':
        return charNode(flags.dotAll ? ANYTHING : NOT_NEWLINE);
      case '^':
        return assertionNode(flags.multiline ? 'lineStart' : 'textStart');
      case '$':
        return assertionNode(flags.multiline ? 'lineEnd' : 'textEnd');
      case '\\': {
        if (reader.eat('E')) return EMPTY;
        const escape = parseEscape(reader, start);
        if (escape.kind === 'assertion') return assertionNode(escape.assertion);
        return charNode(this.#fold(escape.kind === 'set' ? escape.set : [escape.code, escape.code], flags));
      }
      default:
        return charNode(this.#literal(char, flags));
    }
  }

  /** The reader stands behind the `(` at `start`. */
  #parseGroup(flags: Flags, start: number): PatternNode {
    const reader = this.#reader;
    const refused = REFUSED_GROUPS.find(([opening]) => reader.source.startsWith(opening, start));
    if (refused !== undefined) throw reader.error(refused[1], start);
    const inner = { ...flags };
    if (reader.eat('?P<') || reader.eat('?<')) {
      this.#parseName(start);
    } else if (reader.eat('?')) {
      parseFlags(reader, inner, start);
      if (reader.eat(')')) {
        Object.assign(flags, inner);
        return EMPTY;
      }
      reader.eat(':');
    }
    const node = this.#parseChoice(inner);
    if (!reader.eat(')'))
      throw reader.error('the group is not closed; add ) or write \\( for a parenthesis', start);
    return node;
  }

  #parseName(start: number): void {
    const name = this.#reader.takeMatching(/(\w+)>/y)?.[1];
    if (name === undefined)
      throw this.#reader.error('the name of a group is letters, digits and _, then >', start);
    if (this.#names.has(name)) throw this.#reader.error(`two groups are named ${name}`, start);
    this.#names.add(name);
  }

  #literal(char: string, flags: Flags): CharSet {
    const code = char.codePointAt(0) ?? 0;
    return this.#fold([code, code], flags);
  }

  #fold(set: CharSet, flags: Flags): CharSet {
    if (!flags.ignoreCase) return set;
    this.#folder ??= createCaseFolder();
    return this.#folder(set);
  }
}

/** Letters up to the `)` or `:` that follows them. */
function parseFlags(reader: PatternReader, flags: Flags, start: number): void {
  let isSet = true;
  while (!reader.isAt(')') && !reader.isAt(':')) {
    const letter = reader.take();
    if (letter === 'i') flags.ignoreCase = isSet;
    else if (letter === 'm') flags.multiline = isSet;
    else if (letter === 's') flags.dotAll = isSet;
    else if (letter === '-' && isSet) isSet = false;
    else if (letter !== 'U') {
      throw reader.error(
        'a group opens with (, (?:, (?<name> or flags out of i, m, s and U, e.g. (?i) or (?i:…)',
        start,
      );
    }
  }
}

/** `{` is a quantifier only in the forms {n}, {n,} and {n,m}; else it is a literal. */
function tryQuantifier(reader: PatternReader): { min: number; max: number; text: string } | undefined {
  const found = reader.takeMatching(/[*+?]|\{(\d+)(?:(,)(\d*))?\}/y);
  if (found === undefined) return undefined;
  const [text, low, comma, high] = found;
  if (low === undefined) return { min: text === '+' ? 1 : 0, max: text === '?' ? 1 : Infinity, text };
  const min = Number(low);
  if (comma === undefined) return { min, max: min, text };
  return { min, max: high === '' ? Infinity : Number(high), text };
}
