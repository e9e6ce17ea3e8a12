import { expect, test } from 'vitest';
import { around, mulberry32 } from '../src/random.ts';

test('the same seed gives the same numbers, from 0 up to 1', () => {
  const take = (seed: number): readonly number[] => Array.from({ length: 1000 }, mulberry32(seed));
  expect(take(5)).toEqual(take(5));
  expect(take(5)).not.toEqual(take(6));
  expect(take(5).every((number) => number >= 0 && number < 1)).toBe(true);
});

test('distances lie around the mean and are never nothing', () => {
  const random = mulberry32(3);
  const distances = Array.from({ length: 1000 }, () => around(100, random));
  expect(Math.min(...distances)).toBeGreaterThanOrEqual(50);
  expect(Math.max(...distances)).toBeLessThanOrEqual(150);
  expect(around(0, random)).toBe(1);
});
