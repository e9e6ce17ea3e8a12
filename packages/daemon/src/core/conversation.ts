/**
 * Conversation: what was said on a channel and who waits for what. It owns the scrollback, the readers, the waits, the
 * input on its way and the page turns; it does not know what kind of channel it belongs to.
 */
import type { CoreError, Effect, Expectation, ReadRequest, Reason, SendRequest, Span } from './events.ts';
import { SILENCE_MS, Wait, type WaitSnapshot, type WaitStart } from './expect.ts';
import { isPager, MAX_PAGES, PAGER_GO_ON } from './its/pager.ts';
import { isPrompt } from './its/prompt.ts';
import { Pacer, type PacerSnapshot, type PumpEnd } from './pacer.ts';
import { PagerTurns, type PagerTurnsSnapshot } from './pagerTurns.ts';
import { compilePattern, findMatchStart } from './pattern/pattern.ts';
import { Readers, type ReadersSnapshot } from './readers.ts';
import {
  CHECKPOINT_BYTES,
  FRAGMENT_AGE_MS,
  Scrollback,
  type ScrollbackOptions,
  type ScrollbackSnapshot,
} from './scrollback.ts';

export interface ConversationSnapshot {
  readonly scrollback: ScrollbackSnapshot;
  readonly readers: ReadersSnapshot;
  readonly waits: readonly WaitSnapshot[];
  readonly pacer: PacerSnapshot;
  readonly turns: PagerTurnsSnapshot;
  readonly lastSender: string | undefined;
  readonly lastByteMs: number | undefined;
  readonly hasLooked: boolean;
  readonly bytesOut: number;
}

export class Conversation {
  readonly scrollback: Scrollback;
  readonly readers: Readers;
  readonly turns: PagerTurns;
  readonly #waits: Map<string, Wait>;
  readonly #pacer: Pacer;
  /** Reader of the last send: until there is a floor, the one whose waits may answer a pager. */
  #lastSender: string | undefined;
  #lastByteMs: number | undefined;
  /** The end of the output was looked at since the last byte and the last new wait. */
  #hasLooked: boolean;
  #bytesOut: number;

  constructor(options: ScrollbackOptions, snapshot?: ConversationSnapshot) {
    this.scrollback = new Scrollback(options, snapshot?.scrollback);
    this.readers = new Readers(snapshot?.readers);
    this.turns = new PagerTurns(snapshot?.turns);
    this.#waits = new Map(snapshot?.waits.map((wait) => [wait.id, Wait.restore(wait)]));
    this.#pacer = new Pacer(snapshot?.pacer);
    this.#lastSender = snapshot?.lastSender;
    this.#lastByteMs = snapshot?.lastByteMs;
    this.#hasLooked = snapshot?.hasLooked ?? true;
    this.#bytesOut = snapshot?.bytesOut ?? 0;
  }

  get lastByteMs(): number | undefined {
    return this.#lastByteMs;
  }

  get bytesOut(): number {
    return this.#bytesOut;
  }

  get pendingBytes(): number {
    return this.#pacer.pendingBytes;
  }

  /** Input bytes of a send that are out so far; undefined when its input is over. */
  sentBytes(waitId: string): number | undefined {
    return this.#pacer.takenBytes(waitId);
  }

  hear(bytes: Uint8Array, nowMs: number): void {
    this.#lastByteMs = nowMs;
    this.#hasLooked = false;
    for (const piece of this.scrollback.append(bytes, this.#waits.size > 0 || this.turns.isOpen)) {
      this.turns.hear(piece, piece.offset);
      for (const wait of this.#waits.values()) wait.hear(piece, piece.offset, nowMs);
    }
  }

  /** A wait for the line to open; its output begins at `start`. `conclude` ends it. */
  awaitOpen(waitId: string, reader: string, expectation: Expectation, start: number, nowMs: number): void {
    this.#begin({ id: waitId, kind: 'open', reader, expectation, start, isPeeking: false, column: 0 }, nowMs);
  }

  /** The line is open: every `awaitOpen` has what it waited for. */
  conclude(nowMs: number): void {
    for (const wait of this.#waits.values()) if (wait.kind === 'open') wait.conclude(nowMs);
  }

  send({ waitId, reader, bytes, expectation }: SendRequest, nowMs: number): CoreError | undefined {
    if (!this.#pacer.hasRoomFor(bytes.length)) {
      const detail = `${this.#pacer.pendingBytes} bytes of input wait already, so none of these ${bytes.length} was sent.`;
      return { name: 'input_queue_full', detail };
    }
    this.#lastSender = reader;
    const { end, column } = this.scrollback;
    const start = {
      id: waitId,
      kind: 'send',
      reader,
      expectation,
      start: end,
      isPeeking: false,
      input: bytes,
      column,
    } as const;
    const wait = this.#begin(start, nowMs);
    if (bytes.length === 0) wait.arm(0, nowMs);
    else this.#pacer.enqueue(waitId, bytes, nowMs);
    return undefined;
  }

  read({ waitId, reader, from, expectation }: ReadRequest, nowMs: number): CoreError | undefined {
    const { end, oldest } = this.scrollback;
    const start = from ?? this.readers.cursor(reader) ?? end;
    if (start > end) {
      const detail = `Offset ${start} lies behind the end of the stream, ${end}.`;
      return { name: 'offset_out_of_range', detail, data: { end } };
    }
    const isPeeking = from !== undefined;
    const wait = this.#begin(
      { id: waitId, kind: 'read', reader, expectation, start, isPeeking, column: 0 },
      nowMs,
    );
    // What is unread is heard first, as old as it is: the quiet time may be over already. It may be the whole ring.
    for (let at = Math.max(start, oldest); at < end && !wait.isFull; at += CHECKPOINT_BYTES) {
      const pieces = this.scrollback.rendered(at, Math.min(at + CHECKPOINT_BYTES, end));
      for (const piece of pieces) wait.hear(piece, piece.offset, this.#lastByteMs ?? nowMs);
    }
    return undefined;
  }

  /** Gives a wait up, and what of its input is not out yet; a wait that is over leaves its input to itself. */
  cancel(waitId: string, nowMs: number): readonly Effect[] {
    const wait = this.#waits.get(waitId);
    if (wait === undefined) return [];
    const end = this.#pacer.cancel(waitId);
    if (end !== undefined) wait.arm(end.sent, nowMs);
    return [this.#settle(wait, 'cancelled', nowMs)];
  }

  /** The socket took `bytes` more bytes of input. */
  credit(bytes: number, nowMs: number): void {
    this.#bytesOut += bytes;
    for (const end of this.#pacer.credit(bytes, nowMs)) this.#inputEnds(end, nowMs);
    if (this.#pacer.isIdle) this.#hasLooked = false; // a pager may have waited for the last of a send that was given up
  }

  /** Ends the waits for the line to open with an error: all of them, or those whose time was over at `lateMs`. */
  failOpens(error: CoreError, lateMs = Number.POSITIVE_INFINITY): readonly Effect[] {
    const opens = [...this.#waits.values()].filter(
      ({ opensBy }) => opensBy !== undefined && opensBy <= lateMs,
    );
    for (const wait of opens) this.#waits.delete(wait.id);
    return opens.map((wait) => ({ kind: 'fail', waitId: wait.id, error }));
  }

  /** The far end is gone: nothing will come and nothing can go. */
  die(nowMs: number): readonly Effect[] {
    for (const end of this.#pacer.clear()) this.#inputEnds(end, nowMs);
    return [...this.#waits.values()].map((wait) => this.#settle(wait, 'dead', nowMs));
  }

  /** A new connection: what the old one's silence and last sender meant is over. */
  rebirth(): void {
    this.#lastSender = undefined;
    this.#lastByteMs = undefined;
  }

  /** What follows from the present moment: silence looked at, input pumped, waits ended. */
  advance(nowMs: number): readonly Effect[] {
    const effects: Effect[] = [];
    for (const end of this.#pacer.tick(nowMs)) this.#inputEnds(end, nowMs);
    const lookMs = this.#lookDeadlineMs();
    if (lookMs !== undefined && nowMs >= lookMs) effects.push(...this.#look(nowMs));
    for (let bytes = this.#pacer.tryNext(); bytes !== undefined; bytes = this.#pacer.tryNext()) {
      effects.push({ kind: 'write', bytes, dataBytes: bytes.length });
    }
    for (const wait of this.#waits.values()) {
      const reason = wait.tryEnd(nowMs);
      if (reason !== undefined) effects.push(this.#settle(wait, reason, nowMs));
    }
    return effects;
  }

  deadlineMs(): number | undefined {
    const times = [this.#pacer.deadlineMs(), this.#lookDeadlineMs()];
    for (const wait of this.#waits.values()) times.push(wait.deadlineMs());
    const next = Math.min(...times.map((time) => time ?? Number.MAX_SAFE_INTEGER));
    return next === Number.MAX_SAFE_INTEGER ? undefined : next;
  }

  snapshot(): ConversationSnapshot {
    return {
      scrollback: this.scrollback.snapshot(),
      readers: this.readers.snapshot(),
      waits: [...this.#waits.values()].map((wait) => wait.snapshot()),
      pacer: this.#pacer.snapshot(),
      turns: this.turns.snapshot(),
      lastSender: this.#lastSender,
      lastByteMs: this.#lastByteMs,
      hasLooked: this.#hasLooked,
      bytesOut: this.#bytesOut,
    };
  }

  #begin(start: WaitStart, nowMs: number): Wait {
    const cursor = this.readers.cursor(start.reader) ?? start.start;
    const hasOlder = start.kind !== 'read' && cursor < start.start;
    const wait = Wait.begin(
      hasOlder ? { ...start, before: { start: cursor, end: start.start } } : start,
      nowMs,
    );
    this.#waits.set(start.id, wait);
    this.#hasLooked = false;
    return wait;
  }

  #inputEnds({ id, sent }: PumpEnd, nowMs: number): void {
    this.#waits.get(id)?.arm(sent, nowMs);
    this.#hasLooked = false;
  }

  #lookDeadlineMs(): number | undefined {
    return this.#hasLooked || this.#waits.size === 0 || this.#lastByteMs === undefined
      ? undefined
      : this.#lastByteMs + SILENCE_MS;
  }

  /** The output has paused: does it end at a pager, at a prompt, at what somebody waits for? */
  #look(nowMs: number): readonly Effect[] {
    this.#hasLooked = true;
    const { line, start } = this.scrollback.lastLine();
    const promptStart = isPrompt(line) ? start : undefined;
    for (const wait of this.#waits.values()) wait.pause(promptStart);
    return isPager(line) && !this.turns.isTurned(start) ? this.#meetPager(start, nowMs) : [];
  }

  /** A pager is answered once, for a wait whose owner may type; to others it is an end (CONTRACT 2). */
  #meetPager(start: number, nowMs: number): readonly Effect[] {
    const { end } = this.scrollback;
    const waiting = [...this.#waits.values()].filter((wait) => wait.mayMeetPager);
    const mayType = waiting.filter(
      (wait) =>
        wait.reader === this.#lastSender &&
        wait.expectation.autoMore &&
        (wait.kind === 'read' || start >= wait.start), // what was typed at an older prompt is its answer
    );
    const turning = mayType.filter((wait) => wait.pages < MAX_PAGES);
    if (turning.length > 0) {
      if (!this.#pacer.isIdle) return []; // never in the middle of a send; its end looks again
      this.turns.turn(start, end);
      for (const wait of turning) wait.turnPage();
      return [{ kind: 'write', bytes: Uint8Array.of(PAGER_GO_ON), dataBytes: 0 }];
    }
    return waiting
      .filter((wait) => start >= wait.start)
      .map((wait) => this.#settle(wait, mayType.includes(wait) ? 'more_limit' : 'pager', nowMs));
  }

  #settle(wait: Wait, cause: Reason, nowMs: number): Effect {
    this.#waits.delete(wait.id);
    const end = this.#outputEnd(wait, cause, nowMs);
    const output = { start: wait.start, end };
    if (!wait.isPeeking) this.readers.hand(wait.reader, end);
    const sent = this.#pacer.takenBytes(wait.id);
    const settlement = wait.settle(cause, output, this.#match(wait));
    return {
      kind: 'settle',
      waitId: wait.id,
      settlement: sent === undefined ? settlement : { ...settlement, sent },
    };
  }

  #outputEnd(wait: Wait, cause: Reason, nowMs: number): number {
    const isOld = cause === 'dead' || nowMs - (this.#lastByteMs ?? nowMs) >= FRAGMENT_AGE_MS;
    const end = Math.max(isOld ? this.scrollback.end : this.scrollback.safeEnd, wait.start);
    return this.scrollback.text(wait.start, end, wait.expectation.maxChars).end;
  }

  #match(wait: Wait): Span | undefined {
    const { matchEnd: end, answerStart } = wait;
    const { pattern } = wait.expectation;
    if (end === undefined || pattern === undefined) return undefined;
    const compiled = compilePattern(pattern);
    const { text, start: from } = this.scrollback.text(answerStart, end);
    const index =
      compiled.kind === 'pattern'
        ? findMatchStart(compiled.pattern, text, text.length, { isSilent: true })
        : undefined;
    return {
      start: index === undefined || index === 0 ? from : this.scrollback.text(from, end, index).end,
      end,
    };
  }
}
