/** `signal ID SIGNAL`: sends a signal to a program. */
import { constants } from 'node:os';
import type { MethodInput } from '@pidp10/protocol/methods';
import type { Command } from '../command.ts';
import { EXIT } from '../exitCodes.ts';
import { toInput } from '../toInput.ts';
import { describeSession } from './facts.ts';

type Target = MethodInput<'session.signal'>['target'];

const TARGETS = ['group', 'leader', 'foreground'] as const;

export const signalCommand: Command = {
  name: 'signal',
  summary: 'Send a program a signal',
  positionals: [
    { name: 'id', isRequired: true },
    { name: 'signal', isRequired: true },
  ],
  options: {
    target: {
      type: 'string',
      choices: TARGETS,
      describe: 'To whom: all of its process group (default), itself, or who reads from its terminal',
    },
  },
  examples: [
    ['signal build INT', 'as ^C would; 2 and SIGINT mean the same'],
    ['signal --target leader s3 HUP', 'not to what it started'],
  ],
  async run(args, { daemon, signal }) {
    const [session = '', name = ''] = args.positionals;
    const input = toInput(
      'session.signal',
      { session, signal: toSignalName(name), target: toTarget(args.text('target')) },
      { session: 'ID', signal: 'SIGNAL' },
    );
    await using client = await daemon.connect();
    const facts = await client.request('session.signal', input, { signal });
    const output = `${input.signal} sent; ${describeSession(facts)}\n`;
    return { wire: facts, output, notes: [], exitCode: EXIT.ok };
  },
};

/** `int`, `SIGINT` and `2` are one; what is none of this system is the daemon's to refuse. */
export function toSignalName(word: string): string {
  const byNumber = Object.entries(constants.signals).find(([, number]) => String(number) === word);
  if (byNumber !== undefined) return byNumber[0];
  const name = word.toUpperCase();
  return name.startsWith('SIG') ? name : `SIG${name}`;
}

function toTarget(text: string | undefined): Target {
  return TARGETS.find((target) => target === text);
}
