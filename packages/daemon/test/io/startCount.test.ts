import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../protocol/test/support/folder.ts';
import {
  forgetStarts,
  isUnderLaunchd,
  MAX_STARTS,
  noteStart,
  START_WINDOW_MS,
} from '../../src/io/startCount.ts';

describe('U05: under launchd the daemon itself gives up', () => {
  test('after so many starts in the window, and not one before', () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'line.starts');
    const goesOn = Array.from({ length: MAX_STARTS + 1 }, (_, index) => noteStart(path, 1_000 + index));
    expect(goesOn.slice(0, MAX_STARTS)).toEqual(Array(MAX_STARTS).fill(true));
    expect(goesOn[MAX_STARTS]).toBe(false);
    // The oldest is out of the window: one more try.
    expect(noteStart(path, 1_000 + START_WINDOW_MS - 1)).toBe(false);
    expect(noteStart(path, 1_000 + START_WINDOW_MS)).toBe(true);
    expect(noteStart(path, 1_000 + START_WINDOW_MS)).toBe(false);
  });

  test('a clean end begins the count again', () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'line.starts');
    for (let start = 0; start < MAX_STARTS; start += 1) noteStart(path, 1_000);
    forgetStarts(path);
    forgetStarts(path);
    expect(noteStart(path, 1_000)).toBe(true);
  });

  test('times of the future and a damaged file do not count', () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'line.starts');
    writeFileSync(path, `${'99999999\n'.repeat(MAX_STARTS)}rubbish\n`);
    expect(noteStart(path, 1_000)).toBe(true);
  });

  test('a place that cannot be written to does not stop it', () => {
    expect(noteStart('/dev/null/line.starts', 1_000)).toBe(true);
    forgetStarts('/dev/null/line.starts');
  });

  test.each([
    [{ PIDP10D_SUPERVISOR: 'launchd' }, true],
    [{ PIDP10D_SUPERVISOR: 'systemd' }, false],
    [{}, false],
  ])('%j', (env, expected) => {
    expect(isUnderLaunchd(env)).toBe(expected);
  });
});
