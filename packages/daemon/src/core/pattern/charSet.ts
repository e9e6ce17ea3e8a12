/**
 * Sets of characters as sorted ranges of code points, and the named sets of RE2's syntax.
 * Source: https://github.com/google/re2/wiki/Syntax ("Perl character classes", "ASCII character classes").
 * Deviation: no Unicode tables, so there is no `\p{…}`, and (?i) pairs letters up to LAST_FOLDED only.
 */

/** Code points as flat pairs `first, last` (both included): sorted, disjoint, never adjacent. */
export type CharSet = readonly number[];

const LAST_CODE_POINT = 0x10ffff;

/** The end of Cyrillic: Latin, Greek and Cyrillic pair up, later scripts do not. A table of all would cost 20 ms a compile. */
const LAST_FOLDED = 0x52f;

/** Dotted capital and dotless small i: Unicode's simple folding leaves them alone, JavaScript's case mapping does not. */
const UNFOLDED: ReadonlySet<number> = new Set([0x130, 0x131]);

/** Sorts and merges any pairs `first, last`. */
export function toCharSet(pairs: readonly number[]): CharSet {
  const ranges: [number, number][] = [];
  for (let i = 0; i + 1 < pairs.length; i += 2) ranges.push([pairs[i] ?? 0, pairs[i + 1] ?? 0]);
  ranges.sort((a, b) => a[0] - b[0]);
  const merged: number[] = [];
  for (const [first, last] of ranges) {
    const previousLast = merged.at(-1);
    if (previousLast !== undefined && first <= previousLast + 1) {
      merged[merged.length - 1] = Math.max(previousLast, last);
    } else {
      merged.push(first, last);
    }
  }
  return merged;
}

/** Every code point that is not in `set`; lone surrogates count as code points. */
export function complement(set: CharSet): CharSet {
  const rest: number[] = [];
  let next = 0;
  for (let i = 0; i + 1 < set.length; i += 2) {
    const first = set[i] ?? 0;
    if (first > next) rest.push(next, first - 1);
    next = (set[i + 1] ?? 0) + 1;
  }
  if (next <= LAST_CODE_POINT) rest.push(next, LAST_CODE_POINT);
  return rest;
}

export const DIGIT: CharSet = [0x30, 0x39];
export const WORD: CharSet = toCharSet([0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a]);
/** As in RE2: without vertical tab and without the spaces of Unicode. */
export const SPACE: CharSet = toCharSet([0x09, 0x0a, 0x0c, 0x0d, 0x20, 0x20]);
export const NEWLINE: CharSet = [0x0a, 0x0a];
export const ANYTHING: CharSet = [0, LAST_CODE_POINT];
export const NOT_NEWLINE: CharSet = complement(NEWLINE);

/** The names that may stand in `[[:name:]]`. */
export const POSIX_CLASSES: ReadonlyMap<string, CharSet> = new Map([
  ['alnum', toCharSet([0x30, 0x39, 0x41, 0x5a, 0x61, 0x7a])],
  ['alpha', toCharSet([0x41, 0x5a, 0x61, 0x7a])],
  ['ascii', [0x00, 0x7f]],
  ['blank', toCharSet([0x09, 0x09, 0x20, 0x20])],
  ['cntrl', toCharSet([0x00, 0x1f, 0x7f, 0x7f])],
  ['digit', DIGIT],
  ['graph', [0x21, 0x7e]],
  ['lower', [0x61, 0x7a]],
  ['print', [0x20, 0x7e]],
  ['punct', toCharSet([0x21, 0x2f, 0x3a, 0x40, 0x5b, 0x60, 0x7b, 0x7e])],
  ['space', toCharSet([0x09, 0x0d, 0x20, 0x20])],
  ['upper', [0x41, 0x5a]],
  ['word', WORD],
  ['xdigit', toCharSet([0x30, 0x39, 0x41, 0x46, 0x61, 0x66])],
]);

/** Makes a function that adds the other-case forms to a set. Making costs about 0.2 ms: one for each compile that needs it. */
export function createCaseFolder(): (set: CharSet) => CharSet {
  const forms = new Map<number, number[]>();
  for (let code = 0; code <= LAST_FOLDED; code += 1) {
    const key = foldingKey(code);
    const others = forms.get(key);
    if (others === undefined) forms.set(key, [code]);
    else others.push(code);
  }
  return (set) => {
    const pairs = [...set];
    for (let i = 0; i + 1 < set.length; i += 2) {
      const last = Math.min(set[i + 1] ?? 0, LAST_FOLDED);
      for (let code = set[i] ?? 0; code <= last; code += 1) {
        for (const form of forms.get(foldingKey(code)) ?? []) pairs.push(form, form);
      }
    }
    return toCharSet(pairs);
  };
}

/** Equal for characters that differ in case only; the characters that map to more than one keep themselves. */
function foldingKey(code: number): number {
  if (UNFOLDED.has(code)) return code;
  const upper = String.fromCharCode(code).toUpperCase();
  const folded = upper.length === 1 ? upper.toLowerCase() : '';
  return folded.length === 1 ? folded.charCodeAt(0) : code;
}
