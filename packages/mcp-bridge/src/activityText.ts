/**
 * What ITS is doing, in words: a few for the trailer of each result, a sentence with what to do next for `status` and for
 * calls that end at a pager or a question. Inputs are quoted as the tools take them.
 */
import type { Outcome } from '@pidp10/protocol/schemas';
import { toVisibleLine } from './visibleText.ts';

export type Activity = Outcome['activity'];

export interface ItsFacts {
  readonly activity: Activity;
  readonly echo: Outcome['echo'];
  /** What the system said about going down, as long as it stands. */
  readonly goingDown?: string | undefined;
}

/** Room for words that are not ours: a program's name, a question, the reason why nothing is known, the system's notice. */
const MAX_NAME_CHARS = 20;
const MAX_QUOTE_CHARS = 80;

/** Leaves the program that has the line, where the key is known. */
const LEAVE: Readonly<Record<string, string>> = { emacs: '"~x18~c~-" leaves it', peek: '"q~-" leaves it' };
/** The keys that DDT's questions name, as input. */
const KEYS: Readonly<Record<string, string>> = { Space: '" ~-"', Rubout: '"~d~-"', CR: '"~r~-"' };

/** A word or two; undefined when nothing is known. */
export function toActivityWord(activity: Activity): string | undefined {
  switch (activity.kind) {
    case 'free':
      return 'free: needs ~z';
    case 'ddt':
      return 'ddt';
    case 'program':
      return withName('program', activity);
    case 'screen_program':
      return withName('screen program', activity);
    case 'pager':
      return `pager ${toPagerName(activity)}`;
    case 'question':
      return `question: ${toQuestion(activity)}`;
    case 'unknown':
      return undefined;
    default:
      return activity.kind satisfies never;
  }
}

/** What it means and what to do next, for a call that may type. */
export function toActivitySentence(activity: Activity): string {
  switch (activity.kind) {
    case 'free':
      return 'free: nobody is logged in here and the line is deaf until "~z"; open(login="NAME") does it all';
    case 'ddt':
      return 'ddt: DDT waits for a command';
    case 'program':
      return `${withName('program', activity)} has the line and gets all input; ${toLeave(activity)}`;
    case 'screen_program':
      return `${withName('screen program', activity)} has the line: the screen tool shows it; ${toLeave(activity)}`;
    case 'pager':
      return `pager: ITS stands at ${toPagerAdvice(activity)}`;
    case 'question':
      return `question: ${toQuestionAdvice(activity)}`;
    case 'unknown':
      return `not known${activity.why === undefined ? '' : `: ${toVisibleLine(activity.why, MAX_QUOTE_CHARS)}`}`;
    default:
      return activity.kind satisfies never;
  }
}

/** Where a call that went through its pages stands; `read` turns the next ones. */
export function toMoreAdvice(activity: Activity): string {
  return activity.pager === 'system'
    ? '**MORE**; read (or input " ~-") goes on, any other key is taken as the next command'
    : '--More--; read goes on, read(flush=true) drops the rest';
}

/** Where a call stands for which nobody answers the pager. */
export function toPagerAdvice(activity: Activity): string {
  switch (activity.pager) {
    case 'system':
      return '**MORE**; input " ~-" goes on, any other key is taken as the next command';
    case 'other':
      return 'a --More-- of the program\'s own, which is never answered for you; input " ~-" goes on';
    case 'ddt':
    case undefined:
      return '--More--; input " ~-" goes on, "~d~-" or read(flush=true) drops the rest';
    default:
      return activity.pager satisfies never;
  }
}

export function toQuestionAdvice(activity: Activity): string {
  const [yes, no] = [toKey(activity.yes), toKey(activity.no)];
  const answers = [yes && `input ${yes} says yes`, no && `${no} says no`].filter(
    (each) => each !== undefined,
  );
  const question = toQuestion(activity);
  return answers.length === 0 ? question : `${question}; ${answers.join(', ')}`;
}

/** What `status` and trailers say of a system that goes down; undefined: it does not. */
export function toGoingDown({ goingDown }: Pick<ItsFacts, 'goingDown'>): string | undefined {
  return goingDown === undefined
    ? undefined
    : `ITS is going down: ${JSON.stringify(toVisibleLine(goingDown, MAX_QUOTE_CHARS))}`;
}

/** The lines of `status`. */
export function toItsLines({ activity, echo, goingDown }: ItsFacts): string[] {
  const echoWords = {
    on: 'echo on',
    off: 'echo off: what is typed now is not shown, as for a password',
    unknown: undefined,
  }[echo];
  const down = toGoingDown({ goingDown });
  return [
    [`ITS: ${toActivitySentence(activity)}`, ...(echoWords === undefined ? [] : [echoWords])].join(' · '),
    ...(down === undefined ? [] : [`${down}. Save what you have and send ":logout".`]),
  ];
}

function withName(what: string, { name }: Activity): string {
  return name === undefined ? what : `${what} ${toVisibleLine(name, MAX_NAME_CHARS)}`;
}

function toLeave({ name = '' }: Activity): string {
  const known = Object.hasOwn(LEAVE, name) ? LEAVE[name] : undefined;
  return known ?? '"~z" stops it and gives DDT, "~g~-" may quit what it does';
}

function toPagerName({ pager }: Activity): string {
  return { system: '**MORE**', ddt: '--More--', other: 'of the program' }[pager ?? 'ddt'];
}

/** `--Kill-- (Space=yes, Rubout=no)` */
function toQuestion({ text = '', yes, no }: Activity): string {
  const said = toVisibleLine(text, MAX_QUOTE_CHARS);
  const answers = [...(yes === undefined ? [] : [`${yes}=yes`]), ...(no === undefined ? [] : [`${no}=no`])];
  return answers.length === 0 ? said : `${said} (${toVisibleLine(answers.join(', '), MAX_QUOTE_CHARS)})`;
}

function toKey(name: string | undefined): string | undefined {
  return name === undefined || !Object.hasOwn(KEYS, name) ? undefined : KEYS[name];
}
