/**
 * A channel's journal: what its core orders to be kept goes to the files in the same tick; what the files hold comes back
 * as the channel's past, at start and whenever somebody asks for something old.
 */
import { randomBytes } from 'node:crypto';
import type { Span } from './core/events.ts';
import type { HistoryView } from './core/historyView.ts';
import type { ReadersSnapshot } from './core/readers.ts';
import type { Happening } from './core/timeline.ts';
import type { Transcript } from './core/transcript.ts';
import { Journal } from './io/journal/journal.ts';
import type { Recovered } from './io/journal/journalOptions.ts';
import { recordedEntry } from './recordedEntry.ts';
import {
  type Archive,
  MAX_VIEW_BYTES,
  type PastEntry,
  type PastQuery,
  type StorageFacts,
} from './rpc/archive.ts';
import type { LineNews } from './rpc/lineService.ts';

/** Distance of checkpoints, in bytes: old output is rendered from the one before it, in some ten milliseconds. */
export const JOURNAL_CHECKPOINT_BYTES = 262_144;
/** Changes of readers are kept at most once in so many ms: each committed answer moves one. */
const READERS_EVERY_MS = 1_000;

/** Index files that a start looks through: some ten milliseconds each, and a thousand records and more. */
const QUICK_FILES = 4;

const ENTRY_KINDS: readonly Happening['kind'][] = ['input', 'mark', 'said', 'state', 'outage', 'floor'];

export interface ChannelJournalOptions {
  readonly folder: string;
  readonly quotaBytes: number;
  /** A transcript of the channel's kind in which nothing was said yet: it knows how to render old output. */
  readonly blank: Transcript;
  readonly onStorage: (status: { readonly storage: string; readonly detail?: string }) => void;
}

export class ChannelJournal implements Archive, AsyncDisposable {
  readonly #options: ChannelJournalOptions;
  readonly #blank: Transcript;
  #journal: Journal;
  #lastCheckpoint: number;
  #readersTimer: NodeJS.Timeout | undefined;
  #lastReaders = '';

  private constructor(journal: Journal, options: ChannelJournalOptions, end: number) {
    this.#journal = journal;
    this.#options = options;
    this.#blank = options.blank;
    this.#lastCheckpoint = end;
  }

  /** Rejects when the folder is refused or cannot be read. */
  static async open(
    options: ChannelJournalOptions,
  ): Promise<{ readonly journal: ChannelJournal; readonly recovered: Recovered }> {
    const { journal, recovered } = await openFiles(options);
    return { journal: new ChannelJournal(journal, options, recovered.ends.out), recovered };
  }

  get oldest(): number {
    return this.#journal.status.streams.out.oldest;
  }

  get facts(): StorageFacts {
    const { storage, detail, bytes, segments, gapBytes, streams } = this.#journal.status;
    const { syncedEnd, writtenEnd } = streams.out;
    const ends = { syncedEnd, writtenEnd };
    return { storage, ...(detail !== undefined && { detail }), bytes, segments, gapBytes, ...ends };
  }

  /** Keeps what has happened; its write is issued before this returns (CONTRACT 5). */
  keep(news: LineNews, transcript: Transcript): void {
    if (news.kind === 'append') {
      this.#journal.append('out', news.bytes);
      this.#checkpoint(transcript);
    } else if (news.kind === 'record') {
      const { seq, offset, atMs: _atMs, kind, ...data } = news.entry;
      this.#journal.record(kind, { ...data, entry: seq }, { offset, isState: kind === 'state' });
    }
  }

  /** The readers may have moved: their places are kept soon. */
  noteReaders(snapshot: () => ReadersSnapshot): void {
    this.#readersTimer ??= setTimeout(() => this.keepReaders(snapshot()), READERS_EVERY_MS).unref();
  }

  /** Keeps the places of the named readers, if they are others than those kept last. */
  keepReaders(snapshot: ReadersSnapshot): void {
    clearTimeout(this.#readersTimer);
    this.#readersTimer = undefined;
    const places = snapshot.places.filter(([, place]) => !place.isPrivate);
    const text = JSON.stringify(places);
    if (text === this.#lastReaders) return;
    this.#lastReaders = text;
    this.#journal.record('readers', { places }, { isState: true });
  }

  async bytes(start: number, end: number): Promise<Uint8Array> {
    const to = Math.min(end, start + MAX_VIEW_BYTES);
    const bytes = new Uint8Array(Math.max(to - start, 0));
    for (let at = start; at < to; ) {
      const found = await this.#journal.read('out', at, to);
      bytes.set(found.bytes, found.start - start);
      at = found.start + found.bytes.length;
      if (found.bytes.length === 0) break;
    }
    return bytes;
  }

  holes(start: number, end: number): readonly Span[] {
    const holes = this.#journal.holes('out', Math.max(start, this.oldest), end);
    return holes.map(({ from, to }) => ({ start: from, end: to }));
  }

  async view(start: number, end: number): Promise<HistoryView> {
    const { checkpoint, offset } = await this.checkpointBefore(start);
    const to = Math.min(end, start + MAX_VIEW_BYTES, this.#journal.status.streams.out.end);
    const parts: Uint8Array[] = [];
    for (let at = offset; at < to; at += MAX_VIEW_BYTES) {
      parts.push(await this.bytes(at, Math.min(to, at + MAX_VIEW_BYTES)));
    }
    return this.#blank.renderFrom(checkpoint, offset, Buffer.concat(parts));
  }

  /** The state of text and screen before `offset`, and where; blank where none was kept. */
  async checkpointBefore(offset: number): Promise<{ readonly checkpoint: unknown; readonly offset: number }> {
    const record = await this.#journal.checkpointBefore('out', offset);
    const at = record?.data?.['offset'];
    if (record?.data !== undefined && typeof at === 'number' && at >= this.oldest) {
      return { checkpoint: record.data, offset: at };
    }
    const from = Math.min(this.oldest, offset);
    return { checkpoint: { ...this.#blank.checkpointState(), offset: from }, offset: from };
  }

  /**
   * The newest entries, as many as a quick look finds, in order; with them what the newest index file says of each kind,
   * however old it is.
   */
  async newestEntries(limit: number, last: Recovered['last']): Promise<PastEntry[]> {
    const entries = new Map<number, PastEntry>();
    const query = { stream: 'out', kinds: ENTRY_KINDS, reverse: true, limit, maxFiles: QUICK_FILES } as const;
    const found = [...last];
    for await (const record of this.#journal.records(query)) found.push(record);
    for (const { kind, offset, wallMs, data } of found) {
      const entry = tryEntry(kind, data);
      if (entry !== undefined) entries.set(entry.seq, { ...entry, offset, wallMs });
    }
    return [...entries.values()].toSorted((a, b) => a.seq - b.seq);
  }

  async *entries(query: PastQuery): AsyncGenerator<PastEntry> {
    const { fromOffset, toOffset, limit, isNewestFirst = false, kinds = ENTRY_KINDS } = query;
    const records = this.#journal.records({
      stream: 'out',
      kinds,
      reverse: isNewestFirst,
      ...(fromOffset !== undefined && { fromOffset }),
      ...(toOffset !== undefined && { toOffset }),
      ...(limit !== undefined && { limit }),
    });
    for await (const { kind, offset, wallMs, data } of records) {
      const entry = tryEntry(kind, data);
      if (entry !== undefined) yield { ...entry, offset, wallMs };
    }
  }

  async timeAt(offset: number): Promise<number | undefined> {
    for await (const { wallMs } of this.times(offset)) return wallMs;
    return undefined;
  }

  async *times(offset: number): AsyncGenerator<{ readonly offset: number; readonly wallMs: number }> {
    const query = { stream: 'out', kinds: ['time'], fromOffset: offset + 1 } as const;
    for await (const record of this.#journal.records(query)) {
      yield { offset: record.offset, wallMs: record.wallMs };
    }
  }

  async offsetAt(wallMs: number): Promise<number> {
    let before = this.oldest;
    for await (const record of this.#journal.records({ stream: 'out', kinds: ['time'] })) {
      if (record.wallMs >= wallMs) return before;
      before = record.offset;
    }
    return before;
  }

  /** Opens the files again after they were closed, with nothing in between. */
  async reopen(): Promise<void> {
    const { journal } = await openFiles(this.#options);
    this.#journal = journal;
  }

  /** Brings everything to the disk and closes the files. Idempotent; never rejects. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#readersTimer);
    await this.#journal.close();
  }

  #checkpoint(transcript: Transcript): void {
    const { end } = transcript.scrollback;
    if (end - this.#lastCheckpoint < JOURNAL_CHECKPOINT_BYTES) return;
    this.#lastCheckpoint = end;
    const checkpoint = transcript.checkpointState();
    this.#journal.record('checkpoint', { ...checkpoint }, { offset: checkpoint.offset });
  }
}

function openFiles({ folder, quotaBytes, onStorage }: ChannelJournalOptions) {
  return Journal.open({ folder, quotaBytes, onStorage, freshEpoch: randomBytes(8).toString('hex') });
}

/** A record of ours as what happened; the file has proved that it is whole, and a newer daemon may have written it. */
function tryEntry(
  kind: string,
  data: Readonly<Record<string, unknown>> | undefined,
): (Happening & { readonly seq: number }) | undefined {
  const parsed = recordedEntry.safeParse({ ...data, kind });
  if (!parsed.success) return undefined;
  const { entry: seq, ...happening } = parsed.data;
  return { ...happening, seq };
}
