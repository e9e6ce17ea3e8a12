/**
 * One stream of a channel as the handlers see it: turns their calls into inputs of the core, and what the core says of them into
 * promises and news. The driver of the channel owns it, and gives it the effects that are the stream's.
 */
import { type RpcError, rpcError } from '@pidp10/protocol/errors';
import type { StreamCall } from './core/calls.ts';
import type { Conversation } from './core/conversation.ts';
import type { ChannelInput, Effect, Settlement, Span } from './core/events.ts';
import type { FloorAnswer, FloorRequest } from './core/floor.ts';
import type { ReadersSnapshot } from './core/readers.ts';
import type { Author } from './core/timeline.ts';
import type { Transcript } from './core/transcript.ts';
import { monotonicMs } from './coreLoop.ts';
import { saveText } from './io/textFile.ts';
import type { Archive } from './rpc/archive.ts';
import type { ChannelNews, ChannelService, WaitRequest } from './rpc/channelService.ts';

/** What is kept of a stream, if anything is. */
export interface StreamKeeper {
  readonly archive: Archive;
  keep(news: ChannelNews, transcript: Transcript): void;
  /** The readers may have moved: their places are kept soon. */
  noteReaders(snapshot: () => ReadersSnapshot): void;
  /** Keeps the places of the named readers, if they are others than those kept last. */
  keepReaders(snapshot: ReadersSnapshot): void;
}

export interface StreamDriverOptions {
  readonly conversation: Conversation;
  readonly epoch: string;
  /** See ChannelService; default: nothing. */
  readonly lost?: readonly Span[] | undefined;
  /** Folder of the texts that clients ask to have written. */
  readonly filesDir: string;
  readonly keeper: StreamKeeper | undefined;
  /** Gives a call to the core. A line can be opened too. */
  readonly feed: (call: StreamCall | Extract<ChannelInput, { readonly kind: 'open' }>) => void;
  readonly onReaders?: () => void;
  /** Behind what the listeners are told. */
  readonly onNews?: () => void;
}

type StreamEffect = Exclude<Effect, { readonly kind: 'connect' | 'disconnect' | 'write' }>;

interface Waiter {
  readonly resolve: (settlement: Settlement) => void;
  readonly reject: (error: RpcError) => void;
}

export class StreamDriver implements ChannelService {
  readonly conversation: Conversation;
  readonly epoch: string;
  readonly #options: StreamDriverOptions;
  readonly #waiters = new Map<string, Waiter>();
  readonly #floorWaiters = new Map<string, (answer: FloorAnswer) => void>();
  readonly #listeners = new Set<(news: ChannelNews) => void>();
  readonly lost: readonly Span[];
  /** Set while a successor is about to take over. */
  isLeaving = false;
  #nextWait = 1;
  #isGone = false;

  constructor(options: StreamDriverOptions) {
    this.#options = options;
    this.conversation = options.conversation;
    this.epoch = options.epoch;
    this.lost = options.lost ?? [];
  }

  get archive(): Archive | undefined {
    return this.#options.keeper?.archive;
  }

  /** Number of the next wait. */
  get nextWait(): number {
    return this.#nextWait;
  }

  /** A predecessor has numbered its waits up to here. */
  skipWaits(nextWait: number): void {
    this.#nextWait = nextWait;
  }

  nowMs(): number {
    return monotonicMs();
  }

  wait(
    request: WaitRequest,
    signal: AbortSignal,
  ): { readonly id: string; readonly settled: Promise<Settlement> } {
    this.#assertOpen();
    const { feed } = this.#options;
    const id = this.#newId();
    const cancel = () => feed({ kind: 'cancel', waitId: id });
    const settled = new Promise<Settlement>((resolve, reject) => {
      this.#waiters.set(id, { resolve, reject });
    }).finally(() => signal.removeEventListener('abort', cancel));
    feed({ ...request, waitId: id });
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
    return { id, settled };
  }

  async requestFloor(request: Omit<FloorRequest, 'waitId'>, signal: AbortSignal): Promise<FloorAnswer> {
    this.#assertOpen();
    if (signal.aborted) return { kind: 'cancelled' };
    const { feed } = this.#options;
    const waitId = this.#newId();
    const cancel = () => feed({ kind: 'cancel', waitId });
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await new Promise<FloorAnswer>((resolve) => {
        this.#floorWaiters.set(waitId, resolve);
        feed({ ...request, kind: 'floorRequest', waitId });
      });
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  endTurn(token: number): void {
    this.#options.feed({ kind: 'floorDone', token });
  }

  releaseFloor(reader: string, token: number | undefined): void {
    this.#options.feed({ kind: 'floorRelease', reader, ...(token !== undefined && { token }) });
  }

  left(reader: string, isNamed: boolean): void {
    this.#options.onReaders?.();
    this.#options.feed({ kind: 'left', reader, isNamed });
  }

  note(kind: 'mark' | 'say', author: Author, text: string): void {
    this.#options.feed({ kind, author, text });
  }

  readersChanged(): void {
    this.#options.keeper?.noteReaders(() => this.conversation.readers.snapshot());
    this.#options.onReaders?.();
  }

  subscribe(listener: (news: ChannelNews) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  saveText(name: string, text: string): Promise<string> {
    return saveText(this.#options.filesDir, name, text);
  }

  every(ms: number, act: () => void): Disposable {
    const timer = setInterval(act, ms);
    return { [Symbol.dispose]: () => clearInterval(timer) };
  }

  /** Nobody drives it any more: what begins from now on would never end. */
  close(): void {
    this.#isGone = true;
  }

  /** Keeps the places of its readers now. */
  keepReaders(): void {
    this.#options.keeper?.keepReaders(this.conversation.readers.snapshot());
  }

  /** Carries an order of the core out. */
  run(effect: StreamEffect): void {
    switch (effect.kind) {
      case 'append':
      case 'record':
      case 'asked':
        this.#options.keeper?.keep(effect, this.conversation.transcript);
        for (const listener of this.#listeners) listener(effect);
        this.#options.onNews?.();
        return;
      case 'floor':
        this.#floorWaiters.get(effect.waitId)?.(effect.answer);
        this.#floorWaiters.delete(effect.waitId);
        return;
      case 'settle':
        this.#take(effect.waitId)?.resolve(effect.settlement);
        return;
      case 'fail':
        this.#take(effect.waitId)?.reject(
          rpcError(effect.error.name, effect.error.detail, effect.error.data),
        );
        return;
      default:
        effect satisfies never;
    }
  }

  #assertOpen(): void {
    if (this.isLeaving) throw rpcError('upgrading');
    if (this.#isGone) throw rpcError('session_unknown', 'The session was deleted while this call waited.');
  }

  #newId(): string {
    const id = `w${this.#nextWait}`;
    this.#nextWait += 1;
    return id;
  }

  #take(waitId: string): Waiter | undefined {
    const waiter = this.#waiters.get(waitId);
    this.#waiters.delete(waitId);
    return waiter;
  }
}
