/**
 * One watch of the line, or of a session, after the other on one connection. Notifications may come in the same packet as the
 * answer that names their watch, hence before whoever asked hears of it; they are kept for that moment. Those of an earlier
 * watch are left out.
 */
import type { ClientApi } from '@pidp10/protocol/clientApi';
import type {
  MethodInput,
  MethodResult,
  NotificationName,
  NotificationParams,
} from '@pidp10/protocol/methods';

type EventOf<Name extends NotificationName> = {
  readonly [N in Name]: { readonly name: N; readonly params: NotificationParams<N> };
}[Name];

/** A notification of a watch, by its name. */
export type LineEvent = EventOf<Exclude<NotificationName, `$/${string}` | `session.${string}`>>;
export type SessionEvent = EventOf<Extract<NotificationName, `session.${string}` | 'floor.changed'>>;
export type WatchEvent = LineEvent | SessionEvent;

const METHODS = {
  line: { begin: 'line.watch', end: 'line.unwatch' },
  session: { begin: 'session.watch', end: 'session.unwatch' },
} as const;

/** What can be watched. */
export type Watchable = keyof typeof METHODS;
type Begin<K extends Watchable> = (typeof METHODS)[K]['begin'];
export type WatchInput<K extends Watchable> = MethodInput<Begin<K>>;
export type WatchOf<K extends Watchable> = MethodResult<Begin<K>>;
export type EventsOf<K extends Watchable> = { line: LineEvent; session: SessionEvent }[K];

export class Watcher<K extends Watchable> {
  readonly #methods: (typeof METHODS)[K];
  readonly #onEvent: (event: EventsOf<K>) => void;
  #watch: number | undefined;
  /** While the answer of a watch is on its way. */
  #early: EventsOf<K>[] | undefined;

  constructor(what: K, onEvent: (event: EventsOf<K>) => void) {
    this.#methods = METHODS[what];
    this.#onEvent = onEvent;
  }

  /** To be given to the connection. */
  readonly listener = <N extends NotificationName>(name: N, params: NotificationParams<N>): void => {
    if (name.startsWith('$/')) return;
    const event = { name, params } as unknown as EventsOf<K>;
    if (this.#early === undefined) this.#tell(event);
    else this.#early.push(event);
  };

  /**
   * Ends the watch before it, if any. `onBegun` is called before the first event, and not at all when another watch was
   * begun meanwhile. Rejects as requests do.
   */
  async begin(client: ClientApi, input: WatchInput<K>, onBegun: (watch: WatchOf<K>) => void): Promise<void> {
    const old = this.#watch;
    const early: EventsOf<K>[] = [];
    this.#watch = undefined;
    this.#early = early;
    // The daemon may have ended it by itself; then there is nothing to end.
    if (old !== undefined) client.request(this.#methods.end, { watch: old }).catch(() => {});
    try {
      const result = await client.request<Begin<K>>(this.#methods.begin, input);
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

  #tell(event: EventsOf<K>): void {
    if (event.params.watch === this.#watch) this.#onEvent(event);
  }
}
