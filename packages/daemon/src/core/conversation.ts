/**
 * Conversation: who said what on a channel and who waits for what. It owns the transcript, the readers, the waits and the
 * input on its way; it does not know what kind of channel it belongs to.
 */
import type { CoreError, Effect, Expectation, ReadRequest, Reason, SendRequest } from './events.ts';
import { SILENCE_MS, Wait, type WaitSnapshot, type WaitStart } from './expect.ts';
import { type Activity, type ActivitySnapshot, ActivityTracker } from './its/activity.ts';
import type { EndingAt } from './its/ending.ts';
import { type GuardSnapshot, LineGuard } from './its/guard.ts';
import { PAGER_GO_ON } from './its/pager.ts';
import { matchOf } from './matchOf.ts';
import { Pacer, type PacerOptions, type PacerSnapshot, type PumpEnd } from './pacer.ts';
import { Readers, type ReadersSnapshot } from './readers.ts';
import { CHECKPOINT_BYTES, FRAGMENT_AGE_MS, type RenderedPiece } from './scrollback.ts';
import { Transcript, type TranscriptOptions, type TranscriptSnapshot } from './transcript.ts';

export interface ConversationOptions extends TranscriptOptions, PacerOptions {
  /** Lines that need a person's word, as RE2 patterns. */
  readonly guard: readonly string[];
}

export interface ConversationSnapshot {
  readonly transcript: TranscriptSnapshot;
  readonly readers: ReadersSnapshot;
  readonly waits: readonly WaitSnapshot[];
  readonly pacer: PacerSnapshot;
  readonly activity: ActivitySnapshot;
  readonly guard: GuardSnapshot;
  readonly lastSender: string | undefined;
  readonly lastSendOffset: number;
  readonly motionsAtInput: number;
  readonly wasPainting: boolean;
  readonly lastByteMs: number | undefined;
  readonly hasLooked: boolean;
  readonly bytesOut: number;
}

export class Conversation {
  readonly transcript: Transcript;
  readonly readers: Readers;
  readonly guard: LineGuard;
  readonly #waits: Map<string, Wait>;
  readonly #pacer: Pacer;
  readonly #activity: ActivityTracker;
  /** Reader of the last send: until there is a floor, the one whose waits may answer a pager. */
  #lastSender: string | undefined;
  /** Where the stream ended when something was last typed: last words are looked for behind it. */
  #lastSendOffset: number;
  #motionsAtInput: number;
  /** A program had painted the screen before the present moment's bytes came: how these are split says nothing. */
  #wasPainting: boolean;
  #lastByteMs: number | undefined;
  /** The end of the output was looked at since the last byte and the last new wait. */
  #hasLooked: boolean;
  #bytesOut: number;

  constructor(options: ConversationOptions, snapshot?: ConversationSnapshot) {
    this.transcript = new Transcript(options, snapshot?.transcript);
    this.readers = new Readers(snapshot?.readers);
    this.#waits = new Map(snapshot?.waits.map((wait) => [wait.id, Wait.restore(wait)]));
    this.#pacer = new Pacer(options, snapshot?.pacer);
    this.#activity = new ActivityTracker(snapshot?.activity);
    this.guard = new LineGuard(options.guard, snapshot?.guard);
    this.#lastSender = snapshot?.lastSender;
    this.#lastSendOffset = snapshot?.lastSendOffset ?? 0;
    this.#motionsAtInput = snapshot?.motionsAtInput ?? 0;
    this.#wasPainting = snapshot?.wasPainting ?? false;
    this.#lastByteMs = snapshot?.lastByteMs;
    this.#hasLooked = snapshot?.hasLooked ?? true;
    this.#bytesOut = snapshot?.bytesOut ?? 0;
  }

  get scrollback(): Transcript['scrollback'] {
    return this.transcript.scrollback;
  }

  get activity(): Activity {
    return this.#activity.activity;
  }

  get echo(): 'on' | 'off' | 'unknown' {
    return this.#pacer.echo;
  }

  /** Nothing has come since something was typed. */
  get isUnanswered(): boolean {
    return this.#lastSender !== undefined && this.scrollback.end === this.#lastSendOffset;
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
    if (nowMs !== this.#lastByteMs) this.#wasPainting = this.#isPainting;
    this.#lastByteMs = nowMs;
    this.#hasLooked = false;
    this.#tell(this.transcript.append(bytes, nowMs), nowMs);
  }

  /** A wait for the line to open; its output begins at `start`. `conclude` ends it. */
  awaitOpen(waitId: string, reader: string, expectation: Expectation, start: number, nowMs: number): void {
    this.#begin({ id: waitId, kind: 'open', reader, expectation, start, isPeeking: false, column: 0 }, nowMs);
  }

  /** The line is open: every `awaitOpen` has what it waited for. */
  conclude(nowMs: number): void {
    for (const wait of this.#waits.values()) if (wait.kind === 'open') wait.conclude(nowMs);
  }

  /** A connection that was not there before has come to life. */
  opened(): void {
    this.#activity.opened();
    this.#lastSendOffset = this.scrollback.end;
  }

  send(
    { waitId, reader, bytes, expectation, isUrgent = false }: SendRequest,
    nowMs: number,
  ): readonly Effect[] {
    const interrupted = isUrgent ? this.#interrupt(nowMs) : [];
    if (!this.#pacer.hasRoomFor(bytes.length)) {
      const detail = `${this.#pacer.pendingBytes} bytes of input wait already, so none of these ${bytes.length} was sent.`;
      return [{ kind: 'fail', waitId, error: { name: 'input_queue_full', detail } }];
    }
    this.#lastSender = reader;
    this.#lastSendOffset = this.scrollback.end;
    this.#motionsAtInput = this.transcript.motions;
    const { end: start, column } = this.scrollback;
    const input = {
      id: waitId,
      kind: 'send',
      reader,
      expectation,
      start,
      isPeeking: false,
      input: bytes,
      column,
    } as const;
    const wait = this.#begin(input, nowMs);
    if (this.transcript.asksForSecret) this.#pacer.expectNoEcho();
    if (bytes.length === 0) wait.arm(0, nowMs);
    else this.#pacer.enqueue(waitId, bytes, nowMs, isUrgent);
    return interrupted;
  }

  /** Ends every send whose input is still going out, at the character where it is. */
  #interrupt(nowMs: number): readonly Effect[] {
    return this.#pacer.interrupt().flatMap(({ id, sent }) => {
      const wait = this.#waits.get(id);
      wait?.arm(sent, nowMs);
      return wait === undefined ? [] : [this.#settle(wait, 'interrupted', nowMs)];
    });
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
    for (const part of this.transcript.spoken({ start: Math.max(start, oldest), end })) {
      for (let at = part.start; at < part.end && !wait.isFull; at += CHECKPOINT_BYTES) {
        const pieces = this.scrollback.rendered(at, Math.min(at + CHECKPOINT_BYTES, part.end));
        for (const { offset, rendered } of pieces) wait.hear(rendered, offset, this.#lastByteMs ?? nowMs);
      }
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
    this.#tell(this.transcript.pause(), nowMs);
    for (const end of this.#pacer.clear()) this.#inputEnds(end, nowMs);
    this.#activity.closed();
    this.#hasLooked = true; // the last words of a line that is gone tell nothing of it
    return [...this.#waits.values()].map((wait) => this.#settle(wait, 'dead', nowMs));
  }

  /** A new connection: what the old one's silence and last sender meant is over. */
  rebirth(): void {
    this.#lastSender = undefined;
    this.#lastByteMs = undefined;
    this.#lastSendOffset = this.scrollback.end;
  }

  /** What follows from the present moment: silence looked at, input pumped, waits ended. */
  advance(nowMs: number): readonly Effect[] {
    const effects: Effect[] = [];
    for (const end of this.#pacer.tick(nowMs)) this.#inputEnds(end, nowMs);
    const lookMs = this.#lookDeadlineMs();
    if (lookMs !== undefined && nowMs >= lookMs) effects.push(...this.#look(nowMs));
    for (let bytes = this.#pacer.tryNext(nowMs); bytes !== undefined; bytes = this.#pacer.tryNext(nowMs)) {
      effects.push(this.#type(bytes, bytes.length));
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
      transcript: this.transcript.snapshot(),
      readers: this.readers.snapshot(),
      waits: [...this.#waits.values()].map((wait) => wait.snapshot()),
      pacer: this.#pacer.snapshot(),
      activity: this.#activity.snapshot(),
      guard: this.guard.snapshot(),
      lastSender: this.#lastSender,
      lastSendOffset: this.#lastSendOffset,
      motionsAtInput: this.#motionsAtInput,
      wasPainting: this.#wasPainting,
      lastByteMs: this.#lastByteMs,
      hasLooked: this.#hasLooked,
      bytesOut: this.#bytesOut,
    };
  }

  #begin(start: WaitStart, nowMs: number): Wait {
    const cursor = this.readers.cursor(start.reader) ?? start.start;
    const hasOlder = start.kind !== 'read' && cursor < start.start;
    const before = hasOlder ? { before: { start: cursor, end: start.start } } : {};
    const wait = Wait.begin({ ...start, ...before }, nowMs);
    this.#waits.set(start.id, wait);
    this.#hasLooked = false;
    return wait;
  }

  #tell(pieces: readonly RenderedPiece[], nowMs: number): void {
    const isPainting = this.#wasPainting || this.#activity.activity.kind === 'screen_program';
    for (const { offset, rendered } of pieces) {
      this.#pacer.hear(rendered, isPainting, nowMs);
      if (rendered.bells.length > 0) for (const end of this.#pacer.ring()) this.#inputEnds(end, nowMs, true);
      for (const wait of this.#waits.values()) wait.hear(rendered, offset, nowMs);
    }
  }

  /** A program has painted the screen since something was typed. */
  get #isPainting(): boolean {
    return this.transcript.motions > this.#motionsAtInput;
  }

  #type(bytes: Uint8Array, dataBytes: number): Effect {
    this.#activity.typed(bytes);
    this.guard.typed(bytes);
    return { kind: 'write', bytes, dataBytes };
  }

  #inputEnds({ id, sent }: PumpEnd, nowMs: number, isLost = false): void {
    this.#waits.get(id)?.arm(sent, nowMs, isLost);
    this.#hasLooked = false;
  }

  #lookDeadlineMs(): number | undefined {
    return this.#hasLooked || this.#lastByteMs === undefined ? undefined : this.#lastByteMs + SILENCE_MS;
  }

  /** The output has paused: does it end at a pager, at a prompt, at what somebody waits for? */
  #look(nowMs: number): readonly Effect[] {
    this.#hasLooked = true;
    this.#tell(this.transcript.pause(), nowMs);
    this.#pacer.pause(nowMs);
    // What somebody typed may look like any last words: a `*` in an editor is no prompt.
    const found = this.#pacer.endsInEcho
      ? undefined
      : this.transcript.ending(this.#lastSendOffset, this.#isPainting);
    const ending = found && { ...found, ending: this.#activity.judge(found.ending) };
    // A silence that began before the input tells nothing of what the input did.
    if (this.scrollback.end > this.#lastSendOffset) this.#activity.paused(ending?.ending, this.#isPainting);
    for (const wait of this.#waits.values()) wait.pause(ending);
    if (ending === undefined) return [];
    if (ending.start >= this.#lastSendOffset && ending.ending.kind === 'prompt') this.#pacer.answered();
    if (ending.ending.kind === 'pager') return this.#meetPager(ending, nowMs);
    return ending.ending.kind === 'question' ? this.#endWaits(ending.start, 'question', nowMs) : [];
  }

  /** A pager is answered once, for a wait whose owner may type; to others it is an end (CONTRACT 2). */
  #meetPager({ ending, start }: EndingAt, nowMs: number): readonly Effect[] {
    if (this.transcript.turns.isTurned(start)) return [];
    const isAnswerable = ending.kind === 'pager' && ending.pager !== 'other';
    const mayType = [...this.#waits.values()].filter(
      (wait) =>
        isAnswerable &&
        wait.mayMeetPager &&
        wait.reader === this.#lastSender &&
        wait.expectation.autoMore &&
        (wait.kind === 'read' || start >= wait.start), // what was typed at an older prompt is its answer
    );
    const turning = mayType.filter((wait) => wait.pages < wait.expectation.maxPages);
    if (turning.length > 0) {
      if (!this.#pacer.isIdle) return []; // never in the middle of a send; its end looks again
      this.transcript.turns.turn(start, this.scrollback.end);
      for (const wait of turning) wait.turnPage();
      return [this.#type(Uint8Array.of(PAGER_GO_ON), 0)];
    }
    return [
      ...mayType.map((wait) => this.#settle(wait, 'more_limit', nowMs)),
      ...this.#endWaits(start, 'pager', nowMs),
    ];
  }

  /** Ends the waits in whose output the last words begin at `start`. */
  #endWaits(start: number, why: Reason, nowMs: number): readonly Effect[] {
    return [...this.#waits.values()]
      .filter((wait) => wait.mayMeetPager && start >= wait.start)
      .map((wait) => this.#settle(wait, why, nowMs));
  }

  #settle(wait: Wait, cause: Reason, nowMs: number): Effect {
    this.#waits.delete(wait.id);
    const end = this.#outputEnd(wait, cause, nowMs);
    if (!wait.isPeeking) this.readers.hand(wait.reader, end);
    const sent = this.#pacer.takenBytes(wait.id);
    const echoed = this.#pacer.echoedChars(wait.id);
    this.#pacer.release(wait.id);
    const settlement = wait.settle(cause, {
      output: { start: wait.start, end },
      match: matchOf(wait, this.scrollback),
      isPainting: this.scrollback.text(wait.start, end).motions > 0,
    });
    return {
      kind: 'settle',
      waitId: wait.id,
      settlement: {
        ...settlement,
        ...(sent !== undefined && { sent }),
        ...(wait.kind === 'send' && { echoed }),
      },
    };
  }

  #outputEnd(wait: Wait, cause: Reason, nowMs: number): number {
    const isOld = cause === 'dead' || nowMs - (this.#lastByteMs ?? nowMs) >= FRAGMENT_AGE_MS;
    const end = Math.max(isOld ? this.scrollback.end : this.scrollback.safeEnd, wait.start);
    return this.transcript.endOf({ start: wait.start, end }, wait.expectation.maxChars);
  }
}
