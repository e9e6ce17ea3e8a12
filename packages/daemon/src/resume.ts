/** The line as it was before this daemon: its output, its readers, what happened, and how the last connection ended. */
import type { ChannelJournal } from './channelJournal.ts';
import type { PartialChannelSnapshot } from './core/channel.ts';
import type { LineFacts, Span } from './core/events.ts';
import type { LineStateSnapshot } from './core/lineState.ts';
import { packScreen } from './core/packedScreen.ts';
import { CHECKPOINT_BYTES, viewAt } from './core/spanText.ts';
import type { Entry } from './core/timeline.ts';
import type { TranscriptSnapshot } from './core/transcript.ts';
import type { Recovered } from './io/journal/journalOptions.ts';
import { recordedReaders } from './recordedEntry.ts';

/** Entries of the record that are brought back into memory at most; older ones are read from the files when asked for. */
const RESUMED_ENTRIES = 1_000;

export interface Past {
  readonly epoch: string;
  readonly snapshot: PartialChannelSnapshot;
  /** The newest output, to be said again behind the snapshot. */
  readonly replay: Uint8Array;
  /** What of it is NULs in place of bytes that were not kept. */
  readonly lost: readonly Span[];
}

/** `nowMs`: on the monotonic clock. */
export async function resume(
  journal: ChannelJournal,
  recovered: Recovered,
  { ringBytes, nowMs }: { readonly ringBytes: number; readonly nowMs: number },
): Promise<Past> {
  const end = recovered.ends.out;
  const entries = await newestEntries(journal, recovered, nowMs);
  const from = Math.max(Math.ceil((end - ringBytes) / CHECKPOINT_BYTES) * CHECKPOINT_BYTES, 0);
  const readers = recovered.last.findLast(({ kind }) => kind === 'readers')?.data;
  const places = recordedReaders.safeParse(readers).data?.places ?? [];
  const lastState = entries.findLast((entry) => entry.kind === 'state');
  return {
    epoch: recovered.epoch,
    snapshot: {
      connectOffset: end,
      ...(lastState !== undefined && { line: lineAfter(lastState.facts, recovered, nowMs) }),
      ...lastEndOf(entries, recovered, nowMs),
      conversation: {
        ...(from > 0 && { transcript: await transcriptAt(journal, from) }),
        readers: {
          // Whoever held a reader is gone with his daemon; what he had not committed he gets again.
          places: places.map(([name, place]) => {
            const committed = Math.min(place.committed, end);
            return [name, { ...place, committed, handed: committed, isLive: false }] as const;
          }),
        },
        timeline: { entries: unbroken(entries), nextSeq: (entries.at(-1)?.seq ?? -1) + 1 },
      },
    },
    replay: await bytesOf(journal, Math.min(from, end), end),
    lost: journal.holes(from, end),
  };
}

async function newestEntries(journal: ChannelJournal, { last }: Recovered, nowMs: number): Promise<Entry[]> {
  const entries = await journal.newestEntries(RESUMED_ENTRIES, last);
  return entries.map(({ wallMs, ...entry }) => ({ ...entry, atMs: nowMs - (Date.now() - wallMs) }));
}

/** The newest of them that follow on one another: what lies before is read from the files when somebody asks. */
function unbroken(entries: readonly Entry[]): readonly Entry[] {
  const isBreak = (entry: Entry, index: number) => index > 0 && entries[index - 1]?.seq !== entry.seq - 1;
  return entries.slice(Math.max(entries.findLastIndex(isBreak), 0));
}

async function bytesOf(journal: ChannelJournal, start: number, end: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (let at = start; at < end; ) {
    const part = await journal.bytes(at, end);
    parts.push(part);
    at += part.length;
  }
  return Buffer.concat(parts);
}

/** A transcript that stands at `offset`, a multiple of the checkpoints' distance, with nothing older in it. */
async function transcriptAt(
  journal: ChannelJournal,
  offset: number,
): Promise<Pick<TranscriptSnapshot, 'scrollback' | 'screens'>> {
  const view = await journal.view(offset, offset);
  const context = viewAt(view, offset).context();
  const screen = view.screenAt(offset);
  return {
    scrollback: { end: offset, bytes: '', checkpoints: [{ offset, context }], tail: context },
    screens: { checkpoints: [packScreen(screen)] },
  };
}

/** When the last connection that was open ended, and why. */
function lastEndOf(
  entries: readonly Entry[],
  { lastWallMs }: Recovered,
  nowMs: number,
): Pick<PartialChannelSnapshot, 'lastEnd'> {
  const states = entries.filter((entry) => entry.kind === 'state');
  const opened = states.findLastIndex(({ facts }) => facts.state === 'open');
  if (opened === -1) return {};
  const end = states[opened + 1];
  if (end === undefined) {
    return { lastEnd: { reason: 'daemon_ended', atMs: nowMs - (Date.now() - (lastWallMs ?? Date.now())) } };
  }
  const { reason = end.facts.state, detail } = end.facts;
  return { lastEnd: { reason, ...(detail !== undefined && { detail }), atMs: end.atMs } };
}

/** A line that was open when the last daemon ended is dead, and tells why. */
function lineAfter(facts: LineFacts, { wasClean, lastWallMs }: Recovered, nowMs: number): LineStateSnapshot {
  const { state, reason, detail, host, port } = facts;
  const at = lastWallMs === undefined ? '' : ` at ${new Date(lastWallMs).toISOString()} or soon after`;
  const wasUp = state === 'open' || state === 'connecting';
  const how = wasClean ? 'was stopped' : 'ended without a word (killed, crashed, or the power was cut)';
  const sinceMs = lastWallMs === undefined ? nowMs : nowMs - (Date.now() - lastWallMs);
  return {
    state: wasUp ? 'dead' : state,
    phase: undefined,
    reason: wasUp ? 'daemon_ended' : reason,
    detail: wasUp ? `The daemon that held the line ${how}${at}; output up to then is kept.` : detail,
    attempt: host === undefined || port === undefined ? undefined : { host, port, deadlineMs: 0 },
    firstWords: '',
    lastWords: '',
    lastByteMs: undefined,
    sinceMs,
  };
}
