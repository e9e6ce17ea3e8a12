import { expect, test } from 'vitest';
import { toDateText, toTimeText } from '../src/clock.ts';

const BOOT = new Date(2026, 10, 30, 19, 49, 48);

test('the time is worded as recorded (04a, 12)', () => {
  expect(toTimeText(new Date(2026, 10, 30, 19, 51, 25), BOOT)).toBe(
    'The time is 19:51:25 EST.\nToday is Monday, the 30th of November, 2026.\nKA ITS 1652 has run for 1 minute, 37 seconds.\n',
  );
  expect(toTimeText(new Date(2026, 10, 30, 20, 25, 31), BOOT)).toContain('run for 35 minutes, 43 seconds.');
});

test('one of anything has no s (04b-more-cmd)', () => {
  expect(toTimeText(new Date(2026, 10, 30, 19, 52, 49), BOOT)).toContain('run for 3 minutes, 1 second.');
});

test('the date is worded as recorded (07g)', () => {
  expect(toDateText(new Date(2026, 10, 30, 20, 24, 53))).toBe('   MONDAY, NOVEMBER 30, 2026  08:24:53 PM\n');
});
