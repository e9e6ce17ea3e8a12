/** Three clients who type at random, against what must hold however they come between each other. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FloorRun, READERS, type Step } from './floorRun.ts';

const IS_SOAK = process.env['PIDP10_SOAK'] === '1';
const NUM_RUNS = IS_SOAK ? 50_000 : 10_000;
/** Of the tests that do more at each step. */
const NUM_THAWED_RUNS = IS_SOAK ? 2_000 : 100;
const NUM_TICKED_RUNS = IS_SOAK ? 10_000 : 600;

const reader = fc.constantFrom(...READERS);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      reader,
      length: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constantFrom(33, 66, 150)),
      isUrgent: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
      waitMs: fc.constantFrom(0, 1_000, 30_000),
      isStale: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
      parts: fc.constantFrom(1, 1, 2),
      returnAfterMs: fc.constantFrom(undefined, undefined, 50, 1_000),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('ask' as const),
      reader,
      isForced: fc.boolean(),
      leaseMs: fc.constantFrom(1_000, 60_000),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('release' as const, 'cancel' as const), reader }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('leave' as const), reader, isNamed: fc.boolean() }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('rest' as const),
      ms: fc.constantFrom(1, 99, 700, 2_000, 6_000),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Step>(
      { kind: 'says', text: '\r\nPassword: ' },
      { kind: 'says', text: '\r\n\x1bK*' },
      { kind: 'says', text: '\r\n--More--' },
      { kind: 'mark' },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.oneof(
      fc.record({ kind: fc.constant('echo' as const), isOn: fc.boolean() }),
      fc.record({ kind: fc.constant('socket' as const), isTaking: fc.boolean() }),
    ),
  },
);
const schedule = fc.array(step, { minLength: 2, maxLength: 25, size: 'max' });

/** Every byte that was written, with the reader who is on record for it; undefined bytes are secrets. */
function recorded({ entries }: FloorRun): { readonly byte: number | undefined; readonly reader: string }[] {
  return entries.flatMap((entry) =>
    entry.kind !== 'input' || entry.isAnswer
      ? []
      : Array.from({ length: entry.length }, (_, at) => ({
          byte: entry.bytes?.[at],
          reader: entry.author.reader,
        })),
  );
}

/** Which send each written byte was of. */
function orderOf({ written }: FloorRun): readonly number[] {
  return written.map((byte) => Math.floor((byte - 0x30) / 2));
}

/** Sends that were written in more than one piece: something of another one stands between. */
function interleaved(run: FloorRun): readonly number[] {
  const pieces = orderOf(run).filter((index, at, order) => index !== order[at - 1]);
  return pieces.filter((index, at) => pieces.indexOf(index) < at);
}

/** Written bytes that are not on record, or as another byte, or as somebody else's. */
function misrecorded(run: FloorRun): readonly string[] {
  const record = recorded(run);
  const order = orderOf(run);
  const surplus = record.length > order.length ? ['bytes are on record that were not written'] : [];
  const wrong = order.flatMap((index, at) => {
    const { byte, reader: who } = record[at] ?? { byte: undefined, reader: 'nobody' };
    const isRight = run.sends[index]?.reader === who && (byte === undefined || byte === run.written[at]);
    return isRight ? [] : [`byte ${at} is on record as ${byte ?? 'a secret'} of ${who}`];
  });
  return [...surplus, ...wrong];
}

/** Sends that did not end once, wrote something though refused, or tell something else than what was written. */
function dishonest({ sends }: FloorRun): readonly string[] {
  return sends.flatMap(({ index, ends, error, out, settlement }) => {
    const isTold =
      settlement === undefined
        ? error !== undefined && out.length === 0
        : settlement.reason === 'still_waiting' || settlement.sent === out.length;
    return ends === 1 && isTold
      ? []
      : [
          `send ${index}: ${ends} ends, ${settlement?.reason ?? 'refused'} ${settlement?.sent} of ${out.length}`,
        ];
  });
}

test('D19 · I8 · I9 · I12 · sends of three clients: whole, by whoever has the floor, on record as his, told truly', () => {
  fc.assert(
    fc.property(schedule, (steps) => {
      const run = new FloorRun().play(steps).finish();
      expect(run.faults).toEqual([]);
      expect([interleaved(run), misrecorded(run), dishonest(run)]).toEqual([[], [], []]);
      const offsets = run.entries.map(({ offset }) => offset);
      expect(offsets).toEqual(offsets.toSorted((a, b) => a - b));
    }),
    { numRuns: NUM_RUNS },
  );
}, 300_000);

test('I3 · frozen and thawed at every step, the floor and its clients go on the same', () => {
  const short = fc.array(step, { maxLength: 10 });
  const seen = ({ log, written, entries }: FloorRun) => [log, written, JSON.stringify(entries)];
  fc.assert(
    fc.property(short, (steps) => {
      expect(seen(new FloorRun(true).play(steps))).toEqual(seen(new FloorRun().play(steps)));
    }),
    { numRuns: NUM_THAWED_RUNS },
  );
});

test('I4 · an early tick changes nothing, whoever has the floor', () => {
  fc.assert(
    fc.property(schedule, (steps) => {
      const { channel } = new FloorRun().play(steps);
      const deadlineMs = channel.deadlineMs();
      if (deadlineMs === undefined) return;
      const before = JSON.stringify(channel.snapshot());
      expect(channel.handle({ kind: 'tick' }, deadlineMs - 0.001)).toEqual([]);
      expect(JSON.stringify(channel.snapshot())).toBe(before);
    }),
    { numRuns: NUM_TICKED_RUNS },
  );
});
