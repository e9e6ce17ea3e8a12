/** `open [host] [port]`: opens the line, or reports that it is open. */
import type { Outcome } from '@pidp10/protocol/schemas';
import { describeActivity } from './activity.ts';
import type { Command } from './command.ts';
import { toPort, toTarget } from './daemonAccess.ts';
import { EXIT } from './exitCodes.ts';
import { SPAWN_OPTIONS } from './options.ts';
import { describeLine, renderOutcome } from './render.ts';
import { toInput } from './toInput.ts';

type Login = NonNullable<Outcome['login']>;

export const openCommand: Command = {
  name: 'open',
  summary: 'Open the line, or report that it is open; starts a daemon if there is none',
  positionals: [{ name: 'host' }, { name: 'port' }],
  options: {
    ...SPAWN_OPTIONS,
    login: {
      type: 'string',
      describe: 'Then call DDT and log in as this user, unless somebody is logged in',
    },
    terminal: { type: 'string', describe: 'Terminal type to set then, such as vt52; it stays on the line' },
    'timeout-ms': { type: 'number', describe: 'Longest wait for the greeting, in ms (default 5000)' },
  },
  examples: [
    ['open', 'the host and port of the daemon, else pidp10.local:10018'],
    ['open 192.168.1.17 10018', 'another machine'],
    ['open --login rms --terminal vt52', 'up to the prompt; tells terminal type and who else is there'],
  ],
  async run(args, { daemon, env, signal }) {
    const [host, port] = args.positionals;
    const configured = toTarget(args, env);
    const target = { host: host ?? configured.host, port: toPort(port, 'PORT') ?? configured.port };
    const input = toInput('line.open', {
      ...target,
      timeoutMs: args.number('timeout-ms'),
      login: args.text('login'),
      terminal: args.text('terminal'),
    });
    await using client = await daemon.connectOrStart(target);
    const outcome = await client.request('line.open', input, { signal });
    const answer = renderOutcome(outcome);
    if (outcome.lineState.state !== 'open') return answer;
    const { login, activity } = outcome;
    const notes = [...answer.notes, describeLine(outcome.lineState)];
    if (login === undefined) return { ...answer, notes, exitCode: EXIT.ok };
    const exitCode = login.state === 'stopped' ? EXIT.unfinished : EXIT.ok;
    return { ...answer, notes: [...notes, ...describeLogin(login, activity)], exitCode };
  },
};

function describeLogin({ state, others, terminal }: Login, activity: Outcome['activity']): string[] {
  return [
    describeLoginState(state, activity),
    ...(others === undefined ? [] : [`others: "${others}"`]),
    ...(terminal === undefined ? [] : [`terminal type: ${terminal}`]),
  ];
}

function describeLoginState(state: Login['state'], activity: Outcome['activity']): string {
  switch (state) {
    case 'logged_in':
      return 'logged in';
    case 'was_logged_in':
      return 'DDT was running already, perhaps with somebody logged in: look before you type';
    case 'stopped':
      return `not logged in, something else waits on the line: ${describeActivity(activity)}`;
    default:
      return state satisfies never;
  }
}
