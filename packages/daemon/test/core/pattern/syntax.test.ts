import { describe, expect, test } from 'vitest';
import { compilePattern, Matcher } from '../../../src/core/pattern/pattern.ts';
import { MAX_REPEAT } from '../../../src/core/pattern/syntax.ts';
import { compiled, streamedEnd } from './samples.ts';

/** Whether the pattern takes all of the text, line ends included. */
function takesAll(source: string, text: string): boolean {
  return streamedEnd(new Matcher(compiled(`\\A(?:${source})\\z`)), [text]) !== undefined;
}

describe('what a pattern takes', () => {
  test.each<[source: string, taken: readonly string[], refused: readonly string[]]>([
    ['abc', ['abc'], ['ab', 'abcd', 'ABC']],
    ['a|bc|', ['a', 'bc', ''], ['b', 'abc']],
    ['a.c', ['abc', 'a.c', 'a😀c'], ['ac', 'a\nc']],
    ['(?s)a.c', ['a\nc'], []],
    ['(?s:.)|.', ['\n', 'x'], []],
    ['a*', ['', 'aaa'], ['b']],
    ['a+', ['a', 'aaa'], ['']],
    ['ab?', ['a', 'ab'], ['abb']],
    ['a{2}', ['aa'], ['a', 'aaa']],
    ['a{2,}', ['aa', 'aaaa'], ['a']],
    ['a{2,3}', ['aa', 'aaa'], ['a', 'aaaa']],
    ['a{0}b', ['b'], ['ab']],
    ['(?:ab){2,3}', ['abab', 'ababab'], ['ab', 'abababab']],
    ['(?:a?){3}', ['', 'a', 'aaa'], ['aaaa']],
    ['(?:a{2}){3}', ['aaaaaa'], ['aaaaa']],
    ['(?:a{0,2}){0,2}', ['', 'aaa', 'aaaa'], ['aaaaa']],
    ['(?:a+){2,3}', ['aa', 'aaaaa'], ['a']],
    ['(?:a|b*){2}', ['', 'ab', 'abbb', 'bba'], ['aba']],
    ['a*?b+?c??d{1,2}?', ['bd', 'aabbcdd'], ['a']],
    ['a{', ['a{'], ['a']],
    ['a{,3}', ['a{,3}'], ['aa']],
    ['{x}', ['{x}'], []],
    ['a]b}', ['a]b}'], []],
    ['(a)(b)', ['ab'], []],
    ['(?P<first>a)(?<second>b)', ['ab'], []],
    ['(?i)abc', ['ABC', 'aBc'], []],
    ['a(?i)b', ['aB'], ['AB']],
    ['a(?i:b)c', ['aBc'], ['aBC']],
    ['(?i)a(?-i)b', ['Ab'], ['AB']],
    ['(?:(?i)a)b', ['Ab'], ['AB']],
    ['(?i)a|b', ['A', 'B'], []],
    ['(?i)[^a]', ['b'], ['a', 'A']],
    ['(?i)ä[б]', ['ÄБ'], []],
    ['(?ims-U)a', ['A'], []],
    ['a\n^b', ['a\nb'], []],
    ['(?-m)a\\n^b', [], ['a\nb']],
    ['(?-m)a(?m)$\\nb', ['a\nb'], []],
    ['\\Qa.*[\\E+', ['a.*[', 'a.*[[['], ['aX']],
    ['\\Qa\\b\\E', ['a\\b'], []],
    ['\\Q\\Ea', ['a'], []],
  ])('%s', (source, taken, refused) => {
    expect(taken.filter((text) => !takesAll(source, text))).toEqual([]);
    expect(refused.filter((text) => takesAll(source, text))).toEqual([]);
  });

  test(`I6 · counts to ${MAX_REPEAT} and not one more`, () => {
    expect(takesAll(`a{${MAX_REPEAT}}`, 'a'.repeat(MAX_REPEAT))).toBe(true);
    expect(compilePattern(`a{1,${MAX_REPEAT + 1}}`)).toMatchObject({ kind: 'invalid', position: 1 });
    expect(compilePattern(`a{${MAX_REPEAT + 1},}`)).toMatchObject({ kind: 'invalid', position: 1 });
  });
});

describe('what is refused, where, and what to do instead', () => {
  test.each([
    ['a(?=b)', 1, 'lookahead (?= is not supported'],
    ['a(?!b)', 1, 'negative lookahead'],
    ['(?<=a)b', 0, 'lookbehind (?<= is not supported'],
    ['(?<!a)b', 0, 'negative lookbehind'],
    ['(?>a)', 0, 'write (?: instead'],
    ['(?#x)', 0, 'leave them out'],
    ['(a)(?P=n)', 3, 'back-references'],
    ['(a)\\1', 3, 'back-reference \\1 is not supported'],
    ['(?<n>a)\\k<n>', 7, 'back-references are not supported'],
    ['*', 0, 'write \\* for the text itself'],
    ['^|*', 2, 'nothing to repeat'],
    ['(+)', 1, 'nothing to repeat'],
    ['a**', 2, 'two quantifiers in a row'],
    ['a++', 2, 'possessive'],
    ['a{3,2}', 1, 'counts backwards'],
    ['ab(c', 2, 'add ) or write \\('],
    ['ab)c', 2, 'write \\)'],
    ['a[bc', 1, 'add ] or write \\['],
    ['[]', 0, 'add ]'],
    ['[z-a]', 1, 'runs backwards'],
    ['[a-\\d]', 1, 'write \\- for a hyphen'],
    ['[[:foo:]]', 1, 'there are: alnum'],
    ['[\\B]', 1, 'cannot be a member'],
    ['a\\', 1, 'write \\\\ for a backslash'],
    ['\\p{L}', 0, 'write the range'],
    ['\\y', 0, 'write y for the letter'],
    ['\\x4', 0, 'e.g. \\x1b or \\x{1F600}'],
    ['\\u12', 0, 'e.g. \\u001b'],
    ['\\x{110000}', 0, 'no character above'],
    ['\\c1', 0, 'e.g. \\cZ'],
    ['(?x)a', 0, 'flags out of i, m, s and U'],
    ['(?i', 0, 'flags out of i, m, s and U'],
    ['(?P<a-b>c)', 0, 'letters, digits and _'],
    ['(?<a>b)(?<a>c)', 7, 'two groups are named a'],
  ])('%s at %i: %s', (source, position, message) => {
    expect(compilePattern(source)).toEqual({
      kind: 'invalid',
      position,
      message: expect.stringContaining(message),
    });
  });
});
