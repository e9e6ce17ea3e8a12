/**
 * Floor: who may type (RFC 8855 has the words). At most one holder; each change of hands gives a token one higher, so that
 * whoever lost the floor types nothing any more (a fencing token). A call that types takes the floor for its own duration
 * and a short lease behind it, so that a dialogue is not cut in two; others queue in the order in which they came.
 *
 * A holder is a reader: it keeps the floor over a new connection of the same name, and nobody else has that name meanwhile.
 */
import type { Author } from './timeline.ts';

/** Time behind a call's result, in ms, in which the floor is still its caller's. */
export const CALL_LEASE_MS = 5_000;
/** Calls that may queue for the floor; each is a few dozen bytes, and a longer queue helps nobody. */
export const MAX_FLOOR_QUEUE = 64;
/** Messages of polite requests that are kept for the holder, the newest. */
export const MAX_FLOOR_MESSAGES = 8;
/** While somebody queues for so long, in ms, the calls of one dialogue get no lease any more: the next one's turn comes. */
export const MAX_DIALOGUE_MS = 15_000;

export interface FloorRequest {
  readonly waitId: string;
  readonly author: Author;
  /** `call`: for a call that types, until `done`; `asked`: until its lease ends. */
  readonly mode: 'call' | 'asked';
  /** Of an earlier grant: refused when the floor has changed hands since. */
  readonly token?: number;
  readonly isForced?: boolean;
  readonly message?: string;
  /** Longest time in the queue, in ms; 0: not at all. */
  readonly waitMs: number;
  /** The floor falls free after so many ms in which its holder does nothing. */
  readonly leaseMs: number;
}

export interface Holder {
  readonly author: Author;
  readonly token: number;
  readonly mode: 'call' | 'asked';
  readonly sinceMs: number;
  /** Its calls at work. */
  readonly calls: number;
  readonly leaseMs: number;
  /** When the floor falls free, unless something is typed; undefined while a call is at work. */
  readonly expiresMs: number | undefined;
  /** It was given back, or its connection went away: it is passed on as soon as nothing of its holder is at work. */
  readonly ending?: 'released' | 'left';
}

interface Waiting {
  readonly request: FloorRequest;
  readonly sinceMs: number;
}

export interface FloorMessage {
  readonly from: Author;
  readonly text: string;
  readonly atMs: number;
}

export interface FloorSnapshot {
  readonly holder: Holder | undefined;
  readonly lastToken: number;
  readonly queue: readonly Waiting[];
  readonly messages: readonly FloorMessage[];
}

export type FloorAnswer =
  | { readonly kind: 'granted'; readonly token: number }
  | { readonly kind: 'held'; readonly holder: Holder }
  | { readonly kind: 'full' }
  | { readonly kind: 'lost'; readonly holder: Holder | undefined }
  | { readonly kind: 'cancelled' };

/** Why the floor changed hands. */
export type FloorCause = 'taken' | 'released' | 'expired' | 'forced' | 'left';

export type FloorEvent =
  | { readonly kind: 'answer'; readonly waitId: string; readonly answer: FloorAnswer }
  /** `previous` lost it to `holder`; with `forced`, against its will. */
  | {
      readonly kind: 'changed';
      readonly cause: FloorCause;
      readonly previous: Holder | undefined;
      readonly holder: Holder | undefined;
    }
  /** Somebody asks for the floor, politely. */
  | { readonly kind: 'asked'; readonly holder: Holder; readonly message: FloorMessage };

export class Floor {
  #holder: Holder | undefined;
  #lastToken: number;
  #queue: Waiting[];
  #messages: FloorMessage[];

  constructor(snapshot?: FloorSnapshot) {
    this.#holder = snapshot?.holder;
    this.#lastToken = snapshot?.lastToken ?? 0;
    this.#queue = [...(snapshot?.queue ?? [])];
    this.#messages = [...(snapshot?.messages ?? [])];
  }

  get holder(): Holder | undefined {
    return this.#holder;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  get messages(): readonly FloorMessage[] {
    return this.#messages;
  }

  /** Whether `token` still is the holder's: whoever has an older one types nothing. */
  isCurrent(token: number): boolean {
    return this.#holder?.token === token;
  }

  /** An answer that is not among the events comes with a later `tick`: also one that is to be had at once. */
  request(request: FloorRequest, nowMs: number): readonly FloorEvent[] {
    const holder = this.#holder;
    const { author, token, message, waitId } = request;
    const isOwn = holder?.author.reader === author.reader;
    if (token !== undefined && !(isOwn && holder.token === token)) {
      return [{ kind: 'answer', waitId, answer: { kind: 'lost', holder } }];
    }
    if (isOwn) return [this.#join(holder, request, nowMs)];
    if (holder === undefined && this.#queue.length === 0) return this.#grant(request, 'taken', nowMs);
    if (request.isForced === true) return this.#grant(request, 'forced', nowMs);
    const events: FloorEvent[] = [];
    if (message !== undefined && holder !== undefined) {
      const note = { from: author, text: message, atMs: nowMs };
      this.#messages = [...this.#messages, note].slice(-MAX_FLOOR_MESSAGES);
      events.push({ kind: 'asked', holder, message: note });
    }
    if (this.#queue.length >= MAX_FLOOR_QUEUE) {
      return [...events, { kind: 'answer', waitId, answer: { kind: 'full' } }];
    }
    this.#queue.push({ request, sinceMs: nowMs });
    return events;
  }

  /** A call that was granted the floor is over; an older token changes nothing. */
  done(token: number, nowMs: number): void {
    const holder = this.#holder;
    if (holder?.token !== token || holder.calls === 0) return;
    const calls = holder.calls - 1;
    const leaseMs = calls === 0 && holder.mode === 'call' && this.#isTurnDue(nowMs) ? 0 : holder.leaseMs;
    this.#holder = { ...holder, calls, leaseMs, expiresMs: calls === 0 ? nowMs + leaseMs : undefined };
  }

  /** Something was typed with this token: the lease begins anew. */
  typed(token: number, nowMs: number): void {
    const holder = this.#holder;
    if (holder?.token !== token || holder.expiresMs === undefined) return;
    this.#holder = { ...holder, expiresMs: nowMs + holder.leaseMs };
  }

  /** Gives the floor back; what the holder's calls are doing they finish first. False: it was not his. */
  release(reader: string, token: number | undefined, nowMs: number): boolean {
    const holder = this.#holder;
    if (holder?.author.reader !== reader || (token !== undefined && token !== holder.token)) return false;
    this.#end(holder, 'released', nowMs);
    return true;
  }

  /**
   * A connection is gone. What its reader asked for by name lasts until the lease ends; the rest was the connection's, and
   * goes when the calls that clean up behind it are over.
   */
  leave(reader: string, isNamed: boolean, nowMs: number): readonly FloorEvent[] {
    const isItsOwn = ({ request }: Waiting) => request.author.reader === reader;
    const cancelled = this.#queue.filter(isItsOwn).flatMap(({ request }) => this.cancel(request.waitId));
    const holder = this.#holder;
    if (holder?.author.reader === reader && !(isNamed && holder.mode === 'asked')) {
      this.#end(holder, 'left', nowMs);
    }
    return cancelled;
  }

  /** Gives a place in the queue up. */
  cancel(waitId: string): readonly FloorEvent[] {
    const before = this.#queue.length;
    this.#queue = this.#queue.filter(({ request }) => request.waitId !== waitId);
    return this.#queue.length < before ? [{ kind: 'answer', waitId, answer: { kind: 'cancelled' } }] : [];
  }

  /** Gives every place in the queue up, or those of one kind of request. */
  emptyQueue(mode?: FloorRequest['mode']): readonly FloorEvent[] {
    const queue = this.#queue.filter(({ request }) => mode === undefined || request.mode === mode);
    return queue.flatMap(({ request }) => this.cancel(request.waitId));
  }

  /** The reader of this name has another one now. */
  rename(from: string, to: string): void {
    const renamed = (author: Author) => (author.reader === from ? { ...author, reader: to } : author);
    const holder = this.#holder;
    if (holder !== undefined) this.#holder = { ...holder, author: renamed(holder.author) };
    this.#queue = this.#queue.map(({ request, sinceMs }) => ({
      request: { ...request, author: renamed(request.author) },
      sinceMs,
    }));
    this.#messages = this.#messages.map((message) => ({ ...message, from: renamed(message.from) }));
  }

  /** What the time brings. `isTyping`: input of the holder is still on its way to the line; until it is out, nobody follows. */
  tick(nowMs: number, isTyping = false): readonly FloorEvent[] {
    const events: FloorEvent[] = [];
    const { expiresMs, ending = 'expired' } = this.#holder ?? {};
    if (expiresMs !== undefined && nowMs >= expiresMs && !isTyping) events.push(...this.#pass(ending, nowMs));
    const holder = this.#holder;
    const isLate = ({ request, sinceMs }: Waiting) => nowMs >= sinceMs + request.waitMs;
    if (holder === undefined || !this.#queue.some(isLate)) return events;
    for (const { request } of this.#queue.filter(isLate)) {
      events.push({ kind: 'answer', waitId: request.waitId, answer: { kind: 'held', holder } });
    }
    this.#queue = this.#queue.filter((waiting) => !isLate(waiting));
    return events;
  }

  deadlineMs(isTyping = false): number | undefined {
    const times = this.#queue.map(({ request, sinceMs }) => sinceMs + request.waitMs);
    const expiresMs = this.#holder?.expiresMs;
    if (expiresMs !== undefined && !isTyping) times.push(expiresMs);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  snapshot(): FloorSnapshot {
    return {
      holder: this.#holder,
      lastToken: this.#lastToken,
      queue: [...this.#queue],
      messages: [...this.#messages],
    };
  }

  /** The holder asks once more: the same token, for one call more or for longer. */
  #join(
    { ending: _ending, ...holder }: Holder,
    { waitId, mode, leaseMs }: FloorRequest,
    nowMs: number,
  ): FloorEvent {
    const calls = mode === 'call' ? holder.calls + 1 : holder.calls;
    const joined =
      mode === 'asked'
        ? { ...holder, mode, leaseMs }
        : { ...holder, leaseMs: holder.mode === 'asked' ? holder.leaseMs : leaseMs };
    this.#holder = { ...joined, calls, expiresMs: calls > 0 ? undefined : nowMs + joined.leaseMs };
    return { kind: 'answer', waitId, answer: { kind: 'granted', token: holder.token } };
  }

  #grant(request: FloorRequest, cause: FloorCause, nowMs: number): readonly FloorEvent[] {
    const { author, mode, leaseMs, waitId } = request;
    const previous = this.#holder;
    this.#lastToken += 1;
    const holder: Holder = {
      author,
      token: this.#lastToken,
      mode,
      sinceMs: nowMs,
      calls: mode === 'call' ? 1 : 0,
      leaseMs,
      expiresMs: mode === 'call' ? undefined : nowMs + leaseMs,
    };
    this.#holder = holder;
    this.#messages = [];
    // Whoever asked twice, from two calls at once, has it for both.
    const own = this.#queue.filter((waiting) => waiting.request.author.reader === author.reader);
    this.#queue = this.#queue.filter((waiting) => !own.includes(waiting));
    return [
      { kind: 'changed', cause, previous, holder },
      { kind: 'answer', waitId, answer: { kind: 'granted', token: holder.token } },
      ...own.map((waiting) => this.#join(this.#holder ?? holder, waiting.request, nowMs)),
    ];
  }

  /** The holder goes as soon as nothing of his is at work. */
  #end(holder: Holder, ending: 'released' | 'left', nowMs: number): void {
    const expiresMs = holder.calls === 0 ? nowMs : undefined;
    this.#holder = { ...holder, mode: 'call', leaseMs: 0, expiresMs, ending };
  }

  /** The holder's time is over: the next one's begins, or nobody's. */
  #pass(cause: FloorCause, nowMs: number): readonly FloorEvent[] {
    const next = this.#queue.shift();
    if (next !== undefined) return this.#grant(next.request, cause, nowMs);
    const previous = this.#holder;
    this.#holder = undefined;
    this.#messages = [];
    return [{ kind: 'changed', cause, previous, holder: undefined }];
  }

  /** Somebody has waited through so much of a dialogue that its next call has to queue as well. */
  #isTurnDue(nowMs: number): boolean {
    return this.#queue.some(({ sinceMs }) => nowMs >= sinceMs + MAX_DIALOGUE_MS);
  }
}
