import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Happening, MAX_ENTRIES, MAX_ENTRY_BYTES, Timeline } from '../../src/core/timeline.ts';
import { thawed } from './bytes.ts';

const me = { client: 'me', reader: 'me' };
const mark = (text: string): Happening => ({ kind: 'mark', author: me, text });
const input = (length: number, isMasked = false): Happening => ({
  kind: 'input',
  author: me,
  bytes: isMasked ? undefined : Array.from({ length }, () => 65),
  length,
  isUrgent: false,
  isAnswer: false,
});

test('entries are numbered in order, with the place and the time of each', () => {
  const timeline = new Timeline();
  expect([timeline.nextSeq, timeline.oldestSeq, timeline.next(0), timeline.since(0)]).toEqual([
    0,
    0,
    undefined,
    [],
  ]);
  expect(timeline.add(mark('a'), 10, 1)).toEqual({ ...mark('a'), seq: 0, offset: 10, atMs: 1 });
  timeline.add(mark('b'), 20, 2);
  expect(timeline.since(1).map(({ seq, offset, atMs }) => [seq, offset, atMs])).toEqual([[1, 20, 2]]);
  expect([timeline.next(0)?.seq, timeline.next(1)?.seq, timeline.next(2)]).toEqual([0, 1, undefined]);
  expect(timeline.since(2)).toEqual([]);
});

test(`I6 · ${MAX_ENTRIES} entries are kept, and one more pushes the oldest out`, () => {
  const timeline = new Timeline();
  const short: Happening = { kind: 'floor', holder: undefined, previous: undefined, cause: 'taken' };
  for (let index = 0; index < MAX_ENTRIES; index += 1) timeline.add(short, index, 0);
  expect([timeline.oldestSeq, timeline.since(0).length]).toEqual([0, MAX_ENTRIES]);
  timeline.add(short, 0, 0);
  expect([timeline.oldestSeq, timeline.since(0).length, timeline.nextSeq]).toEqual([
    1,
    MAX_ENTRIES,
    MAX_ENTRIES + 1,
  ]);
  expect([timeline.next(0)?.seq, timeline.since(0)[0]?.seq, timeline.next(MAX_ENTRIES)?.seq]).toEqual([
    1,
    1,
    MAX_ENTRIES,
  ]);
});

test(`I6 · ${MAX_ENTRY_BYTES} bytes of input and text are kept; what a secret hides takes none`, () => {
  const timeline = new Timeline();
  const half = MAX_ENTRY_BYTES / 2 - 100;
  timeline.add(input(half), 0, 0);
  timeline.add(input(half), 0, 0);
  expect(timeline.oldestSeq).toBe(0);
  timeline.add(input(half, true), 0, 0);
  expect(timeline.oldestSeq).toBe(1);
  timeline.add(mark('x'.repeat(half - 100)), 0, 0);
  expect(timeline.oldestSeq).toBe(1);
  timeline.add(mark('x'), 0, 0);
  expect(timeline.oldestSeq).toBe(2);
});

test('I6 · an entry larger than all that is kept stays alone', () => {
  const timeline = new Timeline();
  timeline.add(mark('a'), 0, 0);
  timeline.add(input(MAX_ENTRY_BYTES + 1), 0, 0);
  expect(timeline.since(0).map(({ seq }) => seq)).toEqual([1]);
});

test('frozen and thawed anywhere, it goes on the same', () => {
  const happening = fc.oneof(
    fc.constantFrom(mark('a'), mark('b'.repeat(300_000))),
    fc.nat(400_000).map((n) => input(n)),
  );
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 12 }), fc.nat(12), (happenings, at) => {
      const [plain, frozen] = [new Timeline(), new Timeline()];
      let thawn = frozen;
      for (const [index, one] of happenings.entries()) {
        if (index === at) thawn = new Timeline(thawed(thawn.snapshot()));
        plain.add(one, index, index);
        thawn.add(one, index, index);
      }
      expect(thawed(thawn.snapshot())).toEqual(thawed(plain.snapshot()));
      expect(thawn.oldestSeq).toBe(plain.oldestSeq);
    }),
    { numRuns: 12 },
  );
});
