/** One sentence beside an answer: what its ending means here, or what to do next. */
import type { Outcome } from '@pidp10/protocol/schemas';
import { DEFAULT_WINDOW_CHARS, TIMED_INTERVAL_MS } from '../core/pacer.ts';
import { FAR_BUFFER_CHARS } from '../core/pacing/readProofState.ts';
import type { LineService } from './lineService.ts';

/** Characters that go by the clock in a second. */
const PER_SECOND = 1_000 / TIMED_INTERVAL_MS;

export function hintFor(line: LineService, outcome: Outcome): string | undefined {
  const { reason, remaining = 0, overflow } = outcome;
  if (overflow !== undefined) {
    return `Input was lost: at least ${overflow.offset} bytes arrived before the far end's buffer ran over. Look at what it has, and go on from there.`;
  }
  const { sent, accepted, bells = 0 } = outcome;
  if (sent !== undefined && accepted !== undefined && sent < accepted && GAVE_UP.has(reason)) {
    return `The far end took only ${sent} of ${accepted} bytes of input; the rest was given up.`;
  }
  // By the clock more went than the far end certainly keeps; a prompt behind it says that all was read.
  const isUnseen = outcome.echo === 'off' && outcome.echoed === 0 && reason !== 'prompt';
  if (isUnseen && sent !== undefined && sent > FAR_BUFFER_CHARS) {
    return `Nothing of the ${sent} bytes came back: what was more than ${FAR_BUFFER_CHARS} went by the clock, ${PER_SECOND} a second, and nobody can tell whether it was read. Look at what arrived.`;
  }
  const isDoubtful = sent !== undefined && (sent > DEFAULT_WINDOW_CHARS || (outcome.echoed ?? 0) < sent);
  if (bells > 0 && isDoubtful && reason !== 'prompt') {
    return `ITS rang ${bells === 1 ? 'the bell' : `${bells} bells`}: input that came too fast may have been lost. Look at what arrived.`;
  }
  switch (reason) {
    case 'timeout':
      return timeoutHint(line, outcome);
    case 'still_waiting':
      return 'The wait goes on elsewhere: read again for the rest.';
    case 'limit':
      return `${remaining} more bytes wait; read gives them.`;
    case 'more_limit':
    case 'pager':
      return pagerHint(outcome);
    case 'question':
      return 'DDT asks, and nobody but you may answer: send the key with ~- behind it (" ~-" for Space, "~d~-" for Rubout).';
    case 'preempted':
      return `Somebody took the floor: ${outcome.sent ?? 0} of ${outcome.accepted ?? 0} bytes had gone out, the rest was given up. Wait until it is given back, then look before you go on.`;
    case 'interrupted':
      return `Somebody's urgent key went first: ${outcome.sent ?? 0} of ${outcome.accepted ?? 0} bytes had gone out, the rest was given up.`;
    case 'dead':
      return `The line is ${outcome.lineState.state}: ${outcome.lineState.detail ?? 'open it to go on'}`;
    default:
      return outcome.before?.truncated === true
        ? 'Older unread output was left out; read from an earlier offset for it.'
        : undefined;
  }
}

/** Endings at which no more of the input goes out. */
const GAVE_UP: ReadonlySet<Outcome['reason']> = new Set(['timeout', 'quiet', 'prompt', 'matched']);

function timeoutHint(line: LineService, { accepted = 0, echoed, output, lineState }: Outcome): string {
  if (line.channel.hasSpoken === false) {
    return 'No byte has come since the greeting: a free line needs ^Z (~z); if that brings nothing, the guest may not be booted.';
  }
  if (output.text !== '') return 'The time ran out before the output paused; read collects what comes next.';
  return accepted > 0 && echoed === 0 && lineState.codec === 'telnet'
    ? 'Nothing came back at all: the program may be busy, or somebody’s stray 0xFF made the line deaf (pidp10ctl unstick).'
    : 'Nothing came in that time.';
}

function pagerHint({ activity, reason }: Outcome): string {
  if (activity.pager === 'system') {
    return 'ITS stands at **MORE**: a space (input " ~-") goes on; any other key goes on too and is taken for the next command.';
  }
  if (activity.pager === 'other') {
    return 'A program stands at a pager of its own, which is never answered here: its own keys go on (often a space, " ~-").';
  }
  return reason === 'more_limit'
    ? 'ITS stands at --More--: read goes on with the next pages, a rubout (~d~-, or read with flush) flushes the rest.'
    : 'ITS stands at --More--: a space (input " ~-") goes on, a rubout (~d~-) flushes the rest.';
}
