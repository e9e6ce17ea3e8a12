import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PARENT_POLL_MS, watchParent } from '../src/parentWatch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('M01 · calls once when the parent has changed, in good time for one second', () => {
  let parent = 100;
  const onGone = vi.fn<() => void>();
  watchParent({ getParent: () => parent, onGone });
  vi.advanceTimersByTime(10 * PARENT_POLL_MS);
  expect(onGone).not.toHaveBeenCalled();
  parent = 1;
  vi.advanceTimersByTime(PARENT_POLL_MS);
  expect(onGone).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(10 * PARENT_POLL_MS);
  expect(onGone).toHaveBeenCalledTimes(1);
  expect(PARENT_POLL_MS).toBeLessThan(500);
});

it('I15 · leaves no timer behind', () => {
  const watch = watchParent({ getParent: () => 1, onGone: () => {} });
  expect(vi.getTimerCount()).toBe(1);
  watch[Symbol.dispose]();
  expect(vi.getTimerCount()).toBe(0);
});
