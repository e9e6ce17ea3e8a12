/**
 * Clients that want to hear of changes of a resource: by `resources/subscribe` until 2025-11-25, by `subscriptions/listen`
 * since 2026-07-28. A change is told once in a while, however much is printed.
 */
import type { Groups } from './groups.ts';
import { hasTarget, toSource, tryParseUri } from './resources.ts';
import type { Watches } from './watches.ts';

/** Changes of a resource are gathered for so long, in ms. */
export const UPDATE_EVERY_MS = 500;
/** Resources that a client may subscribe to; each takes one of the daemon's 16 watches of a connection. */
export const MAX_SUBSCRIPTIONS = 12;

export interface SubscriptionsOptions {
  readonly watches: Watches;
  readonly groups: Groups;
  readonly tellUpdated: (uri: string) => void;
}

interface Subscription {
  count: number;
  readonly ended: AbortController;
}

export class Subscriptions {
  readonly #options: SubscriptionsOptions;
  readonly #open = new Map<string, Subscription>();
  readonly #subscribed = new Set<string>();
  /** URIs by the id of the request that listens. */
  readonly #listens = new Map<string | number, readonly string[]>();

  constructor(options: SubscriptionsOptions) {
    this.#options = options;
  }

  /** `resources/subscribe`, which may come twice. Rejects with an `Error` in words for the client, or with what the daemon says. */
  async subscribe(uri: string, clientName: string): Promise<void> {
    if (this.#subscribed.has(uri)) return;
    this.#subscribed.add(uri);
    try {
      await this.#add(uri, clientName);
    } catch (error) {
      this.#subscribed.delete(uri);
      throw error;
    }
  }

  unsubscribe(uri: string): void {
    if (this.#subscribed.delete(uri)) this.#remove(uri);
  }

  /** `subscriptions/listen`: the SDK answers it and passes on what it asked for; what is not there is not told. */
  async listen(id: string | number, uris: readonly string[], clientName: string): Promise<void> {
    const added: string[] = [];
    this.#listens.set(id, added);
    for (const uri of uris) {
      try {
        await this.#add(uri, clientName);
        if (this.#listens.has(id)) added.push(uri);
        else this.#remove(uri);
      } catch (error) {
        console.error(
          `pidp10-mcp: no subscription: ${error instanceof Error ? error.message : String(error)}`,
        );
      }
    }
  }

  /** The request with that id is cancelled: it may have been one that listens. */
  unlisten(id: string | number): void {
    for (const uri of this.#listens.get(id) ?? []) this.#remove(uri);
    this.#listens.delete(id);
  }

  async #add(uri: string, clientName: string): Promise<void> {
    const { watches, groups } = this.#options;
    const known = this.#open.get(uri);
    if (known !== undefined) {
      known.count += 1;
      return;
    }
    const target = tryParseUri(uri);
    if (target === undefined || !hasTarget(target, groups))
      throw new Error('There is no such resource here.');
    if (this.#open.size >= MAX_SUBSCRIPTIONS)
      throw new Error(`There are ${MAX_SUBSCRIPTIONS} subscriptions already: unsubscribe from one first.`);
    const subscription = { count: 1, ended: new AbortController() };
    this.#open.set(uri, subscription);
    const { signal } = subscription.ended;
    const handleChange = this.#toTeller(uri, signal);
    try {
      const stop = await watches.follow(
        { source: toSource(target), clientName },
        { handleOutput: handleChange, handleEnd: handleChange },
      );
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    } catch (error) {
      this.#open.delete(uri);
      throw error;
    }
  }

  #remove(uri: string): void {
    const subscription = this.#open.get(uri);
    if (subscription === undefined) return;
    subscription.count -= 1;
    if (subscription.count > 0) return;
    this.#open.delete(uri);
    subscription.ended.abort();
  }

  #toTeller(uri: string, signal: AbortSignal): () => void {
    let timer: NodeJS.Timeout | undefined;
    return () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        if (!signal.aborted) this.#options.tellUpdated(uri);
      }, UPDATE_EVERY_MS);
    };
  }
}
