/** Handlers of the floor. */
import { rpcError } from '@pidp10/protocol/errors';
import type { ChannelService } from './channelService.ts';
import type { Handlers } from './dispatch.ts';
import { floorError, toFloor } from './floorFacts.ts';
import { authorOf } from './session.ts';

type FloorMethod = Extract<keyof Handlers, `floor.${string}`>;

/** `channelOf`: the line, or the session of that id. */
export function createFloorHandlers(
  channelOf: (session: string | undefined) => ChannelService,
): Pick<Handlers, FloorMethod> {
  return {
    'floor.request': async ({ force, leaseMs, message, waitMs, session: id }, { session, signal }) => {
      const line = channelOf(id);
      const author = authorOf(session);
      const request = { author, mode: 'asked', isForced: force, leaseMs, waitMs } as const;
      const answer = await line.requestFloor(
        { ...request, ...(message !== undefined && { message }) },
        signal,
      );
      if (answer.kind !== 'granted') throw floorError(line, answer);
      return { token: answer.token, floor: toFloor(line, author.reader) };
    },

    'floor.release': ({ token, session: id }, { session }) => {
      const line = channelOf(id);
      const { reader } = authorOf(session);
      const { holder } = line.conversation.floor;
      if (holder?.author.reader !== reader) throw rpcError('floor_not_yours');
      if (token !== undefined && token !== holder.token) throw rpcError('floor_lost');
      line.releaseFloor(reader, token);
      return toFloor(line, reader);
    },

    'floor.status': ({ session: id }, { session }) => toFloor(channelOf(id), authorOf(session).reader),
  };
}
