/**
 * A text that every match of a pattern contains. Where it is not, the pattern need not be tried: looking for a text costs a
 * fraction of running a pattern.
 */
import type { CharSet } from './charSet.ts';
import type { PatternNode } from './tree.ts';

/** Longest text that is looked for, in characters; more would hardly rule more lines out. */
export const MAX_LITERAL_CHARS = 64;
const CASE_BIT = 0x20;

export interface Literal {
  /** Printing ASCII; in small letters where case is nothing. */
  readonly text: string;
  readonly ignoresCase: boolean;
}

interface Shared {
  /** The longest text that all matches were found to contain. */
  readonly best: string;
  /** Texts that all matches start and end with. */
  readonly starts: string;
  readonly ends: string;
  /** They are one and the same, and all of the match. */
  readonly isWhole: boolean;
}

const NOTHING: Shared = { best: '', starts: '', ends: '', isWhole: false };
const EMPTY_TEXT: Shared = { ...NOTHING, isWhole: true };

/** Undefined when no text is found that all matches have in common. */
export function requiredLiteral(tree: PatternNode): Literal | undefined {
  const ignoresCase = hasLetterOfEitherCase(tree);
  const { best } = shared(tree);
  const text = (ignoresCase ? best.toLowerCase() : best).slice(0, MAX_LITERAL_CHARS);
  return text === '' ? undefined : { text, ignoresCase };
}

function shared(node: PatternNode): Shared {
  switch (node.kind) {
    case 'empty':
    case 'assertion': // takes no character: what stands beside it stays together
      return EMPTY_TEXT;
    case 'set': {
      const character = characterOf(node.set);
      if (character === undefined) return NOTHING;
      return { best: character, starts: character, ends: character, isWhole: true };
    }
    case 'sequence':
      return joined(node.parts.map(shared));
    case 'choice':
      return NOTHING;
    case 'repeat': {
      const { body, min, max } = node;
      if (min === 0) return NOTHING;
      const once = shared(body);
      return min === max ? joined(Array.from({ length: min }, () => once)) : { ...once, isWhole: false };
    }
    default:
      return node satisfies never;
  }
}

function joined(parts: readonly Shared[]): Shared {
  let [best, starts, ends, isWhole] = ['', '', '', true];
  for (const part of parts) {
    for (const text of [part.best, ends + part.starts]) if (text.length > best.length) best = text;
    if (isWhole) starts += part.starts;
    ends = part.isWhole ? ends + part.ends : part.ends;
    isWhole &&= part.isWhole;
  }
  return { best, starts, ends, isWhole };
}

/** The only printing ASCII character of a set, or the small one of a letter's two. */
function characterOf(set: CharSet): string | undefined {
  const [first = 0, last, other] = set;
  const isOne = set.length === 2 && first === last;
  if (!isOne && !isLetterOfEitherCase(set)) return undefined;
  return first >= 0x20 && first <= 0x7e ? String.fromCharCode(isOne ? first : (other ?? first)) : undefined;
}

function isLetterOfEitherCase(set: CharSet): boolean {
  const [first = 0, last, other, otherLast] = set;
  const isPair = set.length === 4 && first === last && other === otherLast;
  return isPair && first >= 0x41 && first <= 0x5a && other === (first | CASE_BIT);
}

function hasLetterOfEitherCase(node: PatternNode): boolean {
  switch (node.kind) {
    case 'set':
      return isLetterOfEitherCase(node.set);
    case 'sequence':
    case 'choice':
      return node.parts.some(hasLetterOfEitherCase);
    case 'repeat':
      return hasLetterOfEitherCase(node.body);
    case 'empty':
    case 'assertion':
      return false;
    default:
      return node satisfies never;
  }
}
