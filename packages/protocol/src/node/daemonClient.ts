/**
 * A client of the daemon: one connection (daemonConnection.ts), and over an upgrade of the daemon the one after it.
 *
 * A call that a daemon refuses because it is handing over (`upgrading`) has done nothing: it waits for the successor, or for
 * the daemon to go on, and is made again, within its own time. A call whose connection broke may have done something; it is
 * made again only if it does nothing but look. A client that watches does not move, because its watches have ended: it sees
 * `closed`, like everybody whose daemon is gone. Never starts a daemon.
 */
import { setTimeout as pauseFor } from 'node:timers/promises';
import type { ClientApi, RequestOptions } from '../common/clientApi.ts';
import { LocalError, RpcError, rpcErrorName } from '../common/errors.ts';
import type { MethodInput, MethodName, MethodResult } from '../common/methods.ts';
import { ANSWER_GRACE_MS } from './ceiling.ts';
import {
  type ConnectOptions,
  DaemonConnection,
  HELLO_TIMEOUT_MS,
  type Hello,
  waitOf,
} from './daemonConnection.ts';
import { createDeferred } from './deferred.ts';
import type { DialOptions } from './dial.ts';

export {
  type ConnectOptions,
  HELLO_TIMEOUT_MS,
  type Hello,
  type NotificationListener,
} from './daemonConnection.ts';

/** Between two attempts while a daemon hands over, in ms: it takes about a second. */
const AGAIN_MS = 50;

/** They change nothing, not even the place of a reader, so that making one twice is making it once. */
const LOOKING: ReadonlySet<MethodName> = new Set<MethodName>([
  'daemon.status',
  'daemon.clients',
  'line.status',
  'line.peek',
  'line.screen',
  'line.history',
  'line.search',
  'floor.status',
  'reader.list',
]);

export class DaemonClient implements ClientApi, AsyncDisposable {
  readonly #options: ConnectOptions | undefined;
  /** Resolves once, never rejects: with the reason, or with undefined after `close`. */
  readonly closed: Promise<Error | undefined>;
  readonly #resolveClosed: (why: Error | undefined) => void;
  #connection: DaemonConnection;
  #move: Promise<boolean> | undefined;
  #isWatching = false;
  #isClosing = false;
  #isOver = false;

  private constructor(connection: DaemonConnection, options?: ConnectOptions) {
    const { promise, resolve } = createDeferred<Error | undefined>();
    this.closed = promise;
    this.#resolveClosed = resolve;
    this.#connection = connection;
    this.#options = options;
    void this.#follow(connection);
  }

  /** Throws what `dial` throws, `daemon_not_answering`, and the daemon's own errors (`protocol_mismatch` …). */
  static async connect(options: ConnectOptions): Promise<DaemonClient> {
    const deadlineMs = performance.now() + (options.helloTimeoutMs ?? HELLO_TIMEOUT_MS);
    for (;;) {
      try {
        return new DaemonClient(await DaemonConnection.connect(options), options);
      } catch (error) {
        if (!isUpgrading(error) || performance.now() + AGAIN_MS > deadlineMs) throw error;
      }
      await pause(options.signal);
    }
  }

  /** For `daemon.status` and `daemon.shutdown`, which a daemon of any version answers; nothing else works. */
  static async connectWithoutHello(
    options: DialOptions & Pick<ConnectOptions, 'onNotification'>,
  ): Promise<DaemonClient> {
    return new DaemonClient(await DaemonConnection.connectWithoutHello(options));
  }

  /** What the daemon said about itself; after an upgrade, what the successor said. */
  get hello(): Hello {
    return this.#connection.hello;
  }

  get isClosed(): boolean {
    return this.#connection.isClosed && this.#move === undefined;
  }

  /**
   * Rejects with the daemon's `RpcError`, or with a `LocalError`: `connection_lost`, `unexpected_result`, `cancelled` (only
   * if aborted before sending), `daemon_not_answering` (when it is silent until 5 s past the request's own wait).
   */
  async request<M extends MethodName>(
    method: M,
    input: MethodInput<M>,
    options: RequestOptions = {},
  ): Promise<MethodResult<M>> {
    const { signal, waitMs = waitOf(method, input) } = options;
    const deadlineMs = performance.now() + waitMs + ANSWER_GRACE_MS;
    for (;;) {
      const connection = this.#connection;
      try {
        const result = await connection.request(method, input, options);
        if (method === 'line.watch') this.#isWatching = true;
        return result;
      } catch (error) {
        if (signal?.aborted === true || !this.#mayRepeat(method, error)) throw error;
        if (!(await this.#canRepeat(connection, deadlineMs))) throw error;
      }
    }
  }

  /** Idempotent; requests under way are rejected with `connection_lost`. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#connection.close();
    await this.#move;
    await this.#connection.close();
    await this.closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #mayRepeat(method: MethodName, error: unknown): boolean {
    if (this.#isClosing || this.#options === undefined) return false;
    // Made again, it would hand the successor over to one more.
    if (isUpgrading(error)) return method !== 'daemon.upgrade';
    return LOOKING.has(method) && error instanceof LocalError && error.code === 'connection_lost';
  }

  /** Whether there is a connection on which the call may be made again. */
  async #canRepeat(connection: DaemonConnection, deadlineMs: number): Promise<boolean> {
    if (performance.now() > deadlineMs) return false;
    if (!connection.isClosed) await Promise.race([connection.closed, pauseFor(AGAIN_MS)]);
    return connection.isClosed ? this.#moveFrom(connection, deadlineMs) : true;
  }

  /** To the daemon that listens there now, at once if there is one. */
  #moveFrom(connection: DaemonConnection, deadlineMs: number): Promise<boolean> {
    if (this.#connection !== connection) return Promise.resolve(true);
    if (this.#isWatching || this.#isClosing || this.#isOver) return Promise.resolve(false);
    this.#move ??= this.#connectAgain(deadlineMs).finally(() => {
      this.#move = undefined;
    });
    return this.#move;
  }

  async #connectAgain(deadlineMs: number): Promise<boolean> {
    const { signal: _signal, ...options } = this.#options ?? {
      socket: '',
      client: { name: '', version: '' },
    };
    for (let leftMs = deadlineMs - performance.now(); leftMs > 0; leftMs = deadlineMs - performance.now()) {
      try {
        const connection = await DaemonConnection.connect({ ...options, helloTimeoutMs: leftMs });
        this.#connection = connection;
        void this.#follow(connection);
        return true;
      } catch (error) {
        // Lost in hello: the one that took the connection was about to leave.
        const isLost = error instanceof LocalError && error.code === 'connection_lost';
        if (this.#isClosing || !(isLost || isUpgrading(error))) return false;
      }
      await pauseFor(AGAIN_MS);
    }
    return false;
  }

  async #follow(connection: DaemonConnection): Promise<void> {
    const why = await connection.closed;
    // Whoever was refused has heard of the end by then, and has begun to move.
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    const hasMoved = (await this.#move) ?? this.#connection !== connection;
    if (hasMoved) return;
    this.#isOver = true;
    this.#resolveClosed(this.#isClosing ? undefined : why);
  }
}

function isUpgrading(error: unknown): boolean {
  return error instanceof RpcError && rpcErrorName(error.code) === 'upgrading';
}

async function pause(signal: AbortSignal | undefined): Promise<void> {
  try {
    await pauseFor(AGAIN_MS, undefined, signal === undefined ? {} : { signal });
  } catch (cause) {
    throw new LocalError('cancelled', undefined, cause);
  }
}
