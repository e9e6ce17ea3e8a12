import { expect, it } from 'vitest';
import { DEFAULT_FLOOR_WAIT_MS, toFloorWait } from '../src/floorWait.ts';

const returnAfterMs = 45_000;
const silent = { returnAfterMs, notifyProgress: undefined };
const patient = { returnAfterMs, notifyProgress: async () => {} };

it('M09 · fits the queue into the patience of a client that sees no progress', () => {
  const waits = [undefined, 0, 30_000, 30_001].map(
    (ms) => toFloorWait({ floor: 'wait', floor_wait_ms: ms }, silent).floorWaitMs,
  );
  expect(waits).toEqual([DEFAULT_FLOOR_WAIT_MS, 0, 30_000, 30_000]);
  const left = [14_999, 15_000, 15_001, 45_000, 60_000].map(
    (otherMs) => toFloorWait({ floor: 'wait' }, { ...silent, otherMs }).floorWaitMs,
  );
  expect(left).toEqual([30_000, 30_000, 29_999, 0, 0]);
  expect(toFloorWait({ floor: 'wait', floor_wait_ms: 600_000 }, { ...patient, otherMs: 60_000 })).toEqual({
    floor: 'wait',
    floorWaitMs: 600_000,
  });
});

it('fails at once where that was asked for', () => {
  expect(toFloorWait({ floor: 'fail', floor_wait_ms: 9_000 }, patient)).toEqual({
    floor: 'fail',
    floorWaitMs: 0,
  });
});
