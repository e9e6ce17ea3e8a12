/** Where a match began, once its end is known: the pattern read backwards over the text read backwards. */

import { classOf } from './alphabet.ts';
import { Context } from './context.ts';
import type { Pattern } from './program.ts';
import { Simulation } from './simulation.ts';
import { codePointBefore } from './surrogates.ts';

export interface MatchStartOptions {
  /** Whether `text` starts at the start of a line. Default true. */
  readonly atLineStart?: boolean;
  /** Whether silence follows the text, so that `$` holds at its end. Default false: what follows is not known yet. */
  readonly isSilent?: boolean;
}

/**
 * Start of the longest match that ends exactly at `end`; undefined when none does. Reads `text` backwards from `end`, once;
 * and the character at `end`, if there is one, to decide `$` and `\b`.
 */
export function findMatchStart(
  pattern: Pattern,
  text: string,
  end: number,
  options: MatchStartOptions = {},
): number | undefined {
  const { atLineStart = true, isSilent = false } = options;
  const { alphabet } = pattern.backward;
  const simulation = new Simulation(pattern.backward);
  const contextOf = (code: number): Context => alphabet.contexts[classOf(alphabet, code)] as Context;
  const following = text.codePointAt(end);
  const silence = isSilent ? Context.edge : Context.unknown;
  simulation.load(pattern.backward.entry, following === undefined ? silence : contextOf(following));
  let start: number | undefined;
  for (let at = end; ; ) {
    const code = codePointBefore(text, at);
    const edge = atLineStart ? Context.edge : Context.edgeInLine;
    const context = code === undefined ? edge : contextOf(code);
    simulation.resolve(context);
    if (simulation.hasMatched) start = at;
    if (code === undefined) return start;
    simulation.advance(classOf(alphabet, code));
    simulation.previous = context;
    at -= code > 0xffff ? 2 : 1;
    if (simulation.isDead) return start;
  }
}
