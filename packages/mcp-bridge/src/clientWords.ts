/**
 * What other clients of the line say: messages to all, and news of the floor, which quotes them. One line each, labelled as
 * theirs, in a block of its own above the trailer: it can neither end a line nor pass for one of ours (A02, I17).
 */
import type { Outcome } from '@pidp10/protocol/schemas';
import { toName, toQuote, toTime } from './floorText.ts';
import { toCount, toVisibleLine } from './visibleText.ts';

export type ClientWords = Pick<Outcome, 'news' | 'messages'>;

/** Room for all of them in one result; the oldest are left out, line.history has them. */
export const MAX_WORDS_CHARS = 4_000;
/** A sentence of the daemon that may quote a message of 500 characters. */
const MAX_NEWS_CHARS = 700;

/** The lines, older first; empty when nobody said anything. */
export function toWordLines({ news = [], messages = [] }: ClientWords): string[] {
  return [
    ...news.map((each) => `[floor news, may quote another client] ${toVisibleLine(each, MAX_NEWS_CHARS)}`),
    ...messages.map(
      ({ from, text, at }) => `[said by another client: ${toName(from)} at ${toTime(at)}] ${toQuote(text)}`,
    ),
  ];
}

/** One block, never longer than `MAX_WORDS_CHARS`. */
export function toWordBlock(lines: readonly string[]): string {
  const kept: string[] = [];
  // Room for the line that says what was left out.
  let room = MAX_WORDS_CHARS - 100;
  for (const line of lines.toReversed()) {
    room -= line.length + 1;
    if (room < 0) break;
    kept.unshift(line);
  }
  const leftOut = lines.length - kept.length;
  if (leftOut === 0) return kept.join('\n');
  return [`[${toCount(leftOut)} older lines of other clients left out: history shows them]`, ...kept].join(
    '\n',
  );
}
