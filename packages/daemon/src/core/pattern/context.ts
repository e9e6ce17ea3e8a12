/**
 * What stands beside a position, as far as assertions ask: `^ $ \A \z \b \B`. Only ASCII makes words, as in RE2.
 * The next character is not always known; then an assertion that depends on it does not hold yet.
 */

import type { Assertion } from './tree.ts';

/** Small numbers, because they index tables and stand in snapshots. */
export const Context = {
  /** Not arrived, or not known: nothing holds because of it. */
  unknown: 0,
  newline: 1,
  word: 2,
  other: 3,
  /** A border of the text that is also a border of a line. */
  edge: 4,
  /** A border of the text in the middle of a line, e.g. a wait that starts behind a prompt. */
  edgeInLine: 5,
} as const;

export type Context = (typeof Context)[keyof typeof Context];

export const CONTEXT_COUNT = 6;

export function isContext(value: number): value is Context {
  return Number.isInteger(value) && value >= 0 && value < CONTEXT_COUNT;
}

export function holds(assertion: Assertion, previous: Context, next: Context): boolean {
  switch (assertion) {
    case 'lineStart':
      return previous === Context.newline || previous === Context.edge;
    case 'lineEnd':
      return next === Context.newline || next === Context.edge;
    case 'textStart':
      return isEdge(previous);
    case 'textEnd':
      return isEdge(next);
    case 'wordBorder':
      return areKnown(previous, next) && (previous === Context.word) !== (next === Context.word);
    case 'noWordBorder':
      return areKnown(previous, next) && (previous === Context.word) === (next === Context.word);
    default:
      return assertion satisfies never;
  }
}

/** Whether an assertion has to wait for the next character. */
export function looksAhead(assertion: Assertion): boolean {
  return assertion !== 'lineStart' && assertion !== 'textStart';
}

function isEdge(context: Context): boolean {
  return context === Context.edge || context === Context.edgeInLine;
}

function areKnown(previous: Context, next: Context): boolean {
  return previous !== Context.unknown && next !== Context.unknown;
}
