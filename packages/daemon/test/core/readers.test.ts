import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_IDLE_READERS, Readers } from '../../src/core/readers.ts';
import { thawed } from './bytes.ts';

describe('claiming', () => {
  test('a new reader starts at the end', () => {
    const readers = new Readers();
    expect([readers.claim('a', 100), readers.cursor('a'), readers.committed('a')]).toEqual(['a', 100, 100]);
  });

  test('a second live claimant gets NAME#2 at what NAME has committed', () => {
    const readers = new Readers();
    readers.claim('a', 100);
    readers.hand('a', 150);
    readers.commit('a', 120);
    readers.hand('a', 180);
    expect([readers.claim('a', 200), readers.cursor('a#2')]).toEqual(['a#2', 120]);
    expect(readers.claim('a', 200)).toBe('a#3');
  });

  test('a newcomer takes the lowest free name, where its last owner was', () => {
    const readers = new Readers();
    for (let n = 0; n < 3; n += 1) readers.claim('a', 10);
    readers.hand('a#2', 30);
    readers.commit('a#2', 20);
    readers.release('a#2');
    expect([readers.claim('a', 50), readers.cursor('a#2')]).toEqual(['a#2', 20]);
    readers.release('a');
    expect(readers.claim('a', 50)).toBe('a');
  });

  test('I5 · what was handed out and not committed is handed out again to the next owner', () => {
    const readers = new Readers();
    readers.claim('a', 0);
    readers.hand('a', 50);
    readers.commit('a', 20);
    readers.hand('a', 90);
    readers.release('a');
    readers.claim('a', 100);
    expect([readers.cursor('a'), readers.committed('a')]).toEqual([20, 20]);
  });

  test('a place without a name ends with its connection', () => {
    const readers = new Readers();
    readers.claimPrivate('c1', 7);
    expect(readers.cursor('c1')).toBe(7);
    readers.release('c1');
    expect(readers.cursor('c1')).toBeUndefined();
  });

  test('a reader whose place is behind the end begins at the end', () => {
    const readers = new Readers();
    readers.claim('a', 100);
    readers.release('a');
    readers.claim('a', 40);
    expect(readers.cursor('a')).toBe(40);
  });
});

describe('committing', () => {
  test('I5 · it never moves back and never beyond what was handed out', () => {
    const readers = new Readers();
    readers.claim('a', 0);
    readers.hand('a', 50);
    const committed = [60, 30, 50, 10].map((end) => {
      readers.commit('a', end);
      return readers.committed('a');
    });
    expect(committed).toEqual([50, 50, 50, 50]);
  });

  test('what was handed out does not depend on the order of the answers', () => {
    const readers = new Readers();
    readers.claim('a', 0);
    readers.hand('a', 50);
    readers.hand('a', 20);
    expect(readers.cursor('a')).toBe(50);
  });

  test('readers that are not there are left alone', () => {
    const readers = new Readers();
    readers.hand('a', 5);
    readers.commit('a', 5);
    readers.release('a');
    expect(readers.snapshot()).toEqual({ places: [] });
  });
});

test('I5 · readers cannot affect each other', () => {
  const step = fc.tuple(
    fc.constantFrom('claim', 'release', 'hand', 'commit'),
    fc.constantFrom('a', 'b'),
    fc.nat({ max: 100 }),
  );
  const apply = (readers: Readers, [kind, name, at]: [string, string, number]) => {
    if (kind === 'claim' && readers.snapshot().places.every(([n, p]) => n !== name || !p.isLive))
      readers.claim(name, 100);
    else if (kind === 'release') readers.release(name);
    else if (kind === 'hand') readers.hand(name, at);
    else if (kind === 'commit') readers.commit(name, at);
  };
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let both = new Readers();
      const alone = new Readers();
      for (const one of steps) {
        apply(both, one);
        if (one[1] === 'a') apply(alone, one);
        both = new Readers(thawed(both.snapshot()));
      }
      expect([both.cursor('a'), both.committed('a')]).toEqual([alone.cursor('a'), alone.committed('a')]);
    }),
  );
});

test(`I6 · ${MAX_IDLE_READERS} idle readers are remembered; at one more the longest unused is forgotten`, () => {
  const readers = new Readers();
  const begin = (n: number) => {
    readers.claim(`r${n}`, n);
    readers.release(`r${n}`);
  };
  readers.claim('live', 1);
  for (let n = 0; n < MAX_IDLE_READERS; n += 1) begin(n);
  expect(readers.cursor('r0')).toBe(0);
  begin(0); // used again
  begin(MAX_IDLE_READERS);
  expect([readers.cursor('r0'), readers.cursor('r1'), readers.cursor('r2'), readers.cursor('live')]).toEqual([
    0,
    undefined,
    2,
    1,
  ]);
  expect(readers.snapshot().places.length).toBe(MAX_IDLE_READERS + 1);
});
