/** Handlers of the readers' places, and of who is connected. */
import { rpcError } from '@pidp10/protocol/errors';
import type { ChannelService } from './channelService.ts';
import type { Clients } from './clients.ts';
import type { Handlers } from './dispatch.ts';
import type { Mailboxes } from './mailboxes.ts';
import type { SessionService } from './sessionService.ts';

type ReaderMethod = Extract<keyof Handlers, `reader.${string}`> | 'daemon.clients';

export interface ReaderStreams {
  /** The stream of the line, or of the session of that id. */
  readonly streamOf: (session: string | undefined, stream: 'out' | 'err') => ChannelService;
  /** Where the same readers have places. */
  readonly sessions: () => readonly Pick<SessionService, 'inMemory' | 'changeKept'>[];
}

export function createReaderHandlers(
  line: ChannelService,
  clients: Clients,
  mailboxes: Mailboxes,
  { streamOf, sessions }: ReaderStreams,
): Pick<Handlers, ReaderMethod> {
  const { readers, scrollback, floor } = line.conversation;
  const inMemory = () => [line, ...sessions().flatMap((session) => session.inMemory)];
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
      for (const channel of inMemory()) {
        channel.conversation.readers.remove(name);
        channel.readersChanged();
      }
      for (const one of sessions()) one.changeKept((kept) => kept.remove(name));
      return {};
    },

    'reader.rename': ({ name, to }, { session }) => {
      if (!readers.names.includes(name)) throw rpcError('reader_unknown', `There is no reader "${name}".`);
      if (readers.isLive(name) && session.reader !== name) throw inUse(clients, name);
      if (readers.has(to)) throw rpcError('reader_in_use', `There is a reader "${to}" already.`);
      for (const channel of inMemory()) {
        channel.conversation.renameReader(name, to);
        channel.readersChanged();
      }
      for (const one of sessions()) one.changeKept((kept) => kept.rename(name, to));
      mailboxes.rename(name, to);
      if (session.reader === name) session.reader = to;
      return {};
    },

    'reader.commit': ({ end, session: id, stream }, { session }) => {
      const channel = streamOf(id, stream);
      const { readers: places, scrollback: output } = channel.conversation;
      if (session.reader === undefined || !session.isNamed) throw rpcError('reader_required');
      if (end > output.end) {
        const detail = `Offset ${end} lies behind the end of the stream, ${output.end}.`;
        throw rpcError('offset_out_of_range', detail);
      }
      places.commit(session.reader, end);
      channel.readersChanged();
      return {};
    },
  };
}

function inUse(clients: Clients, name: string): Error {
  const owner = clients.ownerOf(name)?.client?.name ?? 'A client';
  return rpcError('reader_in_use', `${owner} holds the reader "${name}".`);
}
