/** `wait ID`: waits for the exit of a program, and exits with its status. */
import type { Command } from '../command.ts';
import { EXIT } from '../exitCodes.ts';
import { toInput } from '../toInput.ts';
import { describeSession, toStatus } from './facts.ts';
import { waitForExit } from './waitForExit.ts';

export const waitCommand: Command = {
  name: 'wait',
  summary: 'Wait for the exit of a program, and exit with its status',
  positionals: [{ name: 'id', isRequired: true }],
  options: {
    end: { type: 'boolean', describe: 'Until all its output has come, too' },
    'timeout-ms': { type: 'number', describe: 'Longest wait, in ms (default: for ever)' },
  },
  examples: [
    ['wait build && pidp10ctl logs build', 'as wait(1) of a shell'],
    ['wait --timeout-ms 60000 s3', 'exit code 3 if it still runs then'],
  ],
  async run(args, { daemon, signal }) {
    const [session = ''] = args.positionals;
    const timeoutMs = args.number('timeout-ms');
    const until = args.flag('end') ? 'end' : 'exit';
    toInput('session.wait', { session, until, timeoutMs }, { session: 'ID' });
    await using client = await daemon.connect({ isReader: false });
    const result = await waitForExit(client, session, { until, timeoutMs, signal });
    return { wire: result, output: `${describeSession(result)}\n`, notes: [], exitCode: toCode(result) };
  },
};

function toCode(result: Awaited<ReturnType<typeof waitForExit>>): number {
  switch (result.reason) {
    case 'exited':
      return toStatus(result);
    case 'timeout':
    case 'still_waiting':
      return EXIT.timeout;
    case 'cancelled':
      return EXIT.interrupted;
    default:
      return result.reason satisfies never;
  }
}
