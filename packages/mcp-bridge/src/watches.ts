/**
 * Output as it comes, by watches of the daemon, for what goes to clients unasked. A watch lives as long as its connection: on
 * a new one it goes on where it was. Owns the numbers of watches; knows nothing of MCP.
 */
import type { MethodName, NotificationName, NotificationParams } from '@pidp10/protocol/methods';
import type { DaemonLink } from './daemonLink.ts';

/** Notifications that overtook the answer to their own watch; above it they are dropped, and the watch begins anew. */
const MAX_EARLY = 1_000;

/** Undefined: the line's output. */
export type Source = { readonly session: string; readonly stream: 'out' | 'err' } | undefined;

export interface WatchListener {
  handleOutput(text: string): void;
  /** No more will come. */
  handleEnd(): void;
}

interface Watch {
  readonly source: Source;
  readonly clientName: string;
  readonly listener: WatchListener;
  /** Where the next output begins; undefined: wherever it is now. */
  next: number | undefined;
  /** Key of the connection's watch; undefined while there is none. */
  key: string | undefined;
  isOver: boolean;
}

interface Told {
  readonly key: string;
  readonly name: NotificationName;
  readonly params: NotificationParams<NotificationName>;
}

export interface FollowOptions {
  readonly source: Source;
  /** Offset to begin at. Default: now. */
  readonly from?: number | undefined;
  readonly clientName: string;
}

export class Watches {
  readonly #link: Pick<DaemonLink, 'call'>;
  readonly #watches = new Set<Watch>();
  #early: Told[] = [];
  #beginning = 0;

  constructor(link: Pick<DaemonLink, 'call'>) {
    this.#link = link;
  }

  /** Resolves when the daemon watches. Rejects as the link does. What is returned ends it. */
  async follow(options: FollowOptions, listener: WatchListener): Promise<() => void> {
    const { source, from, clientName } = options;
    const watch: Watch = { source, clientName, listener, next: from, key: undefined, isOver: false };
    this.#watches.add(watch);
    try {
      await this.#begin(watch);
    } catch (error) {
      this.#watches.delete(watch);
      throw error;
    }
    return () => this.#stop(watch);
  }

  /** A new connection, which knows no watch. */
  handleConnect(): void {
    this.#early = [];
    for (const watch of this.#watches) {
      if (watch.key === undefined) continue;
      watch.key = undefined;
      this.#begin(watch).catch(() => this.#end(watch));
    }
  }

  handleNotification(name: NotificationName, params: NotificationParams<NotificationName>): void {
    if (!('watch' in params)) return;
    const told = { key: toKey(name.startsWith('session.') ? 'session' : 'line', params.watch), name, params };
    const watch = this.#find(told.key);
    if (watch !== undefined) return this.#tell(watch, told);
    if (this.#beginning > 0 && this.#early.length < MAX_EARLY) this.#early.push(told);
  }

  async #begin(watch: Watch): Promise<void> {
    const { source, next, clientName } = watch;
    const options = { clientName, mayStart: false };
    const from = next === undefined ? {} : { from: next };
    let early: readonly Told[] = [];
    this.#beginning += 1;
    try {
      const { result } =
        source === undefined
          ? await this.#link.call('line.watch', { ...from }, options)
          : await this.#link.call('session.watch', { ...source, ...from }, options);
      watch.key = toKey(source === undefined ? 'line' : 'session', result.watch);
      watch.next ??= result.offset;
    } finally {
      this.#beginning -= 1;
      early = this.#early.filter(({ key }) => key === watch.key);
      this.#early = this.#beginning === 0 ? [] : this.#early.filter(({ key }) => key !== watch.key);
    }
    if (watch.isOver) return this.#unwatch(watch);
    for (const told of early) this.#tell(watch, told);
  }

  #tell(watch: Watch, { name, params }: Told): void {
    switch (name) {
      case 'line.output':
      case 'session.output':
        if (!('end' in params && 'start' in params)) return;
        watch.next = params.end;
        if (params.text !== undefined) watch.listener.handleOutput(params.text);
        return;
      case 'line.lagged':
      case 'session.lagged':
        if ('offset' in params) watch.next = params.offset;
        watch.key = undefined;
        this.#begin(watch).catch(() => this.#end(watch));
        return;
      case 'line.watchEnded':
      case 'session.watchEnded':
        return this.#end(watch);
      default:
    }
  }

  #end(watch: Watch): void {
    watch.isOver = true;
    if (this.#watches.delete(watch)) watch.listener.handleEnd();
  }

  #stop(watch: Watch): void {
    watch.isOver = true;
    if (this.#watches.delete(watch) && watch.key !== undefined) this.#unwatch(watch);
  }

  #unwatch({ source, key, clientName }: Watch): void {
    const method: MethodName = source === undefined ? 'line.unwatch' : 'session.unwatch';
    const watch = Number(key?.split(' ')[1]);
    // A connection that is gone has forgotten it.
    this.#link.call(method, { watch }, { clientName, mayStart: false }).catch(() => {});
  }

  #find(key: string): Watch | undefined {
    for (const watch of this.#watches) if (watch.key === key) return watch;
    return undefined;
  }
}

/** Numbers of the line's watches and of the sessions' need not be apart. */
function toKey(kind: 'line' | 'session', watch: number): string {
  return `${kind} ${watch}`;
}
