/** Handler of the search in everything that is kept: span and times in, lines with their places and times out. */
import { rpcError } from '@pidp10/protocol/errors';
import type { MethodParams, MethodResult } from '@pidp10/protocol/methods';
import type { ChannelService } from './channelService.ts';
import type { Handlers } from './dispatch.ts';
import { type SearchOptions, search } from './search.ts';
import { SearchBlocks } from './searchBlocks.ts';
import { type SearchTerm, toSearchTerm } from './searchTerm.ts';
import type { Call } from './session.ts';

type SearchParams = MethodParams<'line.search'>;

export function createSearchHandlers(line: ChannelService): Pick<Handlers, 'line.search'> {
  return { 'line.search': (params, call) => searchIn(line, params, call, toSearchTerm(params)) };
}

/** Finds `term` in all that is kept of a channel's output. Throws `offset_out_of_range` and `invalid_params`. */
export async function searchIn(
  line: ChannelService,
  params: SearchParams,
  call: Call,
  term: SearchTerm,
): Promise<MethodResult<'line.search'>> {
  const span = await toSpan(line, params);
  const { order, limit, context } = params;
  const { signal } = call;
  const result = await search({
    blocks: new SearchBlocks(line, span),
    term,
    span,
    order,
    limit,
    context,
    signal,
    ...toProgress(line, params, call),
    yieldTurn: () => new Promise((resolve) => setImmediate(resolve)),
    nowMs: () => performance.now(),
  });
  const { archive } = line;
  if (archive === undefined) return result;
  const matches: typeof result.matches = [];
  for (const match of result.matches) {
    const wallMs = signal.aborted ? undefined : await archive.timeAt(match.start);
    const at = wallMs === undefined ? undefined : new Date(wallMs).toISOString();
    matches.push({ ...match, ...(at !== undefined && { at }) });
  }
  return { ...result, matches };
}

/** What is kept of the span that was asked for. Throws `offset_out_of_range` and `invalid_params`. */
async function toSpan(line: ChannelService, params: SearchParams): Promise<SearchOptions['span']> {
  const { archive } = line;
  const { scrollback } = line.conversation;
  const { from = 0, to = Number.POSITIVE_INFINITY, since, until } = params;
  if (from > scrollback.end) {
    const detail = `Offset ${from} lies behind the end of the stream, ${scrollback.end}.`;
    throw rpcError('offset_out_of_range', detail, { end: scrollback.end });
  }
  if (archive === undefined && (since ?? until) !== undefined) {
    const detail = 'since and until need the journal, and this daemon keeps none.';
    throw rpcError('invalid_params', detail);
  }
  const oldest = Math.min(archive?.oldest ?? scrollback.oldest, scrollback.oldest);
  const sinceOffset = since === undefined ? 0 : ((await archive?.offsetAt(Date.parse(since))) ?? 0);
  const untilOffset = until === undefined ? undefined : await archive?.offsetAt(Date.parse(until));
  const end = Math.min(to, untilOffset ?? scrollback.safeEnd, scrollback.safeEnd);
  const start = Math.min(Math.max(from, sinceOffset, oldest), scrollback.safeEnd);
  return { from: start, to: Math.max(start, end) };
}

/** Tells now and then how far it has come, where that was asked for. */
function toProgress(
  line: ChannelService,
  { progressEveryMs }: SearchParams,
  call: Call,
): Pick<SearchOptions, 'onBlock'> {
  if (progressEveryMs === undefined) return {};
  const bornMs = line.nowMs();
  let toldMs = bornMs;
  return {
    onBlock: (bytes) => {
      const nowMs = line.nowMs();
      if (nowMs - toldMs < progressEveryMs) return;
      toldMs = nowMs;
      call.sendProgress({ elapsedMs: Math.round(nowMs - bornMs), bytes });
    },
  };
}
