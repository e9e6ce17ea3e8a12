/**
 * Asking the line: one call's waits, in its reader's turn. A call may ask several times (several commands, a login, a
 * file); nobody else with the same reader comes between.
 */
import type { Outcome } from '@pidp10/protocol/schemas';
import type { Settlement } from '../core/events.ts';
import { CallQueue } from './callQueue.ts';
import type { LineService, WaitRequest } from './lineService.ts';
import { toFacts } from './outcome.ts';
import type { Call } from './session.ts';

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

/** What is left of `returnAfterMs` for a wait that begins now; undefined: no limit. */
export type TimeLeft = () => number | undefined;

export class Turns {
  readonly #line: LineService;
  readonly #queue = new CallQueue();

  constructor(line: LineService) {
    this.#line = line;
  }

  /** Runs `act` in the turn of the call's reader; undefined when the call gave up before that. */
  async take<T>(
    call: Call,
    options: TurnOptions,
    act: (ask: Ask, timeLeft: TimeLeft) => Promise<T>,
  ): Promise<T | undefined> {
    const reader = readerOf(call);
    const bornMs = this.#line.nowMs();
    const { returnAfterMs } = options;
    const timeLeft = () =>
      returnAfterMs === undefined ? undefined : Math.max(bornMs + returnAfterMs - this.#line.nowMs(), 1);
    const outcome = await this.#queue.run(reader, { signal: call.signal, patienceMs: returnAfterMs }, () => {
      const ask: Ask = async (request, { isCleaningUp = false } = {}) => {
        const signal = isCleaningUp ? new AbortController().signal : call.signal;
        const { id, settled } = this.#line.wait({ ...request, reader }, signal);
        using _progress = this.#reportProgress(call, id, options.progressEveryMs);
        return await settled;
      };
      return act(ask, timeLeft);
    });
    return outcome.kind === 'ran' ? outcome.result : undefined;
  }

  #reportProgress(call: Call, waitId: string, everyMs: number | undefined): Disposable {
    if (everyMs === undefined) return { [Symbol.dispose]: () => {} };
    const { conversation } = this.#line.channel;
    const bornMs = this.#line.nowMs();
    const { end } = conversation.scrollback;
    return this.#line.every(everyMs, () => {
      const sent = conversation.sentBytes(waitId);
      call.sendProgress({
        elapsedMs: Math.round(this.#line.nowMs() - bornMs),
        bytes: conversation.scrollback.end - end,
        ...(sent !== undefined && { sent }),
      });
    });
  }
}

export function readerOf(call: Call): string {
  return call.session.reader ?? call.session.id;
}

/** A call that gave up before its turn came: nothing was sent, nothing was read. */
export function notBegun(line: LineService, call: Call): Outcome {
  const { readers, scrollback } = line.channel.conversation;
  const at = readers.cursor(readerOf(call)) ?? scrollback.end;
  return {
    reason: call.signal.aborted ? 'cancelled' : 'still_waiting',
    output: { start: at, end: at, text: '', truncated: false, lines: 0 },
    accepted: 0,
    sent: 0,
    remaining: scrollback.end - at,
    hint: 'An earlier call of the same reader is still running; this one was not begun and nothing was sent.',
    ...toFacts(line),
  };
}
