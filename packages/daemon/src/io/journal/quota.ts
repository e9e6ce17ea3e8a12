/**
 * Keeps the journal within its share of the disk: whole oldest files go, newest index files and the files being written stay
 * (S08). By order alone, no clock is asked (S10).
 */
import { join } from 'node:path';
import { type Series, STREAMS, type StreamName } from '../../core/journal/names.ts';
import { nameOf, nextToDelete, type Segment, type Shelf } from '../../core/journal/shelf.ts';
import type { StreamStore } from './bytesReader.ts';
import { codeOf, type FileEntry } from './files.ts';
import { readHead } from './recordsReader.ts';

export interface QuotaOptions {
  /** Most bytes of all files of the journal together; those being written may exceed it. */
  readonly quotaBytes: number;
  /** Free bytes on the file system below which the oldest files go; 0: never looked at. */
  readonly keepFreeBytes: number;
}

export interface QuotaStore {
  readonly index: StreamStore;
  readonly shelves: Readonly<Record<Series, Shelf>>;
  readonly ends: Readonly<Record<StreamName, number>>;
  /** Emptied here. */
  readonly evidence: FileEntry[];
}

/** Deletes what is too much. `gone` is called behind every data file. Rejects when a file cannot be deleted. */
export async function enforceQuota(
  store: QuotaStore,
  options: QuotaOptions,
  gone: (stream: StreamName, from: number, to: number) => void,
): Promise<void> {
  const { files, folder } = store.index;
  while (await isTooMuch(store, options)) {
    const evidence = store.evidence.shift();
    if (evidence !== undefined) {
      await remove(evidence.name);
      continue;
    }
    const segment = nextToDelete([store.shelves.out, store.shelves.err]);
    if (segment !== undefined) await removeData(segment);
    else if (store.shelves.index.segments.length > 1) await removeIndex();
    else return;
  }

  async function remove(name: string): Promise<void> {
    await files.remove(join(folder, name)).catch((error: unknown) => {
      // Somebody else was faster.
      if (codeOf(error) !== 'ENOENT') throw error;
    });
  }

  async function removeData(segment: Segment): Promise<void> {
    const stream = STREAMS.find((name) => name === segment.series);
    if (stream === undefined) return;
    const shelf = store.shelves[stream];
    const to = Math.min(segment.key + segment.bytes, shelf.segments[1]?.key ?? Number.POSITIVE_INFINITY);
    await remove(nameOf(segment));
    shelf.remove(segment.key);
    if (to > segment.key) gone(stream, segment.key, to);
    await removeOutlivedIndex();
  }

  /** An index file tells about bytes before the next one's head; when these are all gone, so may it be. */
  async function removeOutlivedIndex(): Promise<void> {
    for (let second = secondIndex(); second !== undefined; second = secondIndex()) {
      const head = await readHead(store.index, second);
      const isOutlived = STREAMS.every(
        (name) => (head?.ends[name] ?? 0) <= (store.shelves[name].oldest ?? store.ends[name]),
      );
      if (head === undefined || !isOutlived) return;
      await removeIndex();
    }
  }

  function secondIndex(): Segment | undefined {
    return store.shelves.index.segments[1];
  }

  async function removeIndex(): Promise<void> {
    const oldest = store.shelves.index.segments[0];
    if (oldest === undefined) return;
    await remove(nameOf(oldest));
    store.shelves.index.remove(oldest.key);
  }
}

async function isTooMuch(store: QuotaStore, options: QuotaOptions): Promise<boolean> {
  if (bytesOf(store) > options.quotaBytes) return true;
  if (options.keepFreeBytes === 0) return false;
  return (await store.index.files.freeBytes(store.index.folder)) < options.keepFreeBytes;
}

export function bytesOf(store: Pick<QuotaStore, 'shelves' | 'evidence'>): number {
  const { out, err, index } = store.shelves;
  const evidence = store.evidence.reduce((sum, entry) => sum + entry.bytes, 0);
  return out.bytes + err.bytes + index.bytes + evidence;
}
