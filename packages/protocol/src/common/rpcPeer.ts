/**
 * One end of a JSON-RPC connection; daemon and client use the same class. Knows no transport and no clock: frames come in
 * through `handleFrame`, texts go out through `send`. Cancelling follows LSP's `$/cancelRequest`, except that a cancelled
 * request is answered with a result, which holds what had come until then.
 */
import { LocalError, RpcError, rpcError } from './errors.ts';
import { exceedsBytes, type Frame, MAX_FRAME_BYTES } from './framing.ts';
import { IncomingRequests, type RequestHandler } from './incomingRequests.ts';
import {
  classifyMessage,
  isRequestId,
  type Message,
  type RequestId,
  toFailureText,
  toNotificationText,
  toRequestText,
} from './jsonrpc.ts';

/** Bad frames in a row after which a peer is taken for something else than a client (a port probe, a web browser). */
export const MAX_BAD_FRAMES = 100;

export interface RpcPeerOptions {
  /** Takes one JSON text; the transport frames it. If it throws, the peer closes. */
  readonly send: (text: string) => void;
  /** Default: there are no methods. */
  readonly handler?: RequestHandler | undefined;
  /** Other notifications than `$/cancelRequest` and `$/progress`. */
  readonly onNotification?: ((method: string, params: unknown) => void) | undefined;
  /** An error that the peer sent without the id of a request. */
  readonly onPeerError?: ((error: RpcError) => void) | undefined;
  /** Once: the transport is to be closed, after what was sent has gone out. */
  readonly onClose?: ((reason: Error) => void) | undefined;
  /** A fault of a handler, for the log: the peer only hears of an internal error. */
  readonly onFault?: ((error: unknown, method: string) => void) | undefined;
  /** `answer` and go on (a daemon: the client may be somebody's script), or `close` (a client: an answer is lost). */
  readonly badFrames?: 'answer' | 'close' | undefined;
}

export interface PeerRequestOptions {
  /** Aborting asks the peer to give up; the request still settles by the answer. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((params: unknown) => void) | undefined;
}

interface PendingRequest {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: ((params: unknown) => void) | undefined;
  readonly release: () => void;
}

export class RpcPeer implements Disposable {
  readonly #options: RpcPeerOptions;
  readonly #pending = new Map<RequestId, PendingRequest>();
  readonly #incoming: IncomingRequests;
  #nextId = 1;
  #badFrames = 0;
  #closeReason: Error | undefined;

  constructor(options: RpcPeerOptions) {
    this.#options = options;
    this.#incoming = new IncomingRequests({
      handler: options.handler ?? refuseAll,
      send: (text) => this.#write(text),
      onFault: options.onFault,
    });
  }

  get isClosed(): boolean {
    return this.#closeReason !== undefined;
  }

  /** Requests of the other side that are not answered yet. */
  get inFlight(): number {
    return this.#incoming.size;
  }

  /**
   * Rejects with the peer's `RpcError`, with the reason given to `close`, or with `cancelled` if the signal was aborted
   * before anything was sent.
   */
  request(method: string, params: unknown, options: PeerRequestOptions = {}): Promise<unknown> {
    const { signal, onProgress } = options;
    if (this.#closeReason !== undefined) return Promise.reject(this.#closeReason);
    if (signal?.aborted) return Promise.reject(new LocalError('cancelled', undefined, signal.reason));
    const id = this.#nextId++;
    const text = toRequestText(id, method, params);
    // The peer could not tell whose request it had to skip: refused here, where the caller is known.
    if (exceedsBytes(text, MAX_FRAME_BYTES)) return Promise.reject(rpcError('frame_too_long'));
    return new Promise((resolve, reject) => {
      const cancel = () => this.notify('$/cancelRequest', { id });
      signal?.addEventListener('abort', cancel, { once: true });
      const release = () => signal?.removeEventListener('abort', cancel);
      this.#pending.set(id, { resolve, reject, onProgress, release });
      this.#write(text);
    });
  }

  /** Does nothing after closing. */
  notify(method: string, params: unknown): void {
    this.#write(toNotificationText(method, params));
  }

  handleText(text: string): void {
    this.handleFrame({ kind: 'frame', text });
  }

  handleFrame(frame: Frame): void {
    if (this.isClosed) return;
    switch (frame.kind) {
      case 'frame':
        return this.#handleMessage(frame.text);
      case 'too_long':
        return this.#handleBad(
          undefined,
          rpcError('frame_too_long', `A frame exceeds ${frame.maxFrameBytes} bytes.`),
        );
      case 'invalid_utf8':
        return this.#handleBad(undefined, rpcError('parse_error', 'The frame is not UTF-8.'));
      default:
        return frame satisfies never;
    }
  }

  #handleMessage(text: string): void {
    const value = tryParse(text);
    const message: Message | undefined = value === undefined ? undefined : classifyMessage(value.json);
    if (message === undefined) return this.#handleBad(undefined, rpcError('parse_error'));
    if (message.kind === 'invalid') {
      return this.#handleBad(message.id, rpcError('invalid_request', message.problem));
    }
    this.#badFrames = 0;
    switch (message.kind) {
      case 'request':
        return this.#handleRequest(message.id, message.method, message.params);
      case 'notification':
        return this.#handleNotification(message.method, message.params);
      case 'result':
        return this.#take(message.id)?.resolve(message.result);
      case 'failure': {
        const { code, message: detail, data } = message.error;
        const error = new RpcError(code, detail, isRecord(data) ? data : {});
        if (message.id === undefined) this.#options.onPeerError?.(error);
        else this.#take(message.id)?.reject(error);
        return;
      }
      default:
        return message satisfies never;
    }
  }

  #handleBad(id: RequestId | undefined, error: RpcError): void {
    this.#badFrames += 1;
    if (this.#options.badFrames === 'close') {
      return this.close(
        new LocalError('unexpected_result', `The daemon sent a bad frame: ${error.message}`, error),
      );
    }
    // An id in use belongs to the request that is running: that one is still to be answered.
    this.#write(toFailureText(id !== undefined && this.#incoming.has(id) ? undefined : id, error));
    if (this.#badFrames >= MAX_BAD_FRAMES) {
      this.close(new LocalError('connection_lost', `The peer sent ${MAX_BAD_FRAMES} bad frames in a row.`));
    }
  }

  #handleRequest(id: RequestId, method: string, params: unknown): void {
    if (this.#incoming.has(id)) {
      const detail = `The id ${JSON.stringify(id)} belongs to a request that is not answered yet.`;
      return this.#handleBad(id, rpcError('invalid_request', detail, { id }));
    }
    this.#incoming.start(id, method, params);
  }

  #handleNotification(method: string, params: unknown): void {
    const id = isRecord(params) && isRequestId(params['id']) ? params['id'] : undefined;
    switch (method) {
      case '$/cancelRequest':
        if (id !== undefined) this.#incoming.cancel(id);
        return;
      case '$/progress':
        if (id !== undefined) this.#pending.get(id)?.onProgress?.(params);
        return;
      default:
        this.#options.onNotification?.(method, params);
    }
  }

  #take(id: RequestId): PendingRequest | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    pending?.release();
    return pending;
  }

  #write(text: string): void {
    if (this.isClosed) return;
    try {
      this.#options.send(text);
    } catch (error) {
      this.close(new LocalError('connection_lost', 'The connection took no more.', error));
    }
  }

  /** Idempotent. Settles every request of ours with `reason` and aborts every one of the other side. */
  close(reason: Error = new LocalError('connection_lost')): void {
    if (this.#closeReason !== undefined) return;
    this.#closeReason = reason;
    for (const id of this.#pending.keys()) this.#take(id)?.reject(reason);
    this.#incoming.close(reason);
    this.#options.onClose?.(reason);
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

function refuseAll(method: string): Promise<never> {
  return Promise.reject(rpcError('method_not_found', `There is no method ${JSON.stringify(method)}.`));
}

function tryParse(text: string): { readonly json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
