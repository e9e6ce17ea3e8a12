/**
 * The wording of what ITS prints unasked. Seen: the message of another user (15c), IN OPERATION (01, 11c), the banner
 * (03). The others are worded after ITS's own source (SYSJOB) and its build's notes; their place on a line is a guess.
 */

import { toDateText, toTimeOfDay } from './clock.ts';

/** What the system can say, by name; the words are in {@link noticeText}. */
export const NOTICES = ['going_down', 'revived', 'down', 'clock'] as const;

export type NoticeName = (typeof NOTICES)[number];

export const BANNER = `KA ITS.1652. DDT.1549.
TTY 52
You're all alone, Fair share = 99%
Welcome to ITS!

For brief information, type ?
For a list of colon commands, type :? and press Enter.
For the full info system, type :INFO and Enter.

Happy hacking!
`;

/** `minutes`: until the system goes down. With newlines. */
export function noticeText(name: NoticeName, now: Date, minutes = 5): string {
  const time = toTimeOfDay(now);
  switch (name) {
    case 'going_down':
      return `\x07KA ITS 1652 GOING DOWN IN ${minutes}:00.  ${time}\nITS BEING BROUGHT DOWN BY SYSTEM\n`;
    case 'revived':
      return `\x07KA ITS 1652 REVIVED.  ${time}\n`;
    case 'down':
      return `KA ITS 1652 NOT IN OPERATION ${time}\n`;
    case 'clock':
      return `IT IS NOW ${toDateText(now).trim()}\n`;
    default:
      return name satisfies never;
  }
}

/** What the first one to connect after a boot sees. */
export function bootText(at: Date): string {
  return `\nKA ITS 1652 \x07IN OPERATION\x07 AT ${toTimeOfDay(at)}`;
}

/** Text of another user, with its five bells. */
export function messageText(from: string, text: string, now: Date): string {
  const hour = now.getHours() % 12 || 12;
  const time = `${hour}:${toTimeOfDay(now).slice(3, 5)}${now.getHours() < 12 ? 'am' : 'pm'}`;
  return `\x07\x07\x07\x07\x07[Message from ${from} at KA  ${time}]\n${text}\n`;
}
