/** `close`: gives the line back to the simulator. */
import type { Command } from './command.ts';
import { EXIT } from './exitCodes.ts';
import { describeLine } from './render.ts';

export const closeCommand: Command = {
  name: 'close',
  summary: 'Reset the connection, so that the simulator frees the line at once',
  positionals: [],
  options: {},
  examples: [["send ':logout' && pidp10ctl close", 'closing does not log out, so do that first']],
  async run(_args, { daemon, signal }) {
    await using client = await daemon.connect();
    const status = await client.request('line.close', {}, { signal });
    return { wire: status, output: `${describeLine(status.lineState)}\n`, notes: [], exitCode: EXIT.ok };
  },
};
