/**
 * `floor [status | take | release]`: who may type. What is taken here outlives this process: its holder is the reader, by
 * name, so that the shell commands behind it have the floor too, until it is released or its lease ends.
 */
import type { MethodResult } from '@pidp10/protocol/methods';
import { type Answer, type Arguments, type Command, type Context, UsageError } from './command.ts';
import { EXIT } from './exitCodes.ts';
import { describeAuthor, describeFloorHolder } from './floorText.ts';
import { count } from './render.ts';
import { toDuration } from './status.ts';
import { SESSION_OPTION } from './subject.ts';
import { toInput } from './toInput.ts';

type Floor = MethodResult<'floor.status'>;

export const floorCommand: Command = {
  name: 'floor',
  summary: 'Show who may type; ACTION take takes the floor for the reader, release gives it back',
  positionals: [{ name: 'action' }],
  options: {
    ...SESSION_OPTION,
    force: { type: 'boolean', describe: 'Take it from whoever has it; what he is sending ends' },
    message: { type: 'string', describe: 'Why you ask; the holder reads it' },
    'wait-ms': { type: 'number', describe: 'Queue for it so long, in ms (default 0)' },
    'lease-ms': {
      type: 'number',
      describe: 'It falls free after so many ms in which you type nothing (default 60000)',
    },
  },
  examples: [
    ['floor', 'who has it, since when, who waits'],
    ['floor take --wait-ms 30000 --message "need to reboot"', 'ask, and wait for it'],
    ['floor take --force', 'somebody else loses it at once'],
    ['floor release', 'give it back'],
    ['floor take -s py', 'type into a program alone'],
  ],
  run(args, context) {
    const [action = 'status'] = args.positionals;
    switch (action) {
      case 'status':
        return showFloor(args, context);
      case 'take':
        return takeFloor(args, context);
      case 'release':
        return releaseFloor(args, context);
      default:
        throw new UsageError(`floor takes status, take or release, found "${action}"`);
    }
  },
};

async function showFloor(args: Arguments, { daemon, signal }: Context): Promise<Answer> {
  refuseOptions(args, 'status');
  // As the reader whose floor it may be, so that `you` means the shell.
  await using client = await daemon.connect();
  const floor = await client.request('floor.status', toSession(args), { signal });
  return { wire: floor, output: renderFloor(floor), notes: [], exitCode: EXIT.ok };
}

async function takeFloor(args: Arguments, { daemon, signal }: Context): Promise<Answer> {
  const input = toInput('floor.request', {
    ...toSession(args),
    force: args.flag('force'),
    message: args.text('message'),
    waitMs: args.number('wait-ms'),
    leaseMs: args.number('lease-ms'),
  });
  await using client = await daemon.connect();
  const result = await client.request('floor.request', input, { signal });
  const { name = 'nobody' } = client.hello.reader ?? {};
  const notes = [`as reader ${name}, until it is released or its lease ends`];
  return { wire: result, output: renderFloor(result.floor), notes, exitCode: EXIT.ok };
}

async function releaseFloor(args: Arguments, { daemon, signal }: Context): Promise<Answer> {
  refuseOptions(args, 'release');
  await using client = await daemon.connect();
  const floor = await client.request('floor.release', toSession(args), { signal });
  return { wire: floor, output: renderFloor(floor), notes: [], exitCode: EXIT.ok };
}

function toSession(args: Arguments): { readonly session?: string } {
  const session = args.text('session');
  return session === undefined ? {} : { session };
}

function refuseOptions(args: Arguments, action: string): void {
  const given = ['force', 'message', 'wait-ms', 'lease-ms'].find(
    (name) => args.flag(name) || args.text(name) !== undefined || args.number(name) !== undefined,
  );
  if (given !== undefined) throw new UsageError(`--${given} goes with floor take, not with floor ${action}`);
}

/** A row for who has it, one for each that asked. */
export function renderFloor(floor: Floor): string {
  const { holder, waiting, requests = [] } = floor;
  const facts =
    holder === undefined
      ? []
      : [
          `since ${holder.since}`,
          holder.expiresInMs === undefined
            ? 'at work'
            : `free in ${toDuration(holder.expiresInMs)} if nothing is typed`,
          ...(holder.lastInput === undefined ? [] : [`typed last: ${holder.lastInput}`]),
        ];
  const queue = waiting === 0 ? [] : [`${count(waiting, 'call')} waiting for it`];
  const lines = [
    [describeFloorHolder(floor), ...facts, ...queue].join(', '),
    ...requests.map(({ from, text }) => `${describeAuthor(from)} asks for it: ${text}`),
  ];
  return lines.map((line) => `${line}\n`).join('');
}
