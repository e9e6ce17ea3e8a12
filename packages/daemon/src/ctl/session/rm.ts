/** `rm ID...`: forgets sessions and removes what they said. */
import type { Command } from '../command.ts';
import { toInput } from '../toInput.ts';
import { forEachSession } from './each.ts';

/** A running one is stopped with its grace first; in ms. */
const PATIENCE_MS = 30_000;

export const rmCommand: Command = {
  name: 'rm',
  summary: 'Forget programs that have exited, and remove their output',
  positionals: [{ name: 'id', isRequired: true, isRest: true }],
  options: { stop: { type: 'boolean', describe: 'Stop those that run; without it they are refused' } },
  examples: [
    ['rm build', 'its output is gone, its name is free'],
    ['rm --stop s3 s4', 'whatever they are doing'],
  ],
  async run(args, { daemon, signal }) {
    const stop = args.flag('stop');
    for (const session of args.positionals) toInput('session.delete', { session, stop }, { session: 'ID' });
    await using client = await daemon.connect();
    return await forEachSession(args.positionals, async (session) => {
      await client.request('session.delete', { session, stop }, { signal, waitMs: PATIENCE_MS });
      return { wire: { session }, output: `${session}\n` };
    });
  },
};
