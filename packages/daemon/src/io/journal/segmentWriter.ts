/**
 * Writes one series of files: one write in flight, a new file at `segmentBytes`, a sync when 64 KiB wait for one or
 * when asked, and after every fault a new file in which everything is written again that no sync has confirmed.
 *
 * A sync runs beside the writes: it may take a second on a card, and bytes that wait for it in memory would be lost if the
 * process was killed, while those that were written are safe with the system (S02).
 *
 * A failed sync is never repeated on the same file: the kernel may have thrown the pages away and then report success
 * (https://lwn.net/Articles/752063/). A file that somebody cut or moved is noticed by its size after each write and by its
 * inode before each sync (S07).
 */
import { join } from 'node:path';
import { segmentName } from '../../core/journal/names.ts';
import { nameOf, type Segment } from '../../core/journal/shelf.ts';
import { ChunkQueue } from './chunkQueue.ts';
import { type AppendFile, codeOf } from './files.ts';
import type { Fault, WriterEvents, WriterOptions } from './writerOptions.ts';

/** Written and not synced, in bytes, before a sync is made without waiting for the second to end. */
export const SYNC_BYTES = 64 * 1024;
/** Most bytes in one write: a fast disk's share of a flood, and what a slow one may have to write twice. */
const WRITE_BYTES = 1024 * 1024;

interface OpenSegment {
  readonly file: AppendFile;
  readonly key: number;
  readonly path: string;
  /** Its own first lines, which are written again in the next file. */
  readonly headBytes: number;
  bytes: number;
  /** A sync of it succeeded with something in it. */
  isKept: boolean;
}

/** Stands for a foreign hand among the codes of the system: the file is no longer the one we opened. */
export const FOREIGN_CODE = 'ESTALE';

/** Our file was cut short or its name leads elsewhere. */
class ForeignHand extends Error {}

export class SegmentWriter {
  readonly #options: WriterOptions;
  readonly #events: WriterEvents;
  readonly queue: ChunkQueue;
  #segment: OpenSegment | undefined;
  #fault: Fault | undefined;
  /** Nothing is tried until `retry`. */
  #isWaiting = false;
  #isSyncWanted = false;
  #isRunning = false;
  #run: Promise<void> = Promise.resolve();
  #syncing: Promise<void> | undefined;
  #syncFailure: { readonly error: unknown; readonly path: string } | undefined;
  #operation: Fault['operation'] = 'open';
  #path = '';

  constructor(options: WriterOptions, events: WriterEvents) {
    this.#options = options;
    this.#events = events;
    this.queue = new ChunkQueue(options.series !== 'index');
  }

  get fault(): Fault | undefined {
    return this.#fault;
  }

  /** Bytes wait that only `retry` can bring to the disk. */
  get isWaiting(): boolean {
    return this.#isWaiting && this.queue.bytes > 0;
  }

  get isDirty(): boolean {
    return this.queue.bytes > 0;
  }

  /** Makes the file that the next byte goes to, so that it can be written without waiting. Never rejects. */
  async prepare(key: number): Promise<void> {
    await this.#run;
    if (this.#segment !== undefined) return;
    this.#isRunning = true;
    this.#run = this.#attempt(() => this.#open(key)).finally(() => {
      this.#isRunning = false;
    });
    await this.#run;
    this.#start();
  }

  /** Takes a copy and starts the write, if none is under way, before it returns. */
  append(key: number, bytes: Uint8Array): void {
    if (this.queue.bytes === 0) this.#isWaiting = false;
    this.queue.push(key, bytes);
    this.#start();
  }

  /** Resolves when everything so far is on the disk, or could not be brought there. Never rejects. */
  async sync(): Promise<void> {
    if (this.queue.bytes === 0) return;
    this.#isSyncWanted = true;
    this.#start();
    await this.#atRest();
  }

  /** Tries again after a fault. Never rejects. */
  async retry(): Promise<void> {
    this.#isWaiting = false;
    await this.sync();
  }

  /** Syncs, closes, and removes a file that stayed empty. Never rejects. */
  async close(): Promise<void> {
    await this.retry();
    // A fault at the very end gets the second attempt that a timer would have given it.
    if (this.isDirty) await this.retry();
    await this.#atRest();
    await this.#attempt(() => this.#leave());
  }

  #start(): void {
    if (!this.#isRunning) this.#run = this.#work();
  }

  async #work(): Promise<void> {
    this.#isRunning = true;
    while (this.#hasWork()) await this.#attempt(() => this.#step());
    this.#isRunning = false;
  }

  async #atRest(): Promise<void> {
    await this.#run;
    while (this.#syncing !== undefined) {
      await this.#syncing;
      await this.#run;
    }
  }

  #hasWork(): boolean {
    if (this.#syncFailure !== undefined) return true;
    if (this.#isWaiting) return false;
    return this.queue.unwrittenBytes > 0 || this.#isSyncDue();
  }

  #isSyncDue(): boolean {
    if (this.#syncing !== undefined) return false;
    const { dirtyBytes } = this.queue;
    return (
      dirtyBytes >= SYNC_BYTES || (this.#isSyncWanted && dirtyBytes > 0 && this.queue.next === undefined)
    );
  }

  async #step(): Promise<void> {
    const segment = this.#segment;
    const next = this.queue.next;
    if (this.#syncFailure !== undefined) throw this.#syncFailure.error;
    if (segment !== undefined && this.#isSyncDue()) return this.#beginSync(segment);
    if (segment === undefined) return this.#open(next?.key ?? 0);
    if (next !== undefined && this.#isFull(segment, next)) return this.#leave();
    return this.#write(segment);
  }

  #isFull(segment: OpenSegment, next: { key: number; bytes: number; startsFile: boolean }): boolean {
    if (next.startsFile && next.key !== segment.key) return true;
    return segment.bytes > segment.headBytes && segment.bytes + next.bytes > this.#options.segmentBytes;
  }

  async #open(key: number): Promise<void> {
    const { files, folder, series } = this.#options;
    const path = this.#begin('open', join(folder, segmentName(series, key)));
    const file = await files.create(path).catch(async (error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
      // What has the name is a file of ours that proved worthless, or planted: nothing that was read is in it.
      await files.rename(path, `${path}.suspect`);
      return files.create(path);
    });
    const head = this.#options.head?.(key);
    const segment: OpenSegment = { file, key, path, headBytes: head?.length ?? 0, bytes: 0, isKept: false };
    this.#segment = segment;
    this.#events.created({ series, key, bytes: 0 });
    if (head === undefined) return;
    this.#begin('write', path);
    for (let done = 0; done < head.length; ) done += await file.append([head.subarray(done)]);
    segment.bytes = head.length;
  }

  async #write(segment: OpenSegment): Promise<void> {
    this.#begin('write', segment.path);
    const room = this.#options.segmentBytes - segment.bytes;
    const written = await segment.file.append(this.queue.batch(Math.min(room, WRITE_BYTES)));
    this.queue.wrote(written);
    segment.bytes += written;
    if ((await segment.file.size()) !== segment.bytes) throw new ForeignHand('size');
    this.#events.grew(this.#described(segment));
  }

  /** What failed is thrown by the next step: nobody may leave the file while a write to it is under way. */
  #beginSync(segment: OpenSegment): void {
    const { path } = segment;
    const fail = (error: unknown) => {
      this.#syncFailure = { error, path };
    };
    this.#syncing = this.#sync(segment)
      .catch(fail)
      .finally(() => {
        this.#syncing = undefined;
        this.#start();
      });
  }

  async #sync(segment: OpenSegment): Promise<void> {
    this.#begin('sync', segment.path);
    // What comes meanwhile waits for the next one, which nobody has asked for yet.
    if (this.queue.next === undefined) this.#isSyncWanted = false;
    const pieces = this.queue.writtenPieces;
    if (!(await segment.file.isInPlace())) throw new ForeignHand('place');
    await segment.file.sync();
    segment.isKept = true;
    this.queue.synced(pieces);
    if (this.#fault === undefined) return;
    this.#fault = undefined;
    this.#events.changed();
  }

  /** Ends the file in good order. */
  async #leave(): Promise<void> {
    const segment = this.#segment;
    if (segment === undefined) return;
    await this.#syncing;
    if (this.#syncFailure !== undefined) throw this.#syncFailure.error;
    if (this.queue.dirtyBytes > 0) await this.#sync(segment);
    this.#segment = undefined;
    await segment.file.close().catch(() => undefined);
    if (segment.bytes > 0) return;
    await this.#options.files.remove(segment.path).catch(() => undefined);
    this.#events.withdrew(this.#described(segment), segment.key);
  }

  #begin(operation: Fault['operation'], path: string): string {
    this.#operation = operation;
    this.#path = path;
    return path;
  }

  async #attempt(action: () => Promise<void>): Promise<void> {
    const wasFaulty = this.#fault !== undefined;
    try {
      await action();
    } catch (thrown) {
      await this.#syncing;
      const failure = this.#syncFailure;
      this.#syncFailure = undefined;
      const error = failure === undefined ? thrown : failure.error;
      const isForeign = error instanceof ForeignHand;
      const fault: Fault = {
        operation: failure === undefined ? this.#operation : 'sync',
        path: failure?.path ?? this.#path,
        code: isForeign ? FOREIGN_CODE : codeOf(error),
      };
      await this.#abandon(fault, isForeign);
      this.#isSyncWanted = true;
      this.#fault = fault;
      // A first failed sync, and a foreign hand, are answered with a new file at once; everything else waits for a while.
      this.#isWaiting = wasFaulty || !(isForeign || fault.operation === 'sync');
      this.#events.changed();
    }
  }

  /** Leaves the file for good; what it holds without a sync is written again in the next one. */
  async #abandon(fault: Fault, isForeign: boolean): Promise<void> {
    const segment = this.#segment;
    this.#segment = undefined;
    if (segment === undefined) return;
    const { files } = this.#options;
    if (fault.operation === 'write' && !isForeign && this.queue.dirtyBytes > 0) {
      // A full disk: what is in the file may well be synced, and need not be written again.
      await segment.file.sync().then(
        () => {
          segment.isKept = true;
          this.queue.synced(this.queue.writtenPieces);
        },
        () => undefined,
      );
    }
    this.queue.rollBack();
    await segment.file.close().catch(() => undefined);
    const lostTo = isForeign && segment.isKept ? (this.queue.firstKey ?? segment.key) : segment.key;
    if (fault.operation === 'sync' && !isForeign)
      this.#events.suspected(nameOf(this.#described(segment)), fault.code);
    if (segment.isKept && !isForeign) return;
    const isEvidence = isForeign || fault.operation === 'sync';
    await (isEvidence
      ? files.rename(segment.path, `${segment.path}.suspect`)
      : files.remove(segment.path)
    ).catch(() => undefined);
    this.#events.withdrew(this.#described(segment), lostTo);
  }

  #described(segment: OpenSegment): Segment {
    return { series: this.#options.series, key: segment.key, bytes: segment.bytes };
  }
}
