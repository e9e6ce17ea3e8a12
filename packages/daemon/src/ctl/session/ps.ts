/** `ps`: the command sessions. */
import type { MethodResult } from '@pidp10/protocol/methods';
import type { SessionStatus } from '@pidp10/protocol/sessionSchemas';
import type { Command } from '../command.ts';
import { EXIT } from '../exitCodes.ts';
import { toDuration } from '../status.ts';
import { toTable } from '../table.ts';

type List = MethodResult<'session.list'>;

export const psCommand: Command = {
  name: 'ps',
  summary: 'Show the programs that the daemon runs for clients',
  positionals: [],
  options: {
    all: { type: 'boolean', alias: 'a', describe: 'Those that have exited and are kept, too' },
    args: { type: 'boolean', describe: 'With their arguments, which may hold secrets' },
  },
  examples: [
    ['ps', 'a row for each that runs'],
    ['ps -a --args', 'everything that is known'],
    ["ps -a --json | jq -r '.sessions[].session'", 'the ids, for a script'],
  ],
  async run(args, { daemon, signal }) {
    // Whoever only looks is no reader, and takes nobody's name.
    await using client = await daemon.connect({ isReader: false });
    const result = await client.request('session.list', { args: args.flag('args') }, { signal });
    const sessions = result.sessions.filter((session) => args.flag('all') || isAlive(session));
    const wire = { ...result, sessions };
    return {
      wire,
      output: renderSessions(sessions, Date.now()),
      notes: toNotes(wire, result.sessions.length - sessions.length),
      exitCode: EXIT.ok,
    };
  },
};

/** Something of it runs: the program, or others that it started. */
function isAlive({ state, outputState }: SessionStatus): boolean {
  return state === 'running' || state === 'stopping' || outputState === 'held';
}

export function renderSessions(sessions: readonly SessionStatus[], nowMs: number): string {
  const rows = sessions.map((session) => [
    session.session,
    session.name ?? '-',
    toState(session),
    session.pid === undefined ? '-' : String(session.pid),
    toDuration(Math.max(nowMs - Date.parse(session.startedAt), 0)),
    session.isPty ? 'pty' : 'pipes',
    [session.command, ...(session.args ?? []).map(quote)].join(' '),
  ]);
  return toTable(['ID', 'NAME', 'STATE', 'PID', 'AGE', 'ON', 'COMMAND'], rows);
}

function toState({ state, exit, outputState }: SessionStatus): string {
  const held = outputState === 'held' ? ', output held' : '';
  if (state !== 'exited' || exit === undefined) return `${state}${held}`;
  return `${exit.signal === undefined ? `exited ${exit.status}` : `by ${exit.signal}`}${held}`;
}

/** So that it is seen where an argument begins and ends; a shell reads the same. */
function quote(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}

function toNotes({ policy, leftovers }: List, hidden: number): readonly string[] {
  return [
    ...(hidden === 0 ? [] : [`${hidden} more, which have exited, with --all`]),
    ...(policy === 'off' ? ['the configuration of the daemon lets nobody start programs'] : []),
    ...leftovers.map(
      ({ session, pid, name }) =>
        `left over from ${session} of an earlier daemon, which ended without a word: ${name}, pid ${pid}`,
    ),
  ];
}
