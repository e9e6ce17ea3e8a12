/** Handlers of the readers' places, and of who is connected. */
import { rpcError } from '@pidp10/protocol/errors';
import type { Clients } from './clients.ts';
import type { Handlers } from './dispatch.ts';
import type { LineService } from './lineService.ts';
import type { Mailboxes } from './mailboxes.ts';

type ReaderMethod = Extract<keyof Handlers, `reader.${string}`> | 'daemon.clients';

export function createReaderHandlers(
  line: LineService,
  clients: Clients,
  mailboxes: Mailboxes,
): Pick<Handlers, ReaderMethod> {
  const { conversation } = line.channel;
  const { readers, scrollback, floor } = conversation;
  return {
    'daemon.clients': (_params, { session }) => ({
      clients: clients.all.map((other) => ({
        client: other.client?.name ?? other.id,
        version: other.client?.version ?? '',
        ...(other.isNamed && other.reader !== undefined && { reader: other.reader }),
        access: other.access,
        since: new Date(other.sinceMs).toISOString(),
        watches: clients.watches(other),
        holdsFloor: floor.holder !== undefined && floor.holder.author.reader === other.reader,
        isYou: other === session,
      })),
    }),

    'reader.list': () => ({
      readers: readers.names.map((name) => {
        const offset = readers.cursor(name) ?? 0;
        const owner = clients.ownerOf(name)?.client?.name;
        return {
          name,
          ...(owner !== undefined && { owner }),
          offset,
          committed: readers.committed(name) ?? offset,
          lag: scrollback.end - offset,
        };
      }),
    }),

    'reader.remove': ({ name }) => {
      if (!readers.names.includes(name)) throw rpcError('reader_unknown', `There is no reader "${name}".`);
      if (readers.isLive(name)) throw inUse(clients, name);
      readers.remove(name);
      line.readersChanged();
      return {};
    },

    'reader.rename': ({ name, to }, { session }) => {
      if (!readers.names.includes(name)) throw rpcError('reader_unknown', `There is no reader "${name}".`);
      if (readers.isLive(name) && session.reader !== name) throw inUse(clients, name);
      if (readers.has(to)) throw rpcError('reader_in_use', `There is a reader "${to}" already.`);
      conversation.renameReader(name, to);
      mailboxes.rename(name, to);
      if (session.reader === name) session.reader = to;
      line.readersChanged();
      return {};
    },

    'reader.commit': ({ end }, { session }) => {
      if (session.reader === undefined || !session.isNamed) throw rpcError('reader_required');
      if (end > scrollback.end) {
        const detail = `Offset ${end} lies behind the end of the stream, ${scrollback.end}.`;
        throw rpcError('offset_out_of_range', detail);
      }
      readers.commit(session.reader, end);
      line.readersChanged();
      return {};
    },
  };
}

function inUse(clients: Clients, name: string): Error {
  const owner = clients.ownerOf(name)?.client?.name ?? 'A client';
  return rpcError('reader_in_use', `${owner} holds the reader "${name}".`);
}
