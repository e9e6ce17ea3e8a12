import { expect, test } from 'vitest';
import { isPager } from '../../../src/core/its/pager.ts';

test.each([
  ['I02 · bare, as after an altmode login', '--More--', true],
  ['with the tail of DDT', '--More-- (Space=yes, Rubout=no)', true],
  ['with the tail of :MSGS', '--More-- (Space=yes, CR=no)', true],
  ['I04 · with more output behind it', '--More-- (Space=yes, Rubout=no) and so on', false],
  ['I04 · in the middle of a line', 'press at --More--', false],
  ['I04 · an empty line behind it', '', false],
  ['I05 · in the mode line of EMACS or INFO', '--MORE--', false],
  ['a question of DDT', '--Kill-- (Space=yes, Rubout=no)', false],
  ['another question', '--Attach Your Detached Tree-- (Space=yes, Rubout=no)', false],
])('%s: %j', (_title, line, expected) => {
  expect(isPager(line)).toBe(expected);
});
