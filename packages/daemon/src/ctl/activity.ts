/** What ITS is doing on the line, in plain words. The daemon claims a state on evidence only, so `unknown` is an answer too. */
import type { MethodResult } from '@pidp10/protocol/methods';

type Facts = Pick<MethodResult<'line.status'>, 'activity' | 'echo'>;
type Activity = Facts['activity'];

/** A clause without a full stop; for `unknown` the reason, as far as there is one. */
export function describeActivity(activity: Activity): string {
  const { kind, name, text, yes, no, why } = activity;
  switch (kind) {
    case 'free':
      return 'nobody is logged in and the line is deaf until ^Z (send ~z)';
    case 'ddt':
      return 'DDT waits for a command';
    case 'program':
      return `${name ?? 'a program'} has the line`;
    case 'screen_program':
      return `${name ?? 'a program'} has the line and paints the screen`;
    case 'pager':
      return describePager(activity.pager);
    case 'question':
      return `a question waits: "${text ?? ''}"${toKeys(yes, no)}`;
    case 'unknown':
      return why === undefined ? 'not known' : `not known: ${why}`;
    default:
      return kind satisfies never;
  }
}

/** Undefined where nothing is known. */
export function describeEcho(echo: Facts['echo']): string | undefined {
  switch (echo) {
    case 'on':
      return 'on';
    case 'off':
      return 'off: what is typed does not come back, as where a password is asked for';
    case 'unknown':
      return undefined;
    default:
      return echo satisfies never;
  }
}

/** Who has the line, where that is not DDT and not told by the ending itself: for the trailer of an answer. */
export function describeHolder({ kind, name }: Activity): string | undefined {
  switch (kind) {
    case 'free':
      return 'the line is free';
    case 'program':
    case 'screen_program':
      return `${name ?? 'a program'} has the line`;
    default:
      return undefined;
  }
}

function describePager(pager: Activity['pager']): string {
  switch (pager) {
    case 'ddt':
      return 'DDT stands at --More--: a space goes on, a rubout flushes (read --flush)';
    case 'system':
      return 'ITS stands at **MORE**: a space goes on';
    case 'other':
      return "a program stands at a --More-- of its own: which keys go on is the program's matter";
    default:
      return 'a pager stands there';
  }
}

function toKeys(yes: string | undefined, no: string | undefined): string {
  const keys = [
    ...(yes === undefined ? [] : [`${yes} is yes`]),
    ...(no === undefined ? [] : [`${no} is no`]),
  ];
  return keys.length === 0 ? '' : `, ${keys.join(', ')}`;
}
