/**
 * What the handlers need of a channel, be it the line or one stream of a command session: its conversation to look at, waits to
 * begin, and a clock. The drivers provide it.
 */
import type { Conversation } from '../core/conversation.ts';
import type { ChannelInput, Effect, Settlement, Span } from '../core/events.ts';
import type { FloorAnswer, FloorRequest } from '../core/floor.ts';
import type { Author } from '../core/timeline.ts';
import type { Archive } from './archive.ts';

/** The inputs that begin a wait, without the id that the service gives it. */
export type WaitRequest = Distribute<Extract<ChannelInput, { readonly kind: 'open' | 'send' | 'read' }>>;
type Distribute<T> = T extends { readonly waitId: string } ? Omit<T, 'waitId'> : never;

/** What happens on a channel, for those who watch: output, the record, somebody who asks for the floor. */
export type ChannelNews = Extract<Effect, { readonly kind: 'append' | 'record' | 'asked' }>;

export interface ChannelService {
  readonly conversation: Conversation;
  readonly epoch: string;
  /** What is kept for ever; undefined where there is no journal. */
  readonly archive: Archive | undefined;
  /** Output that memory has only as NULs: a daemon before this one was killed before it was written. */
  readonly lost: readonly Span[];
  /** A successor is about to take over: nothing more can begin. */
  readonly isLeaving: boolean;
  nowMs(): number;
  /**
   * Begins a wait; an aborted signal cancels it, and it settles all the same. Rejects with an RpcError. Throws `upgrading`
   * while leaving, like `requestFloor`.
   */
  wait(
    request: WaitRequest,
    signal: AbortSignal,
  ): { readonly id: string; readonly settled: Promise<Settlement> };
  /** Asks for the floor; an aborted signal gives the place in its queue up. */
  requestFloor(request: Omit<FloorRequest, 'waitId'>, signal: AbortSignal): Promise<FloorAnswer>;
  /** The call that was granted the floor with this token is over. */
  endTurn(token: number): void;
  releaseFloor(reader: string, token: number | undefined): void;
  /** A client's connection is gone: its place in the readers and the floor are free. */
  left(reader: string, isNamed: boolean): void;
  /** Keeps a mark, or what somebody said, in the record. */
  note(kind: 'mark' | 'say', author: Author, text: string): void;
  /** Places of readers have moved, come or gone. */
  readersChanged(): void;
  /** Tells `listener` what happens, right when it does. */
  subscribe(listener: (news: ChannelNews) => void): Disposable;
  /** Writes a text to a private file of that name; resolves with its path. */
  saveText(name: string, text: string): Promise<string>;
  every(ms: number, act: () => void): Disposable;
}
