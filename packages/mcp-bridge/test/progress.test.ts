import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { reportProgress } from '../src/progress.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('M09 · comes regularly, rises, tells what the daemon last said, and is over when disposed', async () => {
  const heard: [number, string][] = [];
  const report = reportProgress(async (progress, message) => void heard.push([progress, message]), {
    everyMs: 5_000,
    startMs: performance.now(),
  });
  vi.advanceTimersByTime(5_000);
  report.update({ id: 1, elapsedMs: 6_000, bytes: 1_234, sent: 5, accepted: 10 });
  vi.advanceTimersByTime(5_000);
  report.update({ id: 1, elapsedMs: 6_000, bytes: 2, sent: 7 });
  vi.advanceTimersByTime(5_000);
  await report[Symbol.asyncDispose]();
  vi.advanceTimersByTime(60_000);
  expect(heard).toEqual([
    [5, 'waiting for 5 s'],
    [10, 'waiting for 10 s, 1,234 bytes of output so far, 5 of 10 input bytes sent'],
    [15, 'waiting for 15 s, 2 bytes of output so far, 7 input bytes sent'],
  ]);
  expect(vi.getTimerCount()).toBe(0);
});

it('M09 · waits at its end for the last report to be written, so that none follows the result', async () => {
  let write: () => void = () => {};
  const events: string[] = [];
  const report = reportProgress(() => new Promise((resolve) => (write = resolve)), {
    everyMs: 100,
    startMs: performance.now(),
  });
  vi.advanceTimersByTime(100);
  const over = report[Symbol.asyncDispose]().then(() => events.push('over'));
  events.push('written');
  write();
  await over;
  expect(events).toEqual(['written', 'over']);
});

it('does not mind a client that is gone', async () => {
  const report = reportProgress(() => Promise.reject(new Error('not connected')), {
    everyMs: 100,
    startMs: performance.now(),
  });
  vi.advanceTimersByTime(300);
  await expect(report[Symbol.asyncDispose]()).resolves.toBeUndefined();
});

it('M09 · goes on rising when a call waits a second time', async () => {
  const heard: number[] = [];
  const options = { everyMs: 1_000, startMs: performance.now() };
  for (let wait = 0; wait < 2; wait += 1) {
    const report = reportProgress(async (progress) => void heard.push(progress), options);
    vi.advanceTimersByTime(2_000);
    await report[Symbol.asyncDispose]();
  }
  expect(heard).toEqual([1, 2, 3, 4]);
});
