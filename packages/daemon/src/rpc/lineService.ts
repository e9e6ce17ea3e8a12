/** What the handlers need of the line: its core to look at, waits to begin, and a clock. The driver provides it. */
import type { Channel } from '../core/channel.ts';
import type { ChannelInput, Effect, Settlement, Span } from '../core/events.ts';
import type { FloorAnswer, FloorRequest } from '../core/floor.ts';
import type { Author } from '../core/timeline.ts';
import type { Archive } from './archive.ts';

/** The inputs that begin a wait, without the id that the service gives it. */
export type WaitRequest = Distribute<Extract<ChannelInput, { readonly kind: 'open' | 'send' | 'read' }>>;
type Distribute<T> = T extends { readonly waitId: string } ? Omit<T, 'waitId'> : never;

/** What happens on the line, for those who watch: output, the record, somebody who asks for the floor. */
export type LineNews = Extract<Effect, { readonly kind: 'append' | 'record' | 'asked' }>;

export interface LineService {
  readonly channel: Channel;
  readonly epoch: string;
  /** What is kept for ever; undefined where there is no journal. */
  readonly archive: Archive | undefined;
  /** Output that memory has only as NULs: a daemon before this one was killed before it was written. */
  readonly lost: readonly Span[];
  /** Bytes received on all connections so far, telnet commands included. */
  readonly bytesIn: number;
  /** How late our timer fired, in ms: what else went on had to wait as long. */
  readonly lateness: { readonly mean: number; readonly max: number };
  nowMs(): number;
  /** A successor is about to take over: nothing more can begin. */
  readonly isLeaving: boolean;
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
  subscribe(listener: (news: LineNews) => void): Disposable;
  close(): void;
  /** Sends IAC NOP, which ends a command that somebody's stray 0xFF began. Only on an open telnet line. */
  unstick(): void;
  /** Writes a text to a private file of that name; resolves with its path. */
  saveText(name: string, text: string): Promise<string>;
  every(ms: number, act: () => void): Disposable;
}
