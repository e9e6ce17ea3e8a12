import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseSegmentName, SERIES, segmentName } from '../../../src/core/journal/names.ts';
import { nextToDelete, Shelf } from '../../../src/core/journal/shelf.ts';

const out = (key: number, bytes: number) => ({ series: 'out', key, bytes }) as const;
const err = (key: number, bytes: number) => ({ series: 'err', key, bytes }) as const;

test('names come back and sort like their numbers', () => {
  fc.assert(
    fc.property(fc.constantFrom(...SERIES), fc.maxSafeNat(), fc.maxSafeNat(), (series, a, b) => {
      expect(parseSegmentName(segmentName(series, a))).toEqual({ series, key: a });
      expect(segmentName(series, a) < segmentName(series, b)).toBe(a < b);
    }),
  );
});

test.each([
  'out-1',
  'out-00000000000000000000.damaged',
  'OUT-00000000000000000000',
  'log-00000000000000000000',
  '',
])('"%s" is no segment', (name) => {
  expect(parseSegmentName(name)).toBeUndefined();
});

test('a number beyond the safe integers is no segment', () => {
  expect(parseSegmentName(`out-${'9'.repeat(20)}`)).toBeUndefined();
});

test('stretches end where the next file begins, skip holes and empty files', () => {
  const shelf = new Shelf([out(300, 50), out(0, 100), out(80, 20), out(400, 0)]);
  expect(shelf.stretchAt(0)).toEqual({ segment: out(0, 100), from: 0, to: 80 });
  expect(shelf.stretchAt(85)).toEqual({ segment: out(80, 20), from: 85, to: 100 });
  expect(shelf.stretchAt(100)).toEqual({ segment: out(300, 50), from: 300, to: 350 });
  expect(shelf.stretchAt(350)).toBeUndefined();
  expect([shelf.oldest, shelf.end, shelf.bytes]).toEqual([0, 400, 170]);
  expect(new Shelf([out(70, 0)]).oldest).toBeUndefined();
});

test('S02 · holes are what no file has, also before the first and behind the last', () => {
  const shelf = new Shelf([out(300, 50), out(10, 90), out(80, 20), out(400, 0)]);
  expect(shelf.holes(0, 500)).toEqual([
    { from: 0, to: 10 },
    { from: 100, to: 300 },
    { from: 350, to: 500 },
  ]);
  expect(shelf.holes(150, 200)).toEqual([{ from: 150, to: 200 }]);
  expect(shelf.holes(10, 100)).toEqual([]);
  expect(new Shelf([]).holes(0, 5)).toEqual([{ from: 0, to: 5 }]);
});

test('put adds in order and replaces; remove removes', () => {
  const shelf = new Shelf([]);
  shelf.put(out(50, 0));
  shelf.put(out(0, 50));
  shelf.put(out(100, 1));
  shelf.put(out(50, 50));
  expect(shelf.segments).toEqual([out(0, 50), out(50, 50), out(100, 1)]);
  shelf.remove(50);
  expect(shelf.segments).toEqual([out(0, 50), out(100, 1)]);
});

test('S08 S10 · the oldest file of the largest series goes first, the newest of each never', () => {
  const outs = new Shelf([out(0, 10), out(10, 10), out(20, 10)]);
  const errs = new Shelf([err(0, 100)]);
  expect(nextToDelete([outs, errs])).toEqual(out(0, 10));
  errs.put(err(100, 1));
  expect(nextToDelete([outs, errs])).toEqual(err(0, 100));
  expect(nextToDelete([new Shelf([out(0, 1_000)]), new Shelf([])])).toBeUndefined();
});
