/** `who`: the clients of the daemon. */
import type { MethodResult } from '@pidp10/protocol/methods';
import type { Command } from './command.ts';
import { EXIT } from './exitCodes.ts';
import { toTable } from './table.ts';

type Client = MethodResult<'daemon.clients'>['clients'][number];

export const whoCommand: Command = {
  name: 'who',
  summary: 'Show who is connected, who watches and who has the floor',
  positionals: [],
  options: {},
  examples: [['who', 'a row for each client; * is this one']],
  async run(_args, { daemon, signal }) {
    // Whoever only looks is no reader, and takes nobody's name.
    await using client = await daemon.connect({ isReader: false });
    const result = await client.request('daemon.clients', {}, { signal });
    return { wire: result, output: renderClients(result.clients), notes: [], exitCode: EXIT.ok };
  },
};

export function renderClients(clients: readonly Client[]): string {
  const rows = clients.map(({ client, version, reader, access, since, watches, holdsFloor, isYou }) => [
    isYou ? '*' : '',
    client,
    version,
    reader ?? '-',
    access === 'read' ? 'spy' : 'types',
    String(watches),
    holdsFloor ? 'has it' : '-',
    since,
  ]);
  return toTable(['', 'CLIENT', 'VERSION', 'READER', 'ACCESS', 'WATCHES', 'FLOOR', 'SINCE'], rows);
}
