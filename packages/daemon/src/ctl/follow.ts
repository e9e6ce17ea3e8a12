/**
 * One watch from beginning to end, whatever comes between: one that lagged is begun anew where it stopped, ^C and a reader
 * of ours that has seen enough end it. Resolves with how it ended; rejects when the daemon refuses or goes away.
 */
import type { DaemonClient } from '@pidp10/protocol/node/daemonClient';
import type { Context } from './command.ts';
import { type Watch, type WatchEvent, Watcher } from './watcher.ts';

export interface FollowInput {
  readonly from: number;
  readonly until: number | undefined;
  readonly form: 'text' | 'bytes' | 'ansi';
}

export interface FollowListener {
  /** Called again for a watch that was begun anew. */
  readonly onBegun?: (watch: Watch) => void;
  readonly onEvent: (event: WatchEvent) => void;
}

export type FollowEnd = 'ended' | 'interrupted' | 'closed';

export async function follow(
  { daemon, stdout, signal }: Pick<Context, 'daemon' | 'stdout' | 'signal'>,
  input: FollowInput,
  { onBegun, onEvent }: FollowListener,
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
  const begin = (from: number) => {
    if (client === undefined) return;
    watcher
      .begin(client, { ...input, from }, (watch) => attempt(() => onBegun?.(watch)))
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
  const watcher = new Watcher((event) => {
    if (event.name === 'line.lagged') return begin(event.params.offset);
    if (event.name === 'line.watchEnded') return resolve('ended');
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
