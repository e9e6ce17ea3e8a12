/**
 * The classes of characters that a pattern cannot tell apart. Tables are indexed by class, not by character: most patterns
 * have under twenty. Words and line feeds are kept apart always, so that a class decides the context too.
 */

import { type CharSet, NEWLINE, WORD } from './charSet.ts';
import { Context } from './context.ts';

/** Code points below have their class in a table; the terminal's are nearly all there. */
export const NARROW = 256;

export interface Alphabet {
  readonly classCount: number;
  /** Class by code point, for code points under 256. */
  readonly narrow: Uint16Array;
  /** First code point of each interval, ascending; and the class of that interval. */
  readonly starts: Int32Array;
  readonly classes: Uint16Array;
  /** What a character of the class is to the positions beside it. */
  readonly contexts: Uint8Array;
}

/** Time: the sum of the intervals that the sets cover, at most some 100,000 steps for the longest pattern. */
export function createAlphabet(sets: readonly CharSet[]): Alphabet {
  const starts = intervalStarts([NEWLINE, WORD, ...sets]);
  const indexOf = new Map<number, number>();
  starts.forEach((start, index) => {
    indexOf.set(start, index);
  });
  const classes = new Uint16Array(starts.length);
  let classCount = 1;
  const refine = (set: CharSet): void => {
    const renamed = new Map<number, number>();
    for (let i = 0; i + 1 < set.length; i += 2) {
      const end = indexOf.get((set[i + 1] ?? 0) + 1) ?? starts.length;
      for (let at = indexOf.get(set[i] ?? 0) ?? end; at < end; at += 1) {
        const before = classes[at] ?? 0;
        let after = renamed.get(before);
        if (after === undefined) {
          after = classCount;
          classCount += 1;
          renamed.set(before, after);
        }
        classes[at] = after;
      }
    }
  };
  for (const set of [NEWLINE, WORD, ...sets]) refine(set);
  const used = compact(classes);
  const alphabet = {
    classCount: used,
    starts: Int32Array.from(starts),
    classes,
    narrow: new Uint16Array(NARROW),
    contexts: new Uint8Array(used).fill(Context.other),
  };
  for (let code = 0; code < NARROW; code += 1) alphabet.narrow[code] = searchClass(alphabet, code);
  for (const [set, context] of [
    [WORD, Context.word],
    [NEWLINE, Context.newline],
  ] as const) {
    for (const classId of classesOf(alphabet, set)) alphabet.contexts[classId] = context;
  }
  return alphabet;
}

/** Any code point, lone surrogates included. */
export function classOf(alphabet: Alphabet, codePoint: number): number {
  return codePoint < NARROW ? (alphabet.narrow[codePoint] ?? 0) : searchClass(alphabet, codePoint);
}

/** The classes that make up a set that the alphabet was made for. */
export function classesOf(alphabet: Alphabet, set: CharSet): ReadonlySet<number> {
  const found = new Set<number>();
  for (let i = 0; i + 1 < set.length; i += 2) {
    const last = set[i + 1] ?? 0;
    let at = searchInterval(alphabet.starts, set[i] ?? 0);
    for (; at < alphabet.starts.length && (alphabet.starts[at] ?? 0) <= last; at += 1) {
      found.add(alphabet.classes[at] ?? 0);
    }
  }
  return found;
}

function intervalStarts(sets: readonly CharSet[]): number[] {
  const starts = new Set<number>([0]);
  for (const set of sets) {
    for (let i = 0; i + 1 < set.length; i += 2) starts.add(set[i] ?? 0).add((set[i + 1] ?? 0) + 1);
  }
  return [...starts].sort((a, b) => a - b);
}

/** Renumbers the classes that are left, from 0, and returns their number. */
function compact(classes: Uint16Array): number {
  const renamed = new Map<number, number>();
  classes.forEach((classId, at) => {
    const known = renamed.get(classId) ?? renamed.size;
    renamed.set(classId, known);
    classes[at] = known;
  });
  return renamed.size;
}

function searchClass(alphabet: Pick<Alphabet, 'starts' | 'classes'>, codePoint: number): number {
  return alphabet.classes[searchInterval(alphabet.starts, codePoint)] ?? 0;
}

/** The last interval that starts at or before the code point. */
function searchInterval(starts: Int32Array, codePoint: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= codePoint) low = middle;
    else high = middle - 1;
  }
  return low;
}
