/** The floor for the wire: who has it, in the words of errors and answers. */
import { rpcError } from '@pidp10/protocol/errors';
import { toEscapes } from '@pidp10/protocol/escapes';
import type { MethodResult } from '@pidp10/protocol/methods';
import type { FloorAnswer, Holder } from '../core/floor.ts';
import type { Author } from '../core/timeline.ts';
import type { ChannelService } from './channelService.ts';
import { wallClock } from './wallClock.ts';

type FloorOnWire = MethodResult<'floor.status'>;

export function toFloor(line: ChannelService, reader: string): FloorOnWire {
  const { floor } = line.conversation;
  const { holder, messages, waiting } = floor;
  return {
    state: holder === undefined ? 'free' : 'held',
    ...(holder !== undefined && { holder: toHolder(line, holder, reader) }),
    waiting,
    ...(messages.length > 0 && {
      requests: messages.map(({ from, text, atMs }) => ({
        from: toAuthor(from),
        text,
        at: wallClock(line, atMs),
      })),
    }),
  };
}

function toHolder(line: ChannelService, holder: Holder, reader: string): NonNullable<FloorOnWire['holder']> {
  const { author, calls, expiresMs, mode, sinceMs } = holder;
  const lastInput = lastInputOf(line, author);
  return {
    ...toAuthor(author),
    isYou: author.reader === reader,
    kind: mode === 'asked' ? 'asked' : calls > 0 ? 'call' : 'lease',
    since: wallClock(line, sinceMs),
    ...(expiresMs !== undefined && { expiresInMs: Math.max(Math.round(expiresMs - line.nowMs()), 0) }),
    ...(lastInput !== undefined && { lastInput }),
  };
}

/** The reader's name, unless it is only the number of a connection. */
export function toAuthor({ client, reader }: Author): { client: string; reader?: string } {
  return reader.startsWith('#') ? { client } : { client, reader };
}

/** Somebody's name for people: with the reader where it says more than the client's name. */
export function nameOf({ client, reader }: Author): string {
  return reader.startsWith('#') || reader === client ? client : `${client} (${reader})`;
}

/** What was typed, with `~` escapes: the input of line.send that types exactly that, its CR left away. */
export function toTyped(bytes: readonly number[]): string {
  const text = toEscapes(Uint8Array.from(bytes));
  return bytes.length > 1 && text.endsWith('~r~-') ? text.slice(0, -'~r~-'.length) : text;
}

function lastInputOf(line: ChannelService, author: Author): string | undefined {
  const { lastInput } = line.conversation.typist;
  if (lastInput?.author.reader !== author.reader || lastInput.bytes === undefined) return undefined;
  return toTyped(lastInput.bytes);
}

/** What a refused request for the floor throws. */
export function floorError(line: ChannelService, answer: Exclude<FloorAnswer, { kind: 'granted' }>): Error {
  switch (answer.kind) {
    case 'cancelled':
      return rpcError('call_cancelled');
    case 'full':
      return rpcError('floor_held', 'Too many calls queue for the floor. Nothing was sent.');
    case 'lost': {
      const by =
        answer.holder === undefined ? 'Nobody has it now' : `${nameOf(answer.holder.author)} has it now`;
      return rpcError('floor_lost', `The floor has changed hands. ${by}. Nothing was sent.`);
    }
    case 'held': {
      const { author, sinceMs } = answer.holder;
      const holder = toHolder(line, answer.holder, '');
      const seconds = Math.round((line.nowMs() - sinceMs) / 1_000);
      const typed =
        holder.lastInput === undefined ? '' : ` and typed ${JSON.stringify(holder.lastInput)} last`;
      const detail = `${nameOf(author)} has had the floor for ${seconds} s${typed}. Nothing was sent.`;
      return rpcError('floor_held', detail, { holder });
    }
    default:
      return answer satisfies never;
  }
}
