import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findMatchStart } from '../../../src/core/pattern/pattern.ts';
import { asciiPattern, asciiText, compiled, earliestEnd } from './samples.ts';

/** Tries every start with a native match that has to end at `end`. */
function nativeStart(source: string, text: string, end: number): number | undefined {
  const exact = new RegExp(`(?:${source})(?<=(?<![^])[^]{${end}})`, 'muy');
  for (let start = 0; start <= end; start += 1) {
    exact.lastIndex = start;
    if (exact.test(text)) return start;
  }
  return undefined;
}

describe('findMatchStart', () => {
  test('finds the start that the native engine finds', () => {
    fc.assert(
      fc.property(asciiPattern, asciiText, (source, text) => {
        const end = earliestEnd(source, text);
        if (end === undefined) return;
        const start = findMatchStart(compiled(source), text, end, { isSilent: true });
        expect(start).toBe(nativeStart(source, text, end));
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ['a+', 'baaab', 4, {}, 1],
    ['foo$', 'a foo\n', 5, {}, 2],
    ['foo$', 'a foo', 5, { isSilent: true }, 2],
    ['foo$', 'a foo', 5, {}, undefined],
    ['(?:abc$|bc)', 'abc', 3, {}, 1],
    ['^foo', 'foo', 3, {}, 0],
    ['^foo', 'foo', 3, { atLineStart: false }, undefined],
    ['\\Afoo|o', 'foo', 3, { atLineStart: false }, 0],
    ['ITS[\\s\\S]*DDT', 'x ITS.1651.\nDDT.', 15, {}, 2],
    ['.\\n', 'a😀\n', 4, {}, 1],
    ['x*', 'abc', 2, {}, 2],
    ['x', 'abc', 2, {}, undefined],
  ])('%s in %j that ends at %i, %j: %s', (source, text, end, options, start) => {
    expect(findMatchStart(compiled(source), text, end, options)).toBe(start);
  });
});
