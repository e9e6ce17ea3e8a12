/** `read`: collects output without typing, of the line or of a program. */
import type { Answer, Arguments, Command, Context } from './command.ts';
import { toWaitInput, WAIT_OPTIONS } from './options.ts';
import { renderOutcome } from './render.ts';
import { renderSessionOutcome } from './session/facts.ts';
import { refuseOptions, toSessionWaitInput } from './session/options.ts';
import { SESSION_OPTION } from './subject.ts';
import { toInput } from './toInput.ts';

/** Options that only the line has. */
const OF_THE_LINE = ['flush', 'no-auto-more', 'max-pages', 'until-prompt'];

export const readCommand: Command = {
  name: 'read',
  summary: 'Print output that was not read yet, and what comes within the wait',
  positionals: [],
  options: {
    ...SESSION_OPTION,
    ...WAIT_OPTIONS,
    'timeout-ms': { type: 'number', describe: 'Longest wait, in ms (default 2000)' },
    flush: { type: 'boolean', describe: 'Answer a standing --More-- with a rubout: the rest is not shown' },
    from: { type: 'number', describe: 'Read from this offset; the reader stays where it is' },
    stderr: { type: 'boolean', describe: 'With --session: its errors, of one run with --split-stderr' },
  },
  examples: [
    ['read', 'go on where the last command stopped'],
    ["read --timeout-ms 60000 --expect 'Job done'", 'wait up to a minute'],
    ['read --flush', 'enough of this listing: back to the prompt'],
    ['read --from 0 --max-chars 1000000', 'everything that is held'],
    ["read -s build --expect 'error|done'", 'of a program that run has started'],
  ],
  async run(args, context) {
    const session = args.text('session');
    if (session !== undefined) return await readSession(session, args, context);
    refuseOptions(args, ['stderr'], 'without --session');
    const { daemon, signal } = context;
    const input = toInput('line.read', {
      ...toWaitInput(args),
      from: args.number('from'),
      flush: args.flag('flush'),
    });
    await using client = await daemon.connect();
    return renderOutcome(await client.request('line.read', input, { signal }));
  },
};

async function readSession(session: string, args: Arguments, { daemon, signal }: Context): Promise<Answer> {
  refuseOptions(args, OF_THE_LINE, 'with --session');
  const input = toInput('session.read', {
    session,
    stream: args.flag('stderr') ? ('err' as const) : undefined,
    from: args.number('from'),
    ...toSessionWaitInput(args),
  });
  await using client = await daemon.connect();
  return renderSessionOutcome(await client.request('session.read', input, { signal }));
}
