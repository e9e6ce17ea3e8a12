/** Waiting for a program's end. */
import { rpcError } from '@pidp10/protocol/errors';
import type { MethodParams, MethodResult } from '@pidp10/protocol/methods';
import type { Call } from './session.ts';
import { hasExited, isOver } from './sessionAnswers.ts';
import type { SessionService } from './sessionService.ts';

/** Resolves when it is over, the time is, or the caller gave up. */
export async function waitUntilOver(
  session: SessionService,
  params: MethodParams<'session.wait'>,
  call: Call,
): Promise<MethodResult<'session.wait'>> {
  const { until, timeoutMs, returnAfterMs = Number.POSITIVE_INFINITY, progressEveryMs } = params;
  const enough = new AbortController();
  const giveUp = () => enough.abort();
  const timer = setTimeout(giveUp, Math.min(timeoutMs, returnAfterMs));
  if (call.signal.aborted) giveUp();
  call.signal.addEventListener('abort', giveUp, { once: true });
  const { out } = session;
  const bornMs = out.nowMs();
  const { end } = out.conversation.scrollback;
  using _progress =
    progressEveryMs === undefined
      ? undefined
      : out.every(progressEveryMs, () =>
          call.sendProgress({
            elapsedMs: Math.round(out.nowMs() - bornMs),
            bytes: out.conversation.scrollback.end - end,
          }),
        );
  try {
    await session.whenOver(until, enough.signal);
  } finally {
    clearTimeout(timer);
    call.signal.removeEventListener('abort', giveUp);
  }
  const reason = reasonOf(session, params, call);
  if (reason !== 'exited' && !enough.signal.aborted)
    throw rpcError('session_unknown', `${session.id} was deleted while this call waited.`);
  return { reason, ...session.facts };
}

function reasonOf(
  session: SessionService,
  { until, timeoutMs, returnAfterMs = Number.POSITIVE_INFINITY }: MethodParams<'session.wait'>,
  { signal }: Call,
): MethodResult<'session.wait'>['reason'] {
  if (until === 'end' ? isOver(session) : hasExited(session)) return 'exited';
  if (signal.aborted) return 'cancelled';
  return returnAfterMs < timeoutMs ? 'still_waiting' : 'timeout';
}
