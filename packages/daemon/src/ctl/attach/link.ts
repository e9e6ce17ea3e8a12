/** The connection of an attached terminal: a watch, begun anew when the daemon comes back (an upgrade). */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientApi } from '@pidp10/protocol/clientApi';
import { LocalError, RpcError, rpcErrorName } from '@pidp10/protocol/errors';
import type { DaemonClient } from '@pidp10/protocol/node/daemonClient';
import { type EventsOf, type Watchable, Watcher } from '../watcher.ts';
import type { AttachLink, LinkEvents, OpenOptions } from './target.ts';

/** A daemon that is gone for longer, in ms, was not only replaced. */
export const COMES_BACK_MS = 5_000;
const DIAL_EVERY_MS = 100;

export interface LinkOptions<K extends Watchable> extends Pick<OpenOptions, 'daemon' | 'access'> {
  readonly what: K;
  /** Begins a watch, and whatever has to come before it. Rejects as requests do. */
  readonly begin: (client: ClientApi, watcher: Watcher<K>) => Promise<void>;
  readonly onEvent: (event: EventsOf<K>) => void;
  readonly events: Pick<LinkEvents, 'onLost' | 'onBack' | 'onGone'>;
}

export class Link<K extends Watchable> implements AttachLink {
  readonly #options: LinkOptions<K>;
  readonly #watcher: Watcher<K>;
  #client: DaemonClient | undefined;
  #isClosed = false;
  #isBeginning = false;
  #isAgain = false;

  private constructor(options: LinkOptions<K>) {
    this.#options = options;
    this.#watcher = new Watcher(options.what, options.onEvent);
  }

  /** Rejects as `DaemonAccess.connect` does. Nothing is watched yet. */
  static async open<K extends Watchable>(options: LinkOptions<K>): Promise<Link<K>> {
    const link = new Link(options);
    await link.#connect();
    return link;
  }

  get client(): DaemonClient | undefined {
    return this.#client;
  }

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
        await this.#options.begin(client, this.#watcher);
      } catch (error) {
        // A lost connection has its own end; a daemon that refuses would refuse for ever.
        if (!client.isClosed) this.#options.events.onGone(error);
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
    const { onLost, onBack, onGone } = this.#options.events;
    this.#client = undefined;
    if (this.#isClosed) return;
    onLost();
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
      onBack();
      return;
    }
    onGone(cause);
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
