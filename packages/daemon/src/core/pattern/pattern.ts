/**
 * Patterns that agents wait for, matched over a stream: each character is looked at once, in time that the pattern bounds
 * before it runs (docs/adr/0003-matching-engine.md).
 *
 * Characters are code points; a lone surrogate is one of its own. Indices are UTF-16 units, as in JavaScript strings.
 * A match is reported at its earliest possible end, so greedy and lazy quantifiers are the same. Text is expected with lines
 * that end with `\n` alone: `$` does not hold before `\r`.
 */

import { createAlphabet } from './alphabet.ts';
import type { CharSet } from './charSet.ts';
import { requiredLiteral } from './literal.ts';
import { MAX_POSITIONS, type Pattern, tryCreateProgram } from './program.ts';
import { PatternError } from './reader.ts';
import { parsePattern } from './syntax.ts';
import { type PatternNode, reverseNode } from './tree.ts';

export { Matcher, type MatcherSnapshot } from './matcher.ts';
export type { Pattern } from './program.ts';
export { findMatchStart } from './start.ts';

/** UTF-16 units of a pattern's source. More is no pattern but a document; it bounds the depth of the parser's recursion too. */
export const MAX_PATTERN_CHARS = 1000;

export type CompileResult =
  | { readonly kind: 'pattern'; readonly pattern: Pattern }
  /** `position`: UTF-16 units from the start of the source, 0 for what concerns all of it. */
  | { readonly kind: 'invalid'; readonly message: string; readonly position: number };

/** Its time is bounded by the limits: some milliseconds for the worst source. */
export function compilePattern(source: string): CompileResult {
  if (source.length > MAX_PATTERN_CHARS) {
    const message = `the pattern has ${source.length} characters, ${MAX_PATTERN_CHARS} are allowed; wait for a shorter piece of the text`;
    return { kind: 'invalid', message, position: MAX_PATTERN_CHARS };
  }
  let tree: PatternNode;
  try {
    tree = parsePattern(source);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return { kind: 'invalid', message: error.message, position: error.position };
  }
  if (tree.size > MAX_POSITIONS) {
    return tooLarge(`its repeats written out take ${tree.size} places, ${MAX_POSITIONS} are allowed`);
  }
  const alphabet = createAlphabet(collectSets(tree));
  const forward = tryCreateProgram(tree, alphabet);
  const backward = forward === undefined ? undefined : tryCreateProgram(reverseNode(tree), alphabet);
  if (forward === undefined || backward === undefined) {
    return tooLarge('too much would have to be tried at each character');
  }
  return { kind: 'pattern', pattern: { source, forward, backward, literal: requiredLiteral(tree) } };
}

function tooLarge(what: string): CompileResult {
  return {
    kind: 'invalid',
    message: `the pattern is too large: ${what}; lower the counts in {n,m} or write * or +`,
    position: 0,
  };
}

function collectSets(tree: PatternNode): CharSet[] {
  switch (tree.kind) {
    case 'empty':
    case 'assertion':
      return [];
    case 'set':
      return [tree.set];
    case 'sequence':
    case 'choice':
      return tree.parts.flatMap(collectSets);
    case 'repeat':
      return collectSets(tree.body);
    default:
      return tree satisfies never;
  }
}
