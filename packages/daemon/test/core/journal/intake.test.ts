import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Intake } from '../../../src/core/journal/intake.ts';
import { thawed } from '../bytes.ts';

test('S04 · exactly the limit is taken, one byte more is a gap of one byte', () => {
  expect(new Intake(100).take(0, 100, 0, 1)).toEqual({ accepted: 100 });
  const intake = new Intake(100);
  expect(intake.take(0, 101, 0, 1)).toEqual({ accepted: 100 });
  expect(intake.gapFrom).toBe(100);
  expect(intake.close(101, 2)).toEqual({ from: 100, to: 101, fromWallMs: 1, toWallMs: 2 });
  expect(intake.close(101, 2)).toBeUndefined();
});

test('S04 · a gap lasts until the queue has shrunk to half', () => {
  const intake = new Intake(100);
  intake.take(0, 150, 0, 1);
  expect(intake.take(150, 10, 51, 2)).toEqual({ accepted: 0 });
  const closed = { from: 100, to: 160, fromWallMs: 1, toWallMs: 3 };
  expect(intake.take(160, 10, 50, 3)).toEqual({ accepted: 10, closed });
});

test('S04 · every byte is taken or lies in exactly one gap, also over a snapshot', () => {
  const step = fc.record({ bytes: fc.nat({ max: 120 }), drained: fc.nat({ max: 80 }) });
  fc.assert(
    fc.property(fc.array(step), fc.nat({ max: 20 }), (steps, where) => {
      let intake = new Intake(100);
      let [offset, queued, accepted, missing] = [0, 0, 0, 0];
      for (const [index, { bytes, drained }] of steps.entries()) {
        if (index === where) intake = new Intake(100, thawed(intake.snapshot()));
        queued = Math.max(queued - drained, 0);
        const taken = intake.take(offset, bytes, queued, index);
        offset += bytes;
        queued += taken.accepted;
        accepted += taken.accepted;
        missing += taken.closed === undefined ? 0 : taken.closed.to - taken.closed.from;
        expect(queued).toBeLessThanOrEqual(100);
      }
      const last = intake.close(offset, 99);
      missing += last === undefined ? 0 : last.to - last.from;
      expect(accepted + missing).toBe(offset);
    }),
  );
});
