/** What `line.status` says. */
import type { MethodResult } from '@pidp10/protocol/methods';
import { toFloor } from './floorFacts.ts';
import type { LineService } from './lineService.ts';
import { toFacts } from './outcome.ts';
import type { Call } from './session.ts';
import { wallClock } from './wallClock.ts';

export function statusOf(line: LineService, { session }: Call): MethodResult<'line.status'> {
  const { channel } = line;
  const { conversation } = channel;
  const { end, oldest } = conversation.scrollback;
  const offset = session.reader === undefined ? undefined : conversation.readers.cursor(session.reader);
  const { lastByteMs } = conversation;
  const nowMs = line.nowMs();
  const advice = adviceFor(line);
  return {
    ...toFacts(line),
    end,
    oldest,
    ...(offset !== undefined && {
      reader: { name: session.reader ?? session.id, offset, unread: end - offset },
    }),
    ...(channel.facts.state === 'open' && { uptimeMs: Math.round(nowMs - channel.stateSinceMs) }),
    ...(lastByteMs !== undefined && { msSinceLastByte: Math.round(nowMs - lastByteMs) }),
    bytesIn: line.bytesIn,
    bytesOut: conversation.typist.bytesOut,
    pendingBytes: conversation.typist.pendingBytes,
    floor: toFloor(line, session.reader ?? session.id),
    readers: conversation.readers.names.length,
    ...(advice !== undefined && { advice }),
    ...(channel.facts.state === 'open' && { connectedAt: wallClock(line, channel.stateSinceMs) }),
    ...(channel.facts.state === 'dead' && { diedAt: wallClock(line, channel.stateSinceMs) }),
  };
}

function adviceFor(line: LineService): string | undefined {
  const { facts, hasSpoken } = line.channel;
  if (facts.state === 'open' && hasSpoken === false) {
    return 'Nothing has come since the greeting. The line may be free (send ~z), or hold an earlier session that waits for input.';
  }
  return facts.state === 'connecting' && facts.phase === 'greeting'
    ? 'TCP is up, but the simulator has not greeted yet: it may be halted. Open again to wait on, or close.'
    : undefined;
}
