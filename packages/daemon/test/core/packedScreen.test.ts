import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packScreen, unpackScreen } from '../../src/core/packedScreen.ts';
import { blankScreen, Screen } from '../../src/core/screen.ts';
import { bytesOf, lineOutput, thawed } from './bytes.ts';

function painted(bytes: Uint8Array, bits: 7 | 8 = 7) {
  const screen = new Screen(bits);
  screen.apply(bytes);
  return screen.snapshot();
}

test('a screen that was packed and went through JSON is the same', () => {
  fc.assert(
    fc.property(fc.constantFrom<7 | 8>(7, 8), lineOutput, (bits, bytes) => {
      const screen = painted(bytes, bits);
      expect(unpackScreen(thawed(packScreen(screen)))).toEqual(screen);
    }),
  );
});

test('a blank at the end is left out, white space of 8 bits is not', () => {
  const { rows } = packScreen(painted(bytesOf('ab  \r\n\xa0 '), 8));
  expect(rows).toEqual(['ab', '\xa0']);
});

describe('in JSON', () => {
  const bytesIn = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length;

  test('a blank one has less than 200 bytes', () => {
    expect(bytesIn(packScreen(blankScreen()))).toBeLessThan(200);
  });

  test('a full one of 24 x 80 has less than 3,000, late in a long stream too', () => {
    const screen = new Screen(7, blankScreen(1e12));
    screen.apply(bytesOf(`${'x'.repeat(80)}\r\n`.repeat(24)));
    expect(bytesIn(packScreen(screen.snapshot()))).toBeLessThan(3_000);
  });
});

test('on one of another size what fits is kept, with the cursor on it', () => {
  const packed = packScreen(painted(bytesOf('abcdef\r\nghijkl\r\nmnopqr')));
  const { rows, row, column, changedAt } = unpackScreen(packed, { rows: 2, columns: 4 });
  expect([rows, row, column, changedAt.length]).toEqual([['abcd', 'ghij'], 1, 3, 2]);
  expect(unpackScreen(packed, { rows: 30, columns: 90 }).rows[2]).toBe('mnopqr'.padEnd(90));
});
