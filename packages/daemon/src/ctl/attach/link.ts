/** The connection of an attached terminal: a watch of the line, dialled anew when the daemon comes back (an upgrade). */
import { setTimeout as sleep } from 'node:timers/promises';
import { LocalError, RpcError, rpcErrorName } from '@pidp10/protocol/errors';
import type { DaemonClient } from '@pidp10/protocol/node/daemonClient';
import type { DaemonAccess } from '../daemonAccess.ts';
import { type Watch, type WatchEvent, Watcher } from '../watcher.ts';

/** A daemon that is gone for longer, in ms, was not only replaced. */
export const COMES_BACK_MS = 5_000;
const DIAL_EVERY_MS = 100;

export interface LinkOptions {
  readonly daemon: DaemonAccess;
  /** `read`: a spy, whom the daemon lets type nothing. */
  readonly access: 'full' | 'read';
  readonly onBegun: (watch: Watch) => void;
  readonly onEvent: (event: WatchEvent) => void;
  /** The connection is lost; it is dialled anew. */
  readonly onLost: () => void;
  /** And this is another one. */
  readonly onBack: () => void;
  /** For good. */
  readonly onGone: (error: unknown) => void;
}

export class Link implements AsyncDisposable {
  readonly #options: LinkOptions;
  readonly #watcher: Watcher;
  #client: DaemonClient | undefined;
  #isClosed = false;
  #isBeginning = false;
  #isAgain = false;

  private constructor(options: LinkOptions) {
    this.#options = options;
    this.#watcher = new Watcher(options.onEvent);
  }

  /** Rejects as `DaemonAccess.connect` does. Nothing is watched yet. */
  static async open(options: LinkOptions): Promise<Link> {
    const link = new Link(options);
    await link.#connect();
    return link;
  }

  /** Undefined while the daemon is away. */
  get client(): DaemonClient | undefined {
    return this.#client;
  }

  /** Begins a new watch, which paints the screen as it is now. Calls on the way to it are one. */
  watch(): void {
    this.#isAgain = this.#isBeginning;
    if (!this.#isBeginning) void this.#watch();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.#client?.close();
  }

  async #watch(): Promise<void> {
    this.#isBeginning = true;
    do {
      this.#isAgain = false;
      const client = this.#client;
      if (client === undefined) break;
      try {
        await this.#watcher.begin(client, { form: 'ansi' }, this.#options.onBegun);
      } catch (error) {
        // A lost connection has its own end; a daemon that refuses would refuse for ever.
        if (!client.isClosed) this.#options.onGone(error);
      }
    } while (this.#isAgain);
    this.#isBeginning = false;
  }

  async #connect(): Promise<void> {
    const { daemon, access } = this.#options;
    this.#watcher.reset();
    const client = await daemon.connect({
      isReader: false,
      access,
      onNotification: this.#watcher.listener,
    });
    this.#client = client;
    void client.closed.then(() => this.#handleLoss());
  }

  async #handleLoss(): Promise<void> {
    this.#client = undefined;
    if (this.#isClosed) return;
    this.#options.onLost();
    let cause: unknown;
    for (let waitedMs = 0; waitedMs < COMES_BACK_MS; waitedMs += DIAL_EVERY_MS) {
      await sleep(DIAL_EVERY_MS);
      if (this.#isClosed) return;
      try {
        await this.#connect();
      } catch (error) {
        cause = error;
        if (mayComeBack(error)) continue;
        break;
      }
      this.#options.onBack();
      return;
    }
    this.#options.onGone(cause);
  }
}

function mayComeBack(error: unknown): boolean {
  if (error instanceof RpcError) return rpcErrorName(error.code) === 'shutting_down';
  if (!(error instanceof LocalError)) return false;
  switch (error.code) {
    case 'daemon_not_running':
    case 'daemon_not_answering':
    case 'socket_not_usable':
    case 'connection_lost':
      return true;
    default:
      return false;
  }
}
