/** Handlers of the daemon itself and of a connection's own things: hello, status, shutdown. */
import { rpcError } from '@pidp10/protocol/errors';
import type { MethodResult } from '@pidp10/protocol/methods';
import { CAPABILITIES, PROTOCOL } from '@pidp10/protocol/version';
import type { Clients } from './clients.ts';
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
  /**
   * Hands everything over; `leave` ends this process when the answer has gone out. Rejects with `upgrade_failed`, and with
   * `sessions_running` unless they may be ended.
   */
  upgrade(endSessions: boolean): Promise<{ readonly result: MethodResult<'daemon.upgrade'>; leave(): void }>;
}

type DaemonMethod = 'hello' | 'daemon.status' | 'daemon.shutdown' | 'daemon.upgrade';

export function createDaemonHandlers(
  line: LineService,
  daemon: DaemonFacts,
  clients: Clients,
): Pick<Handlers, DaemonMethod> {
  const { readers, scrollback } = line.conversation;
  return {
    hello: ({ protocol, client, reader, commit, access }, { session }) => {
      if (session.client !== undefined)
        throw rpcError('invalid_request', 'This connection has said hello already.');
      if (protocol.major !== PROTOCOL.major) {
        const ours = `${PROTOCOL.major}.${PROTOCOL.minor} (pidp10d ${daemon.version}, pid ${daemon.pid})`;
        const theirs = `${protocol.major}.${protocol.minor} (${client.name} ${client.version})`;
        throw rpcError('protocol_mismatch', `The daemon speaks protocol ${ours}, the client ${theirs}.`);
      }
      session.client = client;
      session.commit = commit;
      session.access = access;
      session.sinceMs = Date.now();
      session.isNamed = reader !== undefined;
      if (reader === undefined) readers.claimPrivate(session.id, scrollback.end);
      session.reader = reader === undefined ? session.id : readers.claim(reader, scrollback.end);
      clients.add(session);
      if (session.isNamed) line.readersChanged();
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
      storage: storageOf(line),
      loopDelayMs: line.lateness,
    }),

    'daemon.upgrade': async ({ endSessions }, call) => {
      const upgraded = await daemon.upgrade(endSessions);
      call.afterSend(() => upgraded.leave());
      return upgraded.result;
    },

    'daemon.shutdown': (_params, call) => {
      call.afterSend(() => daemon.shutDown());
      return {};
    },
  };
}

function storageOf({ archive }: LineService): NonNullable<MethodResult<'daemon.status'>['storage']> {
  if (archive === undefined) {
    const detail = 'Output is kept in memory only.';
    return { state: 'off', detail, bytes: 0, segments: 0, gapBytes: 0, syncedEnd: 0, oldest: 0 };
  }
  const { storage, ...facts } = archive.facts;
  return { state: storage, ...facts, oldest: archive.oldest };
}
