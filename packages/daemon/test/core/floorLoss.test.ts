/** How the floor comes back: given up, or its holder gone. */
import { describe, expect, test } from 'vitest';
import { CALL_LEASE_MS, Floor } from '../../src/core/floor.ts';
import { ask, asked, call, done, told } from './floorWords.ts';

describe('giving it back', () => {
  test('free at once, or the next one’s', () => {
    const floor = new Floor();
    ask(floor, asked('a', '1'), 0);
    expect([floor.release('b', undefined, 1), floor.release('a', 7, 1)]).toEqual([false, false]);
    expect([floor.release('a', 1, 1), told(floor.tick(1))]).toEqual([true, ['released: a > -']]);
    ask(floor, asked('a', '2'), 2);
    ask(floor, call('b', '3'), 2);
    expect([floor.release('a', undefined, 3), told(floor.tick(3))]).toEqual([
      true,
      ['released: a > b', '3 granted 3'],
    ]);
  });

  test('what its calls are doing they finish first', () => {
    const floor = new Floor();
    ask(floor, asked('a', '1'), 0);
    ask(floor, call('a', '2'), 0);
    ask(floor, call('b', '3'), 0);
    expect([floor.release('a', 1, 1), told(floor.tick(1))]).toEqual([true, []]);
    expect(floor.isCurrent(1)).toBe(true);
    expect(done(floor, 1, 2)).toEqual(['released: a > b', '3 granted 2']);
  });
});

describe('a connection that is gone', () => {
  test('what it asked for by name lasts until the lease ends, and is its own when it comes back', () => {
    const floor = new Floor();
    ask(floor, asked('a', '1'), 0);
    expect([floor.leave('a', true, 1), floor.tick(1)]).toEqual([[], []]);
    expect(ask(floor, call('a', '2', { token: 1 }), 2)).toEqual(['2 granted 1']);
    expect(done(floor, 1, 3)).toEqual([]);
    expect(told(floor.tick(60_003))).toEqual(['expired: a > -']);
  });

  test('without a name it goes at once; so does the lease of a call', () => {
    for (const [mode, isNamed] of [
      ['asked', false],
      ['call', true],
      ['call', false],
    ] as const) {
      const floor = new Floor();
      ask(floor, call('a', '1', { mode }), 0);
      if (mode === 'call') done(floor, 1, 0);
      ask(floor, call('b', '2'), 0);
      floor.leave('a', isNamed, 1);
      expect(told(floor.tick(1))).toEqual(['left: a > b', '2 granted 2']);
    }
  });

  test('calls that clean up behind it finish first, with the token that they have', () => {
    const floor = new Floor();
    ask(floor, call('a', '1'), 0);
    ask(floor, call('b', '2'), 0);
    floor.leave('a', false, 1);
    expect([told(floor.tick(1)), floor.isCurrent(1)]).toEqual([[], true]);
    expect(done(floor, 1, 300)).toEqual(['left: a > b', '2 granted 2']);
  });

  test('I9 · its places in the queue are answered', () => {
    const floor = new Floor();
    ask(floor, call('a', '1'), 0);
    ask(floor, call('b', '2'), 0);
    ask(floor, call('c', '3'), 0);
    expect(told(floor.leave('b', true, 1))).toEqual(['2 cancelled']);
    expect(floor.waiting).toBe(1);
  });

  test('whoever comes back under the name before its last call is over, keeps it', () => {
    const floor = new Floor();
    ask(floor, call('a', '1'), 0);
    floor.leave('a', true, 1);
    expect(ask(floor, call('a', '2'), 2)).toEqual(['2 granted 1']);
    expect(done(floor, 1, 3)).toEqual([]);
    expect(done(floor, 1, 4)).toEqual([]);
    expect(told(floor.tick(4 + CALL_LEASE_MS))).toEqual(['expired: a > -']);
  });
});
