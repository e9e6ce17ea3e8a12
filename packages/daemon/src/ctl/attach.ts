/**
 * `attach`: the terminal of the user becomes one of the line, or that of a program, with conserver's escape sequence.
 * docs/attach.md explains it.
 */
import { LocalError } from '@pidp10/protocol/errors';
import type { AttachEnd } from './attach/attachment.ts';
import { parseEscapeKey } from './attach/lines.ts';
import { LineTarget } from './attach/lineTarget.ts';
import { attach } from './attach/session.ts';
import { SessionTarget } from './attach/sessionTarget.ts';
import type { AttachTarget } from './attach/target.ts';
import type { TtyInput } from './attach/tty.ts';
import { type Answer, type Command, type Context, UsageError } from './command.ts';
import { EXIT } from './exitCodes.ts';
import { describeSession, nameSession, toStatus } from './session/facts.ts';
import { SESSION_OPTION } from './subject.ts';
import { toInput } from './toInput.ts';

/** Exit codes of a process that a signal ended, as shells have them. */
const SIGNAL_CODES: Partial<Record<NodeJS.Signals, number>> = { SIGHUP: 129, SIGQUIT: 131, SIGTERM: 143 };

export const attachCommand: Command = {
  name: 'attach',
  summary: 'Make this terminal one of the line, or that of a program; ^Ec. detaches, ^Ec? is help',
  positionals: [],
  options: {
    ...SESSION_OPTION,
    spy: { type: 'boolean', describe: 'Only watch: the daemon lets this connection type nothing' },
    escape: { type: 'string', describe: 'Key that begins commands, with c behind it (default ^E)' },
  },
  examples: [
    ['attach', 'type and see; typing takes the floor where it is free'],
    ['attach -s edit', 'to a program that was run with --pty'],
    ['attach --spy', 'look over the shoulder of whoever types'],
    ["attach --escape '^]'", 'where ^E is needed often, as in EMACS'],
  ],
  async run(args, context) {
    const escape = args.text('escape') ?? '^E';
    const escapeKey = parseEscapeKey(escape);
    if (escapeKey === undefined) {
      throw new UsageError(`--escape takes a control key such as ^E or ^], found "${escape}"`);
    }
    if (args.flag('json')) throw new UsageError('attach does not go with --json; watch --json does');
    const access = args.flag('spy') ? 'read' : 'full';
    const session = args.text('session');
    const target = session === undefined ? new LineTarget() : await toProgram(session, context);
    const terminal = toTerminal(context);
    const { daemon, signal } = context;
    const end = await attach({ daemon, target, ...terminal, signals: process, access, escapeKey, signal });
    return toAnswer(end);
  },
};

/** Throws a usage error for a program that has no terminal. */
async function toProgram(session: string, { daemon, signal }: Context): Promise<AttachTarget> {
  const input = toInput('session.status', { session });
  await using client = await daemon.connect({ isReader: false, access: 'read' });
  const status = await client.request('session.status', input, { signal });
  if (status.isPty) return new SessionTarget(status);
  throw new UsageError(
    `${nameSession(status)} was run without --pty and has no terminal: logs -f ${session} follows it, send -s ${session} types`,
  );
}

function toTerminal({ stdin, stdout }: Context): { input: TtyInput; output: Context['stdout'] } {
  if (isTty(stdin) && stdout.isTTY === true) return { input: stdin, output: stdout };
  throw new UsageError(
    'attach needs a terminal on standard input and output; without one, watch follows the line and send types',
  );
}

function isTty(input: Context['stdin']): input is TtyInput {
  return 'isTTY' in input && input.isTTY === true && 'setRawMode' in input;
}

function toAnswer(end: AttachEnd): Answer {
  switch (end.kind) {
    case 'detached':
      return toEnd('detached', EXIT.ok);
    case 'interrupted':
      return toEnd('interrupted', EXIT.interrupted);
    case 'hung_up':
      return toEnd('the terminal is gone', SIGNAL_CODES.SIGHUP ?? EXIT.error);
    case 'signal':
      return toEnd(`ended by ${end.signal}`, SIGNAL_CODES[end.signal] ?? EXIT.error);
    case 'exited':
      if (end.facts === undefined) return toEnd('the session is gone', EXIT.error);
      return toEnd(describeSession(end.facts), toStatus(end.facts));
    case 'failed': {
      const { error } = end;
      if (!(error instanceof LocalError)) throw error;
      throw new LocalError(error.code, 'The daemon is gone and did not come back.', error);
    }
    default:
      return end satisfies never;
  }
}

function toEnd(note: string, exitCode: number): Answer {
  return { wire: {}, output: '', notes: [note], exitCode };
}
