import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CharSet, complement, createCaseFolder, toCharSet } from '../../../src/core/pattern/charSet.ts';

function has(set: CharSet, code: number): boolean {
  return set.some((first, i) => i % 2 === 0 && first <= code && code <= (set[i + 1] ?? 0));
}

test('sets are sorted, disjoint and never adjacent, and a complement holds the rest', () => {
  const ranges = fc.array(fc.tuple(fc.nat(60), fc.nat(8)).map(([first, more]) => [first, first + more]));
  fc.assert(
    fc.property(ranges, (pairs) => {
      const set = toCharSet(pairs.flat());
      const misplaced = set.filter((code, i) => i > 0 && code <= (set[i - 1] ?? 0) + (i % 2 === 0 ? 1 : -1));
      expect(misplaced).toEqual([]);
      const rest = complement(set);
      for (let code = 0; code < 80; code += 1) {
        const isIn = pairs.some(([first = 0, last = 0]) => first <= code && code <= last);
        expect([has(set, code), has(rest, code)]).toEqual([isIn, !isIn]);
      }
      expect(complement(rest)).toEqual(set);
    }),
  );
});

test('case folding pairs letters as the native engine does, up to the end of Cyrillic', () => {
  const fold = createCaseFolder();
  const all = Array.from({ length: 0x530 }, (_, code) => String.fromCharCode(code)).join('');
  for (let code = 0; code < 0x530; code += 1) {
    const hex = code.toString(16).padStart(4, '0');
    const native = [...all.matchAll(new RegExp(`\\u${hex}`, 'giu'))].map((found) => found.index);
    const folded = fold([code, code]).filter((_, i) => i % 2 === 0);
    expect(all.length).toBe(0x530);
    expect(native.filter((other) => !has(fold([code, code]), other))).toEqual([]);
    expect(folded.length).toBeLessThanOrEqual(native.length);
  }
});
