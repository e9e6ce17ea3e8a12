/**
 * Records of the index in order of `seq`, or backwards, one file in memory at a time. Heads tell how far each stream had come when a
 * file began, so that a search by offset begins in the right file however many there are.
 */
import { join } from 'node:path';
import { type Head, parseHead } from '../../core/journal/head.ts';
import type { StreamName } from '../../core/journal/names.ts';
import { decodeLine, type JournalRecord, parseIndex, type RecordKind } from '../../core/journal/records.ts';
import { nameOf, type Segment, type Shelf } from '../../core/journal/shelf.ts';
import type { StreamStore } from './bytesReader.ts';
import { codeOf } from './files.ts';

/** A caller's record may say an offset so many bytes behind the end of its stream, and is still found by it. */
export const OFFSET_SLACK_BYTES = 1024 * 1024;
/** Read at first to find a head; a longer one is read as a whole. */
const HEAD_PROBE_BYTES = 16 * 1024;

/**
 * The file that was read last, for as long as nobody needs its memory: whoever goes through the past asks for the same one
 * again and again. A file only grows, so its name and size say what is in it.
 */
interface LastRead {
  readonly name: string;
  readonly bytes: number;
  readonly records: WeakRef<readonly JournalRecord[]>;
}

const lastReads = new WeakMap<Shelf, LastRead>();

export interface RecordQuery {
  /** Only of this stream; `out` when an offset is given and no stream. */
  readonly stream?: StreamName;
  readonly fromOffset?: number;
  /** Inclusive, like `toWallMs`. */
  readonly toOffset?: number;
  readonly fromWallMs?: number;
  readonly toWallMs?: number;
  readonly kinds?: readonly RecordKind[];
  /** Most records given. */
  readonly limit?: number;
  /** Newest first. */
  readonly reverse?: boolean;
  /** Newest first only: look through so many files at most. */
  readonly maxFiles?: number;
}

/** Gives what was recorded when it was called, and perhaps later ones. Rejects when a file cannot be read. */
export async function* readRecords(
  index: StreamStore,
  query: RecordQuery,
): AsyncGenerator<JournalRecord, void> {
  const filter = new Filter(query);
  const segments = [...index.shelf.segments];
  const waiting = index.queue.piecesFrom(0).map(({ bytes }) => bytes.slice());
  let left = query.limit ?? Number.POSITIVE_INFINITY;
  for await (const records of filter.isReverse ? newestFirst() : oldestFirst()) {
    for (const record of records) {
      if (left <= 0 || filter.isPast(record)) return;
      if (!filter.accepts(record)) continue;
      left -= 1;
      yield record;
    }
  }

  async function* oldestFirst(): AsyncGenerator<readonly JournalRecord[]> {
    const first =
      filter.from === undefined ? 0 : await lastBegunBy(index, segments, filter.stream, filter.from);
    let seq = -1;
    for (let at = first; at < segments.length; at++) {
      const records = (await recordsOf(index, segments, at)).filter((record) => record.seq > seq);
      seq = records.at(-1)?.seq ?? seq;
      yield records;
    }
    yield waitingRecords(waiting).filter((record) => record.seq > seq);
  }

  async function* newestFirst(): AsyncGenerator<readonly JournalRecord[]> {
    const records = waitingRecords(waiting);
    let seq = records[0]?.seq ?? Number.POSITIVE_INFINITY;
    yield records.toReversed();
    const slack = filter.to === undefined ? undefined : filter.to + OFFSET_SLACK_BYTES;
    const last =
      slack === undefined ? segments.length - 1 : await lastBegunBy(index, segments, filter.stream, slack);
    const oldest = Math.max(last + 1 - (query.maxFiles ?? Number.POSITIVE_INFINITY), 0);
    for (let at = last; at >= oldest; at--) {
      const older = (await recordsOf(index, segments, at)).filter((record) => record.seq < seq);
      seq = older[0]?.seq ?? seq;
      yield older.toReversed();
    }
  }
}

class Filter {
  readonly stream: StreamName;
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly isReverse: boolean;
  readonly #query: RecordQuery;
  readonly #kinds: ReadonlySet<RecordKind> | undefined;
  readonly #isOneStream: boolean;

  constructor(query: RecordQuery) {
    this.#query = query;
    this.stream = query.stream ?? 'out';
    this.from = query.fromOffset;
    this.to = query.toOffset;
    this.isReverse = query.reverse ?? false;
    this.#kinds = query.kinds === undefined ? undefined : new Set(query.kinds);
    this.#isOneStream = query.stream !== undefined || this.from !== undefined || this.to !== undefined;
  }

  accepts(record: JournalRecord): boolean {
    const { fromWallMs, toWallMs } = this.#query;
    return (
      (!this.#isOneStream || record.stream === this.stream) &&
      (this.#kinds === undefined || this.#kinds.has(record.kind)) &&
      record.offset >= (this.from ?? 0) &&
      record.offset <= (this.to ?? Number.POSITIVE_INFINITY) &&
      record.wallMs >= (fromWallMs ?? Number.NEGATIVE_INFINITY) &&
      record.wallMs <= (toWallMs ?? Number.POSITIVE_INFINITY)
    );
  }

  /** No record behind this one can be accepted. */
  isPast(record: JournalRecord): boolean {
    if (record.stream !== this.stream) return false;
    if (this.isReverse) return this.from !== undefined && record.offset + OFFSET_SLACK_BYTES < this.from;
    return this.to !== undefined && record.offset > this.to + OFFSET_SLACK_BYTES;
  }
}

/** Index of the last file that began when `stream` had not come further than `offset`; 0 when in doubt. */
async function lastBegunBy(
  index: StreamStore,
  segments: readonly Segment[],
  stream: StreamName,
  offset: number,
): Promise<number> {
  let low = 0;
  let high = segments.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const segment = segments[middle];
    const head = segment === undefined ? undefined : await readHead(index, segment);
    if (head !== undefined && (head.ends[stream] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Undefined for a file whose first line is torn, or that is gone. */
export async function readHead(index: StreamStore, segment: Segment): Promise<Head | undefined> {
  const probe = await textOf(index, segment, HEAD_PROBE_BYTES);
  const isWhole = probe.includes('\n') || probe.length < HEAD_PROBE_BYTES;
  return headOf(isWhole ? probe : await textOf(index, segment, segment.bytes));
}

function headOf(text: string): Head | undefined {
  const record = decodeLine(text.slice(0, Math.max(text.indexOf('\n'), 0)));
  return record?.kind === 'head' ? parseHead(record.data) : undefined;
}

async function recordsOf(
  index: StreamStore,
  segments: readonly Segment[],
  at: number,
): Promise<readonly JournalRecord[]> {
  const segment = segments[at];
  if (segment === undefined) return [];
  const next = segments[at + 1]?.key ?? Number.POSITIVE_INFINITY;
  return (await readIndex(index, segment)).filter((record) => record.kind !== 'head' && record.seq < next);
}

async function readIndex(index: StreamStore, segment: Segment): Promise<readonly JournalRecord[]> {
  const [name, { bytes }] = [nameOf(segment), segment];
  const last = lastReads.get(index.shelf);
  const known = last?.name === name && last.bytes === bytes ? last.records.deref() : undefined;
  if (known !== undefined) return known;
  const text = await textOf(index, segment, bytes);
  const { records } = parseIndex(text);
  if (text.length === bytes) lastReads.set(index.shelf, { name, bytes, records: new WeakRef(records) });
  return records;
}

function waitingRecords(waiting: readonly Uint8Array[]): readonly JournalRecord[] {
  return parseIndex(latin1(Buffer.concat(waiting))).records;
}

async function textOf({ files, folder }: StreamStore, segment: Segment, length: number): Promise<string> {
  const path = join(folder, nameOf(segment));
  try {
    return latin1(await files.read(path, 0, Math.min(length, segment.bytes)));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return '';
    throw new Error(`reading the journal's ${path} failed (${codeOf(error)})`, { cause: error });
  }
}

/** One byte a character. */
export function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}
