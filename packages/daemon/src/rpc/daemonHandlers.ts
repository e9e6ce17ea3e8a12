/** Handlers of the daemon itself and of a connection's own things: hello, status, shutdown, reader. */
import { rpcError } from '@pidp10/protocol/errors';
import { CAPABILITIES, PROTOCOL } from '@pidp10/protocol/version';
import type { Handlers } from './dispatch.ts';
import type { LineService } from './lineService.ts';

export interface DaemonFacts {
  readonly pid: number;
  readonly version: string;
  readonly name: string;
  readonly socket: string;
  readonly stateDir: string;
  readonly startedAt: string;
  readonly startedMs: number;
  clients(): number;
  /** Begins to stop; the answer still goes out. */
  shutDown(): void;
}

type DaemonMethod = 'hello' | 'daemon.status' | 'daemon.shutdown' | 'reader.commit';

export function createDaemonHandlers(line: LineService, daemon: DaemonFacts): Pick<Handlers, DaemonMethod> {
  const { readers, scrollback } = line.channel.conversation;
  return {
    hello: ({ protocol, client, reader, commit }, { session }) => {
      if (session.client !== undefined)
        throw rpcError('invalid_request', 'This connection has said hello already.');
      if (protocol.major !== PROTOCOL.major) {
        const ours = `${PROTOCOL.major}.${PROTOCOL.minor} (pidp10d ${daemon.version}, pid ${daemon.pid})`;
        const theirs = `${protocol.major}.${protocol.minor} (${client.name} ${client.version})`;
        throw rpcError('protocol_mismatch', `The daemon speaks protocol ${ours}, the client ${theirs}.`);
      }
      session.client = client;
      session.commit = commit;
      session.isNamed = reader !== undefined;
      if (reader === undefined) readers.claimPrivate(session.id, scrollback.end);
      session.reader = reader === undefined ? session.id : readers.claim(reader, scrollback.end);
      return {
        protocol: { ...PROTOCOL },
        daemon: { version: daemon.version, pid: daemon.pid, name: daemon.name },
        capabilities: [...CAPABILITIES],
        epoch: line.epoch,
        ...(session.isNamed && {
          reader: { name: session.reader, offset: readers.cursor(session.reader) ?? scrollback.end },
        }),
      };
    },

    'daemon.status': () => ({
      pid: daemon.pid,
      version: daemon.version,
      protocol: { ...PROTOCOL },
      name: daemon.name,
      startedAt: daemon.startedAt,
      uptimeMs: Math.round(line.nowMs() - daemon.startedMs),
      clients: daemon.clients(),
      socket: daemon.socket,
      stateDir: daemon.stateDir,
      line: line.channel.facts,
    }),

    'daemon.shutdown': (_params, call) => {
      call.afterSend(() => daemon.shutDown());
      return {};
    },

    'reader.commit': ({ end }, { session }) => {
      if (session.reader === undefined || !session.isNamed) throw rpcError('reader_required');
      if (end > scrollback.end) {
        throw rpcError(
          'offset_out_of_range',
          `Offset ${end} lies behind the end of the stream, ${scrollback.end}.`,
        );
      }
      readers.commit(session.reader, end);
      return {};
    },
  };
}
