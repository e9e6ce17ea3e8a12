/**
 * The Unix socket that clients dial: private from its first moment, never taken from a living daemon, never put in the
 * place of something that is no socket of ours.
 */
import { lstatSync, mkdirSync, unlinkSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';

/** Nobody else may even look into the folder; the socket is created inside it with this mask on top. */
const PRIVATE_FOLDER = 0o700;
const PRIVATE_MASK = 0o177;
/** A socket of a living daemon answers a connect at once; one that does not in this time, in ms, is not taken from it. */
const PROBE_MS = 2_000;
/** A refused client has so long, in ms, to read why; its connection is closed then. */
const FAREWELL_MS = 1_000;
/** Refused clients that are given that time at once; a descriptor each, and the line needs one too. */
const MAX_FAREWELLS = 4;

/** The place for the socket or the state is not ours or not safe: the configuration has to change. */
export class PlaceError extends Error {
  override readonly name = 'PlaceError';
}

export interface ListenOptions {
  readonly path: string;
  readonly uid: number | undefined;
  /** A connection that must be refused: the daemon serves its maximum already. */
  readonly maxConnections: number;
  readonly onConnection: (socket: Socket) => void;
  /** A listening socket that a predecessor has handed over, on this path. */
  readonly inheritedFd?: number | undefined;
  /** Told to a client beyond the maximum, then the connection is closed. */
  readonly farewell: string;
}

/** The caller holds the daemon's lock. Throws when the place is taken or is not ours. */
export async function listen(options: ListenOptions): Promise<Server> {
  makePrivateFolder(dirname(options.path), options.uid);
  if (options.inheritedFd === undefined) await removeStale(options.path);
  let count = 0;
  const refused = new Set<Socket>();
  const server = createServer((socket) => {
    if (count >= options.maxConnections) {
      refuse(socket, options.farewell, refused);
      return;
    }
    count += 1;
    socket.once('close', () => {
      count -= 1;
    });
    options.onConnection(socket);
  });
  if (options.inheritedFd === undefined) await bind(server, options.path);
  else await listenOn(server, options.inheritedFd);
  return server;
}

function listenOn(server: Server, fd: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ fd }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/**
 * Closing at once would make the client's own first write fail, and with it the reading of our reason: it has a moment. A
 * crowd beyond that is closed at once, because each one that lingers takes a descriptor.
 */
function refuse(socket: Socket, farewell: string, refused: Set<Socket>): void {
  socket.on('error', () => undefined);
  socket.end(farewell);
  socket.resume();
  refused.add(socket);
  const timer = setTimeout(() => socket.destroy(), FAREWELL_MS).unref();
  socket.once('close', () => {
    clearTimeout(timer);
    refused.delete(socket);
  });
  for (const oldest of refused) {
    if (refused.size <= MAX_FAREWELLS) break;
    refused.delete(oldest);
    oldest.destroy();
  }
}

/** Creates a folder that only its owner can enter, or refuses one that others own or may write to. */
export function makePrivateFolder(path: string, uid: number | undefined): void {
  mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER });
  const stat = lstatSync(path);
  if (!stat.isDirectory()) throw new PlaceError(`${path} is not a folder; remove it or choose another place`);
  if (uid !== undefined && stat.uid !== uid) {
    throw new PlaceError(`${path} belongs to user ${stat.uid}, not to ${uid}; choose another folder`);
  }
  if ((stat.mode & 0o022) !== 0) {
    const mode = (stat.mode & 0o7777).toString(8);
    throw new PlaceError(
      `${path} can be written to by others (mode ${mode}); choose a folder that only you can write to`,
    );
  }
}

/** Removes a socket that a dead daemon left. Only a refused connect proves that: anything else may be a living one. */
async function removeStale(path: string): Promise<void> {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (!stat.isSocket())
    throw new PlaceError(`${path} exists and is no socket; remove it or choose another path`);
  const found = await probe(path);
  if (found === 'ENOENT') return;
  if (found !== 'ECONNREFUSED') {
    throw new Error(`${path} is in use or cannot be checked (${found}); another daemon may serve it`);
  }
  unlinkSync(path);
}

function probe(path: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const settle = (found: string) => {
      socket.destroy();
      resolve(found);
    };
    socket.setTimeout(PROBE_MS, () => settle('no answer'));
    socket.once('connect', () => settle('it answers'));
    socket.once('error', (error: NodeJS.ErrnoException) => settle(error.code ?? error.message));
  });
}

function bind(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    // Node binds inside this call; a mode set afterwards would leave a moment in which others can connect.
    const mask = process.umask(PRIVATE_MASK);
    try {
      server.once('error', reject);
      server.listen(path, () => {
        server.off('error', reject);
        resolve();
      });
    } finally {
      process.umask(mask);
    }
  });
}
