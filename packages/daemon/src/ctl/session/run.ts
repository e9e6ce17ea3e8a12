/** `run COMMAND ARGS...`: starts a program that the daemon holds. */
import { resolve } from 'node:path';
import type { SessionOutcome } from '@pidp10/protocol/sessionSchemas';
import { type Answer, type Arguments, type Command, type Context, UsageError } from '../command.ts';
import { toTarget } from '../daemonAccess.ts';
import { EXIT } from '../exitCodes.ts';
import { toInput } from '../toInput.ts';
import { describeSession, renderSessionOutcome } from './facts.ts';
import { followProgram } from './followProgram.ts';
import { refuseOptions, SESSION_WAIT_OPTIONS, toSessionWaitInput } from './options.ts';

/** What is waited for in the same call: not together with following. */
const FIRST_OUTPUT = Object.keys(SESSION_WAIT_OPTIONS);

export const runCommand: Command = {
  name: 'run',
  summary: 'Start a program that the daemon holds, and print the id of its session',
  positionals: [
    { name: 'command', isRequired: true },
    { name: 'args', isRest: true, isVerbatim: true },
  ],
  options: {
    session: { type: 'string', alias: 's', describe: 'Name of the session, for people' },
    follow: {
      type: 'boolean',
      alias: 'f',
      describe: 'Show its output up to its end, and exit with its status; ^C leaves it running',
    },
    raw: { type: 'boolean', describe: 'Then the bytes as they are, control sequences included' },
    pty: { type: 'boolean', describe: 'Run it on a terminal of its own, for attach' },
    rows: { type: 'number', describe: 'Rows of that terminal (default: as this one has, or 24)' },
    cols: { type: 'number', describe: 'Columns of that terminal (default: as this one has, or 80)' },
    cwd: { type: 'string', describe: 'Folder to run it in (default: the one you are in)' },
    env: {
      type: 'string',
      isRepeatable: true,
      describe: 'NAME=VALUE, added to its clean environment; NAME alone: as the shell has it',
    },
    'split-stderr': { type: 'boolean', describe: 'Keep its errors apart: logs --stderr' },
    'time-limit-ms': { type: 'number', describe: 'Stop it after so many ms' },
    ...SESSION_WAIT_OPTIONS,
    'timeout-ms': { type: 'number', describe: 'Print what comes within so many ms (default 0)' },
  },
  examples: [
    ['run -s build make -j4', 'prints its id; options behind the program are its own'],
    ['run -f make check', 'as if it ran in the shell, but ^C and a closed window do it no harm'],
    ['run --pty -s edit vi notes && pidp10ctl attach -s edit', 'a program that paints the screen'],
    ['run -s py --pty --expect ">>> $" --timeout-ms 5000 python3', 'and wait until it is ready'],
    ['run --env TERM=dumb --env DISPLAY --cwd /tmp -- ./prog -x', '-- where the name begins with a hyphen'],
  ],
  async run(args, context) {
    const { daemon, env, signal } = context;
    const isFollowing = args.flag('follow');
    if (isFollowing) refuseOptions(args, FIRST_OUTPUT, 'with --follow');
    else refuseOptions(args, ['raw'], 'without --follow');
    if (args.flag('raw') && args.flag('json')) throw new UsageError('--raw does not go with --json');
    const input = toInput('session.start', toStart(args, context), WORDS);
    await using client = await daemon.connectOrStart(toTarget(args, env));
    const outcome = await client.request('session.start', input, { signal });
    if (!isFollowing)
      return renderStarted(
        outcome,
        FIRST_OUTPUT.some((name) => isGiven(args, name)),
      );
    return await followProgram(context, {
      facts: outcome,
      splitStderr: args.flag('split-stderr'),
      isRaw: args.flag('raw'),
      isJson: args.flag('json'),
    });
  },
};

const WORDS = { command: 'COMMAND', args: 'ARGS', name: '--session', columns: '--cols' };

/** What is relative is so to where the shell stands; a name without a slash is found by the daemon, in its PATH. */
function toStart(args: Arguments, { cwd, env, stdout }: Context) {
  const [command = '', ...rest] = args.positionals;
  const isPty = args.flag('pty');
  const { rows, columns }: Pick<Context['stdout'], 'rows' | 'columns'> =
    isPty && stdout.isTTY === true ? stdout : {};
  return {
    command: command.includes('/') ? resolve(cwd, command) : command,
    args: rest,
    cwd: resolve(cwd, args.text('cwd') ?? '.'),
    env: toVariables(args.texts('env'), env),
    name: args.text('session'),
    pty: isPty,
    // A terminal that does not tell has 0.
    rows: args.number('rows') ?? (rows || undefined),
    columns: args.number('cols') ?? (columns || undefined),
    splitStderr: args.flag('split-stderr'),
    timeLimitMs: args.number('time-limit-ms'),
    ...toSessionWaitInput(args),
  };
}

/** Throws a usage error. */
function toVariables(given: readonly string[], shell: Context['env']): Record<string, string> {
  return Object.fromEntries(
    given.map((text) => {
      const [, name = '', value] = /^([^=]*)(?:=([^]*))?$/.exec(text) ?? [];
      if (name === '') throw new UsageError(`--env takes NAME=VALUE or NAME, found "${text}"`);
      const found = value ?? shell[name];
      if (found === undefined) throw new UsageError(`--env ${name}: the shell has no such variable`);
      return [name, found];
    }),
  );
}

/** `hasWaited`: its first output is the answer, else its id. */
function renderStarted(outcome: SessionOutcome, hasWaited: boolean): Answer {
  if (!hasWaited) {
    const isUp = outcome.state === 'running';
    return {
      wire: outcome,
      output: `${outcome.session}\n`,
      notes: isUp ? [] : [describeSession(outcome)],
      exitCode: EXIT.ok,
    };
  }
  const answer = renderSessionOutcome(outcome);
  const isUp = outcome.state === 'running' && outcome.outputState === 'open';
  return { ...answer, notes: [...answer.notes, ...(isUp ? [describeSession(outcome)] : [])] };
}

function isGiven(args: Arguments, name: string): boolean {
  return args.text(name) !== undefined || args.number(name) !== undefined;
}
