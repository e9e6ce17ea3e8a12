import { expect, test } from 'vitest';
import { BUFFER_CHARS, OverflowWatch } from '../../../src/core/pacing/overflowWatch.ts';

test(`a BEL with ${BUFFER_CHARS} characters unproved is no loss for certain, with one more it is, of the last one`, () => {
  const watch = new OverflowWatch();
  watch.wrote('a', BUFFER_CHARS);
  watch.ring(false, 0);
  expect(watch.take()).toBeUndefined();
  watch.wrote('a', 1);
  watch.ring(false, 0);
  expect(watch.take()).toEqual({ id: 'a', offset: BUFFER_CHARS, sent: BUFFER_CHARS + 1 });
});

test('what was carried over from an earlier send fills the buffer too', () => {
  const watch = new OverflowWatch();
  watch.wrote('a', 40);
  watch.proved(30);
  watch.wrote('b', 60);
  watch.ring(false, 0);
  expect(watch.take()).toEqual({ id: 'b', offset: BUFFER_CHARS - 30, sent: 60 });
});

test('where nothing else would tell, every BEL counts, from what was proved on', () => {
  const watch = new OverflowWatch();
  watch.wrote('a', 40);
  watch.proved(30);
  watch.ring(true, 0);
  expect(watch.take()).toEqual({ id: 'a', offset: 10, sent: 40 });
});

test('a BEL and then echo with a gap is a loss, told once; a gap or a BEL alone is none', () => {
  const watch = new OverflowWatch();
  watch.wrote('a', 40);
  watch.skip(1);
  expect(watch.take()).toBeUndefined();
  watch.proved(30);
  watch.ring(false, 0);
  expect(watch.take()).toBeUndefined();
  watch.proved(20);
  watch.skip(1);
  expect(watch.take()).toEqual({ id: 'a', offset: 10, sent: 40 });
  watch.ring(true, 0);
  expect(watch.take()).toBeUndefined();
});

test('when all is proved read a BEL was no loss', () => {
  const watch = new OverflowWatch();
  watch.wrote('a', 40);
  watch.ring(false, 0);
  watch.proved(0);
  watch.wrote('a', 10);
  watch.skip(1);
  expect(watch.take()).toBeUndefined();
});

test('the offset counts from the beginning of the send, however much of it was proved on the way', () => {
  const watch = new OverflowWatch();
  watch.wrote('a', 4_000);
  watch.proved(0);
  watch.wrote('a', BUFFER_CHARS + 5);
  watch.ring(false, 0);
  expect(watch.take()).toEqual({ id: 'a', offset: 4_000 + BUFFER_CHARS, sent: 4_000 + BUFFER_CHARS + 5 });
});

test('I3 · a gap at the moment of the BEL is none: which of them came first nobody can tell', () => {
  const watch = new OverflowWatch();
  watch.wrote('a', 40);
  watch.ring(false, 5);
  watch.skip(5);
  expect(watch.take()).toBeUndefined();
  watch.skip(6);
  expect(watch.take()).toEqual({ id: 'a', offset: 0, sent: 40 });
});
