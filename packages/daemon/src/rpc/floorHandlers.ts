/** Handlers of the floor. */
import { rpcError } from '@pidp10/protocol/errors';
import type { Handlers } from './dispatch.ts';
import { floorError, toFloor } from './floorFacts.ts';
import type { LineService } from './lineService.ts';
import { authorOf } from './session.ts';

type FloorMethod = Extract<keyof Handlers, `floor.${string}`>;

export function createFloorHandlers(line: LineService): Pick<Handlers, FloorMethod> {
  return {
    'floor.request': async ({ force, leaseMs, message, waitMs }, { session, signal }) => {
      const author = authorOf(session);
      const request = { author, mode: 'asked', isForced: force, leaseMs, waitMs } as const;
      const answer = await line.requestFloor(
        { ...request, ...(message !== undefined && { message }) },
        signal,
      );
      if (answer.kind !== 'granted') throw floorError(line, answer);
      return { token: answer.token, floor: toFloor(line, author.reader) };
    },

    'floor.release': ({ token }, { session }) => {
      const { reader } = authorOf(session);
      const { holder } = line.channel.conversation.floor;
      if (holder?.author.reader !== reader) throw rpcError('floor_not_yours');
      if (token !== undefined && token !== holder.token) throw rpcError('floor_lost');
      line.releaseFloor(reader, token);
      return toFloor(line, reader);
    },

    'floor.status': (_params, { session }) => toFloor(line, authorOf(session).reader),
  };
}
