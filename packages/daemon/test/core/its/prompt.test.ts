import { expect, test } from 'vitest';
import { isPrompt } from '../../../src/core/its/prompt.ts';

test.each([
  ['*', true],
  ['', false],
  ['**', false],
  [' *', false],
  ['* ', false],
  ['EMACS (Fundamental) Main: *', false],
])('%j is a prompt: %s', (line, expected) => {
  expect(isPrompt(line)).toBe(expected);
});
