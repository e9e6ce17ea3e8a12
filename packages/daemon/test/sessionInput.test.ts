import { expect, test } from 'vitest';
import { ANSWERS_LIMIT, InputLedger } from '../src/sessionInput.ts';

test('tells somebody’s input from the terminal’s answers between it, however the system takes them', () => {
  for (const step of [1, 2, 3, 5, 100]) {
    const ledger = new InputLedger();
    const pieces = [
      [4, true],
      [3, false],
      [2, true],
      [1, false],
    ] as const;
    for (const [bytes, isData] of pieces) ledger.wrote(bytes, isData);
    let data = 0;
    for (let left = 10; left > 0; left -= step) data += ledger.written(Math.min(step, left));
    expect(data).toBe(6);
    expect(ledger.written(5)).toBe(0);
  }
});

test('I6 · a terminal whose program does not read answers so much and no more', () => {
  const ledger = new InputLedger();
  ledger.wrote(ANSWERS_LIMIT - 1, false);
  expect([ledger.hasRoomFor(1), ledger.hasRoomFor(2)]).toEqual([true, false]);
  ledger.written(1);
  expect(ledger.hasRoomFor(2)).toBe(true);
});
