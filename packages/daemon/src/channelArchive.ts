/** What a journal tells of the past of one stream: its bytes, how they looked, what happened beside them, and when. */
import type { Span } from './core/events.ts';
import type { HistoryView } from './core/historyView.ts';
import type { StreamName } from './core/journal/names.ts';
import type { Happening } from './core/timeline.ts';
import type { Transcript } from './core/transcript.ts';
import type { Journal } from './io/journal/journal.ts';
import type { Recovered } from './io/journal/journalOptions.ts';
import type { RecordQuery } from './io/journal/recordsReader.ts';
import { recordedEntry } from './recordedEntry.ts';
import {
  type Archive,
  MAX_VIEW_BYTES,
  type PastEntry,
  type PastQuery,
  type StorageFacts,
} from './rpc/archive.ts';

/** Index files that a start looks through: some ten milliseconds each, and a thousand records and more. */
const QUICK_FILES = 4;

const ENTRY_KINDS: readonly Happening['kind'][] = [
  'input',
  'mark',
  'said',
  'state',
  'outage',
  'life',
  'floor',
];

/** A journal as far as it is read; it may be closed. */
export type ReadableJournal = Pick<Journal, 'status' | 'read' | 'holes' | 'records' | 'checkpointBefore'>;

export interface ArchiveOptions {
  /** The journal may be exchanged for another on the same files. */
  readonly source: { journal: ReadableJournal };
  readonly stream: StreamName;
  /** A transcript of the channel's kind in which nothing was said yet: it knows how to render old output. */
  readonly blank: Transcript;
}

export class ChannelArchive implements Archive {
  readonly #source: { readonly journal: ReadableJournal };
  readonly #stream: StreamName;
  readonly #blank: Transcript;

  constructor({ source, stream, blank }: ArchiveOptions) {
    this.#source = source;
    this.#stream = stream;
    this.#blank = blank;
  }

  get oldest(): number {
    return this.#source.journal.status.streams[this.#stream].oldest;
  }

  get facts(): StorageFacts {
    const { storage, detail, bytes, segments, gapBytes, streams } = this.#source.journal.status;
    const { syncedEnd, writtenEnd } = streams[this.#stream];
    const ends = { syncedEnd, writtenEnd };
    return { storage, ...(detail !== undefined && { detail }), bytes, segments, gapBytes, ...ends };
  }

  async bytes(start: number, end: number): Promise<Uint8Array> {
    const to = Math.min(end, start + MAX_VIEW_BYTES);
    const bytes = new Uint8Array(Math.max(to - start, 0));
    for (let at = start; at < to; ) {
      const found = await this.#source.journal.read(this.#stream, at, to);
      bytes.set(found.bytes, found.start - start);
      at = found.start + found.bytes.length;
      if (found.bytes.length === 0) break;
    }
    return bytes;
  }

  holes(start: number, end: number): readonly Span[] {
    const holes = this.#source.journal.holes(this.#stream, Math.max(start, this.oldest), end);
    return holes.map(({ from, to }) => ({ start: from, end: to }));
  }

  async view(start: number, end: number): Promise<HistoryView> {
    const { checkpoint, offset } = await this.checkpointBefore(start);
    const to = Math.min(end, start + MAX_VIEW_BYTES, this.#source.journal.status.streams[this.#stream].end);
    const parts: Uint8Array[] = [];
    for (let at = offset; at < to; at += MAX_VIEW_BYTES) {
      parts.push(await this.bytes(at, Math.min(to, at + MAX_VIEW_BYTES)));
    }
    return this.#blank.renderFrom(checkpoint, offset, Buffer.concat(parts));
  }

  /** The state of text and screen before `offset`, and where; blank where none was kept. */
  async checkpointBefore(offset: number): Promise<{ readonly checkpoint: unknown; readonly offset: number }> {
    const record = await this.#source.journal.checkpointBefore(this.#stream, offset);
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
    const kinds = ENTRY_KINDS;
    const query: RecordQuery = { stream: this.#stream, kinds, reverse: true, limit, maxFiles: QUICK_FILES };
    const found = [...last];
    for await (const record of this.#source.journal.records(query)) found.push(record);
    for (const { kind, offset, wallMs, data } of found) {
      const entry = tryEntry(kind, data);
      if (entry !== undefined) entries.set(entry.seq, { ...entry, offset, wallMs });
    }
    return [...entries.values()].toSorted((a, b) => a.seq - b.seq);
  }

  async *entries(query: PastQuery): AsyncGenerator<PastEntry> {
    const { fromOffset, toOffset, limit, isNewestFirst = false, kinds = ENTRY_KINDS } = query;
    const records = this.#source.journal.records({
      stream: this.#stream,
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
    const query: RecordQuery = { stream: this.#stream, kinds: ['time'], fromOffset: offset + 1 };
    for await (const record of this.#source.journal.records(query)) {
      yield { offset: record.offset, wallMs: record.wallMs };
    }
  }

  async offsetAt(wallMs: number): Promise<number> {
    let before = this.oldest;
    for await (const record of this.#source.journal.records({ stream: this.#stream, kinds: ['time'] })) {
      if (record.wallMs >= wallMs) return before;
      before = record.offset;
    }
    return before;
  }
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
