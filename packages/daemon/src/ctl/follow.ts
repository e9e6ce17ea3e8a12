/**
 * One watch from beginning to end, whatever comes between: one that lagged is begun anew where it stopped, ^C and a reader
 * of ours that has seen enough end it. Resolves with how it ended; rejects when the daemon refuses or goes away.
 */
import type { DaemonClient } from '@pidp10/protocol/node/daemonClient';
import type { Context } from './command.ts';
import {
  type EventsOf,
  type Watchable,
  type WatchEvent,
  Watcher,
  type WatchInput,
  type WatchOf,
} from './watcher.ts';

export interface FollowListener<K extends Watchable> {
  /** Called again for a watch that was begun anew; `from` is what was asked for. */
  readonly onBegun?: (watch: WatchOf<K>, from: number | undefined) => void;
  readonly onEvent: (event: EventsOf<K>) => void;
}

export type FollowEnd = 'ended' | 'interrupted' | 'closed';

export async function follow<K extends Watchable>(
  what: K,
  input: WatchInput<K>,
  { daemon, stdout, signal }: Pick<Context, 'daemon' | 'stdout' | 'signal'>,
  { onBegun, onEvent }: FollowListener<K>,
): Promise<FollowEnd> {
  let resolve: (end: FollowEnd) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const ended = new Promise<FollowEnd>((settle, fail) => {
    resolve = settle;
    reject = fail;
  });
  // It may end before anybody waits for it.
  ended.catch(() => {});
  let client: DaemonClient | undefined;
  const begin = (from: number | undefined) => {
    if (client === undefined) return;
    watcher
      .begin(client, { ...input, from }, (watch) => attempt(() => onBegun?.(watch, from)))
      .catch((error: unknown) => reject(error));
  };
  /** What a listener throws, such as a full disk, ends it. */
  const attempt = (act: () => void) => {
    try {
      act();
    } catch (error) {
      reject(error);
    }
  };
  const watcher = new Watcher(what, (event) => {
    const { name, params }: WatchEvent = event;
    if (name === 'line.lagged' || name === 'session.lagged') return begin(params.offset);
    if (name === 'line.watchEnded' || name === 'session.watchEnded') return resolve('ended');
    attempt(() => onEvent(event));
  });
  const interrupt = () => resolve('interrupted');
  signal.addEventListener('abort', interrupt, { once: true });
  stdout.once?.('error', () => resolve('closed'));
  try {
    await using connection = await daemon.connect({
      isReader: false,
      access: 'read',
      onNotification: watcher.listener,
    });
    client = connection;
    connection.closed.then(reject, reject);
    if (signal.aborted) return 'interrupted';
    begin(input.from);
    return await ended;
  } finally {
    signal.removeEventListener('abort', interrupt);
  }
}
