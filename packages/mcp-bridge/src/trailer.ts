/** The last line of a result: why it ended, what to do next, and the facts, in one form for all. */
import type { LineState, Outcome, Slice } from '@pidp10/protocol/schemas';
import {
  toActivitySentence,
  toActivityWord,
  toGoingDown,
  toMoreAdvice,
  toPagerAdvice,
  toQuestionAdvice,
} from './activityText.ts';
import { toFloorFact, toPreemptedPhrase } from './floorText.ts';
import { toCount, toVisibleLine } from './visibleText.ts';

/** The daemon's hint and the line's last words may be long; a trailer is not. */
const MAX_PHRASE_CHARS = 400;
/** Words of the far end among the facts. */
const MAX_QUOTE_CHARS = 60;
/** A path on this machine. */
const MAX_PATH_CHARS = 300;

export function toOutcomeTrailer(outcome: Outcome): string {
  const { output, remaining = 0, reason, bells = 0, folds = 0 } = outcome;
  const phrase = toPhrase(outcome);
  const down = toGoingDown(outcome);
  const floor = toFloorFact(outcome.floor);
  return join([
    phrase === undefined ? reason : `${reason}: ${phrase}`,
    ...toLoginFacts(outcome),
    ...toSpan(output),
    ...toFileFacts(outcome),
    ...toInputFacts(outcome),
    ...toPageFacts(outcome),
    ...(folds > 0 ? [`${toCount(folds)} folded ${folds === 1 ? 'line' : 'lines'} joined`] : []),
    ...(bells > 0 ? [bells === 1 ? '1 bell' : `${toCount(bells)} bells`] : []),
    ...(remaining > 0 && reason !== 'limit' ? [`${toCount(remaining)} bytes unread`] : []),
    ...toScreenFacts(outcome),
    ...toActivityFacts(outcome),
    ...(outcome.echo === 'off' ? ['echo off'] : []),
    ...(down === undefined ? [] : [down]),
    ...(floor === undefined ? [] : [floor]),
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
  const words = isCutShort(outcome) && hint !== own ? [own, hint] : [own ?? hint];
  const said = words.filter((each) => each !== undefined);
  return said.length === 0 ? undefined : toVisibleLine(said.join('; '), MAX_PHRASE_CHARS);
}

/** A series of commands that stopped before its last; the daemon's hint says where. */
function isCutShort({ commands, accepted = 0, sent = 0, hint }: Outcome): boolean {
  return commands !== undefined && hint !== undefined && sent < accepted;
}

/** In the words of the tools; where there are none, the daemon's hint speaks for itself. */
function toOwnPhrase(outcome: Outcome): string | undefined {
  const { reason, remaining = 0, lineState, activity, hint, accepted, sent } = outcome;
  switch (reason) {
    case 'limit':
      return `${toCount(remaining)} more bytes wait, call read`;
    case 'still_waiting':
      // Input that was never begun is a different matter: only the daemon's hint tells.
      return accepted === 0 && sent === 0 ? hint : 'call read again to go on';
    case 'more_limit':
      return `ITS stands at ${toMoreAdvice(activity)}`;
    case 'pager':
      return `ITS stands at ${toPagerAdvice(activity)}`;
    case 'question':
      return activity.kind === 'question' ? toQuestionAdvice(activity) : undefined;
    case 'dead': {
      const words = [lineState.reason, lineState.detail].filter((word) => word !== undefined);
      return `${words.join(', ') || lineState.state}; nothing reconnects by itself, open does`;
    }
    case 'preempted':
      return toPreemptedPhrase(outcome);
    case 'matched':
    case 'prompt':
    case 'quiet':
    case 'timeout':
    case 'cancelled':
    case 'interrupted':
      return undefined;
    default:
      return reason satisfies never;
  }
}

/** The phrase of a call that ended there has said it already, or what is told of a login that stopped. */
function toActivityFacts({ reason, activity, login }: Outcome): string[] {
  const isSaid = ['more_limit', 'pager', 'question'].includes(reason) || login?.state === 'stopped';
  const word = isSaid ? undefined : toActivityWord(activity);
  return word === undefined ? [] : [word];
}

function toLoginFacts({ login, activity }: Outcome): string[] {
  if (login === undefined) return [];
  const { state, others, terminal } = login;
  const words = {
    logged_in: 'logged in',
    was_logged_in: 'somebody was logged in already',
    stopped: `login stopped, ${toActivitySentence(activity)}`,
  }[state];
  return [
    words,
    ...(others === undefined ? [] : [toVisibleLine(others, MAX_QUOTE_CHARS)]),
    ...(terminal === undefined ? [] : [`terminal ${toVisibleLine(terminal, MAX_QUOTE_CHARS)}`]),
  ];
}

function toFileFacts({ file }: Outcome): string[] {
  return file === undefined
    ? []
    : [`that is its beginning, all is in ${toVisibleLine(file, MAX_PATH_CHARS)}`];
}

function toInputFacts(outcome: Outcome): string[] {
  const { accepted, sent, overflow, reason } = outcome;
  if (overflow !== undefined)
    return [`input was lost after ${toCount(overflow.offset)} characters, go on from there`];
  // The phrase of a call that lost the floor has said it.
  if (reason === 'preempted') return [];
  return accepted !== undefined && sent !== undefined && sent < accepted && !isCutShort(outcome)
    ? [`only ${toCount(sent)} of ${toCount(accepted)} input bytes went out`]
    : [];
}

/** Which pager it was is known only of an answer that stands at its next page. */
function toPageFacts({ pages = 0, activity, commands }: Outcome): string[] {
  if (pages === 0) return [];
  const pager = activity.kind === 'pager' && commands === undefined ? activity.pager : undefined;
  switch (pager) {
    case 'ddt':
      return [`${pages} --More-- answered`];
    case 'system':
      return [`${pages} **MORE** answered`];
    case 'other':
    case undefined:
      return [pages === 1 ? '1 page' : `${toCount(pages)} pages`];
    default:
      return pager satisfies never;
  }
}

function toScreenFacts({ screen }: Outcome): string[] {
  return screen === undefined
    ? []
    : [`changed rows of the screen, cursor ${screen.cursor.row},${screen.cursor.column}`];
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
