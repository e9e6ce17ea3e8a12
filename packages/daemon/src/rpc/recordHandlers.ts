/** Handlers of the record: what was typed, by whom, and what came back; marks and messages. */
import type { MethodParams, MethodResult } from '@pidp10/protocol/methods';
import type { Entry } from '../core/timeline.ts';
import type { ChannelService } from './channelService.ts';
import type { Clients } from './clients.ts';
import type { Handlers } from './dispatch.ts';
import { nameOf, toAuthor, toTyped } from './floorFacts.ts';
import { authorOf } from './session.ts';
import { wallClock } from './wallClock.ts';

/** Characters of output in one answer of line.history, the newest: rendering more would hold everybody up (I18). */
export const MAX_HISTORY_OUTPUT_CHARS = 262_144;

type RecordMethod = 'line.history' | 'line.mark' | 'line.say';
type HistoryEntry = MethodResult<'line.history'>['entries'][number];

export function createRecordHandlers(line: ChannelService, clients: Clients): Pick<Handlers, RecordMethod> {
  return {
    'line.history': (params) => historyOf(line, params),

    'line.mark': ({ text }, { session }) => {
      const offset = line.conversation.scrollback.end;
      line.note('mark', authorOf(session), text);
      return { offset };
    },

    'line.say': ({ text }, { session }) => {
      line.note('say', authorOf(session), text);
      return { clients: clients.all.filter((other) => other !== session).length };
    },
  };
}

export async function historyOf(
  line: ChannelService,
  { from = 0, to, limit, outputChars }: MethodParams<'line.history'>,
): Promise<MethodResult<'line.history'>> {
  const { scrollback, timeline } = line.conversation;
  const until = to ?? scrollback.end;
  const inMemory = timeline.since(0).filter(({ offset }) => offset >= from && offset <= until);
  const older = await olderEntries(line, { from, until, limit: limit + 1 - inMemory.length });
  const within = [...older, ...inMemory];
  const shown = within.slice(-limit);
  const outputs = outputChars === 0 ? new Map<number, string>() : outputsOf(line, shown, outputChars);
  // Without files, what happened before the oldest entry in memory may belong to the span.
  const oldestOffset = timeline.since(0)[0]?.offset ?? scrollback.end;
  const isCut = line.archive === undefined && timeline.oldestSeq > 0 && from <= oldestOffset;
  return {
    entries: shown.map((entry) => {
      const output = outputs.get(entry.seq);
      return { ...toEntry(line, entry), ...(output !== undefined && { output }) };
    }),
    truncated: shown.length < within.length || isCut,
  };
}

/** Entries that memory has lost, the newest `limit` of the span, in order. */
async function olderEntries(
  line: ChannelService,
  { from, until, limit }: { readonly from: number; readonly until: number; readonly limit: number },
): Promise<Entry[]> {
  const { oldestSeq } = line.conversation.timeline;
  const entries: Entry[] = [];
  if (line.archive === undefined || oldestSeq === 0 || limit <= 0) return entries;
  const query = { fromOffset: from, toOffset: until, isNewestFirst: true };
  for await (const { wallMs, ...entry } of line.archive.entries(query)) {
    if (entry.seq < oldestSeq) entries.unshift({ ...entry, atMs: line.nowMs() - (Date.now() - wallMs) });
    if (entries.length >= limit) break;
  }
  return entries;
}

/** What came behind each input, up to the next one; from the newest back, as far as there is room in an answer. */
function outputsOf(line: ChannelService, shown: readonly Entry[], outputChars: number): Map<number, string> {
  const { scrollback, timeline } = line.conversation;
  const outputs = new Map<number, string>();
  const last = shown.at(-1)?.seq ?? timeline.nextSeq;
  let end = timeline.since(last + 1).find(({ kind }) => kind === 'input')?.offset ?? scrollback.safeEnd;
  let room = MAX_HISTORY_OUTPUT_CHARS;
  for (const { kind, offset, seq } of shown.toReversed()) {
    if (kind !== 'input') continue;
    if (room === 0 || offset < scrollback.oldest) break;
    const { text } = scrollback.text(offset, Math.max(end, offset), Math.min(outputChars, room));
    outputs.set(seq, text);
    room -= text.length;
    end = offset;
  }
  return outputs;
}

function toEntry(line: ChannelService, entry: Entry): HistoryEntry {
  const { seq, offset } = entry;
  const kind = entry.kind === 'life' ? 'state' : entry.kind;
  const base = { seq, offset, at: wallClock(line, entry.atMs), kind };
  switch (entry.kind) {
    case 'input':
      return { ...base, input: toInput(entry) };
    case 'mark':
    case 'said':
      return { ...base, text: entry.text, author: toAuthor(entry.author) };
    case 'state':
    case 'life':
      return { ...base, kind: 'state', text: entryText(entry) };
    case 'outage': {
      const outage = toOutage(line, entry);
      const { since, reason, detail } = outage;
      return {
        ...base,
        text: [`no connection since ${since}`, reason, detail].filter(Boolean).join(': '),
        outage,
      };
    }
    case 'floor':
      return { ...base, text: floorText(entry) };
    default:
      return entry satisfies never;
  }
}

export function toOutage(
  line: ChannelService,
  { atMs, durationMs, reason, detail }: Entry & { readonly kind: 'outage' },
): NonNullable<HistoryEntry['outage']> {
  return {
    since: wallClock(line, atMs - durationMs),
    until: wallClock(line, atMs),
    reason,
    ...(detail !== undefined && { detail }),
  };
}

/** What became of the channel, in one sentence. */
export function entryText(entry: Entry & { readonly kind: 'state' | 'life' }): string {
  return entry.kind === 'life'
    ? entry.text
    : [entry.facts.state, entry.facts.detail].filter(Boolean).join(': ');
}

export function toInput(entry: Entry & { readonly kind: 'input' }): NonNullable<HistoryEntry['input']> {
  const { author, bytes, length, isUrgent, isAnswer } = entry;
  return {
    author: toAuthor(author),
    ...(bytes !== undefined && { text: toTyped(bytes) }),
    bytes: length,
    masked: bytes === undefined,
    ...(isUrgent && { urgent: true }),
    ...(isAnswer && { isAnswer: true }),
  };
}

/** One sentence of a change of the floor. */
export function floorText({ cause, holder, previous }: Entry & { readonly kind: 'floor' }): string {
  const taker = holder === undefined ? 'nobody' : nameOf(holder);
  const loser = previous === undefined ? 'nobody' : nameOf(previous);
  switch (cause) {
    case 'taken':
      return `${taker} has the floor`;
    case 'forced':
      return `${taker} took the floor from ${loser} by force`;
    case 'released':
      return `${loser} gave the floor back; ${taker} has it`;
    case 'expired':
      return `${loser}'s lease is over; ${taker} has the floor`;
    case 'left':
      return `${loser} is gone; ${taker} has the floor`;
    default:
      return cause satisfies never;
  }
}
