import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PrintingRuns } from '../../src/core/printingRuns.ts';

/** One byte at a time, as the rule is said: all but C0, DEL and C1. */
function endOf(bytes: Uint8Array, from: number, mask: number): number {
  const rest = bytes.subarray(from).findIndex((byte) => {
    const code = byte & mask;
    return code < 0x20 || (code >= 0x7f && code < 0xa0);
  });
  return rest < 0 ? bytes.length : from + rest;
}

const byte = fc.oneof(
  { weight: 30, arbitrary: fc.integer({ min: 0x20, max: 0x7e }) },
  { weight: 1, arbitrary: fc.nat({ max: 255 }) },
  { weight: 1, arbitrary: fc.constantFrom(0x00, 0x1b, 0x1f, 0x7f, 0x80, 0x9f, 0xa0, 0xff) },
);

test('a run ends where it ends byte by byte, wherever in its buffer the chunk lies', () => {
  fc.assert(
    fc.property(
      fc.array(byte, { maxLength: 300 }),
      fc.nat({ max: 7 }),
      fc.nat({ max: 300 }),
      fc.constantFrom(0x7f, 0xff),
      (values, skipped, place, mask) => {
        const bytes = Uint8Array.from([...values.slice(0, skipped), ...values]).subarray(skipped);
        const from = Math.min(place, bytes.length);
        expect(new PrintingRuns(bytes).endOf(from, mask)).toBe(endOf(bytes, from, mask));
      },
    ),
    { numRuns: 1_000 },
  );
});

test('every byte ends a run or not, at each of four places', () => {
  for (const mask of [0x7f, 0xff]) {
    for (let value = 0; value < 256; value += 1) {
      for (let place = 40; place < 44; place += 1) {
        const bytes = new Uint8Array(64).fill(0x41);
        bytes[place] = value;
        const runs = new PrintingRuns(bytes);
        expect([value, runs.endOf(0, mask), runs.endOf(place, mask)]).toEqual([
          value,
          endOf(bytes, 0, mask),
          endOf(bytes, place, mask),
        ]);
      }
    }
  }
});
