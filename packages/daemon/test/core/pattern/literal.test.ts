import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_LITERAL_CHARS, requiredLiteral } from '../../../src/core/pattern/literal.ts';
import { Matcher } from '../../../src/core/pattern/pattern.ts';
import { parsePattern } from '../../../src/core/pattern/syntax.ts';
import { anyText, assertingPattern, compiled, earliestEnd, streamedEnd } from './samples.ts';

describe('a text that every match contains', () => {
  test.each<[source: string, text: string | undefined]>([
    ['needle', 'needle'],
    ['a+needle.*b', 'aneedle'],
    ['needle+', 'needle'],
    ['x[0-9]ab+cd', 'bcd'],
    ['x[0-9](?:ab+c)+', 'ab'],
    ['^:kill [A-Z]+', ':kill '],
    ['foo\\b\\.bar', 'foo.bar'],
    ['(ab){3}c', 'abababc'],
    ['(ab){2,3}c', 'abc'],
    ['(?:abc)+', 'abc'],
    ['x(?:one|two)yz', 'yz'],
    ['ab?cd', 'cd'],
    ['(?i)Kill me', 'kill me'],
    ['(?i)a1(?-i)B', 'a1b'],
    ['a|b', undefined],
    ['.*', undefined],
    ['(?:abc)?', undefined],
    ['[0-9]+', undefined],
    ['\u00e9', undefined],
    [`${'a'.repeat(200)}`, 'a'.repeat(MAX_LITERAL_CHARS)],
  ])('%s: %s', (source, text) => {
    expect(requiredLiteral(parsePattern(source))?.text).toBe(text);
  });

  test('the long s is an s where case is nothing: it is no part of the text', () => {
    expect(requiredLiteral(parsePattern('(?i)abcstu'))).toEqual({ text: 'abc', ignoresCase: true });
    expect(earliestEnd('(?i)abcstu', 'abc\u017ftu')).toBe(6);
  });

  test('is in each text that matches', () => {
    fc.assert(
      fc.property(assertingPattern, fc.boolean(), anyText, (source, ignoresCase, text) => {
        const cased = ignoresCase ? `(?i)${source}` : source;
        const literal = requiredLiteral(parsePattern(cased));
        if (literal === undefined || earliestEnd(cased, text) === undefined) return;
        expect(literal.ignoresCase ? text.toLowerCase() : text).toContain(literal.text);
      }),
      { numRuns: 1_000 },
    );
  });
});

test('a matcher that is started anew finds what a new one finds', () => {
  fc.assert(
    fc.property(assertingPattern, fc.array(anyText, { maxLength: 5 }), (source, texts) => {
      const pattern = compiled(source);
      const matcher = new Matcher(pattern);
      for (const text of texts) {
        expect(streamedEnd(matcher, [text])).toBe(streamedEnd(new Matcher(pattern), [text]));
        matcher.restart();
      }
    }),
    { numRuns: 500 },
  );
});
