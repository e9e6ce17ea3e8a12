/**
 * The syntax tree of a pattern, and constructors that keep it small. What a group captures and which alternative is preferred
 * is gone here: only the set of matching texts counts, because a match is reported at its earliest end.
 */

import type { CharSet } from './charSet.ts';
import { toCharSet } from './charSet.ts';

/** A condition on the characters beside a position. */
export type Assertion = 'lineStart' | 'lineEnd' | 'textStart' | 'textEnd' | 'wordBorder' | 'noWordBorder';

/** `size`: how many positions of a program it takes (see patternProgram.ts). `isNullable`: matches the empty text anywhere. */
export type PatternNode = { readonly size: number; readonly isNullable: boolean } & (
  | { readonly kind: 'empty' }
  | { readonly kind: 'set'; readonly set: CharSet }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly body: PatternNode; readonly min: number; readonly max: number }
);

export const EMPTY: PatternNode = { kind: 'empty', size: 0, isNullable: true };

export function charNode(set: CharSet): PatternNode {
  return { kind: 'set', set, size: 1, isNullable: false };
}

/** Not nullable although it takes no character: a condition stands in its way. */
export function assertionNode(assertion: Assertion): PatternNode {
  return { kind: 'assertion', assertion, size: 1, isNullable: false };
}

export function sequenceNode(parts: readonly PatternNode[]): PatternNode {
  const kept = parts.filter((part) => part.kind !== 'empty');
  const [first] = kept;
  if (first === undefined) return EMPTY;
  if (kept.length === 1) return first;
  return {
    kind: 'sequence',
    parts: kept,
    size: totalSize(kept),
    isNullable: kept.every((part) => part.isNullable),
  };
}

/** Single characters become one set (`a|b` is `[ab]`), an empty alternative becomes `?`: both keep programs small. */
export function choiceNode(parts: readonly PatternNode[]): PatternNode {
  const kept: PatternNode[] = [];
  const pairs: number[] = [];
  let hasSet = false;
  let hasEmpty = false;
  for (const part of parts) {
    if (part.kind === 'empty') hasEmpty = true;
    else if (part.kind === 'set') {
      hasSet = true;
      pairs.push(...part.set);
    } else kept.push(part);
  }
  if (hasSet) kept.push(charNode(toCharSet(pairs)));
  const [first] = kept;
  if (first === undefined) return EMPTY;
  const choice: PatternNode =
    kept.length === 1
      ? first
      : {
          kind: 'choice',
          parts: kept,
          size: totalSize(kept),
          isNullable: kept.some((part) => part.isNullable),
        };
  return hasEmpty ? repeatNode(choice, 0, 1) : choice;
}

/**
 * `max` may be Infinity. Repeats of repeats collapse where that is exact, so that `(a*)*`, `(a?){1000}` and `(a+)+` cost no
 * more than what they mean. A body that may be empty needs no minimum.
 */
export function repeatNode(body: PatternNode, min: number, max: number): PatternNode {
  if (body.kind === 'empty' || max === 0) return EMPTY;
  if (min === 1 && max === 1) return body;
  if (body.kind === 'repeat' && body.min === 0) return rawRepeat(body.body, 0, body.max * max);
  if (body.kind === 'repeat' && body.min === 1 && body.max === Infinity)
    return rawRepeat(body.body, min, Infinity);
  return rawRepeat(body, body.isNullable ? 0 : min, max);
}

/** The same pattern for text that is read backwards. */
export function reverseNode(node: PatternNode): PatternNode {
  switch (node.kind) {
    case 'empty':
    case 'set':
      return node;
    case 'assertion':
      return assertionNode(REVERSED[node.assertion]);
    case 'sequence':
      return { ...node, parts: node.parts.map(reverseNode).reverse() };
    case 'choice':
      return { ...node, parts: node.parts.map(reverseNode) };
    case 'repeat':
      return { ...node, body: reverseNode(node.body) };
    default:
      return node satisfies never;
  }
}

const REVERSED = {
  lineStart: 'lineEnd',
  lineEnd: 'lineStart',
  textStart: 'textEnd',
  textEnd: 'textStart',
  wordBorder: 'wordBorder',
  noWordBorder: 'noWordBorder',
} as const satisfies Record<Assertion, Assertion>;

function rawRepeat(body: PatternNode, min: number, max: number): PatternNode {
  return { kind: 'repeat', body, min, max, size: body.size * repeatCopies(min, max), isNullable: min === 0 };
}

/** How many copies of its body a repeat takes: an endless one loops in its last copy. */
export function repeatCopies(min: number, max: number): number {
  return max === Infinity ? Math.max(min, 1) : max;
}

function totalSize(parts: readonly PatternNode[]): number {
  return parts.reduce((sum, part) => sum + part.size, 0);
}
