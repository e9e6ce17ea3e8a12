import { describe, expect, test } from 'vitest';
import {
  COMMANDS,
  parseEscapeKey,
  toHelp,
  toKeyName,
  toPages,
  toWho,
} from '../../../src/ctl/attach/lines.ts';

test('help has every command once, with the escape key that was chosen', () => {
  const help = toHelp('^]').join('\n');
  for (const [key] of COMMANDS) expect(help.split(`^]c${key} `)).toHaveLength(2);
});

test('who: client and reader, and what matters of them', () => {
  const base = { version: '1', since: '2031-01-01T00:00:00Z', watches: 0, isYou: false, holdsFloor: false };
  expect(
    toWho([
      { ...base, client: 'claude', reader: 'agent', access: 'full', holdsFloor: true },
      { ...base, client: 'pidp10ctl', access: 'read', watches: 1, isYou: true },
      { ...base, client: 'other', access: 'full' },
    ]),
  ).toEqual(['claude (agent): has the floor', 'pidp10ctl: you, spy, watches', 'other']);
});

describe('toPages', () => {
  test('newest first; long lines folded; a row is left for the hint', () => {
    expect(toPages('1\n2\n3\n4\n5\nabcdef\n', { rows: 4, columns: 5 })).toEqual([
      ['5', 'abcd', 'ef'],
      ['2', '3', '4'],
      ['1'],
    ]);
  });

  test('I17: control characters are shown, not obeyed; blank lines stay', () => {
    expect(toPages('a\x1b[2J\n\nb', { rows: 9, columns: 80 })).toEqual([['a^[[2J', '', 'b']]);
  });
});

test.each([
  ['^E', 5],
  ['^e', 5],
  ['^]', 29],
  ['^[', undefined],
  ['E', undefined],
  ['^EE', undefined],
  ['', undefined],
])('the escape key %j is %j', (text, code) => {
  expect(parseEscapeKey(text)).toBe(code);
});

test('a control key is called as it is written', () => {
  expect([5, 29].map(toKeyName)).toEqual(['^E', '^]']);
});
