/** The waits of a channel: who waits for what, what they hear, and how they end. */
import type { CoreError, Effect, Reason, Span } from './events.ts';
import { Wait, type WaitSnapshot, type WaitStart } from './expect.ts';
import type { EndingAt } from './its/ending.ts';
import { matchOf } from './matchOf.ts';
import type { Readers } from './readers.ts';
import { CHECKPOINT_BYTES, type RenderedPiece } from './scrollback.ts';
import type { Author } from './timeline.ts';
import type { Transcript } from './transcript.ts';

/** What the end of a wait needs to know of its input. */
export interface InputFigures {
  readonly sent: number | undefined;
  readonly echoed: number;
}

export class Waits {
  readonly #transcript: Transcript;
  readonly #readers: Readers;
  readonly #waits: Map<string, Wait>;

  constructor(transcript: Transcript, readers: Readers, snapshot: readonly WaitSnapshot[] = []) {
    this.#transcript = transcript;
    this.#readers = readers;
    this.#waits = new Map(snapshot.map((wait) => [wait.id, Wait.restore(wait)]));
  }

  /** All that are under way. */
  get all(): readonly Wait[] {
    return [...this.#waits.values()];
  }

  get(id: string): Wait | undefined {
    return this.#waits.get(id);
  }

  begin(start: WaitStart, nowMs: number): Wait {
    const cursor = this.#readers.cursor(start.reader) ?? start.start;
    const hasOlder = start.kind !== 'read' && cursor < start.start;
    const before = hasOlder ? { before: { start: cursor, end: start.start } } : {};
    const wait = Wait.begin({ ...start, ...before, isUtf8: this.#transcript.isUtf8 }, nowMs);
    this.#waits.set(start.id, wait);
    return wait;
  }

  /** The reader of this name has another one now; what it waits for goes on. */
  rename(from: string, to: string): void {
    for (const [id, wait] of this.#waits)
      if (wait.reader === from) this.#waits.set(id, Wait.restore({ ...wait.snapshot(), reader: to }));
  }

  /** Lets a read hear what is unread already, as old as it is. It may be the whole ring. */
  hearOlder(wait: Wait, start: number, heardMs: number): void {
    const { scrollback } = this.#transcript;
    for (const part of this.#transcript.spoken({ start, end: scrollback.end })) {
      for (let at = part.start; at < part.end && !wait.isFull; at += CHECKPOINT_BYTES) {
        const pieces = scrollback.rendered(at, Math.min(at + CHECKPOINT_BYTES, part.end));
        for (const { offset, rendered } of pieces) wait.hear(rendered, offset, heardMs);
      }
    }
  }

  hear({ rendered, offset }: RenderedPiece, nowMs: number): void {
    for (const wait of this.#waits.values()) wait.hear(rendered, offset, nowMs);
  }

  pause(ending: EndingAt | undefined): void {
    for (const wait of this.#waits.values()) wait.pause(ending);
  }

  /** The line is open: every wait for that has what it waited for. */
  conclude(nowMs: number): void {
    for (const wait of this.#waits.values()) if (wait.kind === 'open') wait.conclude(nowMs);
  }

  /** Ends the waits for the line to open with an error: all of them, or those whose time was over at `lateMs`. */
  failOpens(error: CoreError, lateMs: number): readonly Effect[] {
    const opens = this.all.filter(({ opensBy }) => opensBy !== undefined && opensBy <= lateMs);
    for (const wait of opens) this.#waits.delete(wait.id);
    return opens.map((wait) => ({ kind: 'fail', waitId: wait.id, error }));
  }

  /** Those in whose output the last words begin at `start`. */
  within(start: number): readonly Wait[] {
    return this.all.filter((wait) => wait.mayMeetPager && start >= wait.start);
  }

  /** Those of these ids, and, when `taker` is given, all sends of others: he has taken the floor from them. */
  typedBeside(taker: Author | undefined, ids: ReadonlySet<string>): readonly Wait[] {
    const isLoser = (wait: Wait) =>
      taker !== undefined && wait.kind === 'send' && wait.reader !== taker.reader;
    return this.all.filter((wait) => ids.has(wait.id) || isLoser(wait));
  }

  deadlineMs(): number | undefined {
    const times = this.all.map((wait) => wait.deadlineMs()).filter((time) => time < Number.MAX_SAFE_INTEGER);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  snapshot(): readonly WaitSnapshot[] {
    return this.all.map((wait) => wait.snapshot());
  }

  /** Ends a wait: its reader gets what came up to now, as far as that can be cut. */
  settle(
    wait: Wait,
    cause: Reason,
    facts: InputFigures & { readonly isSilent: boolean; readonly by?: Author | undefined },
  ): Effect {
    this.#waits.delete(wait.id);
    const { sent, echoed, isSilent, by } = facts;
    const output: Span = { start: wait.start, end: this.#outputEnd(wait, cause === 'dead' || isSilent) };
    if (!wait.isPeeking) this.#readers.hand(wait.reader, output.end);
    const { scrollback } = this.#transcript;
    const settlement = wait.settle(cause, {
      output,
      match: matchOf(wait, scrollback),
      isPainting: scrollback.text(wait.start, output.end).motions > 0,
      by,
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

  /** A trailing fragment of a sequence stays unread, unless it is final or old. */
  #outputEnd(wait: Wait, isFinal: boolean): number {
    const { scrollback } = this.#transcript;
    const end = Math.max(isFinal ? scrollback.end : scrollback.safeEnd, wait.start);
    return this.#transcript.endOf({ start: wait.start, end }, wait.expectation.maxChars);
  }
}
