/** What an attached terminal shows of our own: help, who is there, what was said before. */
import type { MethodResult } from '@pidp10/protocol/methods';
import { describeAuthor } from '../floorText.ts';
import { neutralize } from '../neutralize.ts';
import type { Size } from './frame.ts';

type Client = MethodResult<'daemon.clients'>['clients'][number];

/** Commands behind `^Ec`, with conserver's letters where it has them; docs/attach.md has the same table. */
export const COMMANDS: readonly (readonly [key: string, what: string])[] = [
  ['.', 'detach'],
  ['?', 'this help'],
  ['w', 'who is connected'],
  ['i', 'state, floor and size'],
  ['f', 'take the floor by force'],
  ['r', 'release: give the floor back'],
  ['s', 'spy: only watch; gives the floor back'],
  ['a', 'attach: type again'],
  ['p', 'what was said before; p again: further back'],
  ['n', 'note: name this place in the output'],
  ['m', 'message to the other clients'],
  ['b', 'and a letter: that control key, past all that waits'],
  ['o', 'open the line'],
  ['z', 'suspend pidp10ctl'],
];

/** `escapeName`: such as `^E`; `missing`: keys that mean nothing here. */
export function toHelp(escapeName: string, missing = ''): readonly string[] {
  return [
    'Typing takes the floor where it is free, for a minute after the last key.',
    '',
    ...COMMANDS.filter(([key]) => !missing.includes(key)).map(
      ([key, what]) => `${escapeName}c${key}   ${what}`,
    ),
    `${escapeName}c${escapeName}  types ${escapeName} itself`,
  ];
}

export function toWho(clients: readonly Client[]): readonly string[] {
  return clients.map(({ access, holdsFloor, isYou, watches, ...author }) => {
    const facts = [
      ...(isYou ? ['you'] : []),
      ...(holdsFloor ? ['has the floor'] : []),
      ...(access === 'read' ? ['spy'] : []),
      ...(watches > 0 ? ['watches'] : []),
    ];
    return `${describeAuthor(author)}${facts.length === 0 ? '' : `: ${facts.join(', ')}`}`;
  });
}

/** Screenfuls of `text`, the newest first, each with as many rows as are left beside the hint. */
export function toPages(text: string, { rows, columns }: Size): readonly (readonly string[])[] {
  const height = Math.max(rows - 1, 1);
  const width = Math.max(columns - 1, 1);
  const lines = neutralize(text.replaceAll('\t', '        '))
    .trimEnd()
    .split('\n')
    .flatMap((line) => line.match(new RegExp(`.{1,${width}}`, 'gu')) ?? ['']);
  const pages: string[][] = [];
  for (let end = lines.length; end > 0; end -= height)
    pages.push(lines.slice(Math.max(end - height, 0), end));
  return pages;
}

/** `^E` of 0x05. */
export function toKeyName(code: number): string {
  return `^${String.fromCharCode(code + 0x40)}`;
}

/** Undefined where it is no control key that can begin commands. ESC begins what terminals send by themselves. */
export function parseEscapeKey(text: string): number | undefined {
  const [, letter] = /^\^([A-Za-z\\\]^_])$/.exec(text) ?? [];
  return letter === undefined ? undefined : letter.toUpperCase().charCodeAt(0) - 0x40;
}
