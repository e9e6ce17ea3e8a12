/** `open [host] [port]`: opens the line, or reports that it is open. */
import type { Command } from './command.ts';
import { toPort, toTarget } from './daemonAccess.ts';
import { EXIT } from './exitCodes.ts';
import { SPAWN_OPTIONS } from './options.ts';
import { describeLine, renderOutcome } from './render.ts';
import { toInput } from './toInput.ts';

export const openCommand: Command = {
  name: 'open',
  summary: 'Open the line, or report that it is open; starts a daemon if there is none',
  positionals: [{ name: 'host' }, { name: 'port' }],
  options: {
    ...SPAWN_OPTIONS,
    'timeout-ms': { type: 'number', describe: 'Longest wait for the greeting, in ms (default 5000)' },
  },
  examples: [
    ['open', 'the host and port of the daemon, else pidp10.local:10018'],
    ['open 192.168.1.17 10018', 'another machine'],
  ],
  async run(args, { daemon, env, signal }) {
    const [host, port] = args.positionals;
    const configured = toTarget(args, env);
    const target = { host: host ?? configured.host, port: toPort(port, 'PORT') ?? configured.port };
    const input = toInput('line.open', { ...target, timeoutMs: args.number('timeout-ms') });
    await using client = await daemon.connectOrStart(target);
    const outcome = await client.request('line.open', input, { signal });
    const answer = renderOutcome(outcome);
    if (outcome.lineState.state !== 'open') return answer;
    return { ...answer, notes: [...answer.notes, describeLine(outcome.lineState)], exitCode: EXIT.ok };
  },
};
