/**
 * One watch: tells its client output and what happened beside it, in order. It pulls: what the client has not taken yet
 * stays where it is kept anyway, so that a slow watcher costs a bounded buffer and slows nobody (I7, D12).
 */
import type { NotificationName, NotificationParams } from '@pidp10/protocol/methods';
import type { Entry } from '../core/timeline.ts';
import type { ChannelService } from './channelService.ts';
import type { Piece } from './outputForms.ts';
import type { PastPieces } from './pastPieces.ts';
import type { Outlet } from './session.ts';
import { wallClock } from './wallClock.ts';

/** Bytes that are given to a connection ahead of what its client has taken. */
export const WATCH_AHEAD_BYTES = 262_144;
/** Output that may come while a client takes nothing; then its watch ends with `lagged` (D12). */
export const MAX_LAG_BYTES = 1_048_576;
/**
 * With a ring that is smaller than that, a watch ends sooner: while this part of what is kept is still before what it was
 * not told. That is the time its client has to begin anew without a loss.
 */
export const LAG_MARGIN = 1 / 4;

/** A notification without the number of its watch. */
export type Telling = {
  readonly [N in NotificationName]: {
    readonly name: N;
    readonly params: Omit<NotificationParams<N>, 'watch'>;
  };
}[NotificationName];

/** What the kind of channel calls things. */
export interface WatchWords {
  readonly output: 'line.output' | 'session.output';
  readonly lagged: 'line.lagged' | 'session.lagged';
  readonly ended: 'line.watchEnded' | 'session.watchEnded';
  /** What is told of an entry of the record; undefined: nothing. */
  tell(entry: Entry, place: { readonly offset: number; readonly at: string }): Telling | undefined;
  /** Nothing more will come, ever. */
  isOver(): boolean;
}

export interface WatchOptions {
  readonly id: number;
  readonly line: ChannelService;
  readonly words: WatchWords;
  readonly outlet: Outlet;
  /** Where the output begins, and the number of the first entry of the record that is told. */
  readonly start: { readonly offset: number; readonly seq: number };
  readonly until: number | undefined;
  /** Output from `start` on, `end` at most; undefined: only what happened beside it is told. */
  readonly next: ((start: number, end: number) => Piece) | undefined;
  /** Output before `until`, which comes from files: the watch begins in the past. */
  readonly past: { readonly pieces: PastPieces; readonly until: number } | undefined;
  readonly isBytes: boolean;
  readonly onEnd: () => void;
}

export class Watch implements Disposable {
  readonly #options: WatchOptions;
  #offset: number;
  #seq: number;
  /** Where the output stood when the client began to take nothing. */
  #stuckSince: number | undefined;
  #isAwaitingDrain = false;
  #isOver = false;
  #isFetching = false;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#offset = options.start.offset;
    this.#seq = options.start.seq;
  }

  /** Tells what there is to tell, as far as the client takes it. */
  pump(): void {
    const { line, outlet, until } = this.#options;
    const { scrollback } = line.conversation;
    while (!this.#isOver && !this.#isFetching) {
      if (this.#hasLost) return this.#lag(scrollback.end);
      if (outlet.unsentBytes >= WATCH_AHEAD_BYTES) return this.#waitForClient();
      if (this.#isInPast) return void this.#fetchPast();
      this.#stuckSince = undefined;
      const end = Math.min(scrollback.safeEnd, until ?? Number.POSITIVE_INFINITY);
      const entry = this.#nextEntry(until);
      if (entry !== undefined && (entry.offset <= this.#offset || this.#offset >= end))
        this.#tellEntry(entry);
      else if (until !== undefined && this.#offset >= until) this.#end();
      else if (this.#offset < end) this.#tellOutput(Math.min(end, entry?.offset ?? end));
      else if (this.#options.words.isOver()) this.#end();
      else return;
    }
  }

  [Symbol.dispose](): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#options.onEnd();
  }

  #waitForClient(): void {
    const { line, next, outlet } = this.#options;
    const { end, oldest } = line.conversation.scrollback;
    this.#stuckSince ??= end;
    if (this.#isInPast) this.#stuckSince = end; // what is kept in files waits for everybody
    const isLosing = !this.#isInPast && oldest > 0 && this.#offset - oldest < (end - oldest) * LAG_MARGIN;
    if (end - this.#stuckSince > MAX_LAG_BYTES || (next !== undefined && isLosing)) return this.#lag(end);
    if (this.#isAwaitingDrain) return;
    this.#isAwaitingDrain = true;
    outlet.whenDrained(() => {
      this.#isAwaitingDrain = false;
      this.pump();
    });
  }

  get #isInPast(): boolean {
    const { past } = this.#options;
    return past !== undefined && this.#offset < past.until;
  }

  /** The next piece of the past, and what happened beside it. */
  async #fetchPast(): Promise<void> {
    const { line, past, isBytes, until = Number.POSITIVE_INFINITY, words } = this.#options;
    const start = this.#offset;
    if (past === undefined) return;
    this.#isFetching = true;
    try {
      const end = Math.min(past.until, until);
      this.#tellEntries(start, until);
      if (start < end) {
        const cut = this.#nextEntry(until)?.offset ?? end;
        const { text, wallMs = Date.now(), ...piece } = await past.pieces.next(start, end, cut);
        if (this.#isOver) return;
        this.#offset = piece.end;
        const at = new Date(wallMs).toISOString();
        const form = isBytes ? { bytes: text } : { text };
        this.#notify({ name: words.output, params: { start, end: piece.end, at, ...form } });
      }
      this.#tellEntries(this.#offset, until);
    } catch {
      // The files cannot be read: whoever watches is told where he stands, and may begin anew.
      this.#lag(line.conversation.scrollback.end);
    } finally {
      this.#isFetching = false;
    }
    if (this.#offset >= until && !this.#isOver) this.#end();
    this.pump();
  }

  /** What happened up to `offset`: before the output behind it, which it may have caused. */
  #tellEntries(offset: number, until: number): void {
    for (let entry = this.#nextEntry(until); entry !== undefined; entry = this.#nextEntry(until)) {
      if (entry.offset > offset) return;
      this.#tellEntry(entry);
    }
  }

  /** Something that was to be told is kept no more: output, or what happened beside it. */
  get #hasLost(): boolean {
    const { line, next } = this.#options;
    const { scrollback, timeline } = line.conversation;
    if (this.#isInPast) return false;
    return (next !== undefined && this.#offset < scrollback.oldest) || this.#seq < timeline.oldestSeq;
  }

  /** What happens next, unless it is behind `until`. */
  #nextEntry(until = Number.POSITIVE_INFINITY): Entry | undefined {
    const entry = this.#options.line.conversation.timeline.next(this.#seq);
    return entry !== undefined && entry.offset <= until ? entry : undefined;
  }

  #tellOutput(end: number): void {
    const { isBytes, line, next, words } = this.#options;
    const start = this.#offset;
    if (next === undefined) {
      this.#offset = end;
      return;
    }
    const piece = next(start, end);
    // Where no character fits into a piece nothing would ever come: the rest of the span goes as it is.
    this.#offset = piece.end > start ? piece.end : end;
    const form = isBytes ? { bytes: piece.text } : { text: piece.text };
    const at = wallClock(line, line.nowMs());
    this.#notify({ name: words.output, params: { start, end: this.#offset, at, ...form } });
  }

  #tellEntry(entry: Entry): void {
    const { line, words } = this.#options;
    this.#seq = entry.seq + 1;
    const telling = words.tell(entry, { offset: entry.offset, at: wallClock(line, entry.atMs) });
    if (telling !== undefined) this.#notify(telling);
  }

  #end(): void {
    this.#notify({ name: this.#options.words.ended, params: { offset: this.#offset } });
    this[Symbol.dispose]();
  }

  #lag(end: number): void {
    this.#notify({ name: this.#options.words.lagged, params: { offset: this.#offset, end } });
    this[Symbol.dispose]();
  }

  #notify({ name, params }: Telling): void {
    const { id, outlet } = this.#options;
    outlet.notify(name, { ...params, watch: id } as unknown as NotificationParams<typeof name>);
  }
}
