/** Exit codes: what a script can tell without reading. The table is printed by `--help` and stands in the README. */
import { LocalError, type LocalErrorName, RpcError, rpcErrorName } from '@pidp10/protocol/errors';
import type { Outcome, Reason } from '@pidp10/protocol/schemas';
import { UsageError } from './command.ts';

export const EXIT = {
  ok: 0,
  error: 1,
  usage: 2,
  timeout: 3,
  lineDown: 4,
  noDaemon: 5,
  unfinished: 6,
  interrupted: 130,
} as const;

export const EXIT_CODE_MEANINGS: readonly (readonly [code: number, meaning: string])[] = [
  [EXIT.ok, 'matched, prompt or quiet; success of the other commands'],
  [EXIT.error, 'refused, or a fault'],
  [EXIT.usage, 'wrong usage'],
  [EXIT.timeout, 'timeout or still_waiting'],
  [EXIT.lineDown, 'the line is dead or not open; the program has exited'],
  [EXIT.noDaemon, 'no daemon'],
  [EXIT.unfinished, 'more is to come: more_limit, pager, question, limit; a login that stopped'],
  [EXIT.interrupted, 'interrupted by ^C'],
  [143, 'ended by SIGTERM; 129 by SIGHUP'],
];

export function toExitCode(outcome: Pick<Outcome, 'reason'>): number {
  return REASONS[outcome.reason];
}

const REASONS: Readonly<Record<Reason, number>> = {
  matched: EXIT.ok,
  prompt: EXIT.ok,
  quiet: EXIT.ok,
  timeout: EXIT.timeout,
  still_waiting: EXIT.timeout,
  dead: EXIT.lineDown,
  more_limit: EXIT.unfinished,
  pager: EXIT.unfinished,
  question: EXIT.unfinished,
  limit: EXIT.unfinished,
  cancelled: EXIT.interrupted,
  preempted: EXIT.error,
  interrupted: EXIT.error,
};

export function toErrorExitCode(error: unknown): number {
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof LocalError) return LOCAL[error.code];
  if (!(error instanceof RpcError)) return EXIT.error;
  switch (rpcErrorName(error.code)) {
    case 'invalid_params':
      return EXIT.usage;
    case 'line_not_open':
    case 'session_exited':
    case 'input_closed':
      return EXIT.lineDown;
    case 'call_cancelled':
      return EXIT.interrupted;
    case 'shutting_down':
      return EXIT.noDaemon;
    default:
      return EXIT.error;
  }
}

const LOCAL: Readonly<Record<LocalErrorName, number>> = {
  daemon_not_running: EXIT.noDaemon,
  daemon_not_answering: EXIT.noDaemon,
  socket_not_usable: EXIT.noDaemon,
  spawn_failed: EXIT.noDaemon,
  connection_lost: EXIT.noDaemon,
  name_invalid: EXIT.usage,
  socket_path_too_long: EXIT.usage,
  unexpected_result: EXIT.error,
  cancelled: EXIT.interrupted,
};
