/** The floor under random requests, calls and losses, against what must hold in every one of them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CALL_LEASE_MS, Floor, type FloorEvent, type FloorRequest } from '../../src/core/floor.ts';
import { thawed } from './bytes.ts';
import { call, told } from './floorWords.ts';

type Op =
  | { readonly kind: 'request'; readonly reader: string; readonly more: Partial<FloorRequest> }
  | { readonly kind: 'done' | 'stale' | 'tick' }
  | { readonly kind: 'typing'; readonly isTyping: boolean }
  | { readonly kind: 'release' | 'leave'; readonly reader: string; readonly isNamed: boolean }
  | { readonly kind: 'cancel'; readonly index: number }
  | { readonly kind: 'wait'; readonly ms: number };

const reader = fc.constantFrom('a', 'b', 'c');
const op: fc.Arbitrary<Op> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('request' as const),
      reader,
      more: fc.record(
        {
          mode: fc.constantFrom('call' as const, 'asked' as const),
          waitMs: fc.constantFrom(0, 500, 30_000),
          leaseMs: fc.constantFrom(1_000, CALL_LEASE_MS),
          token: fc.integer({ min: 1, max: 4 }),
          isForced: fc.constant(true),
          message: fc.constant('please'),
        },
        { requiredKeys: ['mode', 'waitMs', 'leaseMs'] },
      ),
    }),
  },
  { weight: 4, arbitrary: fc.constantFrom<Op>({ kind: 'done' }, { kind: 'stale' }, { kind: 'tick' }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('typing' as const), isTyping: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('release' as const, 'leave' as const),
      reader,
      isNamed: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), index: fc.nat({ max: 30 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.constantFrom(1, 499, 1_000, 5_000, 20_000),
    }),
  },
);

interface Asked {
  readonly reader: string;
  readonly askedMs: number;
  readonly waitMs: number;
  answer?: string;
}

/** Plays a schedule, ticking at every deadline; checks at each step what must hold. */
class Play {
  floor = new Floor();
  readonly log: string[] = [];
  readonly asked = new Map<string, Asked>();
  readonly faults: string[] = [];
  readonly #isThawed: boolean;
  #nowMs = 0;
  #isTyping = false;
  #lastToken = 0;
  #queue: string[] = [];

  constructor(isThawed: boolean) {
    this.#isThawed = isThawed;
  }

  apply(one: Op): void {
    const { floor } = this;
    const token = floor.holder?.token ?? 0;
    switch (one.kind) {
      case 'request': {
        const waitId = `r${this.asked.size}`;
        this.asked.set(waitId, { reader: one.reader, askedMs: this.#nowMs, waitMs: one.more.waitMs ?? 0 });
        this.#queue.push(waitId);
        this.#take(floor.tick(this.#nowMs, this.#isTyping));
        this.#take(floor.request(call(one.reader, waitId, one.more), this.#nowMs));
        break;
      }
      case 'done':
        floor.done(token, this.#nowMs);
        break;
      case 'stale': {
        const before = JSON.stringify(floor.snapshot());
        floor.done(token - 1, this.#nowMs);
        floor.typed(token - 1, this.#nowMs);
        if (JSON.stringify(floor.snapshot()) !== before) this.faults.push('a stale token changed something');
        break;
      }
      case 'typing':
        this.#isTyping = one.isTyping;
        break;
      case 'release':
        floor.release(one.reader, undefined, this.#nowMs);
        break;
      case 'leave':
        this.#take(floor.leave(one.reader, one.isNamed, this.#nowMs));
        break;
      case 'cancel':
        this.#take(floor.cancel(`r${one.index}`));
        break;
      case 'wait':
        this.#pass(one.ms);
        break;
      default:
    }
    this.#take(this.floor.tick(this.#nowMs, this.#isTyping));
    if (this.#isThawed) this.floor = new Floor(thawed(this.floor.snapshot()));
    this.#check();
  }

  #pass(ms: number): void {
    const untilMs = this.#nowMs + ms;
    for (;;) {
      const deadlineMs = this.floor.deadlineMs(this.#isTyping);
      if (deadlineMs === undefined || deadlineMs > untilMs) break;
      if (deadlineMs <= this.#nowMs)
        this.faults.push(`a tick at ${this.#nowMs} left a deadline of ${deadlineMs}`);
      const before = JSON.stringify(this.floor.snapshot());
      if (this.floor.tick(deadlineMs - 0.001, this.#isTyping).length > 0)
        this.faults.push('an early tick told something');
      if (JSON.stringify(this.floor.snapshot()) !== before)
        this.faults.push('an early tick changed something');
      this.#nowMs = deadlineMs;
      this.#take(this.floor.tick(deadlineMs, this.#isTyping));
    }
    this.#nowMs = untilMs;
  }

  #take(events: readonly FloorEvent[]): void {
    this.log.push(...told(events).map((line) => `${this.#nowMs} ${line}`));
    for (const event of events) {
      if (event.kind === 'changed' && event.holder !== undefined) {
        if (event.holder.token !== this.#lastToken + 1) this.faults.push(`token ${event.holder.token}`);
        this.#lastToken = event.holder.token;
      }
      if (event.kind === 'answer') this.#answered(event);
    }
  }

  #answered({ waitId, answer }: FloorEvent & { readonly kind: 'answer' }): void {
    const request = this.asked.get(waitId);
    if (request === undefined) return void this.faults.push(`${waitId} was never asked`);
    if (request.answer !== undefined) this.faults.push(`${waitId} was answered twice`);
    request.answer = answer.kind;
    if (this.#nowMs > request.askedMs + request.waitMs) this.faults.push(`${waitId} waited too long`);
    this.#queue = this.#queue.filter((id) => id !== waitId);
    if (answer.kind !== 'granted') return;
    if (answer.token !== this.floor.holder?.token) this.faults.push(`${waitId} was granted ${answer.token}`);
    if (this.floor.holder?.author.reader !== request.reader)
      this.faults.push(`${waitId} is not the holder's`);
  }

  #check(): void {
    const { holder, waiting } = this.floor;
    if (waiting !== this.#queue.length) this.faults.push(`${waiting} wait, not ${this.#queue.length}`);
    if (holder === undefined && waiting > 0) this.faults.push('somebody waits for a floor that is free');
    if (holder !== undefined && (holder.expiresMs === undefined) !== holder.calls > 0)
      this.faults.push('a holder without end');
    const ids = this.floor.snapshot().queue.map(({ request }) => request.waitId);
    if (ids.join() !== this.#queue.join()) this.faults.push('the queue is out of order');
    const own = this.floor
      .snapshot()
      .queue.some(({ request }) => request.author.reader === holder?.author.reader);
    if (own) this.faults.push('the holder waits for himself');
  }
}

function play(ops: readonly Op[], isThawed = false): Play {
  const made = new Play(isThawed);
  for (const one of ops) made.apply(one);
  return made;
}

const schedule = fc.array(op, { maxLength: 60, size: 'max' });
const NUM_RUNS = process.env['PIDP10_SOAK'] === '1' ? 20_000 : 1_000;

test('I4 · I8 · I9 · one holder, rising tokens, in order, every request answered once and in time', () => {
  fc.assert(
    fc.property(schedule, (ops) => {
      const { asked: requests, faults } = play([
        ...ops,
        { kind: 'typing', isTyping: false },
        ...Array.from({ length: 3 }, (): Op => ({ kind: 'wait', ms: 20_000 })),
      ]);
      expect(faults).toEqual([]);
      expect([...requests.values()].every(({ answer }) => answer !== undefined)).toBe(true);
    }),
    { numRuns: NUM_RUNS },
  );
});

test('frozen and thawed at every step, it goes on the same', () => {
  fc.assert(
    fc.property(schedule, (ops) => {
      expect(play(ops, true).log).toEqual(play(ops).log);
    }),
    { numRuns: Math.ceil(NUM_RUNS / 4) },
  );
});
