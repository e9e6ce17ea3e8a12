/** `read`: collects output without typing. */
import type { Command } from './command.ts';
import { toWaitInput, WAIT_OPTIONS } from './options.ts';
import { renderOutcome } from './render.ts';
import { toInput } from './toInput.ts';

export const readCommand: Command = {
  name: 'read',
  summary: 'Print output that was not read yet, and what comes within the wait',
  positionals: [],
  options: {
    ...WAIT_OPTIONS,
    'timeout-ms': { type: 'number', describe: 'Longest wait, in ms (default 2000)' },
    flush: { type: 'boolean', describe: 'Answer a standing --More-- with a rubout: the rest is not shown' },
    from: { type: 'number', describe: 'Read from this offset; the reader stays where it is' },
  },
  examples: [
    ['read', 'go on where the last command stopped'],
    ["read --timeout-ms 60000 --expect 'Job done'", 'wait up to a minute'],
    ['read --flush', 'enough of this listing: back to the prompt'],
    ['read --from 0 --max-chars 1000000', 'everything that is held'],
  ],
  async run(args, { daemon, signal }) {
    const input = toInput('line.read', {
      ...toWaitInput(args),
      from: args.number('from'),
      flush: args.flag('flush'),
    });
    await using client = await daemon.connect();
    return renderOutcome(await client.request('line.read', input, { signal }));
  },
};
