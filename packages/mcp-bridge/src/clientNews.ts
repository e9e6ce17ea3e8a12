/** What goes to the MCP client unasked: log messages, changes of resources. Before it has introduced itself nothing does. */
import type { LogMessage, LogSink } from './streamLog.ts';

/** Bytes that wait for the client, above which it is not told more: below the limit at which its requests are not read. */
const MAX_WAITING_BYTES = 1_048_576;

/** What is used of the SDK's server. */
export interface NewsServer {
  sendLoggingMessage(message: LogMessage): Promise<void>;
  sendResourceListChanged(): void;
  readonly server: { sendResourceUpdated(params: { uri: string }): Promise<void> };
}

export class ClientNews implements LogSink {
  readonly #queuedBytes: () => number;
  #server: NewsServer | undefined;
  #hasLog = false;

  constructor(queuedBytes: () => number) {
    this.#queuedBytes = queuedBytes;
  }

  /** `hasLog`: its protocol has log messages that belong to no request. */
  attach(server: NewsServer, hasLog: boolean): void {
    this.#server = server;
    this.#hasLog = hasLog;
  }

  get hasLog(): boolean {
    return this.#hasLog;
  }

  get isBusy(): boolean {
    return this.#queuedBytes() > MAX_WAITING_BYTES;
  }

  log(message: LogMessage): void {
    // A client that is gone is noticed elsewhere.
    this.#server?.sendLoggingMessage(message).catch(() => {});
  }

  tellUpdated(uri: string): void {
    this.#server?.server.sendResourceUpdated({ uri }).catch(() => {});
  }

  tellListChanged(): void {
    this.#server?.sendResourceListChanged();
  }
}
