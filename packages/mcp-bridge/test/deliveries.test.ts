import { describe, expect, it } from 'vitest';
import { Deliveries, MAX_KEPT_CHARS, MAX_KEPT_PLACES, MAX_KEPT_WORDS } from '../src/deliveries.ts';
import { slice } from './support/answers.ts';

function rig() {
  const deliveries = new Deliveries();
  const commits: number[] = [];
  const prepare = (id: string | number, end: number, signal = new AbortController().signal) =>
    deliveries.prepare({ id, signal, slices: [slice(end - 3, 'abc')], commit: () => commits.push(end) });
  return { deliveries, commits, prepare };
}

describe('I5 · output on its way', () => {
  it('is committed when its answer was written, and not before', () => {
    const { deliveries, commits, prepare } = rig();
    prepare(0, 10);
    const written = deliveries.trySend(0, true);
    expect(commits).toEqual([]);
    written?.();
    expect(commits).toEqual([10]);
    expect(deliveries.trySend(0, true)).toBeUndefined();
    expect(deliveries.takeUndelivered()).toEqual([]);
  });

  it('belongs to its own request; answers without output are nobody', () => {
    const { deliveries, commits, prepare } = rig();
    prepare('a', 10);
    prepare('b', 20);
    expect(deliveries.trySend('c', true)).toBeUndefined();
    deliveries.trySend('b', true)?.();
    deliveries.trySend('a', true)?.();
    expect(commits).toEqual([20, 10]);
  });

  it('is kept when the call was cancelled, before or after the answer was made, and leads the next one in order', () => {
    const { deliveries, commits, prepare } = rig();
    const after = new AbortController();
    prepare('after', 23, after.signal);
    prepare('before', 13, AbortSignal.abort());
    after.abort();
    expect(deliveries.trySend('after', true)).toBeUndefined();
    expect(deliveries.takeUndelivered().map(({ start, end }) => [start, end])).toEqual([
      [10, 13],
      [20, 23],
    ]);
    expect(deliveries.takeUndelivered()).toEqual([]);
    expect(commits).toEqual([]);
  });

  it('is kept when an error was written in its place', () => {
    const { deliveries, prepare } = rig();
    prepare(1, 10);
    expect(deliveries.trySend(1, false)).toBeUndefined();
    expect(deliveries.takeUndelivered()).toHaveLength(1);
  });

  it('a cancel that comes after the writing changes nothing', () => {
    const { deliveries, commits, prepare } = rig();
    const late = new AbortController();
    prepare(1, 10, late.signal);
    const written = deliveries.trySend(1, true);
    late.abort();
    written?.();
    expect(commits).toEqual([10]);
    expect(deliveries.takeUndelivered()).toEqual([]);
  });

  it('is forgotten with its connection: the daemon gives it to the next one', () => {
    const { deliveries, prepare } = rig();
    prepare(1, 10, AbortSignal.abort());
    deliveries.forget();
    expect(deliveries.takeUndelivered()).toEqual([]);
  });

  it('I6 · keeps a limited number of characters: of the oldest only the offsets', () => {
    const { deliveries } = rig();
    const keep = (start: number, chars: number) =>
      deliveries.prepare({
        id: start,
        signal: AbortSignal.abort(),
        slices: [slice(start, 'x'.repeat(chars)), slice(start + chars, '')],
        commit: () => {},
      });
    keep(0, MAX_KEPT_CHARS - 10);
    keep(100_000, 10);
    const all = deliveries.takeUndelivered();
    expect(all.map(({ text }) => text.length)).toEqual([MAX_KEPT_CHARS - 10, 10]);
    keep(0, MAX_KEPT_CHARS - 10);
    keep(100_000, 11);
    const cut = deliveries.takeUndelivered();
    expect(cut.map(({ start, end, text, truncated }) => [start, end, text.length, truncated])).toEqual([
      [0, MAX_KEPT_CHARS - 10, 0, true],
      [100_000, 100_011, 11, false],
    ]);
  });
});

describe('what other clients said', () => {
  const say = (deliveries: Deliveries, words: readonly string[], signal: AbortSignal) =>
    deliveries.prepare({ id: 1, signal, slices: [], words, commit: () => {} });

  it('comes with the next answer when this one was dropped, also over a new connection, and once', () => {
    const { deliveries } = rig();
    say(deliveries, ['a', 'b'], AbortSignal.abort());
    say(deliveries, ['c'], new AbortController().signal);
    deliveries.trySend(1, false);
    deliveries.forget();
    expect(deliveries.takeWords()).toEqual(['a', 'b', 'c']);
    expect(deliveries.takeWords()).toEqual([]);
    say(deliveries, ['d'], new AbortController().signal);
    deliveries.trySend(1, true);
    expect(deliveries.takeWords()).toEqual([]);
  });

  it('is limited to the newest lines', () => {
    const { deliveries } = rig();
    const lines = Array.from({ length: MAX_KEPT_WORDS }, (_, i) => `${i}`);
    say(deliveries, lines, AbortSignal.abort());
    say(deliveries, ['last'], AbortSignal.abort());
    expect(deliveries.takeWords()).toEqual([...lines.slice(1), 'last']);
  });
});

describe('I5 · output of several streams', () => {
  const keep = (deliveries: Deliveries, place: string | undefined, start: number, text = 'abc') =>
    deliveries.prepare({
      id: start,
      signal: AbortSignal.abort(),
      place,
      slices: [slice(start, text)],
      commit: () => {},
    });

  it('is kept apart: the line is not given what a program printed', () => {
    const deliveries = new Deliveries();
    keep(deliveries, 'session/s1/out', 0);
    keep(deliveries, undefined, 100);
    keep(deliveries, 'session/s1/err', 7);
    expect(deliveries.takeUndelivered().map(({ start }) => start)).toEqual([100]);
    expect(deliveries.takeUndelivered('session/s1/out').map(({ start }) => start)).toEqual([0]);
    expect(deliveries.takeUndelivered('session/s1/out')).toEqual([]);
    deliveries.forget();
    expect(deliveries.takeUndelivered('session/s1/err')).toEqual([]);
  });

  it('is kept as text of so many streams; of one more, the oldest keeps its offsets only', () => {
    const deliveries = new Deliveries();
    for (let place = 0; place < MAX_KEPT_PLACES; place += 1) keep(deliveries, `p${place}`, 0);
    expect(deliveries.takeUndelivered('p0')).toMatchObject([{ text: 'abc', truncated: false }]);
    keep(deliveries, 'p0', 0);
    keep(deliveries, 'one more', 0);
    expect(deliveries.takeUndelivered('p1')).toMatchObject([{ start: 0, end: 3, text: '', truncated: true }]);
    expect(deliveries.takeUndelivered('p2')).toMatchObject([{ text: 'abc' }]);
  });
});
