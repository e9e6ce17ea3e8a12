/**
 * What a start makes of the files it finds: how far each stream had come, what is missing, what to say. Pure; the files
 * themselves are read by io/journal/recovery.ts.
 *
 * The index is believed about how far a stream had come, the segments about which bytes are there. Bytes behind the
 * last record are valid output. Bytes that the index knows and no segment has are a gap. The end is the highest that
 * anything tells, so that no offset is given out twice.
 */
import { type Ends, type Head, Ledger, parseHead } from './head.ts';
import { STREAMS, type StreamName } from './names.ts';
import { isCount, isObject, type JournalRecord } from './records.ts';
import { Shelf } from './shelf.ts';

export interface Found {
  /** Valid records of the index files that were read, oldest first: back to the newest file with a valid head. */
  readonly records: readonly JournalRecord[];
  /** Largest key of an index file, -1 without one. */
  readonly newestIndexKey: number;
  readonly shelves: Readonly<Record<StreamName, Shelf>>;
  /** For a journal whose epoch is not known. */
  readonly freshEpoch: string;
  readonly hasDamage: boolean;
}

export interface LostStretch {
  readonly stream: StreamName;
  readonly from: number;
  readonly to: number;
}

export interface Recovery {
  readonly ledger: Ledger;
  /** No file at all was there. */
  readonly isNew: boolean;
  /** No index told the epoch, though bytes were there. */
  readonly isRebuilt: boolean;
  readonly wasClean: boolean;
  readonly nextSeq: number;
  readonly ends: Readonly<Record<StreamName, number>>;
  readonly lost: readonly LostStretch[];
  readonly lastWallMs: number | undefined;
}

export function recover(found: Found): Recovery {
  const headRecord = found.records.find((record) => headOf(record) !== undefined);
  const head = headRecord === undefined ? undefined : headOf(headRecord);
  const birth = found.records.find((record) => record.kind === 'birth');
  const ledger = new Ledger(head ?? emptyHead(found.freshEpoch));
  let seq = Math.max(found.newestIndexKey - 1, -1);
  for (const record of found.records) {
    seq = Math.max(seq, record.seq);
    // A head's own number is that of the record behind it, and what it repeats is older or newer than that.
    const repeated = headOf(record);
    if (repeated === undefined) ledger.note(record);
    else absorb(ledger, repeated);
  }
  for (const record of ledger.head().last) seq = Math.max(seq, record.seq);
  const ends = endsOf(found.shelves, ledger.head().ends);
  const lost = STREAMS.flatMap((stream) => lostOf(stream, found.shelves[stream], ends[stream], ledger));
  for (const stream of STREAMS) if (ends[stream] > 0) ledger.reach(stream, ends[stream]);
  const hasFiles =
    found.newestIndexKey >= 0 || STREAMS.some((name) => found.shelves[name].segments.length > 0);
  const newest = found.records.at(-1);
  return {
    ledger,
    isNew: !hasFiles,
    isRebuilt: hasFiles && head === undefined && birth === undefined,
    wasClean: !found.hasDamage && newest?.kind === 'closed',
    nextSeq: seq + 1,
    ends,
    lost,
    lastWallMs: newest?.wallMs,
  };
}

export function emptyHead(epoch: string): Head {
  return { epoch, ends: {}, gapBytes: 0, deletedBytes: {}, last: [] };
}

function headOf(record: JournalRecord): Head | undefined {
  return record.kind === 'head' ? parseHead(record.data) : undefined;
}

function absorb(ledger: Ledger, head: Head): void {
  for (const stream of STREAMS) ledger.reach(stream, head.ends[stream] ?? 0);
  // Only what is new to the ledger: `note` adds up gaps.
  for (const record of head.last) {
    if ((ledger.last(record.kind, record.stream)?.seq ?? -1) < record.seq) ledger.note(record);
  }
}

function endsOf(shelves: Found['shelves'], known: Ends): Record<StreamName, number> {
  return {
    out: Math.max(shelves.out.end, known.out ?? 0),
    err: Math.max(shelves.err.end, known.err ?? 0),
  };
}

/**
 * What came and is neither stored nor already told to be missing: at the end, where the index was ahead of the data, and
 * before that where a gap had been seen and its record was lost.
 */
function lostOf(stream: StreamName, shelf: Shelf, end: number, ledger: Ledger): readonly LostStretch[] {
  const told = Math.max(toOf(ledger.last('gap', stream)), toOf(ledger.last('tombstone', stream)));
  return shelf.holes(Math.max(told, shelf.oldest ?? 0), end).map((hole) => ({ stream, ...hole }));
}

function toOf(record: JournalRecord | undefined): number {
  const to = isObject(record?.data) ? record.data.to : undefined;
  return isCount(to) ? to : 0;
}
