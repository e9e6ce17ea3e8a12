/** Answers of a daemon, as small as their types allow. */
import type { Outcome, Slice } from '@pidp10/protocol/schemas';
import type { SessionFacts, SessionOutcome, SessionStatus } from '@pidp10/protocol/sessionSchemas';

export function slice(start: number, text: string, more: Partial<Slice> = {}): Slice {
  return {
    start,
    end: start + text.length,
    text,
    truncated: false,
    lines: text.split('\n').length - 1,
    ...more,
  };
}

export function outcome(more: Partial<Outcome> = {}): Outcome {
  return {
    reason: 'quiet',
    output: slice(0, ''),
    lineState: { state: 'open', codec: 'telnet' },
    activity: { kind: 'unknown' },
    echo: 'unknown',
    epoch: 'e1',
    ...more,
  };
}

export const FACTS: SessionFacts = {
  session: 's1',
  state: 'running',
  isPty: false,
  outputState: 'open',
  epoch: 'e1',
};
export const EXITED = {
  state: 'exited',
  exit: { code: 3, status: 3 },
  outputState: 'ended',
} as const satisfies Partial<SessionFacts>;

export function sessionOutcome(more: Partial<SessionOutcome> = {}): SessionOutcome {
  return { reason: 'quiet', stream: 'out', output: slice(0, ''), ...FACTS, ...more };
}

export function sessionStatus(more: Partial<SessionStatus> = {}): SessionStatus {
  return {
    ...FACTS,
    command: 'cat',
    cwd: '/home/me',
    splitStderr: false,
    startedAt: '2026-01-01T00:00:00.000Z',
    startedBy: 'me',
    end: 0,
    oldest: 0,
    unread: 0,
    pendingBytes: 0,
    echo: 'unknown',
    ...more,
  };
}
