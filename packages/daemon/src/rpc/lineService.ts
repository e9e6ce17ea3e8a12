/** What the handlers need of the line: its core to look at, waits to begin, and a clock. The driver provides it. */
import type { Channel } from '../core/channel.ts';
import type { ChannelInput, Settlement } from '../core/events.ts';

/** The inputs that begin a wait, without the id that the service gives it. */
export type WaitRequest = Distribute<Extract<ChannelInput, { readonly kind: 'open' | 'send' | 'read' }>>;
type Distribute<T> = T extends { readonly waitId: string } ? Omit<T, 'waitId'> : never;

export interface LineService {
  readonly channel: Channel;
  readonly epoch: string;
  /** Bytes received on all connections so far, telnet commands included. */
  readonly bytesIn: number;
  nowMs(): number;
  /** Begins a wait; an aborted signal cancels it, and it settles all the same. Rejects with an RpcError. */
  wait(
    request: WaitRequest,
    signal: AbortSignal,
  ): { readonly id: string; readonly settled: Promise<Settlement> };
  close(): void;
  /** Sends IAC NOP, which ends a command that somebody's stray 0xFF began. Only on an open telnet line. */
  unstick(): void;
  /** Writes a text to a private file of that name; resolves with its path. */
  saveText(name: string, text: string): Promise<string>;
  every(ms: number, act: () => void): Disposable;
}
