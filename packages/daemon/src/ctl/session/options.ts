/** Options that commands about sessions share, and what they mean on the wire. */
import { type Arguments, type OptionSpec, UsageError } from '../command.ts';
import { WAIT_OPTIONS } from '../options.ts';

/** Of a wait for output; pagers and prompts are the line's alone. */
export const SESSION_WAIT_OPTIONS = {
  expect: WAIT_OPTIONS.expect,
  'timeout-ms': WAIT_OPTIONS['timeout-ms'],
  'quiet-ms': WAIT_OPTIONS['quiet-ms'],
  'settle-ms': WAIT_OPTIONS['settle-ms'],
  'max-chars': WAIT_OPTIONS['max-chars'],
  'to-file': WAIT_OPTIONS['to-file'],
} as const satisfies Record<string, OptionSpec>;

/** What was not given stays absent: the daemon knows the defaults. */
export function toSessionWaitInput(args: Arguments) {
  return {
    expect: args.text('expect'),
    timeoutMs: args.number('timeout-ms'),
    quietMs: args.number('quiet-ms'),
    settleMs: args.number('settle-ms'),
    maxChars: args.number('max-chars'),
    toFile: args.text('to-file'),
  };
}

/** Throws a usage error for an option that does not go `where`, such as `with --session`. */
export function refuseOptions(args: Arguments, names: readonly string[], where: string): void {
  const given = names.find(
    (name) => args.flag(name) || args.text(name) !== undefined || args.number(name) !== undefined,
  );
  if (given !== undefined) throw new UsageError(`--${given} does not go ${where}`);
}
