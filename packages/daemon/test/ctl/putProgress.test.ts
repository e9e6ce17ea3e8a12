import type { ClientApi } from '@pidp10/protocol/clientApi';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { showPutProgress } from '../../src/ctl/putProgress.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A client whose line has sent so many bytes, one figure a look; then it fails. */
function toClient(figures: readonly number[]): ClientApi {
  let next = 0;
  const request = () => {
    const bytesOut = figures[next];
    next += 1;
    return bytesOut === undefined ? Promise.reject(new Error('gone')) : Promise.resolve({ bytesOut });
  };
  return { request } as unknown as ClientApi;
}

test('characters typed since the begin, then reading back, then nothing is left of it', async () => {
  const written: string[] = [];
  const output = { write: (text: string) => written.push(text) };
  {
    using _progress = showPutProgress(toClient([100, 160, 230]), { chars: 120, output });
    await vi.advanceTimersByTimeAsync(1_600);
  }
  await vi.advanceTimersByTimeAsync(5_000);
  expect(written.map((text) => text.replace('\r\x1b[K', ''))).toEqual([
    'pidp10ctl: typed 0 of 120 characters',
    'pidp10ctl: typed 60 of 120 characters',
    'pidp10ctl: reading it back',
    '',
  ]);
  expect(vi.getTimerCount()).toBe(0);
});
