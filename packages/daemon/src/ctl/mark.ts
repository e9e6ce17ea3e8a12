/** `mark TEXT`: names the present place in the output, for history and whoever watches. */
import type { Command } from './command.ts';
import { EXIT } from './exitCodes.ts';
import { toInput } from './toInput.ts';

export const markCommand: Command = {
  name: 'mark',
  summary: 'Name the present place in the output; prints its offset',
  positionals: [{ name: 'text', isRequired: true, isRest: true }],
  options: {},
  examples: [['mark before the build', 'then: read --json, watch --from, history --from that offset']],
  async run(args, { daemon, signal }) {
    const input = toInput('line.mark', { text: args.positionals.join(' ') }, { text: 'TEXT' });
    await using client = await daemon.connect();
    const result = await client.request('line.mark', input, { signal });
    return { wire: result, output: `${result.offset}\n`, notes: [], exitCode: EXIT.ok };
  },
};
