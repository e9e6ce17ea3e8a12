/**
 * One connection to a daemon: dials, says hello, then one typed method for the whole registry. Results are parsed here (I16);
 * unknown fields of a newer daemon are ignored (I14). When it ends, it has ended: dialling again is daemonClient.ts's.
 */
import type { Socket } from 'node:net';
import type * as z from 'zod';
import type { ClientApi, RequestOptions } from '../common/clientApi.ts';
import { LocalError, type RpcError, rpcError } from '../common/errors.ts';
import { FrameDecoder, MAX_ANSWER_BYTES } from '../common/framing.ts';
import {
  METHODS,
  type MethodInput,
  type MethodName,
  type MethodResult,
  NOTIFICATIONS,
  type NotificationName,
  type NotificationParams,
} from '../common/methods.ts';
import { RpcPeer } from '../common/rpcPeer.ts';
import { PROTOCOL } from '../common/version.ts';
import { withCeiling } from './ceiling.ts';
import { createDeferred } from './deferred.ts';
import { type DialOptions, dial } from './dial.ts';

/** Time for the answer to hello, in ms. A daemon does nothing for it but look up a reader. */
export const HELLO_TIMEOUT_MS = 5_000;

/** The registry as the compiler can follow it through a generic index. */
const RESULTS: { readonly [M in MethodName]: { readonly result: z.ZodType<MethodResult<M>> } } = METHODS;

type HelloInput = MethodInput<'hello'>;
export type Hello = MethodResult<'hello'>;

/** Notifications of watches, checked; those that this version does not know are left out. */
export type NotificationListener = <N extends NotificationName>(
  name: N,
  params: NotificationParams<N>,
) => void;

export interface ConnectOptions extends DialOptions {
  readonly client: HelloInput['client'];
  readonly reader?: string | undefined;
  /** Default `auto`: output counts as delivered when the daemon has written the answer. */
  readonly commit?: HelloInput['commit'];
  /** Default `full`; `read` for a spy. */
  readonly access?: HelloInput['access'];
  readonly onNotification?: NotificationListener | undefined;
  /** Default: `HELLO_TIMEOUT_MS`. */
  readonly helloTimeoutMs?: number | undefined;
}

export class DaemonConnection implements ClientApi, AsyncDisposable {
  readonly #path: string;
  readonly #peer: RpcPeer;
  readonly #decoder = new FrameDecoder({ maxFrameBytes: MAX_ANSWER_BYTES });
  /** Resolves once, never rejects: with the reason, or with undefined after `close`. */
  readonly closed: Promise<Error | undefined>;
  #hello: Hello | undefined;
  /** Wall clock of the last sign of life, for people who read "since". */
  #heardAt = Date.now();
  #chunksHeard = 0;
  /** An error without an id just before the end, such as `too_many_clients`, is the reason of that end. */
  #lastWords: RpcError | undefined;
  #isClosing = false;

  private constructor(socket: Socket, path: string, onNotification?: NotificationListener) {
    this.#path = path;
    const { promise, resolve } = createDeferred<Error | undefined>();
    this.closed = promise;
    let why: Error | undefined;
    this.#peer = new RpcPeer({
      send: (text) => void socket.write(`${text}\n`),
      badFrames: 'close',
      ...(onNotification !== undefined && {
        onNotification: (method, params) => passOn(method, params, onNotification),
      }),
      onPeerError: (error) => {
        this.#lastWords = error;
      },
      onClose: (reason) => {
        why = this.#isClosing ? undefined : reason;
        socket.destroy();
      },
    });
    socket.on('data', (chunk: Buffer) => this.#handleData(chunk));
    socket.on('error', (error) => this.#handleEnd(error));
    socket.on('close', () => {
      this.#handleEnd();
      resolve(why);
    });
  }

  /** Throws what `dial` throws, `daemon_not_answering`, and the daemon's own errors (`protocol_mismatch` …). */
  static async connect(options: ConnectOptions): Promise<DaemonConnection> {
    const client = await DaemonConnection.connectWithoutHello(options);
    try {
      await client.#sayHello(options);
      return client;
    } catch (error) {
      await client.close();
      throw error;
    }
  }

  /** For `daemon.status` and `daemon.shutdown`, which a daemon of any version answers; nothing else works. */
  static async connectWithoutHello(
    options: DialOptions & Pick<ConnectOptions, 'onNotification'>,
  ): Promise<DaemonConnection> {
    return new DaemonConnection(await dial(options), options.socket, options.onNotification);
  }

  /** What the daemon said about itself. */
  get hello(): Hello {
    if (this.#hello === undefined) throw new Error('this client has not said hello');
    return this.#hello;
  }

  get isClosed(): boolean {
    return this.#peer.isClosed;
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
    const { signal, onProgress, waitMs = waitOf(method, input) } = options;
    // At the ceiling the request is cancelled: a daemon that comes back is not to wait for somebody who has gone.
    const ceiling = new AbortController();
    const answer = this.#peer.request(method, input, {
      signal: signal === undefined ? ceiling.signal : AbortSignal.any([signal, ceiling.signal]),
      onProgress: onProgress && ((params) => ifProgress(params, onProgress)),
    });
    const result = await withCeiling(answer, {
      waitMs,
      signal,
      probe: () => this.#peer.request('daemon.status', {}),
      signsOfLife: () => this.#chunksHeard,
      toError: () => {
        const error = this.#notAnswering(method);
        ceiling.abort(error);
        return error;
      },
    });
    return parseResult(method, result);
  }

  /** Idempotent; requests under way are rejected with `connection_lost`. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#peer.close(new LocalError('connection_lost', 'The connection was closed on this side.'));
    await this.closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #sayHello(options: ConnectOptions): Promise<void> {
    const { client, reader, commit, access, signal, helloTimeoutMs = HELLO_TIMEOUT_MS } = options;
    const input: HelloInput = {
      protocol: { ...PROTOCOL },
      client,
      ...(reader === undefined ? {} : { reader }),
      ...(commit === undefined ? {} : { commit }),
      ...(access === undefined ? {} : { access }),
    };
    // Whoever gives up before the hello is answered wants no connection: nothing is worth waiting for.
    const handleAbort = () => this.#peer.close(new LocalError('cancelled', undefined, signal?.reason));
    signal?.addEventListener('abort', handleAbort, { once: true });
    const answer = this.#peer.request('hello', input, { signal });
    const limit = { waitMs: 0, graceMs: helloTimeoutMs, toError: () => this.#notAnswering('hello') };
    const result = await withCeiling(answer, limit).finally(() =>
      signal?.removeEventListener('abort', handleAbort),
    );
    const hello = parseResult('hello', result);
    if (hello.protocol.major !== PROTOCOL.major) throw toMismatch(hello);
    this.#hello = hello;
  }

  #handleData(chunk: Buffer): void {
    this.#heardAt = Date.now();
    this.#chunksHeard += 1;
    for (const frame of this.#decoder.push(chunk)) this.#peer.handleFrame(frame);
  }

  #handleEnd(cause?: Error): void {
    const lost = `The connection to the daemon at ${this.#path} ended${cause ? `: ${cause.message}` : ''}.`;
    this.#peer.close(this.#lastWords ?? new LocalError('connection_lost', lost, cause));
  }

  #notAnswering(method: string): LocalError {
    const who =
      this.#hello === undefined
        ? `The daemon at ${this.#path}`
        : `The daemon (pid ${this.#hello.daemon.pid})`;
    const since = new Date(this.#heardAt).toISOString();
    return new LocalError(
      'daemon_not_answering',
      `${who} does not answer ${method}; not a byte since ${since}.`,
    );
  }
}

/**
 * The wait that the input asks for, be it by default; 0 where nothing waits. A place in the floor's queue is not in it: a
 * daemon that lets somebody queue shows signs of life.
 */
export function waitOf(method: MethodName, input: unknown): number {
  const data: unknown = METHODS[method].params.safeParse(input).data;
  const times: WaitTimes = typeof data === 'object' && data !== null ? data : {};
  const { timeoutMs = 0, returnAfterMs = Number.POSITIVE_INFINITY } = times;
  return Math.min(timeoutMs, returnAfterMs);
}

interface WaitTimes {
  readonly timeoutMs?: number;
  readonly returnAfterMs?: number;
}

function ifProgress(params: unknown, onProgress: NonNullable<RequestOptions['onProgress']>): void {
  const parsed = NOTIFICATIONS['$/progress'].params.safeParse(params);
  if (parsed.success) onProgress(parsed.data);
}

function passOn(method: string, params: unknown, listener: NotificationListener): void {
  if (!isNotificationName(method)) return;
  const parsed = NOTIFICATIONS[method].params.safeParse(params);
  if (!parsed.success) return;
  try {
    listener(method, parsed.data as NotificationParams<typeof method>);
  } catch (error) {
    // The listener's fault surfaces, but not here: the frames behind this one are other people's answers.
    queueMicrotask(() => {
      throw error;
    });
  }
}

function isNotificationName(name: string): name is NotificationName {
  return Object.hasOwn(NOTIFICATIONS, name);
}

function parseResult<M extends MethodName>(method: M, result: unknown): MethodResult<M> {
  const parsed = RESULTS[method].result.safeParse(result);
  if (parsed.success) return parsed.data;
  const found = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
  const detail = `The answer to ${method} has another shape than protocol ${PROTOCOL.major}.${PROTOCOL.minor} says (${found}).`;
  throw new LocalError('unexpected_result', detail, parsed.error);
}

function toMismatch(hello: Hello): RpcError {
  const { protocol, daemon } = hello;
  const detail =
    `This client speaks protocol ${PROTOCOL.major}.${PROTOCOL.minor}, ` +
    `the daemon (version ${daemon.version}, pid ${daemon.pid}) ${protocol.major}.${protocol.minor}.`;
  return rpcError('protocol_mismatch', detail);
}
