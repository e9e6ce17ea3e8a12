/**
 * Typist: everything that is typed on the line, and what follows from it: the pacer that lets it go, the guard and the
 * activity that read along, the record of who typed it.
 */
import type { SendRequest } from './events.ts';
import { type ClosedInput, InputLog, type InputLogSnapshot } from './inputLog.ts';
import { type Activity, type ActivitySnapshot, ActivityTracker } from './its/activity.ts';
import type { Ending } from './its/ending.ts';
import { type Danger, type GuardSnapshot, LineGuard } from './its/guard.ts';
import { Pacer, type PacerOptions, type PacerSnapshot, type PumpEnd } from './pacer.ts';
import type { RenderedPiece } from './scrollback.ts';
import type { Author } from './timeline.ts';

/** Inputs whose authors are remembered; more can hardly be under way, since they queue for the floor. */
const MAX_AUTHORS = 256;

export interface TypistOptions extends PacerOptions {
  /** Lines that need a person's word, as RE2 patterns. */
  readonly guard: readonly string[];
}

export interface TypistSnapshot {
  readonly pacer: PacerSnapshot;
  readonly activity: ActivitySnapshot;
  readonly guard: GuardSnapshot;
  readonly inputs: InputLogSnapshot;
  readonly authors: readonly (readonly [id: string, by: InputOrigin])[];
  readonly lastInput: LastInput | undefined;
  readonly bytesOut: number;
  /** Absent from what older versions wrote. */
  readonly urgentSends?: number;
}

interface InputOrigin {
  readonly author: Author;
  readonly isUrgent: boolean;
  readonly isSecret?: boolean;
  readonly isMasked?: boolean;
}

interface LastInput {
  readonly author: Author;
  readonly bytes: readonly number[] | undefined;
}

/** How the channel stands when something is typed. */
export interface Standing {
  readonly offset: number;
  readonly asksForSecret: boolean;
}

/** Bytes for the line, and what is complete in the record with them. */
export interface TypedNow {
  readonly bytes: Uint8Array;
  readonly closed: readonly ClosedInput[];
  /** Whose input they are. */
  readonly author: Author;
  /** The first of their send: it may have waited for what came since it was accepted. */
  readonly isFirst: boolean;
}

export class Typist {
  readonly pacer: Pacer;
  readonly #guard: LineGuard;
  readonly #activity: ActivityTracker;
  readonly #inputs: InputLog;
  readonly #authors: Map<string, InputOrigin>;
  #lastInput: LastInput | undefined;
  #bytesOut: number;
  #urgentSends: number;

  constructor(options: TypistOptions, snapshot?: TypistSnapshot) {
    this.pacer = new Pacer(options, snapshot?.pacer);
    this.#guard = new LineGuard(options.guard, snapshot?.guard);
    this.#activity = new ActivityTracker(snapshot?.activity);
    this.#inputs = new InputLog(snapshot?.inputs);
    this.#authors = new Map(snapshot?.authors);
    this.#lastInput = snapshot?.lastInput;
    this.#bytesOut = snapshot?.bytesOut ?? 0;
    this.#urgentSends = snapshot?.urgentSends ?? 0;
  }

  get activity(): Activity {
    return this.#activity.activity;
  }

  /** Ids of the sends of this reader whose input is not out yet. */
  inputsOf(reader: string): readonly string[] {
    return [...this.#authors].flatMap(([id, { author }]) => (author.reader === reader ? [id] : []));
  }

  /** Whether input of this reader is on its way. */
  isTyping(reader: string): boolean {
    for (const { author } of this.#authors.values()) if (author.reader === reader) return true;
    return false;
  }

  /** The reader of this name has another one now; what it has on record stays under the old one. */
  renameAuthor(from: string, to: string): void {
    for (const [id, origin] of this.#authors) {
      const { author } = origin;
      if (author.reader === from) this.#authors.set(id, { ...origin, author: { ...author, reader: to } });
    }
    const last = this.#lastInput;
    if (last?.author.reader === from) this.#lastInput = { ...last, author: { ...last.author, reader: to } };
  }

  /** Bytes accepted and not yet taken by the socket. */
  get pendingBytes(): number {
    return this.pacer.pendingBytes;
  }

  get bytesOut(): number {
    return this.#bytesOut;
  }

  /** Urgent inputs so far: whoever types in several parts sees by it that somebody wanted him stopped. */
  get urgentSends(): number {
    return this.#urgentSends;
  }

  /** Input bytes of a send that are out so far; undefined when its input is over. */
  sentBytes(waitId: string): number | undefined {
    return this.pacer.takenBytes(waitId);
  }

  /** What was typed last, and by whom; without its bytes where it was a secret. */
  get lastInput(): LastInput | undefined {
    return this.#lastInput;
  }

  /** What `input` would complete together with all that is typed and on its way; of secrets only their length is told. */
  dangerOf(input: Uint8Array): Danger | undefined {
    const ahead = this.pacer.unwritten.map(({ id, bytes }) =>
      this.#authors.get(id)?.isMasked === true ? bytes.map(toStar) : bytes,
    );
    return this.#guard.check(input, ahead);
  }

  /** Takes the input of a send over; it goes out as far as `next` lets it. */
  enqueue(request: SendRequest, nowMs: number): void {
    const { waitId, reader, client = reader, bytes, isUrgent = false, isMasked = false } = request;
    const { isSecret = isMasked } = request;
    this.#authors.set(waitId, {
      author: { client, reader },
      isUrgent,
      ...(isSecret && { isSecret }),
      ...(isMasked && { isMasked }),
    });
    for (const [oldest] of this.#authors) {
      if (this.#authors.size <= MAX_AUTHORS) break;
      this.#authors.delete(oldest);
    }
    if (isUrgent) this.#urgentSends += 1;
    this.pacer.enqueue(waitId, bytes, nowMs, isUrgent);
  }

  /** Next bytes for the line, as far as the pacer lets them go; undefined when nothing may go now. */
  next(standing: Standing, nowMs: number): TypedNow | undefined {
    const { isAtStart: isFirst } = this.pacer;
    const bytes = this.pacer.tryNext(nowMs);
    if (bytes === undefined) return undefined;
    const inputId = this.pacer.writingId ?? '';
    const origin = this.#authors.get(inputId) ?? { author: { client: '', reader: '' }, isUrgent: false };
    const closed = this.#type({ ...origin, inputId, bytes, isAnswer: false }, standing, nowMs);
    return { bytes, closed, author: origin.author, isFirst };
  }

  /** Our own key, which answers a pager for `author`'s wait. */
  answer(author: Author, key: number, standing: Standing, nowMs: number): TypedNow {
    const bytes = Uint8Array.of(key);
    const typed = { author, inputId: '', bytes, isUrgent: false, isAnswer: true };
    const closed = [...this.#type(typed, standing, nowMs), ...this.#inputs.close()];
    return { bytes, closed, author, isFirst: false };
  }

  /** The socket took `bytes` more bytes; returns the sends that are complete with it. */
  credit(bytes: number, nowMs: number): readonly PumpEnd[] {
    this.#bytesOut += bytes;
    return this.pacer.credit(bytes, nowMs);
  }

  /** The input of a send is over: what of it is recorded is complete. */
  ended(waitId: string): readonly ClosedInput[] {
    this.#authors.delete(waitId);
    return this.#inputs.close();
  }

  hear({ rendered }: RenderedPiece, isPainting: boolean, nowMs: number): readonly PumpEnd[] {
    const stopped: PumpEnd[] = [];
    let from = 0;
    // A bell counts where it stands: whether it came before an echo or behind it must not depend on how the bytes came.
    for (const { index } of rendered.bells) {
      if (index > from) this.pacer.hear(rendered.slice(from, index), isPainting, nowMs);
      stopped.push(...this.pacer.ring(nowMs));
      from = index;
    }
    this.pacer.hear(rendered.slice(from), isPainting, nowMs);
    return stopped;
  }

  /** A connection that was not there before has come to life. */
  opened(): void {
    this.#activity.opened();
  }

  /** The far end is gone. */
  closed(): readonly PumpEnd[] {
    this.#activity.closed();
    return this.pacer.clear();
  }

  /** The output has ended behind what was typed: where DDT is ready again, that has been read, or thrown away. */
  ready({ kind }: Ending, nowMs: number): void {
    if (kind === 'prompt') this.pacer.answered();
    else if (kind === 'error') this.pacer.refused(nowMs);
  }

  /** What an ending means for what the far end is doing. */
  judge(ending: Ending): Ending | undefined {
    return this.#activity.judge(ending);
  }

  paused(ending: Ending | undefined, isPainting: boolean): void {
    this.#activity.paused(ending, isPainting);
  }

  /** Something else happens: what was typed before it is complete. */
  closeRecord(): readonly ClosedInput[] {
    return this.#inputs.close();
  }

  /** Entries of the record that the time completes. */
  tickRecord(nowMs: number): readonly ClosedInput[] {
    return this.#inputs.tick(nowMs);
  }

  deadlineMs(): number | undefined {
    const times = [this.pacer.deadlineMs(), this.#inputs.deadlineMs()].filter((time) => time !== undefined);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  snapshot(): TypistSnapshot {
    return {
      pacer: this.pacer.snapshot(),
      activity: this.#activity.snapshot(),
      guard: this.#guard.snapshot(),
      inputs: this.#inputs.snapshot(),
      authors: [...this.#authors],
      lastInput: this.#lastInput,
      bytesOut: this.#bytesOut,
      urgentSends: this.#urgentSends,
    };
  }

  #type(
    typed: InputOrigin & { inputId: string; bytes: Uint8Array; isAnswer: boolean },
    { offset, asksForSecret }: Standing,
    nowMs: number,
  ): readonly ClosedInput[] {
    // What they keep of a line is shown to people; of a secret they know how long it is.
    const seen = typed.isMasked === true ? typed.bytes.map(toStar) : typed.bytes;
    this.#activity.typed(seen);
    this.#guard.typed(seen);
    const isSecret =
      typed.isSecret === true || (!typed.isAnswer && (asksForSecret || this.pacer.echo === 'off'));
    const closed = this.#inputs.push({ ...typed, isSecret }, offset, nowMs);
    if (!typed.isAnswer) this.#lastInput = { author: typed.author, bytes: this.#inputs.newestBytes };
    return closed;
  }
}

function toStar(byte: number): number {
  return byte < 0x20 ? byte : 0x2a;
}
