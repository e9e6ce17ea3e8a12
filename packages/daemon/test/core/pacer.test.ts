import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_QUEUED_BYTES, Pacer, STALL_MS, WINDOW_BYTES } from '../../src/core/pacer.ts';
import { FORGET_MS } from '../../src/core/pacing/farEnd.ts';
import { ROUND_CHARS } from '../../src/core/pacing/readProofState.ts';
import { bytesOf, charactersOf, thawed } from './bytes.ts';

function drain(pacer: Pacer, nowMs = 0): string {
  const out: string[] = [];
  for (let bytes = pacer.tryNext(nowMs); bytes !== undefined; bytes = pacer.tryNext(nowMs))
    out.push(charactersOf(bytes));
  return out.join('');
}

describe('pumping', () => {
  test('I8 · sends go out one after the other, in order', () => {
    const pacer = new Pacer();
    pacer.enqueue('a', bytesOf('first'), 0);
    pacer.enqueue('b', bytesOf('second'), 0);
    expect(drain(pacer)).toBe('firstsecond');
    expect(pacer.credit(4, 1)).toEqual([]);
    expect(pacer.credit(3, 2)).toEqual([{ id: 'a', sent: 5, isComplete: true }]);
    expect([pacer.takenBytes('a'), pacer.takenBytes('b'), pacer.pendingBytes]).toEqual([undefined, 2, 4]);
    expect(pacer.credit(4, 3)).toEqual([{ id: 'b', sent: 6, isComplete: true }]);
    expect(pacer.isIdle).toBe(true);
  });

  test('one credit may end several sends', () => {
    const pacer = new Pacer();
    for (const id of ['a', 'b', 'c']) pacer.enqueue(id, bytesOf(id), 0);
    drain(pacer);
    expect(pacer.credit(3, 1).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });

  test(`I6 · ${WINDOW_BYTES} bytes are in flight at most; one byte of credit lets one more go`, () => {
    const pacer = new Pacer();
    pacer.enqueue('a', new Uint8Array(WINDOW_BYTES + 10), 0);
    expect(drain(pacer).length).toBe(WINDOW_BYTES);
    pacer.credit(1, 1);
    expect(drain(pacer).length).toBe(1);
    pacer.credit(WINDOW_BYTES, 2);
    expect(drain(pacer).length).toBe(9);
  });

  test(`I6 · there is room for ${MAX_QUEUED_BYTES} bytes, and for not one more`, () => {
    const pacer = new Pacer();
    pacer.enqueue('a', new Uint8Array(MAX_QUEUED_BYTES - 5), 0);
    expect([pacer.hasRoomFor(5), pacer.hasRoomFor(6)]).toEqual([true, false]);
  });
});

describe('giving up', () => {
  test('I12 · a cancelled send tells what was written, and its credit still comes', () => {
    const pacer = new Pacer();
    pacer.enqueue('a', new Uint8Array(3_000), 0);
    pacer.enqueue('b', bytesOf('next'), 0);
    drain(pacer);
    expect(pacer.cancel('a')).toEqual({ id: 'a', sent: WINDOW_BYTES, isComplete: false });
    expect([pacer.cancel('a'), pacer.takenBytes('a'), pacer.cancel('x')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(drain(pacer)).toBe('');
    expect(pacer.credit(WINDOW_BYTES, 1)).toEqual([]);
    expect(drain(pacer)).toBe('next');
    expect(pacer.credit(4, 2)).toEqual([{ id: 'b', sent: 4, isComplete: true }]);
  });

  test('a send that has not begun leaves the queue at once', () => {
    const pacer = new Pacer();
    pacer.enqueue('a', new Uint8Array(WINDOW_BYTES), 0);
    pacer.enqueue('b', bytesOf('b'), 0);
    drain(pacer);
    expect(pacer.cancel('b')).toEqual({ id: 'b', sent: 0, isComplete: false });
    expect(pacer.pendingBytes).toBe(WINDOW_BYTES);
  });

  test('a cancelled send whose bytes are all written is complete', () => {
    const pacer = new Pacer();
    pacer.enqueue('a', bytesOf('abc'), 0);
    drain(pacer);
    expect(pacer.cancel('a')).toEqual({ id: 'a', sent: 3, isComplete: true });
  });

  test('I12 · at the end of the connection each send is told what the socket took', () => {
    const pacer = new Pacer();
    pacer.enqueue('a', bytesOf('abc'), 0);
    pacer.enqueue('b', bytesOf('def'), 0);
    drain(pacer);
    pacer.credit(2, 1);
    expect(pacer.clear()).toEqual([
      { id: 'a', sent: 2, isComplete: false },
      { id: 'b', sent: 0, isComplete: false },
    ]);
    expect([pacer.isIdle, pacer.deadlineMs(), pacer.credit(4, 2)]).toEqual([true, undefined, []]);
  });
});

describe('stalling', () => {
  test('after 30 s without credit the rest of every send is dropped and told', () => {
    const pacer = new Pacer();
    pacer.enqueue('a', new Uint8Array(3_000), 1_000);
    drain(pacer);
    pacer.credit(1_000, 5_000);
    pacer.enqueue('b', bytesOf('b'), 20_000);
    drain(pacer);
    expect(pacer.deadlineMs()).toBe(5_000 + STALL_MS);
    expect(pacer.tick(5_000 + STALL_MS - 1)).toEqual([]);
    expect(pacer.tick(5_000 + STALL_MS)).toEqual([
      { id: 'a', sent: 1_000 + WINDOW_BYTES, isComplete: false },
      { id: 'b', sent: 0, isComplete: false },
    ]);
    expect([pacer.deadlineMs(), pacer.tick(99_000)]).toEqual([undefined, []]);
  });

  test('a send after a stall has its own 30 s', () => {
    const pacer = new Pacer();
    pacer.enqueue('a', bytesOf('a'), 0);
    drain(pacer);
    pacer.tick(STALL_MS);
    pacer.enqueue('b', bytesOf('b'), 50_000);
    expect([pacer.deadlineMs(), pacer.tick(50_000), drain(pacer)]).toEqual([80_000, [], 'b']);
  });
});

describe('sends that follow each other', () => {
  /** Sends of 32 characters, 2 s apart, to a far end of which nothing is heard; what went out of each. */
  function sendAll(pacer: Pacer, sends: number, fromMs = 0): number[] {
    return Array.from({ length: sends }, (_, index) => {
      const atMs = fromMs + index * 2_000;
      pacer.enqueue(`${fromMs}-${index}`, new Uint8Array(32).fill(0x61), atMs);
      let chars = 0;
      for (let nowMs = atMs; nowMs < atMs + 2_000; nowMs += 25) {
        pacer.tick(nowMs);
        const out = drain(pacer, nowMs).length;
        if (out > 0) pacer.credit(out, nowMs);
        chars += out;
      }
      return chars;
    });
  }

  test(`L14 · to a program that does not read: ${ROUND_CHARS} characters of all of them, and no more`, () => {
    const pacer = new Pacer({ windowChars: 32 });
    expect(sendAll(pacer, 3).reduce((sum, chars) => sum + chars, 0)).toBe(ROUND_CHARS);
  });

  test.each<[title: string, happens: (pacer: Pacer) => void, room: number]>([
    ['its late echo', (pacer) => pacer.hear({ text: 'a'.repeat(8), length: 8 }, false, 5_000), 32],
    ['a new connection', (pacer) => pacer.clear(), 32],
    ['an urgent key that flushes', (pacer) => pacer.enqueue('key', Uint8Array.of(0x07), 5_000, true), 32],
    ['nothing', () => {}, ROUND_CHARS - 32],
  ])('what may still be unread of the one before is taken off: %s gives it back', (_title, happens, room) => {
    const pacer = new Pacer({ windowChars: 32 });
    pacer.enqueue('a', new Uint8Array(32).fill(0x61), 0);
    pacer.credit(drain(pacer).length, 0);
    happens(pacer);
    pacer.credit(drain(pacer, 5_000).length, 5_000);
    pacer.enqueue('b', new Uint8Array(32).fill(0x62), 5_001);
    expect(drain(pacer, 5_001).length).toBe(room);
  });

  test('a prompt behind it proves that all was read', () => {
    const pacer = new Pacer({ windowChars: 32 });
    pacer.enqueue('a', new Uint8Array(32).fill(0x61), 0);
    pacer.credit(drain(pacer).length, 0);
    pacer.answered();
    expect(pacer.echo).toBe('off');
    pacer.enqueue('b', new Uint8Array(32).fill(0x62), 1);
    expect(drain(pacer, 1).length).toBe(32);
  });

  test(`after ${FORGET_MS} ms it is taken for read, and not a moment before`, () => {
    for (const [atMs, room] of [
      [FORGET_MS - 1, ROUND_CHARS - 32],
      [FORGET_MS, 32],
    ] as const) {
      const pacer = new Pacer({ windowChars: 32 });
      pacer.enqueue('a', new Uint8Array(32).fill(0x61), 0);
      pacer.credit(drain(pacer).length, 0);
      pacer.enqueue('b', new Uint8Array(32).fill(0x62), atMs);
      expect(drain(pacer, atMs).length).toBe(room);
    }
  });

  test('I12 · a BEL and echo with a hole in it stop a send, which is told where input was lost', () => {
    const pacer = new Pacer({ windowChars: 32 });
    const text = 'abcdefghijklmnopqrstuvwxyz0123456789';
    pacer.enqueue('a', bytesOf(text), 0);
    pacer.credit(drain(pacer).length, 0);
    pacer.hear({ text: 'abcd', length: 4 }, false, 100);
    expect([pacer.ring(100), pacer.tick(100)]).toEqual([[], []]);
    // Somebody else had typed ahead: three characters found no room.
    pacer.hear({ text: 'hijklmnopqrs', length: 12 }, false, 200);
    expect(pacer.tick(200)).toEqual([{ id: 'a', sent: 32, isComplete: false, overflow: 4 }]);
  });
});

type Step =
  | { readonly kind: 'enqueue'; readonly size: number }
  | { readonly kind: 'credit'; readonly bytes: number }
  | { readonly kind: 'cancel'; readonly index: number }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'clear' };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('enqueue' as const), size: fc.integer({ min: 1, max: 2_500 }) }),
    fc.record({ kind: fc.constant('credit' as const), bytes: fc.integer({ min: 0, max: 1_500 }) }),
    fc.record({ kind: fc.constant('cancel' as const), index: fc.nat({ max: 8 }) }),
    fc.record({ kind: fc.constant('wait' as const), ms: fc.nat({ max: 20_000 }) }),
    fc.record({ kind: fc.constant('clear' as const) }),
  ),
  { maxLength: 40 },
);

/** All that can be seen of a pacer that goes through the steps, frozen and thawed after each of them if asked. */
function run(list: readonly Step[], isThawed: boolean): unknown[] {
  let pacer = new Pacer();
  let [nowMs, next, inFlight] = [0, 0, 0];
  const seen: unknown[] = [];
  for (const step of list) {
    if (step.kind === 'enqueue') {
      const id = next;
      next += 1;
      pacer.enqueue(`${id}`, new Uint8Array(step.size).fill(id), nowMs);
    } else if (step.kind === 'credit') {
      const bytes = Math.min(step.bytes, inFlight);
      inFlight -= bytes;
      seen.push(pacer.credit(bytes, nowMs));
    } else if (step.kind === 'cancel') seen.push(pacer.cancel(`${step.index}`));
    else if (step.kind === 'wait') {
      nowMs += step.ms;
      seen.push(pacer.tick(nowMs));
    } else {
      seen.push(pacer.clear());
      inFlight = 0;
    }
    const out = drain(pacer);
    inFlight += out.length;
    expect(inFlight).toBeLessThanOrEqual(WINDOW_BYTES);
    seen.push(out, pacer.deadlineMs(), pacer.pendingBytes, pacer.isIdle, pacer.takenBytes('0'));
    if (isThawed) pacer = new Pacer({ windowChars: undefined }, thawed(pacer.snapshot()));
  }
  return seen;
}

test('I3 · frozen and thawed with input in flight, it goes on the same', () => {
  fc.assert(
    fc.property(steps, (list) => {
      expect(run(list, true)).toEqual(run(list, false));
    }),
  );
});

test('I8 · I12 · bytes of sends are never mixed, and every send ends at most once', () => {
  fc.assert(
    fc.property(steps, (list) => {
      const seen = run(list, false);
      const out = seen.filter((item) => typeof item === 'string').join('');
      const senders = Array.from(out, (character) => character.charCodeAt(0)); // bytes are the numbers of the sends
      expect(senders).toEqual(senders.toSorted((a, b) => a - b));
      const ends = seen.flat().filter((item) => typeof item === 'object' && item !== null && 'id' in item);
      const ids = ends.map((end) => ('id' in end ? end.id : undefined));
      expect(new Set(ids).size).toBe(ids.length);
    }),
  );
});

test('a snapshot is not changed by what comes after it', () => {
  const pacer = new Pacer();
  pacer.enqueue('a', bytesOf('abc'), 0);
  const snapshot = pacer.snapshot();
  const before = thawed(snapshot);
  drain(pacer);
  pacer.credit(3, 1);
  expect(snapshot).toEqual(before);
});
