/** One sentence beside an answer: what its ending means here, or what to do next. */
import type { Outcome } from '@pidp10/protocol/schemas';
import type { LineService } from './lineService.ts';

export function hintFor(line: LineService, outcome: Outcome): string | undefined {
  const { reason, remaining = 0, before } = outcome;
  switch (reason) {
    case 'timeout':
      if (line.channel.hasSpoken === false) {
        return 'No byte has come since the greeting: a free line needs ^Z (~z); if that brings nothing, the guest may not be booted.';
      }
      return 'The time ran out before the output paused; read collects what comes next.';
    case 'still_waiting':
      return 'The wait goes on elsewhere: read again for the rest.';
    case 'limit':
      return `${remaining} more bytes wait; read gives them.`;
    case 'more_limit':
      return 'ITS stands at --More--: read goes on with the next pages, a rubout (~d~-) flushes the rest.';
    case 'pager':
      return 'ITS stands at --More-- and nobody answered: a space (input " ~-") goes on, a rubout (~d~-) flushes.';
    case 'dead':
      return `The line is ${outcome.lineState.state}: ${outcome.lineState.detail ?? 'open it to go on'}`;
    default:
      return before?.truncated === true
        ? `Older unread output was left out; read from an earlier offset for it.`
        : undefined;
  }
}
