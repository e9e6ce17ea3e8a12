import { LOCAL_ERRORS, LocalError, type LocalErrorName, rpcError } from '@pidp10/protocol/errors';
import { reasonSchema } from '@pidp10/protocol/schemas';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../src/ctl/command.ts';
import { EXIT_CODE_MEANINGS, toErrorExitCode, toExitCode } from '../../src/ctl/exitCodes.ts';

describe('exit codes', () => {
  test('pin: every reason has one', () => {
    const codes = Object.fromEntries(reasonSchema.options.map((reason) => [reason, toExitCode({ reason })]));
    expect(codes).toEqual({
      matched: 0,
      prompt: 0,
      quiet: 0,
      timeout: 3,
      still_waiting: 3,
      dead: 4,
      more_limit: 6,
      pager: 6,
      question: 6,
      limit: 6,
      cancelled: 130,
      preempted: 1,
      interrupted: 1,
    });
  });

  test('pin: every error of our own side has one', () => {
    const names = Object.keys(LOCAL_ERRORS) as LocalErrorName[];
    const codes = Object.fromEntries(names.map((name) => [name, toErrorExitCode(new LocalError(name))]));
    expect(codes).toEqual({
      daemon_not_running: 5,
      daemon_not_answering: 5,
      socket_not_usable: 5,
      spawn_failed: 5,
      connection_lost: 5,
      name_invalid: 2,
      socket_path_too_long: 2,
      unexpected_result: 1,
      cancelled: 130,
    });
  });

  test.each([
    ['line_busy', 1],
    ['no_greeting', 1],
    ['bad_escape', 1],
    ['internal_error', 1],
    ['protocol_mismatch', 1],
    ['line_not_open', 4],
    ['invalid_params', 2],
    ['shutting_down', 5],
    ['call_cancelled', 130],
    ['not_at_ddt', 1],
    ['confirmation_required', 1],
  ] as const)('the daemon answers %s: %i', (name, code) => {
    expect(toErrorExitCode(rpcError(name))).toBe(code);
  });

  test('a code of a newer daemon, a wrong use, a fault of ours', () => {
    expect(toErrorExitCode(new UsageError('no'))).toBe(2);
    expect(toErrorExitCode(new Error('fault'))).toBe(1);
    expect(toErrorExitCode('fault')).toBe(1);
  });

  test('each code has a meaning in the help text', () => {
    expect(EXIT_CODE_MEANINGS.map(([code]) => code)).toEqual([0, 1, 2, 3, 4, 5, 6, 130, 143]);
  });
});
