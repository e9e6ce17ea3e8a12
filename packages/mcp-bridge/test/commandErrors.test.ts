import { LocalError, RPC_ERRORS } from '@pidp10/protocol/errors';
import { describe, expect, it } from 'vitest';
import { COMMAND_TOOLS, toCommandError } from '../src/commandErrors.ts';
import { toFailure } from '../src/toolError.ts';

/** All but the one of an upgrade, which no tool asks for. */
const SESSION_ERRORS = Object.entries(RPC_ERRORS).filter(
  ([name, { code }]) => code >= 1_200 && code < 1_300 && name !== 'sessions_running',
);

describe('refusals about commands', () => {
  it.each(SESSION_ERRORS)('%s names no method of the daemon, which a model does not have', (name, entry) => {
    const message = `${entry.meaning} ${entry.remedy}`;
    const text = toCommandError(entry.code, message) ?? `${name}: ${message}`;
    expect(text).toMatch(new RegExp(`^${name}: `));
    expect(text).not.toMatch(/session\.\w|with `(?:stop|pty)`\./);
  });

  it('keep what the daemon said, and put tools in the place of its remedy', () => {
    const { code, remedy } = RPC_ERRORS.session_unknown;
    expect(toCommandError(code, `There is no session s9. ${remedy}`)).toBe(
      'session_unknown: There is no session s9. list_sessions shows those that are kept.',
    );
    expect(toCommandError(RPC_ERRORS.pattern_invalid.code, 'x')).toBeUndefined();
    expect(toCommandError(99_999, 'x')).toBeUndefined();
  });
});

describe('a call that was cut off', () => {
  const lost = new LocalError('connection_lost');
  const absent = new LocalError('daemon_not_running');
  const textOf = (error: unknown, tool: (typeof COMMAND_TOOLS)[number]) =>
    toFailure(error, { tool, maySpawn: true })
      .content.map(({ text }) => text)
      .join('\n');

  it.each(COMMAND_TOOLS)('%s says what may have happened', (tool) => {
    expect(textOf(lost, tool)).toMatch(/may or may not|Nothing was changed/);
  });

  it('start_command and send_input are not to be repeated blindly', () => {
    expect(textOf(lost, 'start_command')).toContain('call list_sessions before starting it again');
    expect(textOf(lost, 'send_input')).toContain('before sending it again');
  });

  it('without a daemon the tools lead to the one that starts one', () => {
    expect(textOf(absent, 'read_output')).toContain('start_command starts one');
    expect(textOf(absent, 'start_command')).not.toContain('start_command starts one');
  });
});
