/** Waiting for the exit of a program for as long as it takes: one call after the other, each as long as one may be. */
import type { ClientApi } from '@pidp10/protocol/clientApi';
import { MAX_WAIT_MS } from '@pidp10/protocol/limits';
import type { MethodResult } from '@pidp10/protocol/methods';

export interface WaitOptions {
  /** `end`: all its output has come, too. */
  readonly until: 'exit' | 'end';
  /** Default: for ever. In ms. */
  readonly timeoutMs?: number | undefined;
  readonly signal: AbortSignal;
}

/** `timeout` only where one was asked for. Rejects as requests do. */
export async function waitForExit(
  client: ClientApi,
  session: string,
  { until, timeoutMs, signal }: WaitOptions,
): Promise<MethodResult<'session.wait'>> {
  for (;;) {
    const input = { session, until, timeoutMs: timeoutMs ?? MAX_WAIT_MS };
    const result = await client.request('session.wait', input, { signal });
    if (result.reason !== 'timeout' || timeoutMs !== undefined) return result;
  }
}
