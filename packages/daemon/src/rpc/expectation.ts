/** A call's waiting parameters, checked and made into what the core understands. */
import { rpcError } from '@pidp10/protocol/errors';
import type { MethodParams } from '@pidp10/protocol/methods';
import type { Expectation } from '../core/events.ts';
import { compilePattern } from '../core/pattern/pattern.ts';

type Waiting = MethodParams<'line.send'> | MethodParams<'line.read'>;

/** Throws `pattern_invalid`, before anything was sent. */
export function toExpectation(params: Waiting): Expectation {
  const { expect, timeoutMs, quietMs, settleMs, autoMore, maxPages, maxChars, until, toFile } = params;
  assertPattern(expect);
  return {
    ...(expect !== undefined && { pattern: expect }),
    timeoutMs,
    quietMs,
    settleMs,
    autoMore,
    maxPages,
    ...(until !== undefined && { until }),
    // A file takes all that the ring holds; the answer shows its beginning.
    maxChars: toFile === undefined ? maxChars : Number.MAX_SAFE_INTEGER,
  };
}

/** Throws `pattern_invalid`. */
export function assertPattern(expect: string | undefined): void {
  if (expect === undefined) return;
  const compiled = compilePattern(expect);
  if (compiled.kind !== 'invalid') return;
  const detail = `expect, at position ${compiled.position}: ${compiled.message}. Nothing was sent.`;
  throw rpcError('pattern_invalid', detail, { position: compiled.position });
}

/** The wait of a step that the daemon itself makes, in a login or a file's way. */
export function ownExpectation(options: Partial<Expectation> = {}): Expectation {
  return {
    timeoutMs: 15_000,
    quietMs: 1_500,
    settleMs: 150,
    autoMore: true,
    maxPages: 20,
    maxChars: Number.MAX_SAFE_INTEGER,
    ...options,
  };
}
