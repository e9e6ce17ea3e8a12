/** What the handlers need of the line, besides what every channel has. */
import type { Channel } from '../core/channel.ts';
import type { ChannelService } from './channelService.ts';

export interface LineService extends ChannelService {
  readonly channel: Channel;
  /** Bytes received on all connections so far, telnet commands included. */
  readonly bytesIn: number;
  /** How late our timer fired, in ms: what else went on had to wait as long. */
  readonly lateness: { readonly mean: number; readonly max: number };
  close(): void;
  /** Sends IAC NOP, which ends a command that somebody's stray 0xFF began. Only on an open telnet line. */
  unstick(): void;
}
