/** What clients ask of a conversation, whatever kind of channel it is on. */
import type { Conversation } from './conversation.ts';
import type { ChannelInput, Effect } from './events.ts';

/** All that clients may ask of a stream. Whether it can be sent to or read from is the channel's to say. */
export type StreamCall = Extract<ChannelInput, { readonly kind: 'send' | 'read' }> | PlainCall;

/** What means the same on every channel. */
export type PlainCall = Extract<
  ChannelInput,
  {
    readonly kind:
      | 'cancel'
      | 'floorRequest'
      | 'floorDone'
      | 'floorRelease'
      | 'suspend'
      | 'left'
      | 'mark'
      | 'say';
  }
>;

export function takeCall(conversation: Conversation, call: PlainCall, nowMs: number): readonly Effect[] {
  switch (call.kind) {
    case 'cancel':
      return conversation.cancel(call.waitId, nowMs);
    case 'floorRequest':
      return conversation.requestFloor(call, nowMs);
    case 'floorDone':
      conversation.endTurn(call.token, nowMs);
      return [];
    case 'floorRelease':
      conversation.releaseFloor(call.reader, call.token, nowMs);
      return [];
    case 'suspend':
      return conversation.suspend(nowMs);
    case 'left':
      return conversation.left(call.reader, call.isNamed, nowMs);
    case 'mark':
    case 'say': {
      const { author, text } = call;
      conversation.note({ kind: call.kind === 'mark' ? 'mark' : 'said', author, text }, nowMs);
      return [];
    }
    default:
      return call satisfies never;
  }
}
