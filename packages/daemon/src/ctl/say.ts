/** `say TEXT`: a message to the other clients. */
import type { Command } from './command.ts';
import { EXIT } from './exitCodes.ts';
import { count } from './render.ts';
import { toInput } from './toInput.ts';

export const sayCommand: Command = {
  name: 'say',
  summary: 'Tell the other clients something: watchers at once, agents with their next result',
  positionals: [{ name: 'text', isRequired: true, isRest: true }],
  options: {},
  examples: [['say I take the line down at noon', 'words are joined by one blank']],
  async run(args, { daemon, signal }) {
    const input = toInput('line.say', { text: args.positionals.join(' ') }, { text: 'TEXT' });
    await using client = await daemon.connect();
    const result = await client.request('line.say', input, { signal });
    const notes = [
      result.clients === 0 ? 'nobody else is connected' : `to ${count(result.clients, 'client')}`,
    ];
    return { wire: result, output: '', notes, exitCode: EXIT.ok };
  },
};
