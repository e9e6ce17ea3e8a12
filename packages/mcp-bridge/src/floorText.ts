/**
 * The floor in words: who may type, since when, what he typed last, how many wait. Names, inputs and messages are other
 * clients' words: each is quoted, on one line, with its control characters visible (I17).
 */
import type { Outcome } from '@pidp10/protocol/schemas';
import { toDuration } from './duration.ts';
import { toCount, toPlainInput, toVisible, toVisibleLine } from './visibleText.ts';

export type Floor = NonNullable<Outcome['floor']>;
export type Holder = NonNullable<Floor['holder']>;
type Author = Pick<Holder, 'client' | 'reader'>;

/** Room for a client's or reader's name. */
const MAX_NAME_CHARS = 64;
/** Room for what the holder typed last. */
const MAX_INPUT_CHARS = 60;
/** Room for a message; the daemon takes 500 characters. */
const MAX_MESSAGE_CHARS = 500;
const MAX_TIME_CHARS = 30;
/** Polite requests that are shown, the newest. */
const MAX_REQUESTS = 3;

/** For the trailer: a few words, or undefined when there is nothing to say. */
export function toFloorFact(floor: Floor | undefined): string | undefined {
  if (floor === undefined) return undefined;
  const { holder, waiting } = floor;
  const who =
    holder === undefined || (holder.isYou && holder.kind !== 'asked') ? undefined : toHolderFact(holder);
  if (waiting === 0) return who;
  if (who === undefined) return toQueue(waiting, 'the floor');
  const advice = holder?.isYou === true ? ': floor(action="release") when you are done' : '';
  return `${who}, ${toQueue(waiting)}${advice}`;
}

/** For `status` and the floor tool: a line, and one for each request to the holder. */
export function toFloorText({ holder, waiting, requests = [] }: Floor): string {
  const who =
    holder === undefined ? 'The floor is free: whoever types next has it.' : `${toHolderSentence(holder)}.`;
  return [
    waiting === 0 ? who : `${who} ${toQueue(waiting)}.`,
    ...requests
      .slice(-MAX_REQUESTS)
      .map(({ from, text, at }) => `Asked for by ${toName(from)} at ${toTime(at)}: ${toQuote(text)}`),
  ].join('\n');
}

/** `"codex" has had the floor since …: a call of it is at work; typed last ":listf"` */
export function toHolderSentence(holder: Holder): string {
  const { isYou, since, lastInput } = holder;
  const typed = lastInput === undefined ? '' : `; typed last ${toTyped(lastInput)}`;
  const who = isYou ? 'You have' : `${toName(holder)} has`;
  return `${who} had the floor since ${toTime(since)}: ${toKind(holder)}${typed}`;
}

/** `"codex" (reader codex-1a2b)` */
export function toName({ client, reader }: Author): string {
  const name = toQuote(client, MAX_NAME_CHARS);
  return reader === undefined ? name : `${name} (reader ${toVisibleLine(reader, MAX_NAME_CHARS)})`;
}

export function toTime(at: string): string {
  return toVisibleLine(at, MAX_TIME_CHARS);
}

export function toQuote(text: string, maxChars = MAX_MESSAGE_CHARS): string {
  return JSON.stringify(toVisibleLine(text, maxChars));
}

/** What became of the input of a call that lost the floor, and to whom. */
export function toPreemptedPhrase({
  floor,
  accepted,
  sent,
}: Pick<Outcome, 'floor' | 'accepted' | 'sent'>): string {
  const holder = floor?.holder;
  const who =
    holder === undefined || holder.isYou ? 'another client' : toQuote(holder.client, MAX_NAME_CHARS);
  return `${who} took the floor; ${toSentWords(accepted, sent)}; read what happened before you go on`;
}

function toSentWords(accepted = 0, sent = 0): string {
  if (accepted === 0) return 'nothing was typed for this call';
  if (sent === 0) return 'nothing of your input was sent';
  return sent < accepted
    ? `${toCount(sent)} of ${toCount(accepted)} input bytes were sent, the rest was not and will not be`
    : `all ${toCount(accepted)} input bytes were sent, the wait for the answer was cut off`;
}

function toHolderFact(holder: Holder): string {
  const { client, isYou, expiresInMs } = holder;
  if (!isYou) return `${toQuote(client, MAX_NAME_CHARS)} has the floor`;
  return expiresInMs === undefined
    ? 'you have the floor'
    : `you have the floor, ${toDuration(expiresInMs)} left`;
}

function toKind({ kind, isYou, expiresInMs }: Holder): string {
  const free =
    expiresInMs === undefined ? '' : `, it falls free after ${toDuration(expiresInMs)} without input`;
  switch (kind) {
    case 'call':
      return isYou ? 'a call of yours is at work' : 'a call of it is at work';
    case 'lease':
      return `the short time behind a call${free}`;
    case 'asked':
      return `taken by ${isYou ? 'you' : 'it'} for longer${free}`;
    default:
      return kind satisfies never;
  }
}

/** `2 calls wait for it` */
export function toQueue(waiting: number, what = 'it'): string {
  return waiting === 1 ? `1 call waits for ${what}` : `${toCount(waiting)} calls wait for ${what}`;
}

/** What was typed, with its blanks: they may be all there is. */
export function toTyped(input: string, maxChars = MAX_INPUT_CHARS): string {
  const shown = toVisible(toPlainInput(input));
  return JSON.stringify(shown.length <= maxChars ? shown : `${toVisible(shown.slice(0, maxChars - 1))}…`);
}
