/**
 * Reads a journal's folder at start: names and sizes of all files, and the newest index file; never a data file. Lines that are
 * torn or flipped are copied to NAME.damaged; the file itself stays as it is (every reader skips them) and is never
 * written to again, so that what is said here is said once.
 */
import { join } from 'node:path';
import { parseSegmentName, type Series, STREAMS } from '../../core/journal/names.ts';
import { type DamagedRange, type JournalRecord, parseIndex } from '../../core/journal/records.ts';
import { type Recovery, recover } from '../../core/journal/recover.ts';
import { nameOf, type Segment, Shelf } from '../../core/journal/shelf.ts';
import { codeOf, type FileEntry, type Files } from './files.ts';
import type { Recovered } from './journalOptions.ts';
import { latin1 } from './recordsReader.ts';

export interface RecoveredFolder {
  readonly recovery: Recovery;
  readonly shelves: Readonly<Record<Series, Shelf>>;
  /** For people. */
  readonly notes: readonly string[];
  /** Paths of the files made for damaged lines. */
  readonly setAside: readonly string[];
  /** Evidence of this and earlier starts: the first to go when room is needed. */
  readonly evidence: readonly FileEntry[];
}

/** The largest block of a file system, in bytes. */
const MAX_TORN_BYTES = 65_536;

const EVIDENCE = /\.(damaged|suspect)$/;

export interface RecoveryOptions {
  /** For a journal that does not know its own. */
  readonly freshEpoch: string;
  /** Of the machine, as records have it. */
  readonly boot: string;
}

/** Rejects when the folder cannot be listed. */
export async function recoverFolder(
  files: Files,
  folder: string,
  { freshEpoch, boot }: RecoveryOptions,
): Promise<RecoveredFolder> {
  const entries = await files.list(folder);
  const shelves = {
    out: shelfOf(entries, 'out'),
    err: shelfOf(entries, 'err'),
    index: shelfOf(entries, 'index'),
  };
  const notes: string[] = [];
  const setAside: string[] = [];
  let records: readonly JournalRecord[] = [];
  let hasDamage = false;
  for (const segment of shelves.index.segments.toReversed()) {
    const path = join(folder, nameOf(segment));
    const bytes = await files.read(path, 0, segment.bytes).catch((error: unknown) => {
      notes.push(`${path} cannot be read (${codeOf(error)}): what it told is taken from the files before it`);
      hasDamage = true;
      return new Uint8Array(0);
    });
    const parsed = parseIndex(latin1(bytes));
    const older = parsed.records.filter(
      (record) => record.seq < (records[0]?.seq ?? Number.POSITIVE_INFINITY),
    );
    records = [...older, ...records];
    hasDamage ||= parsed.damaged.length > 0 || segment.bytes === 0;
    if (segment.bytes === 0) notes.push(`${path} is empty: what it told is taken from the files before it`);
    if (parsed.damaged.length > 0) await copyDamaged(path, bytes, parsed.damaged);
    if (parsed.records[0]?.kind === 'head') break;
  }
  const newestIndexKey = shelves.index.segments.at(-1)?.key ?? -1;
  const last = records.at(-1);
  // While the machine runs on, what was written stays as it was written: NULs at the end are a line's padding.
  if (last?.kind !== 'closed' && last?.boot !== boot) {
    for (const stream of STREAMS) await setTornAside(files, folder, shelves[stream]);
  }
  const recovery = recover({ records, newestIndexKey, shelves, freshEpoch, hasDamage });
  if (recovery.isRebuilt) {
    notes.push(
      `${folder} has no index that can be read: times, readers and marks of its bytes are lost, the bytes are not`,
    );
  }
  for (const { stream, from, to } of recovery.lost) {
    notes.push(
      `${folder}: ${to - from} bytes of ${stream} from offset ${from} on were lost when the last run ended`,
    );
  }
  const evidence = entries.filter((entry) => EVIDENCE.test(entry.name));
  return { recovery, shelves, notes, setAside, evidence };

  async function copyDamaged(
    path: string,
    bytes: Uint8Array,
    ranges: readonly DamagedRange[],
  ): Promise<void> {
    const target = `${path}.damaged`;
    const size = ranges.reduce((sum, { from, to }) => sum + to - from, 0);
    try {
      const copy = await files.create(target);
      for (const { from, to } of ranges) await copy.append([bytes.subarray(from, to)]);
      await copy.sync();
      await copy.close();
    } catch (error) {
      // A start that was interrupted behind this line had made the copy, and had said so.
      if (codeOf(error) !== 'EEXIST') notes.push(`${target} cannot be written (${codeOf(error)})`);
      return;
    }
    setAside.push(target);
    notes.push(`${path}: ${size} bytes are torn or flipped; they are skipped, a copy is ${target}`);
  }
}

/**
 * A power cut may leave a file longer than what was written to it: its size was on the disk before its last block was, and the
 * rest reads as NULs. They are taken for lost. The stream had come so far all the same.
 */
async function setTornAside(files: Files, folder: string, shelf: Shelf): Promise<void> {
  const newest = shelf.segments.findLast(({ bytes }) => bytes > 0);
  if (newest === undefined) return;
  const end = newest.key + newest.bytes;
  const from = Math.max(newest.bytes - MAX_TORN_BYTES, 0);
  const tail = await files
    .read(join(folder, nameOf(newest)), from, newest.bytes - from)
    .catch(() => undefined);
  const torn = tail === undefined ? 0 : tail.length - 1 - tail.findLastIndex((byte) => byte !== 0);
  if (torn === 0) return;
  shelf.put({ ...newest, bytes: newest.bytes - torn });
  // Like an empty file, which also tells how far the stream had come.
  shelf.put({ series: newest.series, key: end, bytes: 0 });
}

function shelfOf(entries: readonly FileEntry[], series: Series): Shelf {
  const segments: Segment[] = [];
  for (const { name, bytes } of entries) {
    const parsed = parseSegmentName(name);
    if (parsed?.series === series) segments.push({ ...parsed, bytes });
  }
  return new Shelf(segments);
}

/** What the caller gets to know, as it is now. */
export function toRecovered({ recovery, shelves, notes, setAside }: RecoveredFolder): Recovered {
  const { isNew, ends, lastWallMs, wasClean } = recovery;
  const { epoch, last } = recovery.ledger.head();
  const oldest = { out: shelves.out.oldest ?? ends.out, err: shelves.err.oldest ?? ends.err };
  return { isNew, epoch, ends, oldest, last, notes, setAside, lastWallMs, wasClean };
}
