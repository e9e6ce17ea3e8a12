/**
 * One watch of the line after the other on one connection. Notifications may come in the same packet as the answer that
 * names their watch, hence before whoever asked hears of it; they are kept for that moment. Those of an earlier watch are
 * left out.
 */
import type { ClientApi } from '@pidp10/protocol/clientApi';
import type {
  MethodInput,
  MethodResult,
  NotificationName,
  NotificationParams,
} from '@pidp10/protocol/methods';

type WatchName = Exclude<NotificationName, '$/progress' | '$/cancelRequest'>;

/** A notification of a watch, by its name. */
export type WatchEvent = {
  readonly [N in WatchName]: { readonly name: N; readonly params: NotificationParams<N> };
}[WatchName];

export type Watch = MethodResult<'line.watch'>;

export class Watcher {
  readonly #onEvent: (event: WatchEvent) => void;
  #watch: number | undefined;
  /** While the answer of a watch is on its way. */
  #early: WatchEvent[] | undefined;

  constructor(onEvent: (event: WatchEvent) => void) {
    this.#onEvent = onEvent;
  }

  /** To be given to the connection. */
  readonly listener = <N extends NotificationName>(name: N, params: NotificationParams<N>): void => {
    if (name.startsWith('$/')) return;
    const event = { name, params } as unknown as WatchEvent;
    if (this.#early === undefined) this.#tell(event);
    else this.#early.push(event);
  };

  /**
   * Ends the watch before it, if any. `onBegun` is called before the first event, and not at all when another watch was
   * begun meanwhile. Rejects as requests do.
   */
  async begin(
    client: ClientApi,
    input: MethodInput<'line.watch'>,
    onBegun: (watch: Watch) => void,
  ): Promise<void> {
    const old = this.#watch;
    const early: WatchEvent[] = [];
    this.#watch = undefined;
    this.#early = early;
    // The daemon may have ended it by itself; then there is nothing to end.
    if (old !== undefined) client.request('line.unwatch', { watch: old }).catch(() => {});
    try {
      const result = await client.request('line.watch', input);
      if (this.#early !== early) return;
      this.#watch = result.watch;
      onBegun(result);
    } finally {
      if (this.#early === early) this.#early = undefined;
    }
    // One of them may begin the next watch; the rest is not of that one then.
    for (const event of early) this.#tell(event);
  }

  /** The connection is another one. */
  reset(): void {
    this.#watch = undefined;
    this.#early = undefined;
  }

  #tell(event: WatchEvent): void {
    if (event.params.watch === this.#watch) this.#onEvent(event);
  }
}
