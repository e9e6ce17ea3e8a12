import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compilePattern, Matcher, type MatcherSnapshot } from '../../../src/core/pattern/pattern.ts';
import {
  anyText,
  asciiPattern,
  asciiText,
  assertingPattern,
  brokenText,
  compiled,
  earliestEnd,
  nativeEnd,
  noise,
  plainPattern,
  streamedEnd,
} from './samples.ts';

const RUNS = { numRuns: 2000 };

describe('the earliest end', () => {
  test('is the one that the native engine finds, for patterns without assertions', () => {
    fc.assert(
      fc.property(plainPattern, anyText, (source, text) => {
        expect(earliestEnd(source, text)).toBe(nativeEnd(source, text));
      }),
      RUNS,
    );
  });

  test('is the one that the native engine finds, for patterns with ^, $ and \\b', () => {
    fc.assert(
      fc.property(assertingPattern, anyText, (source, text) => {
        expect(earliestEnd(source, text)).toBe(nativeEnd(source, text));
      }),
      RUNS,
    );
  });

  test('is the one that the native engine finds, for patterns with \\B on ASCII text', () => {
    fc.assert(
      fc.property(asciiPattern, asciiText, (source, text) => {
        expect(earliestEnd(source, text)).toBe(nativeEnd(source, text));
      }),
      RUNS,
    );
  });

  test.each([
    ['a+', 'baaa', 2],
    ['a+?', 'baaa', 2],
    ['abc|b', 'abc', 2],
    ['ITS[\\s\\S]*DDT', 'ITS.1651.\nDDT.1547.', 13],
    ['(?s)ITS.*DDT', 'ITS.1651.\nDDT.1547.', 13],
    ['ITS.*DDT', 'ITS.1651.\nDDT.1547.', undefined],
    ['login:|password:', 'Password: no\npassword:', 22],
    ['(?i)login:|password:', 'Password: no', 9],
  ])('%s in %j is %s', (source, text, end) => {
    expect(earliestEnd(source, text)).toBe(end);
  });
});

describe('assertions', () => {
  test('$ is decided by the line end behind it, and the match ends before that', () => {
    const matcher = new Matcher(compiled('foo$'));
    expect(matcher.push('a foo')).toBeUndefined();
    expect(matcher.push('\nbar')).toBe(0);
    expect(new Matcher(compiled('foo$')).push('foo\n')).toBe(3);
    expect(new Matcher(compiled('foo$')).push('food\n')).toBeUndefined();
  });

  test('$ holds at silence, which changes nothing', () => {
    const matcher = new Matcher(compiled('^\\*$'));
    expect(matcher.push('*')).toBeUndefined();
    expect(matcher.matchesAtSilence()).toBe(true);
    expect(matcher.push('x\n*')).toBeUndefined();
    expect(matcher.matchesAtSilence()).toBe(true);
    expect(matcher.push('\n')).toBe(0);
  });

  test('\\b waits for the next character or silence', () => {
    const matcher = new Matcher(compiled('\\bfoo\\b'));
    expect(matcher.push('food foo')).toBeUndefined();
    expect(matcher.matchesAtSilence()).toBe(true);
    expect(matcher.push('.')).toBe(0);
  });

  test('a match that needs nothing more is reported with its last character', () => {
    expect(new Matcher(compiled('^foo|bar$')).push('foo')).toBe(3);
  });

  test.each([
    ['^foo', true, 3],
    ['^foo', false, undefined],
    ['\\Afoo', false, 3],
    ['(?-m)^foo', false, 3],
    ['\\bfoo', false, 3],
  ])('%s at the start, at a line start %s: %s', (source, atLineStart, end) => {
    expect(new Matcher(compiled(source), { atLineStart }).push('foo')).toBe(end);
  });

  test.each(['foo\\z', 'foo\\Z', '(?-m)foo$'])('%s holds at silence only', (source) => {
    const matcher = new Matcher(compiled(source));
    expect(matcher.push('foo\n')).toBeUndefined();
    expect(matcher.matchesAtSilence()).toBe(false);
    expect(matcher.push('foo')).toBeUndefined();
    expect(matcher.matchesAtSilence()).toBe(true);
  });

  test.each([
    ['^$', 'a\n\nb', 2],
    ['$^', 'a\n\nb', 2],
    ['$\\n^b', 'a\nb', 3],
    ['a\\b$\\n', 'a\n', 2],
    ['a$^', 'a\n', undefined],
  ])('%s in %j ends at %s: assertions can follow each other', (source, text, end) => {
    expect(new Matcher(compiled(source)).push(text)).toBe(end);
  });

  test('a pattern that matches nothing matches at the first push and at silence', () => {
    for (const source of ['', 'a*', '(?:)', 'x|', '^']) {
      expect(new Matcher(compiled(source)).matchesAtSilence()).toBe(true);
      expect(new Matcher(compiled(source)).push('')).toBe(0);
      expect(new Matcher(compiled(source)).push('b')).toBe(0);
    }
  });
});

describe('I3 chunk independence', () => {
  test('I3 X03 · a match across the border of chunks is always found, for every split into two and into single units', () => {
    fc.assert(
      fc.property(assertingPattern, brokenText, (source, text) => {
        const pattern = compiled(source);
        const whole = streamedEnd(new Matcher(pattern), [text]);
        for (let at = 0; at <= text.length; at += 1) {
          expect(streamedEnd(new Matcher(pattern), [text.slice(0, at), text.slice(at)])).toBe(whole);
        }
        expect(streamedEnd(new Matcher(pattern), text.split(''))).toBe(whole);
      }),
      { numRuns: 1000 },
    );
  });

  test('I3 X03 · asking at silence between chunks changes no result', () => {
    fc.assert(
      fc.property(asciiPattern, asciiText, (source, text) => {
        const matcher = new Matcher(compiled(source));
        let end: number | undefined;
        for (let at = 0; at <= text.length && end === undefined; at += 1) {
          matcher.matchesAtSilence();
          const found = matcher.push(text.charAt(at));
          end = found === undefined ? undefined : at + found;
        }
        expect(end).toBe(new Matcher(compiled(source)).push(text));
      }),
      RUNS,
    );
  });

  test('I3 · a snapshot taken at any place goes on as if nothing had been', () => {
    fc.assert(
      fc.property(assertingPattern, brokenText, (source, text) => {
        const pattern = compiled(source);
        const whole = streamedEnd(new Matcher(pattern), [text]);
        for (let at = 0; at <= text.length; at += 1) {
          const before = new Matcher(pattern);
          if (before.push(text.slice(0, at)) !== undefined) break;
          const snapshot: MatcherSnapshot = JSON.parse(JSON.stringify(before.snapshot()));
          const after = new Matcher(compiled(source), { snapshot });
          expect(after.snapshot()).toEqual(snapshot);
          const end = streamedEnd(after, [text.slice(at)]);
          expect(end === undefined ? undefined : at + end).toBe(whole);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe('snapshots', () => {
  test('are small', () => {
    const matcher = new Matcher(compiled('[ab]{1000}[bc]{490}d'));
    matcher.push(noise('abc', 5000));
    expect(JSON.stringify(matcher.snapshot()).length).toBeLessThan(2048);
  });

  test('of another pattern or version are refused', () => {
    const snapshot = new Matcher(compiled('a{100}')).snapshot();
    expect(() => new Matcher(compiled('a'), { snapshot })).toThrow(RangeError);
    const newer = { ...snapshot, version: snapshot.version + 1 };
    expect(() => new Matcher(compiled('a{100}'), { snapshot: newer })).toThrow(RangeError);
  });

  test('a matcher that has matched takes no more text', () => {
    const matcher = new Matcher(compiled('a'));
    matcher.push('a');
    expect(() => matcher.push('a')).toThrow('has matched');
  });
});

describe('characters', () => {
  test.each([
    ['^.$', '😀', true],
    ['^..$', '😀', false],
    ['^[😀]$', '😀', true],
    ['^[^😀]$', '😁', true],
    ['^\\x{1F600}{2}$', '😀😀', true],
    ['\\ude00', '😀', false],
    ['\\ud83d', '😀', false],
  ])('%s on %s at silence: %s', (source, text, isMatch) => {
    for (const chunks of [[text], text.split('')]) {
      expect(streamedEnd(new Matcher(compiled(source)), chunks) !== undefined).toBe(isMatch);
    }
  });

  test('a match that ended before a pair that the chunks cut has a negative end', () => {
    const matcher = new Matcher(compiled('foo\\b'));
    expect(matcher.push('foo\ud83d')).toBeUndefined();
    expect(matcher.matchesAtSilence()).toBe(true);
    expect(matcher.push('\ude00')).toBe(-1);
  });
});

describe('X02 hostile patterns', () => {
  const chunk = 65_536;
  const lines = 'ITS.1651. TTY 21\n21. Lusers, Fair Share = 32%\n'.repeat(1500);

  test.each([
    ['(a+)+$', 'a'.repeat(chunk), 'b'],
    ['(a|a)*b', 'a'.repeat(chunk), ''],
    ['(.*)(.*)(.*)x', lines, ''],
    ['\\w+\\* $', lines, ''],
    ['.*ITS.*DDT', lines, ''],
    ['ITS[\\s\\S]*DDT', lines, ''],
    ['((a*)*)*b', 'a'.repeat(chunk), ''],
    ['(a?){1000}b', 'a'.repeat(chunk), ''],
    ['x{1000}y', 'x'.repeat(chunk), ''],
    ['(a|b)*a(a|b){20}c', noise('ab', chunk), ''],
    ['a[ab]{0,1000}c', noise('ab', chunk), ''],
  ])('X01 X02 · %s reads each character once', (source, text, last) => {
    const matcher = new Matcher(compiled(source));
    for (let i = 0; i < 8; i += 1) expect(matcher.push(text)).toBeUndefined();
    expect(matcher.push(last)).toBeUndefined();
  });

  test('X02 · what would take too long is refused before it runs', () => {
    for (const source of [
      '(x{1000}){1000}',
      '((((a{10}){10}){10}){10}){10}',
      '(?:ab|c){1000}',
      '(a?b?c?){300}',
    ]) {
      expect(compilePattern(source)).toMatchObject({
        kind: 'invalid',
        message: expect.stringContaining('too large'),
      });
    }
  });
});
