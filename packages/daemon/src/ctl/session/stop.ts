/** `stop ID...`: ends programs, and all that they started. */
import type { Command } from '../command.ts';
import { EXIT } from '../exitCodes.ts';
import { toInput } from '../toInput.ts';
import { forEachSession } from './each.ts';
import { describeSession } from './facts.ts';

/** Time behind the grace in which the killed ones are looked for, in ms: far more than that takes. */
const AFTER_GRACE_MS = 30_000;
/** As the wire has it. */
const DEFAULT_GRACE_MS = 3_000;

export const stopCommand: Command = {
  name: 'stop',
  summary: 'End programs and all that they started: asked first, then killed',
  positionals: [{ name: 'id', isRequired: true, isRest: true }],
  options: {
    'grace-ms': {
      type: 'number',
      describe: 'Time between SIGTERM and SIGKILL, in ms; 0 kills at once (default 3000)',
    },
  },
  examples: [
    ['stop build', 'what it said stays readable: logs build'],
    ['stop --grace-ms 0 s3 s4', 'no mercy'],
  ],
  async run(args, { daemon, signal }) {
    const graceMs = args.number('grace-ms');
    for (const session of args.positionals) toInput('session.stop', { session, graceMs }, { session: 'ID' });
    const waitMs = (graceMs ?? DEFAULT_GRACE_MS) + AFTER_GRACE_MS;
    await using client = await daemon.connect();
    return await forEachSession(args.positionals, async (session) => {
      const result = await client.request('session.stop', { session, graceMs }, { signal, waitMs });
      const { survivors } = result;
      return {
        wire: result,
        output: `${describeSession(result)}\n`,
        notes: survivors.map(({ pid, name }) => `not even SIGKILL has ended ${name}, pid ${pid}`),
        exitCode: survivors.length === 0 ? EXIT.ok : EXIT.error,
      };
    });
  },
};
