/**
 * Backslash escapes and bracketed classes of RE2's syntax (https://github.com/google/re2/wiki/Syntax).
 * Accepted beyond RE2, because agents type them: \uHHHH, \u{…}, \cX, \e, \Z (as Python's), [\b] as backspace.
 */

import { type CharSet, complement, DIGIT, POSIX_CLASSES, SPACE, toCharSet, WORD } from './charSet.ts';
import type { PatternReader } from './reader.ts';
import type { Assertion } from './tree.ts';

export type Escape =
  | { readonly kind: 'char'; readonly code: number }
  | { readonly kind: 'set'; readonly set: CharSet }
  | { readonly kind: 'assertion'; readonly assertion: Assertion };

const LETTER_CODES: ReadonlyMap<string, number> = new Map([
  ['a', 0x07],
  ['e', 0x1b],
  ['f', 0x0c],
  ['n', 0x0a],
  ['r', 0x0d],
  ['t', 0x09],
  ['v', 0x0b],
]);

const LETTER_SETS: ReadonlyMap<string, CharSet> = new Map([
  ['d', DIGIT],
  ['D', complement(DIGIT)],
  ['s', SPACE],
  ['S', complement(SPACE)],
  ['w', WORD],
  ['W', complement(WORD)],
]);

const LETTER_ASSERTIONS: ReadonlyMap<string, Assertion> = new Map([
  ['A', 'textStart'],
  ['z', 'textEnd'],
  ['Z', 'textEnd'],
  ['b', 'wordBorder'],
  ['B', 'noWordBorder'],
]);

/** What to do instead, for escapes of other dialects. */
const LETTER_REMEDIES: ReadonlyMap<string, string> = new Map([
  [
    'p',
    'Unicode classes are not supported; write the range, e.g. [^\\x00-\\x7f] for everything beyond ASCII',
  ],
  ['P', 'Unicode classes are not supported; write the range, e.g. [\\x00-\\x7f] for ASCII'],
  ['C', 'patterns see characters, not bytes; write (?s:.) for any character'],
  ['R', 'write \\n: patterns see lines that end with \\n alone'],
  ['h', 'write [ \\t]'],
  ['H', 'write [^ \\t]'],
  ['N', 'write [^\\n]'],
  ['X', 'write (?s:.) for any character'],
  ['G', 'a wait starts where its input was sent; write \\A'],
  ['K', 'a match has no part to forget; match the whole text'],
  [
    'k',
    'back-references are not supported (matching takes linear time); match both texts alike and compare them yourself',
  ],
]);

/** Reads what follows a backslash at `start`; the reader stands behind the backslash. */
export function parseEscape(reader: PatternReader, start: number): Escape {
  const letter = reader.take();
  if (letter === undefined)
    throw reader.error('the pattern ends in a backslash; write \\\\ for a backslash', start);
  const code = LETTER_CODES.get(letter);
  if (code !== undefined) return { kind: 'char', code };
  const set = LETTER_SETS.get(letter);
  if (set !== undefined) return { kind: 'set', set };
  const assertion = LETTER_ASSERTIONS.get(letter);
  if (assertion !== undefined) return { kind: 'assertion', assertion };
  if (letter === 'x' || letter === 'u') return { kind: 'char', code: parseHex(reader, letter, start) };
  if (letter >= '0' && letter <= '9') return { kind: 'char', code: parseOctal(reader, letter, start) };
  if (letter === 'c') return { kind: 'char', code: parseControl(reader, start) };
  if (/^[A-Za-z]$/.test(letter)) {
    const remedy =
      LETTER_REMEDIES.get(letter) ??
      `write ${letter} for the letter, \\\\${letter} for a backslash before it`;
    throw reader.error(`the escape \\${letter} is not known: ${remedy}`, start);
  }
  return { kind: 'char', code: letter.codePointAt(0) ?? 0 };
}

/** Reads a class; the reader stands behind the `[` at `start`. `fold` adds the other case, before a negation. */
export function parseClass(reader: PatternReader, start: number, fold: (set: CharSet) => CharSet): CharSet {
  const isNegated = reader.eat('^');
  const pairs: number[] = [];
  // A `]` in the first place stands for itself, as in POSIX.
  for (let isFirst = true; isFirst || !reader.eat(']'); isFirst = false) {
    const memberStart = reader.at;
    const posix = tryPosixClass(reader);
    if (posix !== undefined) {
      pairs.push(...posix);
      continue;
    }
    const first = parseMember(reader, start);
    if (first.kind === 'set') {
      pairs.push(...first.set);
      continue;
    }
    let last = first.code;
    if (reader.isAt('-') && !reader.isAt('-]')) {
      reader.eat('-');
      const end = parseMember(reader, start);
      if (end.kind === 'set' || end.code < first.code) {
        throw reader.error(
          'the range in the class runs backwards or has no end; write \\- for a hyphen',
          memberStart,
        );
      }
      last = end.code;
    }
    pairs.push(first.code, last);
  }
  const set = fold(toCharSet(pairs));
  return isNegated ? complement(set) : set;
}

function parseMember(reader: PatternReader, classStart: number): Exclude<Escape, { kind: 'assertion' }> {
  const start = reader.at;
  const char = reader.take();
  if (char === undefined)
    throw reader.error('the class is not closed; add ] or write \\[ for a bracket', classStart);
  if (char !== '\\') return { kind: 'char', code: char.codePointAt(0) ?? 0 };
  if (reader.eat('b')) return { kind: 'char', code: 0x08 };
  const escape = parseEscape(reader, start);
  if (escape.kind === 'assertion') throw reader.error('a position cannot be a member of a class', start);
  return escape;
}

function tryPosixClass(reader: PatternReader): CharSet | undefined {
  if (!reader.isAt('[:')) return undefined;
  const start = reader.at;
  const found = reader.takeMatching(/\[:(\^?)([a-zA-Z]*):\]/y);
  if (found === undefined) return undefined;
  const set = POSIX_CLASSES.get(found[2] ?? '');
  if (set === undefined) {
    throw reader.error(
      `the class ${found[0]} is not known; there are: ${[...POSIX_CLASSES.keys()].join(', ')}`,
      start,
    );
  }
  return found[1] === '^' ? complement(set) : set;
}

function parseHex(reader: PatternReader, letter: 'x' | 'u', start: number): number {
  const digits = reader.takeMatching(
    letter === 'x' ? /\{([0-9A-Fa-f]{1,8})\}|([0-9A-Fa-f]{2})/y : /\{([0-9A-Fa-f]{1,8})\}|([0-9A-Fa-f]{4})/y,
  );
  const example = letter === 'x' ? '\\x1b or \\x{1F600}' : '\\u001b or \\u{1F600}';
  if (digits === undefined)
    throw reader.error(`\\${letter} needs hexadecimal digits, e.g. ${example}`, start);
  const code = Number.parseInt(digits[1] ?? digits[2] ?? '', 16);
  if (code > 0x10ffff) throw reader.error('there is no character above \\x{10FFFF}', start);
  return code;
}

/** `\0`, `\033`, and as in RE2 `\12`; a single digit from 1 on would be a back-reference. */
function parseOctal(reader: PatternReader, first: string, start: number): number {
  const more = reader.takeMatching(/[0-7]{1,2}/y)?.[0] ?? '';
  if (first > '7' || (first !== '0' && more === '')) {
    throw reader.error(
      `the back-reference \\${first} is not supported (matching takes linear time); match both texts alike and compare them yourself, or write \\x{…} for a character`,
      start,
    );
  }
  return Number.parseInt(first + more, 8);
}

function parseControl(reader: PatternReader, start: number): number {
  const letter = reader.takeMatching(/[A-Za-z[\\\]^_]/y)?.[0];
  if (letter === undefined) throw reader.error('\\c needs a letter, e.g. \\cZ', start);
  return letter.toUpperCase().charCodeAt(0) - 0x40;
}
