/**
 * `screen --follow`: waits for output and paints again, until ^C or the end of the line. The wait is a read from the
 * screen's own offset, which moves no cursor and answers no pager; the daemon sleeps until something comes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientApi } from '@pidp10/protocol/clientApi';
import { LocalError } from '@pidp10/protocol/errors';
import type { MethodResult } from '@pidp10/protocol/methods';
import type { Answer, Context } from './command.ts';
import { EXIT } from './exitCodes.ts';
import { describeLine } from './render.ts';
import { openScreenView } from './screenView.ts';

type ScreenResult = MethodResult<'line.screen'>;

/** Longest wait without a look, in ms: what no read hears of, such as a notice, changes the screen too. */
const WAIT_MS = 1_000;
/** Silence after which motions without any text count as a change, in ms. */
const QUIET_MS = 50;
/** Between two paintings, in ms: a flood is not to be painted byte by byte. */
const PAINT_MS = 100;

export async function followScreen(client: ClientApi, { stdout, signal }: Context): Promise<Answer> {
  let screen = await client.request('line.screen', {}, { signal });
  {
    using view = openScreenView(stdout);
    view.show(screen);
    while (isAlive(screen) && !signal.aborted) {
      try {
        await untilOutput(client, screen.offset, signal);
        await sleep(PAINT_MS, undefined, { signal });
        const next = await client.request('line.screen', { changedSince: screen.offset }, { signal });
        // Bytes that paint nothing new (a cursor sent where it was) are no reason to paint.
        if (next.changed.length > 0 || !isSamePlace(next, screen)) view.show(next);
        screen = next;
      } catch (error) {
        if (!signal.aborted || !isGivenUp(error)) throw error;
      }
    }
  }
  return {
    wire: screen,
    output: '',
    notes: isAlive(screen) ? [] : [describeLine(screen.lineState)],
    exitCode: isAlive(screen) ? EXIT.interrupted : EXIT.lineDown,
  };
}

/** Comes back with the first character behind the offset, or when motions have paused, or after `WAIT_MS`. */
async function untilOutput(client: ClientApi, offset: number, signal: AbortSignal): Promise<void> {
  const wait = { timeoutMs: WAIT_MS, quietMs: QUIET_MS, settleMs: 0, maxChars: 1, autoMore: false } as const;
  await client.request('line.read', { ...wait, from: offset, expect: '(?s:.)' }, { signal });
}

function isAlive({ lineState: { state } }: ScreenResult): boolean {
  return state === 'open' || state === 'connecting';
}

function isSamePlace(next: ScreenResult, last: ScreenResult): boolean {
  const { cursor, lineState, activity } = next;
  return (
    cursor.row === last.cursor.row &&
    cursor.column === last.cursor.column &&
    lineState.state === last.lineState.state &&
    activity.kind === last.activity.kind
  );
}

/** What ^C makes of a request and of a sleep. */
function isGivenUp(error: unknown): boolean {
  return (
    (error instanceof LocalError && error.code === 'cancelled') ||
    (error instanceof Error && error.name === 'AbortError')
  );
}
