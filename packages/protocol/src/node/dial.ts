/**
 * Connects to a daemon's Unix socket, within a time limit, and says in our own words why not. Retries only what is going
 * to change: a daemon that is being started (on request), and a full accept queue.
 */
import { connect as connectSocket, type Socket } from 'node:net';
import { setTimeout as sleepFor } from 'node:timers/promises';
import { LocalError } from '../common/errors.ts';
import { createDeferred } from './deferred.ts';
import { assertSocketPath } from './paths.ts';

/** Time for the connection itself, in ms: a Unix socket that lives takes it at once. */
export const CONNECT_TIMEOUT_MS = 2_000;
/** Pause before the second attempt, in ms; doubled up to the maximum. */
const FIRST_PAUSE_MS = 10;
const MAX_PAUSE_MS = 200;

export interface DialOptions {
  readonly socket: string;
  readonly signal?: AbortSignal | undefined;
  /** Default: `CONNECT_TIMEOUT_MS`. A connection that is not up by then is a daemon that does not answer. */
  readonly timeoutMs?: number | undefined;
  /** How long a socket that is not there yet is tried again, in ms. Default 0: the first refusal counts. */
  readonly retryForMs?: number | undefined;
  /** For tests. */
  readonly connect?: ((path: string) => Socket) | undefined;
  readonly nowMs?: (() => number) | undefined;
  readonly sleep?: ((ms: number, signal: AbortSignal | undefined) => Promise<unknown>) | undefined;
}

/**
 * A connected socket. Throws `LocalError`: `daemon_not_running` (nobody listens there), `daemon_not_answering`,
 * `socket_not_usable` (all else, such as a missing permission: no reason to start or unlink anything),
 * `socket_path_too_long`, `cancelled`.
 */
export async function dial(options: DialOptions): Promise<Socket> {
  const { socket: path, signal, timeoutMs = CONNECT_TIMEOUT_MS, retryForMs = 0 } = options;
  const { connect = connectSocket, nowMs = () => performance.now() } = options;
  const sleep =
    options.sleep ?? ((ms: number) => sleepFor(ms, undefined, signal === undefined ? {} : { signal }));
  assertSocketPath(path);
  const startMs = nowMs();
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    throwIfAborted(signal);
    try {
      return await tryConnect(connect, path, { signal, timeoutMs });
    } catch (error) {
      throwIfAborted(signal);
      const limitMs = isAbsent(error) ? retryForMs : codeOf(error) === 'EAGAIN' ? timeoutMs : 0;
      if (nowMs() - startMs + pauseMs > limitMs) throw toLocalError(error, path);
    }
    await sleep(pauseMs, signal).catch(() => throwIfAborted(signal));
  }
}

/** Nobody listens there: the only finding on which a daemon may be started. */
export function isDaemonAbsent(error: unknown): boolean {
  return error instanceof LocalError && error.code === 'daemon_not_running' && isAbsent(error.cause);
}

interface Attempt {
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
}

function tryConnect(connect: (path: string) => Socket, path: string, attempt: Attempt): Promise<Socket> {
  const { signal, timeoutMs } = attempt;
  const { promise, resolve, reject } = createDeferred<Socket>();
  const socket = connect(path);
  const settle = () => {
    clearTimeout(timer);
    socket.off('connect', handleConnect);
    socket.off('error', handleFailure);
    signal?.removeEventListener('abort', handleAbort);
  };
  const handleConnect = () => {
    settle();
    resolve(socket);
  };
  const handleFailure = (error: Error) => {
    settle();
    // A late error of a socket that nobody has any more must not become an uncaught one.
    socket.on('error', () => {});
    socket.destroy();
    reject(error);
  };
  const handleAbort = () => handleFailure(new Error('aborted'));
  const timer = setTimeout(() => {
    handleFailure(Object.assign(new Error(`no connection within ${timeoutMs} ms`), { code: 'ETIMEDOUT' }));
  }, timeoutMs);
  socket.once('connect', handleConnect);
  socket.once('error', handleFailure);
  signal?.addEventListener('abort', handleAbort, { once: true });
  return promise;
}

function toLocalError(error: unknown, path: string): LocalError {
  const found = error instanceof Error ? error.message : String(error);
  if (isAbsent(error)) {
    return new LocalError('daemon_not_running', `No daemon answers at ${path}: ${found}.`, error);
  }
  if (codeOf(error) === 'EAGAIN' || codeOf(error) === 'ETIMEDOUT') {
    return new LocalError(
      'daemon_not_answering',
      `The daemon at ${path} takes no connection: ${found}.`,
      error,
    );
  }
  return new LocalError('socket_not_usable', `The socket ${path} could not be used: ${found}.`, error);
}

function isAbsent(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ECONNREFUSED';
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new LocalError('cancelled', undefined, signal.reason);
}
