/** Reading a session: one call's wait in its reader's turn, from memory or from files, as text or as the bytes came. */
import { MAX_WAIT_MS } from '@pidp10/protocol/limits';
import type { MethodParams } from '@pidp10/protocol/methods';
import type { SessionOutcome } from '@pidp10/protocol/sessionSchemas';
import type { Expectation } from '../core/events.ts';
import { notBegun, readerOf, type TimeLeft, type Turns } from './asking.ts';
import type { ChannelService } from './channelService.ts';
import { assertPattern } from './expectation.ts';
import { toFloor } from './floorFacts.ts';
import type { Mailboxes } from './mailboxes.ts';
import { isPast, readPast } from './pastOutput.ts';
import type { Call } from './session.ts';
import {
  isOver,
  rawEnd,
  rawSlice,
  type Stream,
  streamOf,
  toSessionOutcome,
  withFacts,
} from './sessionAnswers.ts';
import type { SessionService } from './sessionService.ts';

type ReadParams = MethodParams<'session.read'>;
type Waiting = Pick<
  ReadParams,
  'expect' | 'timeoutMs' | 'quietMs' | 'settleMs' | 'maxChars' | 'toFile' | 'tidy' | 'stripAnsi'
>;

/** So long behind a match, in ms, the answer goes on at most: a program, unlike a terminal's guest, may never pause. */
const SETTLE_LIMIT_MS = 500;
/** Characters of a text that went to a file which the answer shows all the same. */
const FILE_PREVIEW_CHARS = 1_000;

export class SessionReading {
  readonly #turnsOf: (channel: ChannelService) => Turns;
  readonly #mailboxes: Mailboxes;

  constructor(turnsOf: (channel: ChannelService) => Turns, mailboxes: Mailboxes) {
    this.#turnsOf = turnsOf;
    this.#mailboxes = mailboxes;
  }

  /** What a program says first, as long as the caller wants to wait for that. */
  async first(
    session: SessionService,
    params: MethodParams<'session.start'>,
    call: Call,
  ): Promise<SessionOutcome> {
    attend(session.out, call);
    if (session.err !== undefined) attend(session.err, call);
    if (params.timeoutMs > 0)
      return await this.read(session, { ...params, stream: 'out', from: undefined }, call);
    const output = { start: 0, end: 0, text: '', truncated: false, lines: 0 };
    const { end: remaining } = session.out.conversation.scrollback;
    return withFacts(session, 'out', { reason: 'still_waiting', output, remaining });
  }

  async read(
    session: SessionService,
    params: Omit<ReadParams, 'session'>,
    call: Call,
  ): Promise<SessionOutcome> {
    const channel = streamOf(session, params.stream);
    const expectation = toSessionExpectation(params);
    attend(channel, call);
    const turn = this.#turnsOf(channel).take(call, params, (ask, timeLeft) =>
      this.#read(session, params, call, () => {
        const own = withLimit(expectation, timeLeft);
        // The cursor is moved by hand: what the answer holds may be less than what was waited for.
        return ask({ kind: 'read', expectation: own, from: params.from ?? cursorOf(channel, call) });
      }),
    );
    return this.answer(session, params.stream, call, turn);
  }

  /** What was made in the caller's turn, with what he should know beside it. */
  async answer(
    session: SessionService,
    stream: Stream,
    call: Call,
    turn: Promise<SessionOutcome | undefined>,
  ): Promise<SessionOutcome> {
    const channel = streamOf(session, stream);
    const made = await turn;
    if (made === undefined) return withFacts(session, stream, notBegun(channel, call));
    const reader = readerOf(call);
    if (call.session.commit === 'auto') {
      call.afterSend(() => {
        channel.conversation.readers.commit(reader, made.output.end);
        channel.readersChanged();
      });
    }
    const floor = toFloor(session.out, reader);
    const isWorthTelling = floor.waiting > 0 || (floor.holder !== undefined && !floor.holder.isYou);
    return {
      ...made,
      ...(isWorthTelling && { floor }),
      ...(call.signal.aborted ? {} : this.#mailboxes.take(reader)),
    };
  }

  /** The whole text into a file, its beginning into the answer. */
  async toFile(session: SessionService, name: string, outcome: SessionOutcome): Promise<SessionOutcome> {
    const { text } = outcome.output;
    const file = await session.out.saveText(name, text);
    const lines = text.split('\n').length - 1;
    return {
      ...outcome,
      file,
      output: { ...outcome.output, text: text.slice(0, FILE_PREVIEW_CHARS), lines },
    };
  }

  async #read(
    session: SessionService,
    params: Omit<ReadParams, 'session'>,
    call: Call,
    ask: () => Promise<Parameters<typeof toSessionOutcome>[2]>,
  ): Promise<SessionOutcome> {
    const { stream, from, toFile, stripAnsi, maxChars } = params;
    const channel = streamOf(session, stream);
    const { readers, scrollback } = channel.conversation;
    const start = from ?? cursorOf(channel, call);
    const options = { tidy: params.tidy && toFile === undefined, echo: 'keep', maxChars, stripAnsi } as const;
    if (isPast(channel, start)) return await this.#readPast(session, params, call, start);
    const settlement = await ask();
    // More was said during the wait than memory holds: its beginning is in the files, its rest is for the next read.
    if (isPast(channel, settlement.output.start))
      return await this.#readPast(session, params, call, settlement.output.start);
    const outcome = toSessionOutcome(session, stream, settlement, options);
    if (stripAnsi) {
      if (from === undefined) readers.hand(readerOf(call), settlement.output.end);
      return toFile === undefined ? outcome : this.toFile(session, toFile, outcome);
    }
    const limit = toFile === undefined ? maxChars : Number.MAX_SAFE_INTEGER;
    const end = rawEnd(channel, settlement.output, limit);
    if (from === undefined) readers.hand(readerOf(call), end);
    const isCut = end < settlement.output.end;
    const raw: SessionOutcome = {
      ...outcome,
      ...(isCut && { reason: 'limit' }),
      output: rawSlice(channel, { start: settlement.output.start, end }),
      remaining: scrollback.end - end,
    };
    return toFile === undefined ? raw : this.toFile(session, toFile, raw);
  }

  async #readPast(
    session: SessionService,
    { stream, from, toFile, maxChars, tidy }: Omit<ReadParams, 'session'>,
    call: Call,
    start: number,
  ): Promise<SessionOutcome> {
    const channel = streamOf(session, stream);
    if (!isPast(channel, start)) throw new Error(`offset ${start} is in memory`);
    const past = await readPast(channel, { start, maxChars, tidy: tidy && toFile === undefined });
    const isLast = past.remaining === 0 && isOver(session);
    const outcome = withFacts(session, stream, { ...past, reason: isLast ? 'dead' : 'limit' });
    if (from === undefined) channel.conversation.readers.hand(readerOf(call), past.output.end);
    return toFile === undefined ? outcome : this.toFile(session, toFile, outcome);
  }
}

/** The caller's reader has a place in this stream from its beginning on: all that was said is new to who never looked. */
export function attend(channel: ChannelService, call: Call): void {
  const { isNamed } = call.session;
  channel.conversation.readers.attend(readerOf(call), 0, !isNamed);
}

/** Throws `pattern_invalid`, before anything is done. */
export function toSessionExpectation(params: Waiting): Expectation {
  const { expect, timeoutMs, quietMs, settleMs, maxChars, toFile } = params;
  assertPattern(expect);
  return {
    ...(expect !== undefined && { pattern: expect }),
    timeoutMs,
    // To the wait itself 0 is a silence that is over at once.
    quietMs: quietMs === 0 ? MAX_WAIT_MS : quietMs,
    settleMs,
    settleLimitMs: Math.max(settleMs, SETTLE_LIMIT_MS),
    autoMore: false,
    maxPages: 0,
    maxChars: toFile === undefined ? maxChars : Number.MAX_SAFE_INTEGER,
  };
}

export function withLimit(expectation: Expectation, timeLeft: TimeLeft): Expectation {
  const returnAfterMs = timeLeft();
  return { ...expectation, ...(returnAfterMs !== undefined && { returnAfterMs }) };
}

function cursorOf(channel: ChannelService, call: Call): number {
  return channel.conversation.readers.cursor(readerOf(call)) ?? 0;
}
