import { expect, test } from 'vitest';
import { UsageError } from '../../src/ctl/command.ts';
import { toTime } from '../../src/ctl/toTime.ts';

const NOW_MS = Date.parse('2031-05-05T12:00:00Z');

test.each([
  ['2031-01-01T09:30Z', '2031-01-01T09:30:00.000Z'],
  ['2031-01-01 09:30:15.5+01:00', '2031-01-01T08:30:15.500Z'],
  ['90s', '2031-05-05T11:58:30.000Z'],
  ['90m', '2031-05-05T10:30:00.000Z'],
  ['36h', '2031-05-04T00:00:00.000Z'],
  ['2d', '2031-05-03T12:00:00.000Z'],
  ['999999999d', '1970-01-01T00:00:00.000Z'],
])('%s', (text, time) => {
  expect(toTime(text, '--since', NOW_MS)).toBe(time);
});

test('without a zone it is the time of the shell, a day alone too', () => {
  expect(toTime('2031-01-01', '--since')).toBe(new Date(2031, 0, 1).toISOString());
  expect(toTime('2031-01-01T09:30', '--since')).toBe(new Date(2031, 0, 1, 9, 30).toISOString());
  expect(toTime(undefined, '--since')).toBeUndefined();
});

test.each(['', 'soon', '5', '5w', '-5m', '2031-13-01', '2031-01-01T25:00', '1.5h', '2031'])(
  '%j is none',
  (text) => {
    expect(() => toTime(text, '--since', NOW_MS)).toThrow(UsageError);
  },
);
