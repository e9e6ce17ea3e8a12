/** Random patterns and texts, and the answer of the native engine to compare with. */

import fc from 'fast-check';
import { compilePattern, Matcher, type Pattern } from '../../../src/core/pattern/pattern.ts';

/** What both engines read alike: no `\r` (a line end to JavaScript), no vertical tab or wide spaces (white to JavaScript). */
const ATOMS = [
  'a',
  'b',
  '.',
  '[ab]',
  '[^a]',
  '\\n',
  '\\w',
  '\\W',
  '\\d',
  '\\s',
  '\\S',
  '1',
  ' ',
  '😀',
  '[😀b]',
];
const ASSERTIONS = ['^', '$', '\\b', '\\B'];
const QUANTIFIERS = ['*', '+', '?', '{2}', '{0,2}', '{1,3}', '{2,}', '*?', '+?', '??'];
const CHARACTERS = ['a', 'b', 'a', 'b', '\n', '1', ' ', '😀', 'é'];

function arbitraryPattern(atoms: readonly string[]): fc.Arbitrary<string> {
  const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
    pattern: fc.oneof(
      { maxDepth: 4, depthSize: 'medium' },
      fc.constantFrom(...atoms),
      fc.array(tie('pattern'), { minLength: 2, maxLength: 3 }).map((parts) => parts.join('')),
      fc.array(tie('pattern'), { minLength: 2, maxLength: 3 }).map((parts) => `(?:${parts.join('|')})`),
      tie('pattern').map((part) => `(${part}|)`),
      fc.tuple(tie('pattern'), fc.constantFrom(...QUANTIFIERS)).map(([part, many]) => `(?:${part})${many}`),
    ),
  }));
  return pattern.filter((source) => compilePattern(source).kind === 'pattern');
}

export const plainPattern = arbitraryPattern(ATOMS);
/** `\B` is left out: V8 finds it between the halves of a surrogate pair. */
export const assertingPattern = arbitraryPattern([...ATOMS, '^', '$', '\\b']);
export const asciiPattern = arbitraryPattern([
  ...ATOMS.filter((atom) => !atom.includes('😀')),
  ...ASSERTIONS,
]);

export const anyText = fc
  .array(fc.constantFrom(...CHARACTERS), { maxLength: 12 })
  .map((chars) => chars.join(''));
export const asciiText = fc
  .array(fc.constantFrom('a', 'b', '\n', '1', ' '), { maxLength: 12 })
  .map((chars) => chars.join(''));
/** With halves of surrogate pairs, as no decoder would give them. */
export const brokenText = fc
  .array(fc.constantFrom('a', 'b', '\n', ' ', '😀', '\ud83d', '\ude00'), { maxLength: 12 })
  .map((chars) => chars.join(''));

export function compiled(source: string): Pattern {
  const result = compilePattern(source);
  if (result.kind === 'invalid') throw new Error(`${source}: ${result.message}`);
  return result.pattern;
}

/** Where the earliest match ends: a lookbehind tries every start, and leaves what follows in sight of the assertions. */
export function nativeEnd(source: string, text: string): number | undefined {
  const end = text.search(new RegExp(`(?<=(?:${source}))`, 'mu'));
  return end === -1 ? undefined : end;
}

/** The end of the match in all chunks together, silence behind the last one included. */
export function streamedEnd(matcher: Matcher, chunks: readonly string[]): number | undefined {
  let fed = 0;
  for (const chunk of chunks) {
    const end = matcher.push(chunk);
    if (end !== undefined) return fed + end;
    fed += chunk.length;
  }
  return matcher.matchesAtSilence() ? fed : undefined;
}

export function earliestEnd(source: string, text: string): number | undefined {
  return streamedEnd(new Matcher(compiled(source)), [text]);
}

/** Repeatable noise over an alphabet; a linear congruential generator (Numerical Recipes). */
export function noise(alphabet: string, length: number, seed = 1): string {
  let state = seed;
  let text = '';
  for (let i = 0; i < length; i += 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    text += alphabet[Math.floor((state / 2 ** 32) * alphabet.length)];
  }
  return text;
}
