/** The channel under random schedules of callers, connections and bytes, against what must hold in every one of them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ConnectionFailure, Expectation } from '../../src/core/events.ts';
import { WINDOW_BYTES } from '../../src/core/pacer.ts';
import { charactersOf, cut, cuts, lineOutput } from './bytes.ts';
import { GREETING, LineRun, type RunOptions } from './lineRun.ts';

const NUM_RUNS = process.env['PIDP10_SOAK'] === '1' ? 10_000 : 300;

type Step =
  | { readonly kind: 'open'; readonly timeoutMs: number; readonly reader: string }
  | {
      readonly kind: 'send';
      readonly input: string;
      readonly reader: string;
      readonly expectation: Partial<Expectation>;
    }
  | { readonly kind: 'read'; readonly reader: string; readonly expectation: Partial<Expectation> }
  | { readonly kind: 'cancel'; readonly index: number }
  | { readonly kind: 'close' }
  | { readonly kind: 'connected' }
  | { readonly kind: 'data'; readonly text: string }
  | { readonly kind: 'ended' }
  | { readonly kind: 'failed'; readonly failure: ConnectionFailure }
  | { readonly kind: 'written'; readonly bytes: number }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'tick' };

const reader = fc.constantFrom('me', 'other');
const expectation: fc.Arbitrary<Partial<Expectation>> = fc.record(
  {
    pattern: fc.constantFrom('abc', String.raw`^\*$`, 'c$', 'never'),
    timeoutMs: fc.constantFrom(50, 500, 5_000),
    quietMs: fc.constantFrom(10, 150, 700),
    settleMs: fc.constantFrom(1, 150),
    returnAfterMs: fc.constantFrom(40, 1_000),
    autoMore: fc.boolean(),
    maxPages: fc.constantFrom(0, 1, 20),
    until: fc.constant('prompt' as const),
    maxChars: fc.constantFrom(3, 20, 20_000),
  },
  { requiredKeys: [] },
);
const text = fc.oneof(
  { weight: 3, arbitrary: fc.constant(GREETING) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'Line connection busy\r\n',
      'hello',
      '\r\nDisconnected from the KA-10 simulator\r\n\r\n',
    ),
  },
  { weight: 5, arbitrary: lineOutput.map(charactersOf) },
);
const failure = fc.constantFrom<ConnectionFailure>('refused', 'timeout', 'unknown_host', 'reset', 'other');
const input = fc.oneof(
  fc.constantFrom('', ':vk\r', 'abc', ' ', '*', ':emacs\r', '\x1a', 'a\x1b*\x7f', ':listf\r'),
  fc.integer({ min: 1, max: 3_000 }).map((n) => 'x'.repeat(n)),
);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('open' as const),
      timeoutMs: fc.constantFrom(50, 1_000, 5_000),
      reader,
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('send' as const), input, reader, expectation }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('read' as const), reader, expectation }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), index: fc.nat({ max: 20 }) }) },
  { weight: 1, arbitrary: fc.constantFrom<Step>({ kind: 'close' }, { kind: 'ended' }, { kind: 'tick' }) },
  { weight: 3, arbitrary: fc.constant<Step>({ kind: 'connected' }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('data' as const), text }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('failed' as const), failure }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('written' as const), bytes: fc.nat({ max: 2_000 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.constantFrom(1, 99, 100, 250, 1_000, 40_000),
    }),
  },
);
const OPENING: readonly Step[] = [
  { kind: 'open', timeoutMs: 1_000, reader: 'me' },
  { kind: 'connected' },
  { kind: 'data', text: GREETING },
];
const schedule = fc
  .array(
    fc.oneof(
      { weight: 1, arbitrary: fc.constant(OPENING) },
      { weight: 4, arbitrary: fc.array(step, { maxLength: 15, size: 'max' }) },
    ),
    {
      maxLength: 4,
      size: 'max',
    },
  )
  .map((parts) => parts.flat());

/** What a driver would know of its socket, and what it checks of the orders it gets. */
class Model {
  readonly run: LineRun;
  socket: 'none' | 'dialing' | 'up' = 'none';
  readonly waits: string[] = [];
  /** What must not happen and did. */
  readonly faults: string[] = [];
  #orders = 0;
  #writes = 0;
  #inFlight = 0;

  constructor(options: RunOptions) {
    this.run = new LineRun({ ...options, isStuck: true, channel: { ringBytes: 8_192 } });
    for (const name of ['me', 'other']) this.run.channel.conversation.readers.claim(name, 0);
  }

  apply(one: Step): void {
    const { run } = this;
    const id = `w${this.waits.length}`;
    switch (one.kind) {
      case 'open':
      case 'send':
      case 'read':
        this.waits.push(id);
        if (one.kind === 'open') run.open(id, one);
        else if (one.kind === 'send') run.send(id, one.input, one.expectation, one.reader);
        else run.read(id, one.expectation, one.reader);
        break;
      case 'cancel':
        run.feed({ kind: 'cancel', waitId: this.waits[one.index] ?? 'unknown' });
        break;
      case 'wait':
        run.after(one.ms);
        break;
      case 'written': {
        const bytes = Math.min(one.bytes, this.#inFlight);
        this.#inFlight -= bytes;
        this.#news(() => run.feed({ kind: 'written', bytes }));
        break;
      }
      case 'connected':
        this.#news(() => {
          if (this.socket === 'dialing') this.socket = 'up';
          run.feed({ kind: 'connected' });
        });
        break;
      case 'data':
        this.#news(() => run.hear(one.text));
        break;
      case 'ended':
        this.#news(() => run.feed({ kind: 'ended' }));
        break;
      case 'failed':
        this.#news(() => {
          run.feed({ kind: 'failed', failure: one.failure, detail: 'why' });
          this.socket = 'none';
          this.#inFlight = 0;
        });
        break;
      default:
        run.feed(one);
    }
    this.#follow(one);
  }

  /** News of a connection; without one it is late, and must change nothing. */
  #news(tell: () => void): void {
    const isLate = this.socket === 'none';
    const before = isLate ? JSON.stringify(this.run.channel.snapshot()) : '';
    tell();
    if (isLate && JSON.stringify(this.run.channel.snapshot()) !== before)
      this.faults.push('late news changed something');
  }

  #follow(one: Step): void {
    for (const order of this.run.orders.slice(this.#orders)) {
      if (order === 'disconnect') {
        this.socket = 'none';
        this.#inFlight = 0;
      } else {
        if (one.kind !== 'open') this.faults.push(`a connection was ordered by ${one.kind}`);
        if (this.socket !== 'none') this.faults.push('a second connection was ordered');
        this.socket = 'dialing';
      }
    }
    const written = this.run.written.slice(this.#writes).map(({ text: bytes }) => bytes);
    if (written.length > 0 && this.socket !== 'up') this.faults.push('a line that is not up was written to');
    for (const bytes of written) if (bytes !== ' ') this.#inFlight += bytes.length;
    this.#orders = this.run.orders.length;
    this.#writes = this.run.written.length;
    const { state } = this.run.channel.facts;
    const isStanding = state === 'open' || state === 'connecting';
    if (isStanding !== (this.socket !== 'none'))
      this.faults.push(`the line is ${state}, the socket ${this.socket}`);
  }
}

function play(steps: readonly Step[], options: RunOptions = {}): Model {
  const model = new Model(options);
  for (const one of steps) model.apply(one);
  return model;
}

/** What else a caller can learn of the channel. */
function told({ channel: { conversation } }: LineRun): unknown {
  const { scrollback, transcript, activity, echo } = conversation;
  const { pendingBytes } = conversation.typist;
  const span = { start: scrollback.oldest, end: scrollback.end };
  const { rows, row, column } = transcript.screens.at(span.end);
  return [
    activity,
    echo,
    pendingBytes,
    transcript.goingDown,
    transcript.text(span),
    transcript.notices(span),
    rows,
    row,
    column,
  ];
}

function seen({ run }: Model): unknown {
  return [
    new Map([...run.endings].toSorted(([a], [b]) => a.localeCompare(b))),
    run.orders,
    run.typed,
    run.channel.facts,
    run.channel.deadlineMs(),
    run.channel.hasSpoken,
    told(run),
  ];
}

test('L04 · I1 · I9 · one connection at most, none without an open, no order to one that is over, every wait ends once', () => {
  fc.assert(
    fc.property(schedule, (steps) => {
      const model = play(steps);
      const { run } = model;
      expect(run.endCount).toBe(run.endings.size);
      model.apply({ kind: 'close' });
      expect([...run.endings.keys()].sort()).toEqual([...model.waits].sort());
      expect(run.endCount).toBe(model.waits.length);
      expect(model.faults).toEqual([]);
      expect([run.channel.deadlineMs(), run.channel.conversation.typist.pendingBytes]).toEqual([
        undefined,
        0,
      ]);
    }),
    { numRuns: NUM_RUNS },
  );
});

test('I9 · every wait of a line that goes on ends by its own limits', () => {
  fc.assert(
    fc.property(schedule, (steps) => {
      const { run, waits } = play(steps.filter(({ kind }) => kind !== 'written'));
      run.after(200_000);
      expect([...run.endings.keys()].sort()).toEqual([...waits].sort());
    }),
    { numRuns: NUM_RUNS },
  );
});

/**
 * A limit ends a wait in the middle of a moment. What it has given then may turn out to have been the beginning of a
 * notice (its line end, its name) with the rest of the moment: the one case in which a split can be seen.
 */
function unlimitedByNotices(steps: readonly Step[]): readonly Step[] {
  const hasNotice = steps.some((one) => one.kind === 'data' && one.text.includes('\x07'));
  if (!hasNotice) return steps;
  return steps.map((one) =>
    one.kind === 'send' || one.kind === 'read'
      ? { ...one, expectation: { ...one.expectation, maxChars: 20_000 } }
      : one,
  );
}

test('I3 · bytes that come at one moment end everything the same however they were split', () => {
  fc.assert(
    fc.property(schedule, cuts, (steps, at) => {
      const list = unlimitedByNotices(steps);
      expect(seen(play(list, { split: (bytes) => cut(bytes, at) }))).toEqual(seen(play(list)));
    }),
    { numRuns: NUM_RUNS },
  );
});

test('I3 · frozen and thawed at every step, waits and input in flight, it goes on the same', () => {
  fc.assert(
    fc.property(schedule, (steps) => {
      expect(seen(play(steps, { isThawed: true }))).toEqual(seen(play(steps)));
    }),
    { numRuns: Math.ceil(NUM_RUNS / 3) },
  );
});

test('I4 · an early tick changes nothing', () => {
  fc.assert(
    fc.property(schedule, (steps) => {
      const { run } = play(steps);
      const before = JSON.stringify(run.channel.snapshot());
      const deadlineMs = run.channel.deadlineMs() ?? 1e12;
      expect(run.channel.handle({ kind: 'tick' }, deadlineMs - 0.001)).toEqual([]);
      expect(JSON.stringify(run.channel.snapshot())).toBe(before);
    }),
    { numRuns: NUM_RUNS },
  );
});

test(`I12 · what a send says went out is what was written of it, and ${WINDOW_BYTES} bytes at most are in flight`, () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 2_000 }), { maxLength: 20 }), fc.boolean(), (credits, isCut) => {
      const run = new LineRun({ isStuck: true }).opened().send('s', 'x'.repeat(5_000), { timeoutMs: 1 });
      let taken = 0;
      for (const credit of credits) {
        const out = run.written.reduce((sum, { text: bytes }) => sum + bytes.length, 0);
        expect(out - taken).toBeLessThanOrEqual(WINDOW_BYTES);
        const bytes = Math.min(credit, out - taken);
        taken += bytes;
        run.feed({ kind: 'written', bytes });
      }
      run.feed(isCut ? { kind: 'close' } : { kind: 'cancel', waitId: 's' }).after(10);
      const out = run.written.reduce((sum, { text: bytes }) => sum + bytes.length, 0);
      expect(run.endings.get('s')?.settlement?.sent).toBe(isCut ? taken : out);
      expect(run.channel.conversation.typist.bytesOut).toBe(taken);
    }),
  );
});
