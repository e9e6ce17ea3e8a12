/** `attach`: the terminal of the user becomes one of the line, with conserver's escape sequence. docs/attach.md explains it. */
import { LocalError } from '@pidp10/protocol/errors';
import type { AttachEnd } from './attach/attachment.ts';
import { parseEscapeKey } from './attach/lines.ts';
import { attach } from './attach/session.ts';
import type { TtyInput } from './attach/tty.ts';
import { type Answer, type Command, type Context, UsageError } from './command.ts';
import { EXIT } from './exitCodes.ts';

/** Exit codes of a process that a signal ended, as shells have them. */
const SIGNAL_CODES: Partial<Record<NodeJS.Signals, number>> = { SIGHUP: 129, SIGQUIT: 131, SIGTERM: 143 };

export const attachCommand: Command = {
  name: 'attach',
  summary: 'Make this terminal one of the line; ^Ec. detaches, ^Ec? is help',
  positionals: [],
  options: {
    spy: { type: 'boolean', describe: 'Only watch: the daemon lets this connection type nothing' },
    escape: { type: 'string', describe: 'Key that begins commands, with c behind it (default ^E)' },
  },
  examples: [
    ['attach', 'type and see; typing takes the floor where it is free'],
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
    const end = await attach({
      daemon: context.daemon,
      ...toTerminal(context),
      signals: process,
      access: args.flag('spy') ? 'read' : 'full',
      escapeKey,
      signal: context.signal,
    });
    return toAnswer(end);
  },
};

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
