/**
 * Asking the line: one call's waits, in its reader's turn. A call may ask several times (several commands, a login, a
 * file); nobody else with the same reader comes between.
 */
import { rpcError } from '@pidp10/protocol/errors';
import type { Settlement } from '../core/events.ts';
import { CALL_LEASE_MS } from '../core/floor.ts';
import { CallQueue } from './callQueue.ts';
import type { ChannelService, WaitRequest } from './channelService.ts';
import { floorError } from './floorFacts.ts';
import type { Answer } from './outcome.ts';
import { authorOf, type Call } from './session.ts';

/** Begins a wait without the parts that the call itself knows. */
export type Ask = (request: Distribute<WaitRequest>, options?: AskOptions) => Promise<Settlement>;

export interface AskOptions {
  /** Goes on although the call was cancelled: nothing half-done stays behind. */
  readonly isCleaningUp?: boolean;
}

type Distribute<T> = T extends { readonly reader: string } ? Omit<T, 'reader'> : never;

export interface TurnOptions {
  /** ms from the call's arrival, its place in the queue included. */
  readonly returnAfterMs?: number | undefined;
  readonly progressEveryMs?: number | undefined;
}

/** How a call that types comes to the floor. */
export interface TypingOptions extends TurnOptions {
  readonly floor: 'wait' | 'fail';
  readonly floorWaitMs: number;
  readonly token?: number | undefined;
}

/** What is left of `returnAfterMs` for a wait that begins now; undefined: no limit. */
export type TimeLeft = () => number | undefined;

type Act<T> = (ask: Ask, timeLeft: TimeLeft) => Promise<T>;

export class Turns {
  readonly #line: ChannelService;
  readonly #queue = new CallQueue();

  constructor(line: ChannelService) {
    this.#line = line;
  }

  /** Runs `act` in the turn of the call's reader; undefined when the call gave up before that. It types nothing. */
  async take<T>(call: Call, options: TurnOptions, act: Act<T>): Promise<T | undefined> {
    const { returnAfterMs } = options;
    const timeLeft = this.#timeLeft(returnAfterMs);
    const queued = { signal: call.signal, patienceMs: returnAfterMs };
    const outcome = await this.#queue.run(readerOf(call), queued, () =>
      act(this.#asking(call, options, undefined), timeLeft),
    );
    return outcome.kind === 'ran' ? outcome.result : undefined;
  }

  /**
   * Runs `act`, which types, in the turn of the call's reader and with the floor. Undefined when the call gave up before
   * that. Throws `floor_held` or `floor_lost`; then nothing was typed.
   */
  async takeFloor<T>(call: Call, options: TypingOptions, act: Act<T>): Promise<T | undefined> {
    const { floor, floorWaitMs, token, returnAfterMs = Number.POSITIVE_INFINITY } = options;
    const timeLeft = this.#timeLeft(options.returnAfterMs);
    const queued = { signal: call.signal, patienceMs: options.returnAfterMs };
    const outcome = await this.#queue.run(readerOf(call), queued, async () => {
      const author = authorOf(call.session);
      const patienceMs = Math.min(floorWaitMs, timeLeft() ?? returnAfterMs);
      const answer = await this.#line.requestFloor(
        {
          author,
          mode: 'call',
          waitMs: floor === 'fail' ? 0 : patienceMs,
          leaseMs: CALL_LEASE_MS,
          ...(token !== undefined && { token }),
        },
        call.signal,
      );
      if (answer.kind === 'cancelled') return undefined;
      if (answer.kind !== 'granted') throw floorError(this.#line, answer);
      try {
        return await act(this.#asking(call, options, answer.token), timeLeft);
      } finally {
        this.#line.endTurn(answer.token);
      }
    });
    return outcome.kind === 'ran' ? outcome.result : undefined;
  }

  /** Runs `act` at once: an urgent key queues behind nothing and asks nobody for the floor (L15). */
  async takeUrgently<T>(call: Call, options: TurnOptions, act: Act<T>): Promise<T> {
    return await act(this.#asking(call, options, undefined), this.#timeLeft(options.returnAfterMs));
  }

  #timeLeft(returnAfterMs: number | undefined): TimeLeft {
    const bornMs = this.#line.nowMs();
    return () =>
      returnAfterMs === undefined ? undefined : Math.max(bornMs + returnAfterMs - this.#line.nowMs(), 1);
  }

  #asking(call: Call, { progressEveryMs }: TurnOptions, token: number | undefined): Ask {
    let hasBegun = false;
    return async (request, { isCleaningUp = false } = {}) => {
      const { reader, client } = authorOf(call.session); // each time: it may have been renamed since
      const signal = isCleaningUp ? new AbortController().signal : call.signal;
      const typing = request.kind === 'send' ? { client, ...(token !== undefined && { token }) } : {};
      // `upgrading` says that nothing was done, and is taken at its word.
      if (hasBegun && this.#line.isLeaving) throw rpcError('shutting_down', HALF_DONE);
      hasBegun = true;
      const { id, settled } = this.#line.wait({ ...request, ...typing, reader }, signal);
      using _progress = this.#reportProgress(call, id, progressEveryMs);
      return await settled;
    };
  }

  #reportProgress(call: Call, waitId: string, everyMs: number | undefined): Disposable {
    if (everyMs === undefined) return { [Symbol.dispose]: () => {} };
    const { conversation } = this.#line;
    const bornMs = this.#line.nowMs();
    const { end } = conversation.scrollback;
    return this.#line.every(everyMs, () => {
      const sent = conversation.typist.sentBytes(waitId);
      call.sendProgress({
        elapsedMs: Math.round(this.#line.nowMs() - bornMs),
        bytes: conversation.scrollback.end - end,
        ...(sent !== undefined && { sent }),
      });
    });
  }
}

const HALF_DONE =
  'The daemon hands over to a new version in the middle of this call; what the call had typed by then is typed.';

export function readerOf(call: Call): string {
  return authorOf(call.session).reader;
}

/** A call that gave up before its turn came: nothing was sent, nothing was read. */
export function notBegun(line: ChannelService, call: Call): Answer {
  const { readers, scrollback } = line.conversation;
  const at = readers.cursor(readerOf(call)) ?? scrollback.end;
  return {
    reason: call.signal.aborted ? 'cancelled' : 'still_waiting',
    output: { start: at, end: at, text: '', truncated: false, lines: 0 },
    accepted: 0,
    sent: 0,
    remaining: scrollback.end - at,
    hint: 'An earlier call of the same reader is still running; this one was not begun and nothing was sent.',
  };
}
