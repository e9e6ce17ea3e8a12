import { expect, test } from 'vitest';
import { classesOf, classOf, createAlphabet } from '../../../src/core/pattern/alphabet.ts';
import { Context } from '../../../src/core/pattern/context.ts';

test('characters that no set tells apart share a class; words and line feeds never do', () => {
  const alphabet = createAlphabet([[0x61, 0x63], [0x62, 0x62], [0x4e00, 0x9fff], []]);
  const classes = (text: string) => Array.from(text, (char) => classOf(alphabet, char.codePointAt(0) ?? 0));
  const [a, b, c, d, dot, feed, high, low, wide] = classes('abcd.\n一鿿😀');
  expect(c).toBe(a);
  expect(wide).toBe(dot);
  expect(low).toBe(high);
  expect(new Set([a, b, d, dot, feed, high]).size).toBe(alphabet.classCount);
  expect(classesOf(alphabet, [0x61, 0x63])).toEqual(new Set([a, b]));
  const contexts = [a, dot, feed, high].map((classId) => alphabet.contexts[classId ?? 0]);
  expect(contexts).toEqual([Context.word, Context.other, Context.newline, Context.other]);
});
