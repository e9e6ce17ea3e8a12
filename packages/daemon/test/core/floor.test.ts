import { describe, expect, test } from 'vitest';
import {
  CALL_LEASE_MS,
  Floor,
  MAX_DIALOGUE_MS,
  MAX_FLOOR_MESSAGES,
  MAX_FLOOR_QUEUE,
} from '../../src/core/floor.ts';
import { ask, asked, call, done, told } from './floorWords.ts';

const author = (reader: string) => ({ client: reader.toUpperCase(), reader });

describe('one holder', () => {
  test('whoever comes first has it; the next ones queue and get it in the order in which they came', () => {
    const floor = new Floor();
    expect(ask(floor, call('a', '1'), 0)).toEqual(['taken: - > a', '1 granted 1']);
    expect(ask(floor, call('b', '2'), 1)).toEqual([]);
    expect(ask(floor, call('c', '3'), 2)).toEqual([]);
    expect([floor.waiting, floor.holder?.author.reader]).toEqual([2, 'a']);
    expect(done(floor, 1, 10)).toEqual([]);
    expect(told(floor.tick(9 + CALL_LEASE_MS))).toEqual([]);
    expect(told(floor.tick(10 + CALL_LEASE_MS))).toEqual(['expired: a > b', '2 granted 2']);
    expect(done(floor, 2, 6_000)).toEqual([]);
    expect(told(floor.tick(11_000))).toEqual(['expired: b > c', '3 granted 3']);
    expect(done(floor, 3, 12_000)).toEqual([]);
    expect(told(floor.tick(17_000))).toEqual(['expired: c > -']);
    expect(floor.deadlineMs()).toBeUndefined();
  });

  test("the holder's next call goes at once, with the same token, and its lease begins anew behind it", () => {
    const floor = new Floor();
    ask(floor, call('a', '1'), 0);
    ask(floor, call('b', '2'), 0);
    done(floor, 1, 100);
    expect(ask(floor, call('a', '3'), 200)).toEqual(['3 granted 1']);
    expect(told(floor.tick(20_000))).toEqual([]);
    expect(floor.holder).toMatchObject({ calls: 1, expiresMs: undefined });
    done(floor, 1, 1_000);
    expect(floor.holder?.expiresMs).toBe(1_000 + CALL_LEASE_MS);
  });

  test('whoever asked twice gets it for both', () => {
    const floor = new Floor();
    for (const [reader, id] of ['a1', 'b2', 'c3']) ask(floor, call(reader ?? '', id ?? ''), 0);
    expect(ask(floor, asked('b', '4'), 1)).toEqual([]);
    done(floor, 1, 2);
    expect(told(floor.tick(6_000))).toEqual(['expired: a > b', '2 granted 2', '4 granted 2']);
    expect(floor.holder).toMatchObject({ mode: 'asked', calls: 1 });
    expect(floor.waiting).toBe(1);
  });

  test('… also when he takes it by force while a call of his own waits', () => {
    const floor = new Floor();
    for (const [reader, id] of ['a1', 'b2', 'c3']) ask(floor, call(reader ?? '', id ?? ''), 0);
    const granted = ['forced: a > b', '4 granted 2', '2 granted 2'];
    expect(ask(floor, asked('b', '4', { isForced: true }), 1)).toEqual(granted);
    expect(floor.holder).toMatchObject({ mode: 'asked', calls: 1 });
    expect(floor.waiting).toBe(1);
  });

  test('I8 · a token of an earlier holding is refused, whoever shows it', () => {
    const floor = new Floor();
    ask(floor, call('a', '1'), 0);
    ask(floor, asked('b', '2', { isForced: true }), 1);
    expect(floor.isCurrent(1)).toBe(false);
    expect(ask(floor, call('a', '3', { token: 1 }), 2)).toEqual(['3 lost']);
    expect(ask(floor, call('a', '4', { token: 2 }), 2)).toEqual(['4 lost']);
    expect(ask(floor, call('b', '5', { token: 2 }), 2)).toEqual(['5 granted 2']);
    expect(ask(floor, call('b', '6', { token: 1 }), 2)).toEqual(['6 lost']);
    expect(floor.waiting).toBe(0);
  });

  test('a token is no use when its lease is over, and the floor is free', () => {
    const floor = new Floor();
    ask(floor, call('a', '1'), 0);
    done(floor, 1, 0);
    expect(told(floor.tick(CALL_LEASE_MS))).toEqual(['expired: a > -']);
    expect(ask(floor, call('a', '2', { token: 1 }), 6_000)).toEqual(['2 lost']);
  });

  test('a call that is over for a token of before changes nothing', () => {
    const floor = new Floor();
    ask(floor, call('a', '1'), 0);
    ask(floor, asked('b', '2', { isForced: true }), 1);
    ask(floor, call('b', '3'), 2);
    const before = floor.snapshot();
    floor.done(1, 3);
    floor.typed(1, 3);
    expect(floor.snapshot()).toEqual(before);
  });
});

describe('the queue', () => {
  test('waitMs 0 is answered at once, with who has it; also behind others that wait', () => {
    const floor = new Floor();
    ask(floor, call('a', '1'), 0);
    ask(floor, call('b', '2'), 0);
    expect(ask(floor, call('c', '3', { waitMs: 0 }), 5)).toEqual(['3 held by a']);
    expect(floor.waiting).toBe(1);
  });

  test('waitMs 0 at the very moment at which a lease ends gets the floor', () => {
    const floor = new Floor();
    ask(floor, call('a', '1'), 0);
    done(floor, 1, 0);
    expect(ask(floor, call('b', '2', { waitMs: 0 }), CALL_LEASE_MS)).toEqual([
      'expired: a > b',
      '2 granted 2',
    ]);
  });

  test('nobody waits longer than waitMs', () => {
    const floor = new Floor();
    ask(floor, call('a', '1'), 0);
    ask(floor, call('b', '2', { waitMs: 1_000 }), 500);
    expect(floor.deadlineMs()).toBe(1_500);
    expect(told(floor.tick(1_499.999))).toEqual([]);
    expect(told(floor.tick(1_500))).toEqual(['2 held by a']);
    expect(floor.deadlineMs()).toBeUndefined();
  });

  test(`I6 · ${MAX_FLOOR_QUEUE} calls queue, and one more is refused`, () => {
    const floor = new Floor();
    ask(floor, call('a', '0'), 0);
    for (let index = 1; index <= MAX_FLOOR_QUEUE; index += 1)
      expect(ask(floor, call(`r${index}`, `${index}`), 0)).toEqual([]);
    expect(ask(floor, call('z', 'z'), 0)).toEqual(['z full']);
    expect(floor.waiting).toBe(MAX_FLOOR_QUEUE);
  });

  test('a place that is given up is answered once, and the order of the others stays', () => {
    const floor = new Floor();
    for (const [reader, id] of ['a1', 'b2', 'c3', 'd4']) ask(floor, call(reader ?? '', id ?? ''), 0);
    expect(told(floor.cancel('3'))).toEqual(['3 cancelled']);
    expect(floor.cancel('3')).toEqual([]);
    done(floor, 1, 0);
    expect(told(floor.tick(5_000))).toEqual(['expired: a > b', '2 granted 2']);
  });

  test('a dialogue gets no lease any more when somebody has queued through so much of it', () => {
    const floor = new Floor();
    ask(floor, call('a', '1'), 0);
    ask(floor, call('b', '2', { waitMs: 60_000 }), 1);
    expect(done(floor, 1, MAX_DIALOGUE_MS)).toEqual([]);
    expect(ask(floor, call('a', '3'), MAX_DIALOGUE_MS)).toEqual(['3 granted 1']);
    expect(done(floor, 1, MAX_DIALOGUE_MS + 1)).toEqual(['expired: a > b', '2 granted 2']);
  });

  test('… but what was asked for lasts as long as its lease', () => {
    const floor = new Floor();
    ask(floor, asked('a', '1'), 0);
    ask(floor, call('b', '2', { waitMs: 600_000 }), 0);
    ask(floor, call('a', '3'), 40_000);
    expect(done(floor, 1, 50_000)).toEqual([]);
    expect(told(floor.tick(109_999))).toEqual([]);
    expect(told(floor.tick(110_000))).toEqual(['expired: a > b', '2 granted 2']);
  });
});

describe('leases', () => {
  test('typing begins the lease anew; a call with a shorter or longer one of its own changes nothing of it', () => {
    const floor = new Floor();
    ask(floor, asked('a', '1', { leaseMs: 1_000 }), 0);
    floor.typed(1, 500);
    expect(floor.deadlineMs()).toBe(1_500);
    ask(floor, call('a', '2'), 1_000);
    expect(floor.deadlineMs()).toBeUndefined();
    expect(done(floor, 1, 1_200)).toEqual([]);
    expect(floor.deadlineMs()).toBe(2_200);
    expect(told(floor.tick(2_200))).toEqual(['expired: a > -']);
  });

  test('asking once more changes the lease of what one has', () => {
    const floor = new Floor();
    ask(floor, call('a', '1'), 0);
    expect(ask(floor, asked('a', '2'), 1)).toEqual(['2 granted 1']);
    expect(done(floor, 1, 10)).toEqual([]);
    expect(floor.deadlineMs()).toBe(60_010);
  });

  test('I8 · nobody follows while input of the holder is still on its way', () => {
    const floor = new Floor();
    ask(floor, call('a', '1'), 0);
    ask(floor, call('b', '2', { waitMs: 600_000 }), 0);
    floor.done(1, 0);
    expect(told(floor.tick(100_000, true))).toEqual([]);
    expect(floor.deadlineMs(true)).toBe(600_000);
    expect(told(floor.tick(100_001))).toEqual(['expired: a > b', '2 granted 2']);
  });
});

describe('polite requests', () => {
  test('the holder is told, and the newest messages are kept until the floor changes hands', () => {
    const floor = new Floor();
    ask(floor, asked('a', '1'), 0);
    expect(ask(floor, asked('b', '2', { message: 'please', waitMs: 0 }), 5)).toEqual([
      'b asks a',
      '2 held by a',
    ]);
    expect(floor.messages).toEqual([{ from: author('b'), text: 'please', atMs: 5 }]);
    for (let index = 0; index < MAX_FLOOR_MESSAGES; index += 1)
      ask(floor, asked('b', `m${index}`, { message: `m${index}`, waitMs: 0 }), 6);
    expect(floor.messages).toHaveLength(MAX_FLOOR_MESSAGES);
    expect(floor.messages.at(-1)?.text).toBe(`m${MAX_FLOOR_MESSAGES - 1}`);
    expect(floor.messages.at(0)?.text).toBe('m0');
    floor.release('a', 1, 7);
    floor.tick(7);
    expect(floor.messages).toEqual([]);
  });

  test('to a free floor, or to one’s own, there is nobody to ask', () => {
    const floor = new Floor();
    expect(ask(floor, asked('a', '1', { message: 'x' }), 0)).toEqual(['taken: - > a', '1 granted 1']);
    expect(ask(floor, asked('a', '2', { message: 'y' }), 0)).toEqual(['2 granted 1']);
    expect(floor.messages).toEqual([]);
  });
});

test('a new name goes with the floor, the queue and the messages', () => {
  const floor = new Floor();
  ask(floor, asked('a', '1'), 0);
  ask(floor, call('b', '2', { message: 'hi' }), 0);
  floor.rename('a', 'a2');
  floor.rename('b', 'b2');
  expect(floor.messages[0]?.from.reader).toBe('b2');
  expect(ask(floor, call('a2', '3'), 1)).toEqual(['3 granted 1']);
  floor.release('a2', 1, 2);
  expect(done(floor, 1, 2)).toEqual(['released: a2 > b2', '2 granted 2']);
});
