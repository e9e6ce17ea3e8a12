/**
 * A journal that nobody writes any more, to be read: nothing is made, opened or changed, and it costs a look at the names in its
 * folder. What was left out of it is not known without its index, and counts as nothing.
 */
import { closeSync, constants, lstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { parseSegmentName, type Series, type StreamName } from '../../core/journal/names.ts';
import type { JournalRecord } from '../../core/journal/records.ts';
import { type Hole, nameOf, type Segment, Shelf } from '../../core/journal/shelf.ts';
import { holesOf, readStream, type StoredBytes, type StreamStore } from './bytesReader.ts';
import { ChunkQueue } from './chunkQueue.ts';
import { nodeFiles } from './files.ts';
import type { JournalStatus, StreamStatus } from './journalOptions.ts';
import { type RecordQuery, readRecords } from './recordsReader.ts';

const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export class ClosedJournal {
  readonly status: JournalStatus;
  readonly #folder: string;
  readonly #shelves: Readonly<Record<Series, Shelf>>;

  /** A folder that is not there, or cannot be listed, is an empty journal. */
  constructor(folder: string) {
    this.#folder = folder;
    const segments = segmentsIn(folder);
    const shelfOf = (series: Series) => new Shelf(segments.filter((segment) => segment.series === series));
    this.#shelves = { out: shelfOf('out'), err: shelfOf('err'), index: shelfOf('index') };
    const { out, err } = this.#shelves;
    this.status = {
      storage: 'ok',
      streams: { out: statusOf(out), err: statusOf(err) },
      gapBytes: 0,
      segments: out.segments.length + err.segments.length,
      bytes: segments.reduce((sum, { bytes }) => sum + bytes, 0),
    };
  }

  read(stream: StreamName, start: number, end: number): Promise<StoredBytes> {
    return readStream(this.#store(stream), start, Math.min(end, this.status.streams[stream].end));
  }

  /** What of `[start, end)` is not stored, deleted bytes included. */
  holes(stream: StreamName, start: number, end: number): readonly Hole[] {
    return holesOf(this.#store(stream), start, Math.min(end, this.status.streams[stream].end));
  }

  records(query: RecordQuery = {}): AsyncGenerator<JournalRecord, void> {
    return readRecords(this.#store('index'), query);
  }

  async checkpointBefore(stream: StreamName, offset: number): Promise<JournalRecord | undefined> {
    const query: RecordQuery = { stream, kinds: ['checkpoint'], toOffset: offset, reverse: true, limit: 1 };
    for await (const record of this.records(query)) return record;
    return undefined;
  }

  /** Bytes from `start` on, at once: a ring's worth. Those that are not there are NULs. */
  bytesFrom(stream: StreamName, start: number): Uint8Array {
    const { end } = this.status.streams[stream];
    const bytes = new Uint8Array(Math.max(end - start, 0));
    const shelf = this.#shelves[stream];
    for (let stretch = shelf.stretchAt(start); stretch !== undefined; ) {
      const { segment, from, to } = stretch;
      readInto(
        bytes.subarray(from - start, to - start),
        join(this.#folder, nameOf(segment)),
        from - segment.key,
      );
      stretch = to < end ? shelf.stretchAt(to) : undefined;
    }
    return bytes;
  }

  #store(series: Series): StreamStore {
    const queue = new ChunkQueue(series !== 'index');
    return { files: nodeFiles, folder: this.#folder, shelf: this.#shelves[series], queue };
  }
}

function segmentsIn(folder: string): readonly Segment[] {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names.flatMap((name) => {
    const parsed = parseSegmentName(name);
    const stat = parsed && lstatSync(join(folder, name), { throwIfNoEntry: false });
    return parsed !== undefined && stat?.isFile() === true ? [{ ...parsed, bytes: stat.size }] : [];
  });
}

function statusOf(shelf: Shelf): StreamStatus {
  const { end } = shelf;
  return { end, writtenEnd: end, syncedEnd: end, oldest: shelf.oldest ?? end };
}

function readInto(target: Uint8Array, path: string, position: number): void {
  let fd: number;
  try {
    fd = openSync(path, READ);
  } catch {
    return; // removed meanwhile
  }
  try {
    for (let done = 0; done < target.length; ) {
      const read = readSync(fd, target, done, target.length - done, position + done);
      if (read === 0) return;
      done += read;
    }
  } catch {
    // what cannot be read is not there
  } finally {
    closeSync(fd);
  }
}
