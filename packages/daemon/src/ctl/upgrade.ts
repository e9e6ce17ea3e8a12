/** `upgrade`: hands the running line to the version that is installed now, without hanging up. */
import type { Command } from './command.ts';
import { EXIT } from './exitCodes.ts';

/** A successor has to start, and a Pi with a full ring to move; in ms. */
const UPGRADE_TIMEOUT_MS = 60_000;

export const upgradeCommand: Command = {
  name: 'upgrade',
  summary: 'Hand the line to the version that is installed now, without hanging up',
  positionals: [],
  options: {
    'end-sessions': {
      type: 'boolean',
      describe: 'Stop running programs, which cannot be handed over; without it they make it refuse',
    },
  },
  examples: [['upgrade', 'after an update of the package; the far end notices nothing']],
  async run(args, { daemon, signal }) {
    await using client = await daemon.connect({ isReader: false });
    const before = client.hello.daemon;
    const after = await client.request(
      'daemon.upgrade',
      { endSessions: args.flag('end-sessions') },
      { signal, waitMs: UPGRADE_TIMEOUT_MS },
    );
    const from = `version ${before.version}, pid ${before.pid}`;
    const output = `upgraded: ${from} handed over to version ${after.version}, pid ${after.pid}, at offset ${after.end}\n`;
    return { wire: after, output, notes: [], exitCode: EXIT.ok };
  },
};
