import { expect, test } from 'vitest';
import { classOf } from '../../../src/core/pattern/alphabet.ts';
import { Context } from '../../../src/core/pattern/context.ts';
import { LazyDfa, MAX_CACHE_BYTES, MAX_CACHED_STATES } from '../../../src/core/pattern/dfa.ts';
import { Simulation } from '../../../src/core/pattern/simulation.ts';
import { compiled, noise } from './samples.ts';

/** Steps both over the text and compares sets from time to time; they may never differ. */
function compare(source: string, text: string): LazyDfa {
  const { forward } = compiled(source);
  const dfa = new LazyDfa(forward, Context.edge);
  const simulation = new Simulation(forward);
  simulation.start(Context.edge);
  let at = 0;
  for (let i = 0; i < text.length; i += 1) {
    if (i >= at) at = dfa.run(text, i);
    const classId = classOf(forward.alphabet, text.charCodeAt(i));
    if (i >= at) dfa.step(classId);
    const outcome = simulation.step(classId);
    const isEqual = i < at || i % 97 !== 0 || dfa.save().set.every((word, w) => word === simulation.set[w]);
    if (outcome !== 'none' || !isEqual) throw new Error(`${source} differs at ${i}`);
  }
  expect(dfa.save().set).toEqual(simulation.set);
  return dfa;
}

test('I6 · a cache that fills up at once is left and tried again, with the same sets', () => {
  const dfa = compare('(a|b)*a(a|b){20}c', noise('ab', 200_000));
  expect(dfa.cacheBytes).toBeLessThanOrEqual(MAX_CACHE_BYTES);
});

test('I6 · a cache that fills up slowly is emptied and goes on', () => {
  const text = Array.from({ length: 4000 }, (_, i) => `${'x'.repeat(40)}${noise('ab', 14, i + 1)}`).join('');
  const dfa = compare('a[ab]{11}c', text);
  expect(dfa.cacheBytes).toBeLessThanOrEqual(MAX_CACHE_BYTES);
});

test('I6 · a wide alphabet means fewer states, not more bytes', () => {
  const letters = Array.from({ length: 450 }, (_, i) => String.fromCharCode(0x4e00 + 2 * i));
  const dfa = compare(
    `(?:${letters.join('|')})[ab]{0,50}#|(?:${letters.slice(0, 20).join('')})!`,
    noise('ab', 10),
  );
  expect(dfa.cacheBytes).toBeLessThanOrEqual(MAX_CACHE_BYTES);
  const distinct = letters.slice(0, 300).join('');
  const wide = compare(`${distinct}|[ab]{20}a[ab]{15}c`, noise('ab', 30_000) + noise(distinct, 5000));
  expect(wide.cacheBytes).toBeLessThanOrEqual(MAX_CACHE_BYTES);
});

test('a counted repeat to 1000 fits into the cache', () => {
  expect(MAX_CACHED_STATES).toBe(1024);
  compare('x{1000}y', `${'x'.repeat(3000)} ${'x'.repeat(3000)}`);
});

test('a small pattern takes little memory', () => {
  expect(compare('foo$', 'bar\n'.repeat(1000)).cacheBytes).toBeLessThan(2048);
});
