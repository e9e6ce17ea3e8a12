/** `readers [list | remove NAME | rename NAME TO]`: the places in the output that the daemon keeps. */
import type { MethodResult } from '@pidp10/protocol/methods';
import { type Answer, type Command, type Context, UsageError } from './command.ts';
import { EXIT } from './exitCodes.ts';
import { toTable } from './table.ts';
import { toInput } from './toInput.ts';

type Reader = MethodResult<'reader.list'>['readers'][number];

export const readersCommand: Command = {
  name: 'readers',
  summary: 'Show the readers that the daemon keeps; ACTION remove forgets one, rename renames one',
  positionals: [{ name: 'action' }, { name: 'reader' }, { name: 'to' }],
  options: {},
  examples: [
    ['readers', 'names, who holds them, how far behind they are'],
    ['readers remove ctl#2', 'one that nobody holds'],
    ['readers rename ctl anna', 'its place stays what it is'],
  ],
  async run({ positionals }, context) {
    const [action = 'list', name, to] = positionals;
    const wanted = { list: 1, remove: 2, rename: 3 }[action];
    if (wanted === undefined) throw new UsageError(`readers takes list, remove or rename, found "${action}"`);
    if (Math.max(positionals.length, 1) !== wanted) {
      throw new UsageError(`readers ${action} takes ${wanted - 1} names, found ${positionals.length - 1}`);
    }
    if (name === undefined) return await listReaders(context);
    return to === undefined ? await removeReader(name, context) : await renameReader(name, to, context);
  },
};

async function listReaders({ daemon, signal }: Context): Promise<Answer> {
  await using client = await daemon.connect({ isReader: false });
  const result = await client.request('reader.list', {}, { signal });
  return { wire: result, output: renderReaders(result.readers), notes: [], exitCode: EXIT.ok };
}

async function removeReader(name: string, { daemon, signal }: Context): Promise<Answer> {
  const input = toInput('reader.remove', { name }, { name: 'READER' });
  await using client = await daemon.connect({ isReader: false });
  const result = await client.request('reader.remove', input, { signal });
  return { wire: result, output: '', notes: [`${name} is forgotten`], exitCode: EXIT.ok };
}

async function renameReader(name: string, to: string, { daemon, signal }: Context): Promise<Answer> {
  const input = toInput('reader.rename', { name, to }, { name: 'READER', to: 'TO' });
  await using client = await daemon.connect({ isReader: false });
  const result = await client.request('reader.rename', input, { signal });
  return { wire: result, output: '', notes: [`${name} is ${to} now`], exitCode: EXIT.ok };
}

export function renderReaders(readers: readonly Reader[]): string {
  const rows = readers.map(({ name, owner = '-', offset, committed, lag }) => [
    name,
    owner,
    String(offset),
    String(committed),
    String(lag),
  ]);
  return toTable(['READER', 'HELD BY', 'OFFSET', 'DELIVERED', 'UNREAD'], rows);
}
