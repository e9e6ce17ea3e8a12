/**
 * Composition root: wires lock, listener, driver and handlers by hand, and takes them down in reverse (I15).
 */
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { rpcError } from '@pidp10/protocol/errors';
import { encodeFrame } from '@pidp10/protocol/framing';
import { ChannelDriver } from './channelDriver.ts';
import type { Config } from './config.ts';
import { Disposers } from './disposers.ts';
import { acquireLock } from './io/lock.ts';
import type { Log } from './io/log.ts';
import { type RpcConnection, serveConnection } from './io/rpcConnection.ts';
import { listen, makePrivateFolder } from './io/unixListener.ts';
import { createDaemonHandlers, type DaemonFacts } from './rpc/daemonHandlers.ts';
import { createDispatch, type Handlers } from './rpc/dispatch.ts';
import { createLineHandlers } from './rpc/lineHandlers.ts';
import { createSession } from './rpc/session.ts';
import { VERSION } from './version.ts';

/** Connections served at once; a bridge or a shell takes one. */
const MAX_CLIENTS = 256;
/** Descriptors kept free for the line, the lock, the log and Node itself when the limit of the process is low. */
const RESERVED_DESCRIPTORS = 32;

export interface Daemon extends AsyncDisposable {
  /** Resolves when the daemon was told to stop by a client. */
  readonly stopped: Promise<void>;
}

/** Another daemon of this name holds the lock: it serves, or is about to. */
export class AlreadyRunning extends Error {
  override readonly name = 'AlreadyRunning';
}

/** Starts serving. Throws AlreadyRunning, or an error that says which place is not ours. */
export async function startDaemon(config: Config, log: Log): Promise<Daemon> {
  const { paths } = config;
  await using resources = new Disposers();
  makePrivateFolder(paths.stateDir, process.getuid?.());
  const found = acquireLock(paths.lock, process.pid, process.platform);
  if (found.kind === 'taken')
    throw new AlreadyRunning(
      `A daemon "${paths.name}" runs already (pid ${found.holder || 'not known yet'}).`,
    );
  resources.use(found.lock);

  const driver = resources.use(
    new ChannelDriver({
      ...config,
      filesDir: join(paths.stateDir, 'files'),
      onState: (facts) => log.info({ line: facts }, 'line'),
    }),
  );
  const connections = new Set<RpcConnection>();
  resources.defer(() => {
    for (const connection of connections) connection.close();
  });
  const { promise: stopped, resolve: shutDown } = createStop();
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
  };
  const handlers: Handlers = {
    ...createDaemonHandlers(driver, facts),
    ...createLineHandlers(driver, config),
  };

  let nextConnection = 1;
  const onConnection = (socket: Socket) => {
    // No name that a client may choose begins with #.
    const session = createSession(`#${nextConnection}`);
    nextConnection += 1;
    const connection = serveConnection({
      socket,
      handler: createDispatch(handlers, session),
      onFault: (error, method) => log.error({ err: error, method }, 'fault'),
      onClose: () => {
        connections.delete(connection);
        if (session.reader !== undefined) driver.channel.conversation.readers.release(session.reader);
      },
    });
    connections.add(connection);
  };
  const server = await listen({
    path: paths.socket,
    uid: process.getuid?.(),
    maxConnections: maxClients(),
    farewell: encodeFrame({ jsonrpc: '2.0', id: null, error: toWire('too_many_clients') }),
    onConnection,
  });
  // Closing the server removes its socket file; the lock is still held then.
  resources.defer(() => void server.close());
  server.on('error', (error) => log.warn({ err: error }, 'listener'));
  log.info({ socket: paths.socket, pid: process.pid, version: VERSION }, 'serving');

  const owned = resources.move();
  return { stopped, [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose]() };
}

function createStop(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
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
