/** Requests for the floor in few words, and what came of them, one line each. */
import { CALL_LEASE_MS, type Floor, type FloorEvent, type FloorRequest } from '../../src/core/floor.ts';

const author = (reader: string) => ({ client: reader.toUpperCase(), reader });

export function call(reader: string, waitId: string, more: Partial<FloorRequest> = {}): FloorRequest {
  return { waitId, author: author(reader), mode: 'call', waitMs: 30_000, leaseMs: CALL_LEASE_MS, ...more };
}

export function asked(reader: string, waitId: string, more: Partial<FloorRequest> = {}): FloorRequest {
  return call(reader, waitId, { mode: 'asked', leaseMs: 60_000, ...more });
}

export function told(events: readonly FloorEvent[]): string[] {
  return events.map((event) => {
    if (event.kind === 'asked') return `${event.message.from.reader} asks ${event.holder.author.reader}`;
    if (event.kind === 'changed') {
      return `${event.cause}: ${event.previous?.author.reader ?? '-'} > ${event.holder?.author.reader ?? '-'}`;
    }
    const { answer, waitId } = event;
    if (answer.kind === 'granted') return `${waitId} granted ${answer.token}`;
    return answer.kind === 'held'
      ? `${waitId} held by ${answer.holder.author.reader}`
      : `${waitId} ${answer.kind}`;
  });
}

/** A request as the conversation makes it: what is to be had at once comes with the tick behind it. */
export function ask(floor: Floor, request: FloorRequest, nowMs: number): string[] {
  return told([...floor.request(request, nowMs), ...floor.tick(nowMs)]);
}

export function done(floor: Floor, token: number, nowMs: number): string[] {
  floor.done(token, nowMs);
  return told(floor.tick(nowMs));
}
