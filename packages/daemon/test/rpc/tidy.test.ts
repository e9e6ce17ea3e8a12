import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tidyText } from '../../src/rpc/tidy.ts';

test.each([
  ['blanks before a line end go', 'a \t\nb  \n', 'a\nb\n'],
  ['blanks at the end go', 'a  ', 'a'],
  ['blanks elsewhere stay', '  a \t b', '  a \t b'],
  ['one blank line stays', 'a\n\nb', 'a\n\nb'],
  ['more than one become one', 'a\n\n\n\nb', 'a\n\nb'],
  ['lines of blanks are blank lines', 'a\n \n\t\n  \nb', 'a\n\nb'],
  ['nothing stays nothing', '', ''],
])('%s', (_title, text, tidied) => {
  expect(tidyText(text)).toBe(tidied);
});

test('tidying twice is tidying once, and nothing but blanks and line ends is lost', () => {
  const text = fc.array(fc.constantFrom('a', 'b', ' ', '\t', '\n', '\n\n\n')).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (untidy) => {
      const tidied = tidyText(untidy);
      expect(tidyText(tidied)).toBe(tidied);
      expect(tidied.replace(/\s/g, '')).toBe(untidy.replace(/\s/g, ''));
      expect(tidied).not.toMatch(/[ \t]+$|\n{3}/m);
    }),
  );
});

test('I18 · a hundred thousand blanks inside a line take no time worth telling', () => {
  const long = `a${' '.repeat(100_000)}b`;
  const began = process.cpuUsage();
  expect(tidyText(long)).toBe(long);
  expect(process.cpuUsage(began).user / 1_000).toBeLessThan(50);
});
