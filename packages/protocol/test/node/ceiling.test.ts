import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ANSWER_GRACE_MS, withCeiling } from '../../src/node/ceiling.ts';
import { createDeferred } from '../../src/node/deferred.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  const timers = vi.getTimerCount();
  vi.useRealTimers();
  if (timers > 0) throw new Error(`I15 · a settled request left ${timers} timers`);
});

/** A request under a ceiling whose daemon is silent from `silentFromMs` on; records when and how it settled. */
function watch(waitMs: number, silentFromMs = 0, signal?: AbortSignal) {
  const startedAt = Date.now();
  const { promise, resolve, reject } = createDeferred<string>();
  const probes: number[] = [];
  const settled: [number, string][] = [];
  let signsOfLife = 0;
  const ceiling = withCeiling(promise, {
    waitMs,
    signal,
    probe: async () => {
      probes.push(Date.now() - startedAt);
      if (Date.now() - startedAt < silentFromMs) signsOfLife += 1;
      else await createDeferred<void>().promise;
    },
    signsOfLife: () => signsOfLife,
    toError: () => new Error('not answering'),
  });
  const record = (how: string) => settled.push([Date.now() - startedAt, how]);
  ceiling.then(record, (error: Error) => record(error.message));
  return { resolve, reject, probes, settled };
}

describe('the ceiling of a request', () => {
  test('an answer in time is simply the answer', async () => {
    const { resolve, settled, probes } = watch(10_000);
    await vi.advanceTimersByTimeAsync(9_000);
    resolve('answer');
    await vi.advanceTimersByTimeAsync(0);
    expect([settled, probes]).toEqual([[[9_000, 'answer']], []]);
  });

  test('an error in time is simply the error', async () => {
    const { reject, settled } = watch(10_000);
    reject(new Error('refused'));
    await vi.advanceTimersByTimeAsync(0);
    expect(settled).toEqual([[0, 'refused']]);
  });

  test.each([0, 1, 10_000])('M18 · a silent daemon is reported 5 s past a wait of %i ms', async (waitMs) => {
    const { settled } = watch(waitMs);
    await vi.advanceTimersByTimeAsync(waitMs + ANSWER_GRACE_MS - 1);
    expect(settled).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(settled).toEqual([[waitMs + ANSWER_GRACE_MS, 'not answering']]);
  });

  test('a daemon that answers the probes may take its time, until it falls silent', async () => {
    const { settled, probes, resolve } = watch(10_000, 60_000);
    await vi.advanceTimersByTimeAsync(59_000);
    expect(settled).toEqual([]);
    expect(probes.length).toBeGreaterThan(5);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(settled).toEqual([[expect.any(Number), 'not answering']]);
    resolve('late');
    await vi.advanceTimersByTimeAsync(0);
    expect(settled).toHaveLength(1);
  });

  test('a cancelled request has the grace and not more, be there signs of life or not', async () => {
    const controller = new AbortController();
    const { settled } = watch(86_400_000, Number.POSITIVE_INFINITY, controller.signal);
    await vi.advanceTimersByTimeAsync(1_000);
    controller.abort();
    await vi.advanceTimersByTimeAsync(ANSWER_GRACE_MS);
    expect(settled).toEqual([[1_000 + ANSWER_GRACE_MS, 'not answering']]);
  });

  test('a cancelled request that is answered is answered', async () => {
    const controller = new AbortController();
    const { settled, resolve } = watch(10_000, 0, controller.signal);
    controller.abort();
    resolve('cancelled with output');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(settled).toEqual([[0, 'cancelled with output']]);
  });

  test('without a probe the limit is wait plus grace', async () => {
    const failure = withCeiling(createDeferred<void>().promise, {
      waitMs: 0,
      graceMs: 50,
      toError: () => new Error('not answering'),
    }).catch((error: Error) => error.message);
    await vi.advanceTimersByTimeAsync(50);
    await expect(failure).resolves.toBe('not answering');
  });
});
