import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LongCalls } from '../src/longCalls.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const patience = { patienceMs: 1_000 };

/** A request that the test ends, and how often it was begun. */
class Request {
  begun = 0;
  signal: AbortSignal | undefined;
  resolve: (value: string) => void = () => {};
  reject: (reason: Error) => void = () => {};
  readonly begin = (signal: AbortSignal): Promise<string> => {
    this.begun += 1;
    this.signal = signal;
    return new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  };
}

describe('a call that may outlast its client', () => {
  it('settles as its request does when that is in time', async () => {
    const [calls, request] = [new LongCalls<string>(), new Request()];
    const { signal } = new AbortController();
    const first = calls.run('k', request.begin, { signal, ...patience });
    request.resolve('done');
    expect(await first).toBe('done');
    const second = calls.run('k', request.begin, { signal, ...patience });
    request.reject(new Error('refused'));
    await expect(second).rejects.toThrow('refused');
    expect(request.begun).toBe(2);
    expect(vi.getTimerCount()).toBe(2); // what forgets the two results; no patience is left
  });

  it('M09 · returns in time, and the same call again joins the request, or fetches what came meanwhile', async () => {
    const [calls, request] = [new LongCalls<string>(), new Request()];
    const { signal } = new AbortController();
    for (let i = 0; i < 2; i += 1) {
      const call = calls.run('k', request.begin, { signal, ...patience });
      await vi.advanceTimersByTimeAsync(1_000);
      expect(await call).toBeUndefined();
    }
    request.resolve('done');
    await turn();
    expect(await calls.run('k', request.begin, { signal, ...patience })).toBe('done');
    expect(request.begun).toBe(1);
  });

  it('hears of a failure that nobody was there for, and begins anew after that', async () => {
    const [calls, request] = [new LongCalls<string>(), new Request()];
    const { signal } = new AbortController();
    const call = calls.run('k', request.begin, { signal, ...patience });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await call).toBeUndefined();
    request.reject(new Error('refused'));
    await turn();
    await expect(calls.run('k', request.begin, { signal, ...patience })).rejects.toThrow('refused');
    void calls.run('k', request.begin, { signal, ...patience });
    expect(request.begun).toBe(2);
  });

  it('waits for the end without patience, and keeps other keys apart', async () => {
    const calls = new LongCalls<string>();
    const [one, two] = [new Request(), new Request()];
    const { signal } = new AbortController();
    const first = calls.run('1', one.begin, { signal, patienceMs: undefined });
    const second = calls.run('2', two.begin, { signal, patienceMs: undefined });
    await vi.advanceTimersByTimeAsync(600_000);
    two.resolve('two');
    one.resolve('one');
    expect([await first, await second]).toEqual(['one', 'two']);
  });

  it('M10 · an abort of whoever waits gives the request up', async () => {
    const [calls, request] = [new LongCalls<string>(), new Request()];
    const [first, second] = [new AbortController(), new AbortController()];
    const call = calls.run('k', request.begin, { signal: first.signal, ...patience });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await call).toBeUndefined();
    first.abort();
    expect(request.signal?.aborted).toBe(false); // its answer is out; nobody gave the request up
    void calls.run('k', request.begin, { signal: second.signal, ...patience });
    second.abort();
    expect(request.signal?.aborted).toBe(true);
  });

  it('forgets a result that nobody fetches', async () => {
    const [calls, request] = [new LongCalls<string>(), new Request()];
    const { signal } = new AbortController();
    const call = calls.run('k', request.begin, { signal, ...patience });
    await vi.advanceTimersByTimeAsync(1_000);
    await call;
    request.resolve('done');
    await turn();
    await vi.advanceTimersByTimeAsync(600_000);
    void calls.run('k', request.begin, { signal, ...patience });
    expect(request.begun).toBe(2);
  });
});
