/**
 * The requests of the other side that are under way: each is answered once, or its connection closes (I10). Answers go out
 * in the order in which the handlers finish. Cancelling only aborts the handler's signal; the answer is the handler's.
 */
import { LocalError, RpcError, rpcError } from './errors.ts';
import {
  type ErrorObject,
  type RequestId,
  toFailureText,
  toNotificationText,
  toResultText,
} from './jsonrpc.ts';

/** Requests of one peer under way at a time. A bridge has one per running tool call; one more is refused, not queued. */
export const MAX_IN_FLIGHT_REQUESTS = 64;

export interface RequestContext {
  readonly id: RequestId;
  /** Aborted when the peer cancels the request or is gone. */
  readonly signal: AbortSignal;
  /** Sends `$/progress`; does nothing once the request was answered. */
  sendProgress(progress: Readonly<Record<string, unknown>>): void;
  /** Runs `callback` right after this request's result was given to `send`; never after an error or a closing. */
  afterSend(callback: () => void): void;
}

/**
 * An `RpcError` that it throws goes to the peer; anything else is a fault of ours, of which the peer learns no more than
 * that there was one.
 */
export type RequestHandler = (method: string, params: unknown, context: RequestContext) => Promise<unknown>;

export interface IncomingOptions {
  readonly handler: RequestHandler;
  readonly send: (text: string) => void;
  readonly onFault?: ((error: unknown, method: string) => void) | undefined;
}

interface RunningRequest {
  readonly controller: AbortController;
  readonly callbacks: (() => void)[];
}

export class IncomingRequests {
  readonly #options: IncomingOptions;
  readonly #running = new Map<RequestId, RunningRequest>();

  constructor(options: IncomingOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#running.size;
  }

  has(id: RequestId): boolean {
    return this.#running.has(id);
  }

  /** `id` is not running. */
  start(id: RequestId, method: string, params: unknown): void {
    if (this.#running.size >= MAX_IN_FLIGHT_REQUESTS) {
      const detail = `${MAX_IN_FLIGHT_REQUESTS} requests of this connection are in flight.`;
      return this.#options.send(toFailureText(id, rpcError('too_many_requests', detail)));
    }
    const request: RunningRequest = { controller: new AbortController(), callbacks: [] };
    this.#running.set(id, request);
    // Never rejects: whatever the handler does becomes an answer.
    void this.#run(id, { method, params, request });
  }

  cancel(id: RequestId): void {
    this.#running.get(id)?.controller.abort(new LocalError('cancelled'));
  }

  /** Aborts them all; none is answered any more. */
  close(reason: Error): void {
    const requests = [...this.#running.values()];
    this.#running.clear();
    for (const { controller } of requests) controller.abort(reason);
  }

  async #run(
    id: RequestId,
    call: { method: string; params: unknown; request: RunningRequest },
  ): Promise<void> {
    const { method, params, request } = call;
    const isRunning = () => this.#running.get(id) === request;
    const context: RequestContext = {
      id,
      signal: request.controller.signal,
      sendProgress: (progress) => {
        if (isRunning()) this.#options.send(toNotificationText('$/progress', { ...progress, id }));
      },
      afterSend: (callback) => {
        request.callbacks.push(callback);
      },
    };
    let text: string;
    let callbacks = request.callbacks;
    try {
      text = toResultText(id, await this.#options.handler(method, params, context));
    } catch (error) {
      callbacks = [];
      text = toFailureText(id, toErrorObject(error));
      if (!(error instanceof RpcError)) this.#options.onFault?.(error, method);
    }
    if (!isRunning()) return;
    // Sent before it is forgotten: if `send` fails, this request is closed with the others and its callbacks stay silent.
    this.#options.send(text);
    if (!this.#running.delete(id)) return;
    for (const callback of callbacks) this.#runCallback(callback, method);
  }

  #runCallback(callback: () => void, method: string): void {
    try {
      callback();
    } catch (error) {
      this.#options.onFault?.(error, method);
    }
  }
}

/** No stack and no foreign message crosses the wire. */
function toErrorObject(error: unknown): ErrorObject {
  return error instanceof RpcError ? error : rpcError('internal_error');
}
