/**
 * Composition root: wires lock, listener, driver and handlers by hand, and takes them down in reverse (I15).
 */
import { readFileSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { rpcError } from '@pidp10/protocol/errors';
import { encodeFrame } from '@pidp10/protocol/framing';
import type { MethodResult } from '@pidp10/protocol/methods';
import { createDeferred } from '@pidp10/protocol/node/deferred';
import { ChannelDriver } from './channelDriver.ts';
import { openCommands } from './commandSessions.ts';
import type { Config } from './config.ts';
import { Disposers } from './disposers.ts';
import { descriptorOf } from './io/handover.ts';
import { acquireLock, inheritLock, type Lock } from './io/lock.ts';
import type { Log } from './io/log.ts';
import { type RpcConnection, serveConnection } from './io/rpcConnection.ts';
import { SecretPage } from './io/secretPage.ts';
import { listen, makePrivateFolder } from './io/unixListener.ts';
import { openJournal } from './lineJournal.ts';
import { Clients } from './rpc/clients.ts';
import { createDaemonHandlers, type DaemonFacts } from './rpc/daemonHandlers.ts';
import { createDispatch, type Handlers } from './rpc/dispatch.ts';
import { createFloorHandlers } from './rpc/floorHandlers.ts';
import { createLineHandlers } from './rpc/lineHandlers.ts';
import { Mailboxes } from './rpc/mailboxes.ts';
import { createReaderHandlers } from './rpc/readerHandlers.ts';
import { createRecordHandlers } from './rpc/recordHandlers.ts';
import { createSearchHandlers } from './rpc/searchHandlers.ts';
import { createSecretHandlers } from './rpc/secretHandlers.ts';
import { Secrets } from './rpc/secrets.ts';
import { createSession } from './rpc/session.ts';
import { streamOf } from './rpc/sessionAnswers.ts';
import { createSessionHandlers, sessionOf } from './rpc/sessionHandlers.ts';
import { createSessionWatchHandlers } from './rpc/sessionWatch.ts';
import { Watches } from './rpc/watches.ts';
import { createWatchHandlers } from './rpc/watchHandlers.ts';
import { type Takeover, upgrade } from './upgrade.ts';
import { VERSION } from './version.ts';

/** Connections served at once; a bridge or a shell takes one. */
const MAX_CLIENTS = 256;
/** Descriptors kept free for the line, the lock, the log and Node itself when the limit of the process is low. */
const RESERVED_DESCRIPTORS = 32;

const NOTHING = new Uint8Array(0);

export interface Daemon extends AsyncDisposable {
  /** Resolves when the daemon was told to stop by a client. */
  readonly stopped: Promise<void>;
  /** Resolves with the successor's process id when everything was handed over: this process has nothing left to release. */
  readonly replaced: Promise<number>;
  /** Hands everything to a successor, as `daemon.upgrade` does. */
  upgrade(): Promise<void>;
  /** Takes over what can change while the line stands; the rest is named in the log, and needs an upgrade. */
  reload(next: Config): void;
}

/** Another daemon of this name holds the lock: it serves, or is about to. */
export class AlreadyRunning extends Error {
  override readonly name = 'AlreadyRunning';
}

/** Starts serving. Throws AlreadyRunning, or an error that says which place is not ours. */
export async function startDaemon(config: Config, log: Log, takeover?: Takeover): Promise<Daemon> {
  const { paths } = config;
  await using resources = new Disposers();
  makePrivateFolder(paths.stateDir, process.getuid?.());
  const lock = resources.use(
    takeover === undefined ? lockOf(paths) : inheritLock(takeover.lockFd, process.pid),
  );

  const state = await takeover?.receive(process.pid, VERSION);
  const sessions = await openCommands(config, process.env, log);
  resources.defer(() => sessions[Symbol.asyncDispose]());
  const { journal, past } = await openJournal(config, log);
  resources.defer(() => journal?.[Symbol.asyncDispose]());
  const driver = resources.use(
    new ChannelDriver({
      ...config,
      journal,
      past: state === undefined ? past : { ...state, snapshot: state.channel, replay: NOTHING },
      filesDir: join(paths.stateDir, 'files'),
      onState: (facts) => log.info({ line: facts }, 'line'),
    }),
  );
  const connections = new Set<RpcConnection>();
  resources.defer(() => {
    for (const connection of connections) connection.close();
  });
  const { promise: stopped, resolve: shutDown } = createDeferred<void>();
  const { promise: replaced, resolve: leave } = createDeferred<number>();
  let isUpgrading = false;
  /** A successor has begun: what happens to connections of ours is no news any more. */
  let isReplaced = false;
  const handOver = async (endSessions: boolean): Promise<MethodResult<'daemon.upgrade'>> => {
    if (isUpgrading) throw rpcError('upgrading');
    const running = sessions.running.map(({ id }) => id);
    if (running.length > 0 && !endSessions)
      throw rpcError('sessions_running', `Commands are running (${running.join(', ')}).`);
    isUpgrading = true;
    const calls = () => [...connections].reduce((sum, connection) => sum + connection.callsUnderWay, 0);
    try {
      await sessions.end();
      const own = calls();
      const result = await upgrade({
        driver,
        lockFd: lock.fd,
        listenerFd: descriptorOf(server),
        command: [process.execPath, ...process.execArgv, ...process.argv.slice(1)],
        env: process.env,
        callsUnderWay: () => calls() - Math.min(own, 1),
        closeJournal: async () => journal?.[Symbol.asyncDispose](),
        reopenJournal: async () => journal?.reopen(),
      });
      isReplaced = true;
      return result;
    } catch (error) {
      isUpgrading = false;
      sessions.goOn();
      throw error;
    }
  };
  const leaveTo = ({ pid }: MethodResult<'daemon.upgrade'>): void => {
    for (const connection of connections) connection.close();
    leave(pid);
  };
  const facts: DaemonFacts = {
    pid: process.pid,
    version: VERSION,
    name: paths.name,
    socket: paths.socket,
    stateDir: paths.stateDir,
    startedAt: new Date().toISOString(),
    startedMs: driver.nowMs(),
    clients: () => connections.size,
    shutDown,
    upgrade: async (endSessions) => {
      const result = await handOver(endSessions);
      return { result, leave: () => leaveTo(result) };
    },
  };
  const target = { host: config.host, port: config.port, bits: config.bits };
  const clients = new Clients();
  const mailboxes = new Mailboxes(driver, clients);
  const watches = new Watches(clients);
  const pages = new SecretPage();
  resources.defer(() => pages[Symbol.asyncDispose]());
  const secrets = new Secrets(pages);
  resources.use(
    driver.subscribe((news) => {
      mailboxes.handle(news);
      watches.pump(driver);
    }),
  );
  resources.use(
    sessions.subscribe((session) => {
      for (const channel of session.inMemory) watches.pump(channel);
    }),
  );
  const find = (key: string) => sessionOf(sessions, key);
  const streamIn = (key: string | undefined, stream: 'out' | 'err') =>
    key === undefined ? driver : streamOf(find(key), stream);
  const handlers: Handlers = {
    ...createDaemonHandlers(driver, facts, clients),
    ...createLineHandlers(driver, target, mailboxes),
    ...createFloorHandlers((key) => streamIn(key, 'out')),
    ...createReaderHandlers(driver, clients, mailboxes, { streamOf: streamIn, sessions: () => sessions.all }),
    ...createRecordHandlers(driver, clients),
    ...createSearchHandlers(driver),
    ...createWatchHandlers(driver, watches, config.bits),
    ...createSecretHandlers(secrets, driver, { bits: config.bits, find }),
    ...createSessionHandlers(sessions, mailboxes),
    ...createSessionWatchHandlers(sessions, watches),
  };

  let nextConnection = 1;
  const onConnection = (socket: Socket) => {
    // No name that a client may choose begins with #.
    const session = createSession(`#${nextConnection}`);
    nextConnection += 1;
    const connection = serveConnection({
      socket,
      handler: createDispatch(handlers, session, () => isUpgrading),
      onFault: (error, method) => log.error({ err: error, method }, 'fault'),
      onClose: () => {
        connections.delete(connection);
        if (isReplaced) return;
        clients.remove(session);
        watches.forget(session);
        secrets.forget(session);
        const { reader, isNamed } = session;
        if (reader === undefined) return;
        mailboxes.forget(reader);
        driver.left(reader, isNamed);
        for (const one of sessions.all) {
          for (const channel of one.inMemory) channel.left(reader, isNamed);
          one.changeKept((readers) => readers.release(reader));
        }
      },
    });
    session.outlet = connection;
    connections.add(connection);
  };
  if (takeover !== undefined && state !== undefined) {
    driver.adopt(state, takeover.lineFd);
    await takeover.confirm({ end: driver.channel.conversation.scrollback.end, epoch: driver.epoch });
  }
  const server = await listen({
    path: paths.socket,
    inheritedFd: takeover?.listenerFd,
    uid: process.getuid?.(),
    maxConnections: maxClients(),
    farewell: encodeFrame({ jsonrpc: '2.0', id: null, error: toWire('too_many_clients') }),
    onConnection,
  });
  // Closing the server removes its socket file; the lock is still held then.
  resources.defer(() => {
    server.close();
    // Node removes only what it has bound itself.
    if (takeover !== undefined) rmSync(paths.socket, { force: true });
  });
  if (takeover !== undefined) driver.resume();
  server.on('error', (error) => log.warn({ err: error }, 'listener'));
  log.info({ socket: paths.socket, pid: process.pid, version: VERSION }, 'serving');

  const owned = resources.move();
  return {
    stopped,
    replaced,
    upgrade: async () => leaveTo(await handOver(false)),
    reload: (next) => {
      target.host = next.host;
      target.port = next.port;
      log.level = next.logLevel;
      const later = fixedChanges(config, next);
      log.info({ host: next.host, port: next.port, ...(later.length > 0 && { later }) }, 'configuration');
    },
    [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose](),
  };
}

/** Settings that differ and cannot change under a line that stands: they take effect with `pidp10ctl upgrade`. */
function fixedChanges(now: Config, next: Config): string[] {
  const { host: _host, port: _port, logLevel: _level, ...fixed } = next;
  return Object.entries(fixed)
    .filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(now[key as keyof Config]))
    .map(([key]) => key);
}

/** Throws AlreadyRunning. */
function lockOf({ lock, name }: Config['paths']): Lock {
  const found = acquireLock(lock, process.pid, process.platform);
  if (found.kind === 'locked') return found.lock;
  throw new AlreadyRunning(`A daemon "${name}" runs already (pid ${found.holder || 'not known yet'}).`);
}

function toWire(name: 'too_many_clients'): { code: number; message: string; data: unknown } {
  const { code, message, data } = rpcError(name);
  return { code, message, data };
}

/** As many as the process has descriptors for: beyond that, accepting would fail without a word to the client. */
function maxClients(): number {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return limit === undefined
      ? MAX_CLIENTS
      : Math.max(Math.min(MAX_CLIENTS, Number(limit) - RESERVED_DESCRIPTORS), 1);
  } catch {
    return MAX_CLIENTS; // no /proc: macOS, whose limit is far above
  }
}
