/** `unstick`: cures a line that a stray 0xFF byte made deaf (docs/its-line.md 13). */
import type { Command } from './command.ts';
import { EXIT } from './exitCodes.ts';
import { describeLine } from './render.ts';

export const unstickCommand: Command = {
  name: 'unstick',
  summary: 'Cure a line that a stray byte 0xFF made deaf; harmless otherwise',
  positionals: [],
  options: {},
  examples: [['unstick', 'sends IAC NOP, which types nothing; line unstick is the same']],
  async run(_args, { daemon, signal }) {
    await using client = await daemon.connect();
    const status = await client.request('line.unstick', {}, { signal });
    const output = `IAC NOP is sent; ${describeLine(status.lineState)}\n`;
    return { wire: status, output, notes: [], exitCode: EXIT.ok };
  },
};
