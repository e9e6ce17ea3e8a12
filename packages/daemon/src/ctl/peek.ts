/** `peek [chars]`: shows the newest output again. */
import { type Command, UsageError } from './command.ts';
import { EXIT } from './exitCodes.ts';
import { describeLine } from './render.ts';
import { toInput } from './toInput.ts';

export const peekCommand: Command = {
  name: 'peek',
  summary: 'Print the newest output again; no reader moves',
  positionals: [{ name: 'chars' }],
  options: {},
  examples: [
    ['peek', 'the last 2000 characters'],
    ['peek 200', 'the last 200'],
  ],
  async run(args, { daemon, signal }) {
    const [chars] = args.positionals;
    if (chars !== undefined && !/^\d+$/.test(chars)) {
      throw new UsageError(`CHARS must be a number, found "${chars}"`);
    }
    const input = toInput('line.peek', { chars: chars === undefined ? undefined : Number(chars) });
    await using client = await daemon.connect();
    const result = await client.request('line.peek', input, { signal });
    const { lineState, output } = result;
    const notes = lineState.state === 'open' ? [] : [describeLine(lineState)];
    return { wire: result, output: output.text, notes, exitCode: EXIT.ok };
  },
};
