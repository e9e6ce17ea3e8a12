import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { toCount, toVisible, toVisibleLine } from '../src/visibleText.ts';

describe('what a terminal sends', () => {
  it.each([
    [
      'plain text, tabs and newlines stay',
      'a\tb\nc ~ \u00e9 \u20ac \u{1f600}',
      'a\tb\nc ~ \u00e9 \u20ac \u{1f600}',
    ],
    [
      'control characters become their pictures',
      '\x00\x07\x1b[2J\r\x7f',
      '\u2400\u2407\u241b[2J\u240d\u2421',
    ],
    ['C1 controls become numbers', '\x9b31m', '\\u{9b}31m'],
    ['half characters become U+FFFD', 'a\ud800b\udc00c', 'a\ufffdb\ufffdc'],
    ['characters that turn the writing direction show', 'a\u202eb\u2066c', 'a\\u{202e}b\\u{2066}c'],
    ['characters without width show', 'a\u200bb\ufeffc\u00add', 'a\\u{200b}b\\u{feff}c\\u{ad}d'],
    ['tags and selectors that hide text show', '\u{e0041}\ufe0f', '\\u{e0041}\\u{fe0f}'],
    ['line separators of Unicode show', 'a\u2028b\u2029', 'a\\u{2028}b\\u{2029}'],
  ])('%s', (_what, text, visible) => {
    expect(toVisible(text)).toBe(visible);
  });

  it('A02 · is well-formed and without hidden characters whatever comes, and showing it twice changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (text, more) => {
        const visible = toVisible(`${text}\ud800${more}`);
        expect(visible).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}]/u);
        expect(toVisible(visible)).toBe(visible);
      }),
    );
  });
});

test('a quoted sentence is one line of limited length, and is never cut into half a character', () => {
  expect(toVisibleLine(' a\r\n b\x07 ', 20)).toBe('a b\u2407');
  expect(toVisibleLine('x'.repeat(10), 10)).toBe('x'.repeat(10));
  expect(toVisibleLine('x'.repeat(11), 10)).toBe(`${'x'.repeat(9)}\u2026`);
  expect(toVisibleLine(`${'x'.repeat(8)}\u{1f600}xx`, 10)).toBe(`${'x'.repeat(8)}\ufffd\u2026`);
});

test('numbers have their thousands apart', () => {
  expect([0, 999, 1_000, 38_000, 1_234_567].map(toCount)).toEqual([
    '0',
    '999',
    '1,000',
    '38,000',
    '1,234,567',
  ]);
});
