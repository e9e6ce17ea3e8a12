/**
 * Conversation: who said what on a channel, who waits for what, and who may type. It owns the transcript, the readers, the
 * waits, the floor and the record, and asks the typist to type; it does not know what kind of channel it belongs to.
 */
import { Attention } from './attention.ts';
import type { ConversationSnapshot, PartialConversationSnapshot } from './conversationSnapshot.ts';
import { earliest } from './earliest.ts';
import type { CoreError, Effect, Expectation, ReadRequest, Reason, SendRequest } from './events.ts';
import type { Wait, WaitStart } from './expect.ts';
import { Floor, type FloorEvent, type FloorRequest } from './floor.ts';
import type { ClosedInput } from './inputLog.ts';
import type { Activity } from './its/activity.ts';
import { type EndingAt, isProved } from './its/ending.ts';
import { PAGER_GO_ON } from './its/pager.ts';
import type { PumpEnd } from './pacer.ts';
import { answerPager } from './pagerAnswer.ts';
import { Readers } from './readers.ts';
import { refusalOf } from './refusal.ts';
import { FRAGMENT_AGE_MS, type RenderedPiece } from './scrollback.ts';
import { SecretMask } from './secretMask.ts';
import { type Author, type Happening, Timeline } from './timeline.ts';
import { Transcript, type TranscriptOptions } from './transcript.ts';
import { type TypedNow, Typist, type TypistOptions } from './typist.ts';
import { Waits } from './waits.ts';

export class Conversation {
  readonly transcript: Transcript;
  readonly readers: Readers;
  readonly floor: Floor;
  readonly timeline: Timeline;
  readonly typist: Typist;
  /** What stands between the far end and everybody who may see its output. */
  readonly mask: SecretMask;
  readonly #waits: Waits;
  readonly #attention: Attention;
  /** Whoever sent last: while nobody has the floor, the one whose waits may answer a pager. */
  #lastSender: Author | undefined;
  /** What has happened and is still to be told; empty between two inputs. */
  #told: Effect[] = [];

  constructor(options: TranscriptOptions & TypistOptions, snapshot?: PartialConversationSnapshot) {
    this.transcript = new Transcript(options, snapshot?.transcript);
    this.readers = new Readers(snapshot?.readers);
    this.floor = new Floor(snapshot?.floor);
    this.timeline = new Timeline(snapshot?.timeline);
    this.#waits = new Waits(this.transcript, this.readers, snapshot?.waits);
    this.typist = new Typist(options, snapshot?.typist);
    this.#attention = new Attention(snapshot?.attention);
    this.#lastSender = snapshot?.lastSender;
    this.mask = new SecretMask(options.bits, snapshot?.mask);
  }

  get scrollback(): Transcript['scrollback'] {
    return this.transcript.scrollback;
  }

  get activity(): Activity {
    return this.typist.activity;
  }

  get echo(): 'on' | 'off' | 'unknown' {
    return this.typist.pacer.echo;
  }

  /** Nothing has come since something was typed. */
  get isUnanswered(): boolean {
    return this.#lastSender !== undefined && this.scrollback.end === this.#attention.typedOffset;
  }

  get lastByteMs(): number | undefined {
    return this.#attention.lastByteMs;
  }

  hear(bytes: Uint8Array, nowMs: number): void {
    this.#take(this.mask.push(bytes, nowMs), nowMs);
  }

  /** A wait for the line to open; its output begins at `start`. `conclude` ends it. */
  awaitOpen(waitId: string, reader: string, expectation: Expectation, start: number, nowMs: number): void {
    this.#begin({ id: waitId, kind: 'open', reader, expectation, start, isPeeking: false }, nowMs);
  }

  /** The line is open: every `awaitOpen` has what it waited for. */
  conclude(nowMs: number): void {
    this.#waits.conclude(nowMs);
  }

  /** A connection that was not there before has come to life. */
  opened(): void {
    this.typist.opened();
    this.#attention.opened(this.scrollback.end);
  }

  send(request: SendRequest, nowMs: number): readonly Effect[] {
    const { waitId, reader, client = reader, bytes, expectation, isUrgent = false } = request;
    const { isMasked = false, isEchoed = !isMasked } = request;
    const refusal = refusalOf(request, this.floor, this.typist.pacer);
    if (refusal !== undefined) return [{ kind: 'fail', waitId, error: refusal }];
    const author = { client, reader };
    const interrupted = isUrgent ? this.#stopInput('interrupted', author, nowMs) : [];
    if (request.token !== undefined) this.floor.typed(request.token, nowMs);
    this.#lastSender = author;
    const input = { id: waitId, kind: 'send', reader, expectation, isPeeking: false } as const;
    const wait = this.#begin({ ...input, start: this.scrollback.end, input: bytes, isEchoed }, nowMs);
    if (isMasked) this.mask.arm(waitId, bytes);
    // The stars in its place are no echo that the pacer could tell.
    if (isMasked || this.transcript.asksForSecret) this.typist.pacer.expectNoEcho();
    this.transcript.typed(nowMs);
    if (bytes.length === 0) wait.arm(0, nowMs);
    else this.typist.enqueue(request, nowMs);
    return interrupted;
  }

  read({ waitId, reader, from, expectation }: ReadRequest, nowMs: number): CoreError | undefined {
    const { end, oldest } = this.scrollback;
    const start = from ?? this.readers.cursor(reader) ?? end;
    if (start > end) {
      const detail = `Offset ${start} lies behind the end of the stream, ${end}.`;
      return { name: 'offset_out_of_range', detail, data: { end } };
    }
    const input = { id: waitId, kind: 'read', reader, expectation, start } as const;
    const wait = this.#begin({ ...input, isPeeking: from !== undefined }, nowMs);
    // The quiet time of what is unread may be over already.
    this.#waits.hearOlder(wait, Math.max(start, oldest), this.#attention.lastByteMs ?? nowMs);
    return undefined;
  }

  /** Gives a wait up, and what of its input is not out yet; a wait that is over leaves its input to itself. */
  cancel(waitId: string, nowMs: number): readonly Effect[] {
    const queued = this.#followFloor(this.floor.cancel(waitId), nowMs);
    const wait = this.#waits.get(waitId);
    if (wait === undefined) return queued;
    const end = this.typist.pacer.cancel(waitId);
    if (end !== undefined) this.#inputEnds(end, nowMs);
    return [...queued, this.#settle(wait, 'cancelled', nowMs)];
  }

  /** Everybody who waits is told that he has to ask again; what is being typed goes on. */
  suspend(nowMs: number): readonly Effect[] {
    const queued = this.#followFloor(this.floor.emptyQueue(), nowMs);
    return [...queued, ...this.#waits.all.map((wait) => this.#settle(wait, 'still_waiting', nowMs))];
  }

  /** Nobody can type any more: calls that queue for the floor to do so need not wait for it. */
  giveUpTyping(nowMs: number): readonly Effect[] {
    return this.#followFloor(this.floor.emptyQueue('call'), nowMs);
  }

  /** Asks for the floor; the answer is an effect, now or later. */
  requestFloor(request: FloorRequest, nowMs: number): readonly Effect[] {
    const before = this.#followFloor(this.floor.tick(nowMs, this.#isHolderTyping), nowMs);
    return [...before, ...this.#followFloor(this.floor.request(request, nowMs), nowMs)];
  }

  /** A call that was granted the floor is over. */
  endTurn(token: number, nowMs: number): void {
    this.floor.done(token, nowMs);
  }

  releaseFloor(reader: string, token: number | undefined, nowMs: number): void {
    this.floor.release(reader, token, nowMs);
  }

  /** A client's connection is gone: nobody waits any more for what of its input is still going out. */
  left(reader: string, isNamed: boolean, nowMs: number): readonly Effect[] {
    this.readers.release(reader);
    for (const id of this.typist.inputsOf(reader)) {
      const end = this.#waits.get(id) === undefined ? this.typist.pacer.cancel(id) : undefined;
      if (end !== undefined) this.#inputEnds(end, nowMs);
    }
    return this.#followFloor(this.floor.leave(reader, isNamed, nowMs), nowMs);
  }

  /** The reader of this name has another one now. */
  renameReader(from: string, to: string): void {
    this.readers.rename(from, to);
    this.#waits.rename(from, to);
    this.floor.rename(from, to);
    this.typist.renameAuthor(from, to);
    if (this.#lastSender?.reader === from) this.#lastSender = { ...this.#lastSender, reader: to };
  }

  /** Keeps what happened in the record, at the present place by default, behind what was typed before it. */
  note(happening: Happening, nowMs: number, offset = this.scrollback.end): void {
    this.#keep(this.typist.closeRecord());
    this.#told.push({ kind: 'record', entry: this.timeline.add(happening, offset, nowMs) });
  }

  /** The socket took `bytes` more bytes of input. */
  credit(bytes: number, nowMs: number): void {
    for (const end of this.typist.credit(bytes, nowMs)) this.#inputEnds(end, nowMs);
    if (this.typist.pacer.isIdle) this.#attention.wake(); // a pager may have waited for the last of a send that was given up
  }

  /** Ends the waits for the line to open with an error: all of them, or those whose time was over at `lateMs`. */
  failOpens(error: CoreError, lateMs = Number.POSITIVE_INFINITY): readonly Effect[] {
    return this.#waits.failOpens(error, lateMs);
  }

  /** Nothing more can be typed; what waits to go out is lost, and who waits for its answer goes on waiting. */
  closeInput(nowMs: number): void {
    for (const end of this.typist.pacer.clear()) this.#inputEnds(end, nowMs);
  }

  /** The last byte of a program's output has come, as far as anybody knows: what stands at its end stands there. */
  finish(nowMs: number): readonly Effect[] {
    this.#take(this.mask.flush(), nowMs);
    this.#tell(this.transcript.pause(), nowMs);
    this.#waits.pause(undefined);
    return this.die(nowMs);
  }

  /** The far end is gone: nothing will come and nothing can go. */
  die(nowMs: number): readonly Effect[] {
    this.#take(this.mask.flush(), nowMs);
    this.#tell(this.transcript.pause(), nowMs);
    for (const end of this.typist.closed()) this.#inputEnds(end, nowMs);
    this.#attention.rest(); // the last words of a line that is gone tell nothing of it
    return this.#waits.all.map((wait) => this.#settle(wait, 'dead', nowMs));
  }

  /** A new connection: what the old one's silence and last sender meant is over. */
  rebirth(): void {
    this.#lastSender = undefined;
    this.#attention.renew(this.scrollback.end);
  }

  /** What follows from the present moment: silence looked at, input pumped, waits ended, what happened told. */
  advance(nowMs: number): readonly Effect[] {
    this.#take(this.mask.tick(nowMs), nowMs);
    for (const end of this.typist.pacer.tick(nowMs)) this.#inputEnds(end, nowMs);
    const effects = [...this.#followFloor(this.floor.tick(nowMs, this.#isHolderTyping), nowMs)];
    const lookMs = this.#attention.deadlineMs();
    if (lookMs !== undefined && nowMs >= lookMs) effects.push(...this.#look(nowMs));
    this.#keep(this.typist.tickRecord(nowMs));
    const next = () => this.typist.next(this.transcript.standing, nowMs);
    for (let typed = next(); typed !== undefined; typed = next())
      effects.push(this.#write(typed, typed.bytes.length, nowMs));
    for (const wait of this.#waits.all) {
      const reason = wait.tryEnd(nowMs);
      if (reason !== undefined) effects.push(this.#settle(wait, reason, nowMs));
    }
    const told = this.#told;
    this.#told = [];
    return [...told, ...effects];
  }

  deadlineMs(): number | undefined {
    const parts = [this.typist, this.#waits, this.#attention, this.mask].map((part) => part.deadlineMs());
    return earliest([...parts, this.floor.deadlineMs(this.#isHolderTyping)]);
  }

  snapshot(): ConversationSnapshot {
    return {
      transcript: this.transcript.snapshot(),
      readers: this.readers.snapshot(),
      waits: this.#waits.snapshot(),
      typist: this.typist.snapshot(),
      floor: this.floor.snapshot(),
      timeline: this.timeline.snapshot(),
      attention: this.#attention.snapshot(),
      lastSender: this.#lastSender,
      mask: this.mask.snapshot(),
    };
  }

  /** Input of the holder's is still on its way, be it of a call that is over (`still_waiting`). */
  get #isHolderTyping(): boolean {
    const { holder } = this.floor;
    return holder !== undefined && this.typist.isTyping(holder.author.reader);
  }

  /** What follows from a change of the floor: whoever lost it against his will stops at the character where he is. */
  #followFloor(events: readonly FloorEvent[], nowMs: number): readonly Effect[] {
    return events.flatMap((event): readonly Effect[] => {
      switch (event.kind) {
        case 'answer':
          return [{ kind: 'floor', waitId: event.waitId, answer: event.answer }];
        case 'asked':
          return [{ kind: 'asked', holder: event.holder, message: event.message }];
        case 'changed': {
          const { cause, holder, previous } = event;
          const stopped = cause === 'forced' ? this.#stopInput('preempted', holder?.author, nowMs) : [];
          this.note({ kind: 'floor', holder: holder?.author, previous: previous?.author, cause }, nowMs);
          return stopped;
        }
        default:
          return event satisfies never;
      }
    });
  }

  /** Ends every send at the character where its input is; taken over, also those that wait for their answer. */
  #stopInput(why: 'interrupted' | 'preempted', by: Author | undefined, nowMs: number): readonly Effect[] {
    const ends = this.typist.pacer.interrupt();
    for (const end of ends) this.#inputEnds(end, nowMs);
    const stopped = new Set(ends.map(({ id }) => id));
    const waits = this.#waits.typedBeside(why === 'preempted' ? by : undefined, stopped);
    return waits.map((wait) => this.#settle(wait, why, nowMs, by));
  }

  /** Output that everybody may see. */
  #take(bytes: Uint8Array, nowMs: number): void {
    if (bytes.length === 0) return;
    this.#attention.hear(this.transcript.motions, nowMs);
    this.#told.push({ kind: 'append', offset: this.scrollback.end, bytes });
    this.#tell(this.transcript.append(bytes, nowMs), nowMs);
  }

  #begin(start: WaitStart, nowMs: number): Wait {
    this.#attention.wake();
    return this.#waits.begin(start, nowMs);
  }

  #tell(pieces: readonly RenderedPiece[], nowMs: number): void {
    const isPainting = this.#attention.wasPainting || this.activity.kind === 'screen_program';
    for (const piece of pieces) {
      for (const end of this.typist.hear(piece, isPainting, nowMs)) this.#inputEnds(end, nowMs, true);
      this.#waits.hear(piece, nowMs);
    }
  }

  /** A program has painted the screen since something was typed. */
  get #isPainting(): boolean {
    return this.#attention.isPainting(this.transcript.motions);
  }

  #write({ author, bytes, closed, isFirst }: TypedNow, dataBytes: number, nowMs: number): Effect {
    const { holder } = this.floor;
    if (isFirst) this.#attention.type(this.scrollback.end, this.transcript.motions);
    if (dataBytes > 0 && holder?.author.reader === author.reader) this.floor.typed(holder.token, nowMs);
    this.#keep(closed);
    return { kind: 'write', bytes, dataBytes };
  }

  #keep(closed: readonly ClosedInput[]): void {
    for (const { happening, offset, atMs } of closed) {
      this.#told.push({ kind: 'record', entry: this.timeline.add(happening, offset, atMs) });
    }
  }

  #inputEnds({ id, sent, overflow }: PumpEnd, nowMs: number, isLost = false): void {
    this.#keep(this.typist.ended(id));
    this.mask.typed(id, nowMs);
    this.#waits.get(id)?.arm(sent, nowMs, overflow ?? (isLost ? sent : undefined));
    this.#attention.wake();
  }

  /** The output has paused: does it end at a pager, at a prompt, at what somebody waits for? */
  #look(nowMs: number): readonly Effect[] {
    this.#attention.rest();
    this.#tell(this.transcript.pause(), nowMs);
    const { pacer } = this.typist;
    const isSeen = pacer.looksAtScreen && this.transcript.hasScreen;
    pacer.pause(nowMs, isSeen ? this.transcript.screens.at(this.scrollback.end) : undefined);
    const ending = this.#judgedEnding();
    // A silence that began before the input tells nothing of what the input did.
    if (this.scrollback.end > this.#attention.typedOffset)
      this.typist.paused(ending?.ending, this.#isPainting);
    this.#waits.pause(ending);
    if (ending === undefined) return [];
    this.typist.ready(ending.ending, nowMs);
    if (ending.ending.kind === 'pager') return this.#meetPager(ending, nowMs);
    if (ending.ending.kind !== 'question') return [];
    return this.#waits.within(ending.start).map((wait) => this.#settle(wait, 'question', nowMs));
  }

  #judgedEnding(): EndingAt | undefined {
    const found = this.transcript.ending(this.#attention.typedOffset, this.#isPainting);
    const ending = found && this.typist.judge(found.ending);
    if (found === undefined || ending === undefined) return undefined;
    // What somebody typed may look like any last words: a `*` in an editor is no prompt.
    return isProved(ending) || !this.typist.pacer.endsInEcho ? { ...found, ending } : undefined;
  }

  /** A pager is answered once, for a wait whose owner may type; to others it is an end (CONTRACT 2). */
  #meetPager(ending: EndingAt, nowMs: number): readonly Effect[] {
    const { turns } = this.transcript;
    if (turns.isTurned(ending.start)) return [];
    const typist = this.floor.holder?.author ?? this.#lastSender;
    const { turning, ended } = answerPager(ending, this.#waits.all, typist?.reader);
    if (typist === undefined || turning.length === 0) {
      return ended.map(([wait, why]) => this.#settle(wait, why, nowMs));
    }
    if (!this.typist.pacer.isIdle) return []; // never in the middle of a send; its end looks again
    turns.turn(ending.start, this.scrollback.end);
    this.transcript.typed(nowMs);
    for (const wait of turning) wait.turnPage();
    return [this.#write(this.typist.answer(typist, PAGER_GO_ON, this.transcript.standing, nowMs), 0, nowMs)];
  }

  #settle(wait: Wait, cause: Reason, nowMs: number, by?: Author): Effect {
    const { pacer } = this.typist;
    const figures = { sent: pacer.takenBytes(wait.id), echoed: pacer.echoedChars(wait.id) };
    pacer.release(wait.id);
    const isSilent = nowMs - (this.#attention.lastByteMs ?? nowMs) >= FRAGMENT_AGE_MS;
    return this.#waits.settle(wait, cause, { ...figures, isSilent, by });
  }
}
