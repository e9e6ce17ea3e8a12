/** Where the match of a wait begins and ends, as offsets; the wait itself only knows where it ended. */
import type { Span } from './events.ts';
import type { Wait } from './expect.ts';
import { compilePattern, findMatchStart } from './pattern/pattern.ts';
import type { Scrollback } from './scrollback.ts';

export function matchOf(
  { matchEnd: end, answerStart, expectation }: Wait,
  scrollback: Scrollback,
): Span | undefined {
  const { pattern } = expectation;
  if (end === undefined || pattern === undefined) return undefined;
  const compiled = compilePattern(pattern);
  const { text, start: from } = scrollback.text(answerStart, end);
  const index =
    compiled.kind === 'pattern'
      ? findMatchStart(compiled.pattern, text, text.length, { isSilent: true })
      : undefined;
  return { start: index === undefined || index === 0 ? from : scrollback.text(from, end, index).end, end };
}
