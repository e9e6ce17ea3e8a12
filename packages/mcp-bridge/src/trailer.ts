/** The last line of a result: why it ended, what to do next, and the facts, in one form for all. */
import type { LineState, Outcome, Slice } from '@pidp10/protocol/schemas';
import { toCount, toVisibleLine } from './visibleText.ts';

/** The daemon's hint and the line's last words may be long; a trailer is not. */
const MAX_PHRASE_CHARS = 400;

export function toOutcomeTrailer(outcome: Outcome): string {
  const { output, remaining = 0, reason, accepted, sent, pages = 0, bells = 0 } = outcome;
  const phrase = toPhrase(outcome);
  return join([
    phrase === undefined ? reason : `${reason}: ${phrase}`,
    ...toSpan(output),
    ...(accepted !== undefined && sent !== undefined && sent < accepted
      ? [`only ${toCount(sent)} of ${toCount(accepted)} input bytes went out`]
      : []),
    ...(pages > 0 ? [`${pages} --More-- answered`] : []),
    ...(bells > 0 ? [bells === 1 ? '1 bell' : `${toCount(bells)} bells`] : []),
    ...(remaining > 0 && reason !== 'limit' ? [`${toCount(remaining)} bytes unread`] : []),
    ...(outcome.activity.kind === 'unknown' ? [] : [outcome.activity.kind]),
    ...(outcome.echo === 'off' ? ['echo off'] : []),
    toLine(outcome.lineState),
  ]);
}

export function toPeekTrailer(output: Slice, lineState: LineState): string {
  return join([
    'peek: shown before, nothing counts as read',
    ...toSpan({ ...output, truncated: false }),
    toLine(lineState),
  ]);
}

/** `line open`, `line dead (reset)` … */
export function toLine({ state, phase, reason }: LineState): string {
  const detail = reason ?? phase;
  return toVisibleLine(
    detail === undefined ? `line ${state}` : `line ${state} (${detail})`,
    MAX_PHRASE_CHARS,
  );
}

function toPhrase(outcome: Outcome): string | undefined {
  const own = toOwnPhrase(outcome);
  const { hint } = outcome;
  if (own === undefined && hint === undefined) return undefined;
  return toVisibleLine(own ?? hint ?? '', MAX_PHRASE_CHARS);
}

/** In the words of the tools; where there are none, the daemon's hint speaks for itself. */
function toOwnPhrase({
  reason,
  remaining = 0,
  lineState,
  hint,
  accepted,
  sent,
}: Outcome): string | undefined {
  switch (reason) {
    case 'limit':
      return `${toCount(remaining)} more bytes wait, call read`;
    case 'still_waiting':
      // Input that was never begun is a different matter: only the daemon's hint tells.
      return accepted === 0 && sent === 0 ? hint : 'call read again to go on';
    case 'more_limit':
      return 'ITS waits at --More--; read goes on, send ~d~- flushes';
    case 'dead': {
      const words = [lineState.reason, lineState.detail].filter((word) => word !== undefined);
      return `${words.join(', ') || lineState.state}; nothing reconnects by itself, open does`;
    }
    case 'matched':
    case 'prompt':
    case 'quiet':
    case 'timeout':
    case 'pager':
    case 'question':
    case 'cancelled':
    case 'preempted':
    case 'interrupted':
      return undefined;
    default:
      return reason satisfies never;
  }
}

function toSpan({ text, start, end, truncated, lines }: Slice): string[] {
  return [
    `${toCount(text.length)} chars`,
    ...(lines > 1 ? [`${toCount(lines)} lines`] : []),
    `offsets ${start}-${end}`,
    ...(truncated ? ['older output is gone'] : []),
  ];
}

function join(parts: readonly string[]): string {
  return `[${parts.join(' · ')}]`;
}
