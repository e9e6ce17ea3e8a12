/**
 * The journal of one channel: every data byte of its streams and what happened, in one folder, for ever.
 *
 * The format: file names in core/journal/names.ts, records in core/journal/records.ts, heads in core/journal/head.ts,
 * what a start makes of it in core/journal/recover.ts. Each start begins new files and never writes to old ones.
 *
 * Nothing here makes a caller wait for the disk or throws its faults at it: bytes and records are copied into bounded
 * queues, `status` and `onStorage` tell what fails. At rest there are no timers and no writes (S11).
 */
import { randomUUID } from 'node:crypto';
import type { Gap } from '../../core/journal/intake.ts';
import { type Series, STREAMS, type StreamName } from '../../core/journal/names.ts';
import type { CallerKind, JournalRecord, RecordData } from '../../core/journal/records.ts';
import type { Hole, Segment } from '../../core/journal/shelf.ts';
import { type TimeNote, TimeNotes } from '../../core/journal/timeNotes.ts';
import { holesOf, readStream, type StoredBytes, type StreamStore } from './bytesReader.ts';
import { type Clock, momentOf, readBootId, systemClock } from './clock.ts';
import { type Files, nodeFiles } from './files.ts';
import { secureFolder } from './folder.ts';
import { IndexWriter } from './indexWriter.ts';
import {
  DEFAULT_INDEX_SEGMENT_BYTES,
  DEFAULT_QUOTA_BYTES,
  DEFAULT_SEGMENT_BYTES,
  type JournalOptions,
  type JournalStatus,
  type RecordOptions,
  type Recovered,
  SYNC_EVERY_MS,
} from './journalOptions.ts';
import { bytesOf, enforceQuota } from './quota.ts';
import { type RecordQuery, readRecords } from './recordsReader.ts';
import { type RecoveredFolder, recoverFolder, toRecovered } from './recovery.ts';
import type { SegmentWriter } from './segmentWriter.ts';
import { StorageWatch } from './storageWatch.ts';
import { StreamLog } from './streamLog.ts';
import type { WriterEvents } from './writerOptions.ts';

export interface OpenedJournal {
  readonly journal: Journal;
  readonly recovered: Recovered;
}

export class Journal implements AsyncDisposable {
  readonly #options: JournalOptions;
  readonly #files: Files;
  readonly #clock: Clock;
  readonly #found: RecoveredFolder;
  readonly #evidence: RecoveredFolder['evidence'][number][];
  readonly #notes = new TimeNotes();
  readonly #index: IndexWriter;
  readonly #streams: Readonly<Record<StreamName, StreamLog>>;
  readonly #watch: StorageWatch;
  #timer: NodeJS.Timeout | undefined;
  #isTicking = false;
  #quotaRun: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  /** Rejects only when the folder is refused (S09) or cannot be made or listed. */
  static async open(options: JournalOptions): Promise<OpenedJournal> {
    const files = options.files ?? nodeFiles;
    await secureFolder(options.folder);
    const boot = options.bootId ?? (await readBootId());
    const freshEpoch = options.freshEpoch ?? randomUUID();
    const found = await recoverFolder(files, options.folder, { freshEpoch, boot });
    const journal = new Journal(options, found, boot);
    const recovered = toRecovered(found);
    await journal.#begin();
    return { journal, recovered };
  }

  private constructor(options: JournalOptions, found: RecoveredFolder, boot: string) {
    this.#options = options;
    this.#files = options.files ?? nodeFiles;
    this.#clock = options.clock ?? systemClock;
    this.#found = found;
    this.#evidence = [...found.evidence];
    const { folder, indexSegmentBytes: segmentBytes = DEFAULT_INDEX_SEGMENT_BYTES } = options;
    const { ledger, nextSeq } = found.recovery;
    const writer = { files: this.#files, folder, segmentBytes };
    this.#index = new IndexWriter({
      writer,
      events: this.#eventsOf(),
      ledger,
      nextSeq,
      boot,
      clock: this.#clock,
    });
    this.#watch = new StorageWatch(() => this.#writers(), options.onStorage);
    this.#streams = { out: this.#streamLog('out'), err: this.#streamLog('err') };
  }

  get status(): JournalStatus {
    const { shelves } = this.#found;
    const { out, err } = this.#streams;
    const streams = { out: out.status(shelves.out.oldest), err: err.status(shelves.err.oldest) };
    return {
      ...this.#watch.status,
      streams,
      gapBytes: this.#index.ledger.head().gapBytes + out.openGapBytes + err.openGapBytes,
      segments: shelves.out.segments.length + shelves.err.segments.length,
      bytes: bytesOf({ shelves, evidence: this.#evidence }),
    };
  }

  /** Takes a copy of bytes that have come; their write starts before it returns. Does nothing after `close`. */
  append(stream: StreamName, bytes: Uint8Array): void {
    if (this.#closing !== undefined || bytes.length === 0) return;
    const log = this.#streams[stream];
    const from = log.end;
    const moment = momentOf(this.#clock);
    const closed = log.append(bytes, moment.wallMs);
    this.#index.ledger.reach(stream, log.end);
    if (closed !== undefined) this.#recordGap(stream, closed, 'queue', from);
    // While the index cannot be written, times would only push what matters more out of its queue.
    if (this.#index.writer.fault === undefined) {
      for (const note of this.#notes.arrive(stream, log.end, bytes.length, moment)) this.#recordTime(note);
    }
    this.#arm();
  }

  /**
   * Records what happened; its write starts before it returns the record's number. Throws RangeError for data over
   * MAX_RECORD_BYTES. Undefined after `close`.
   */
  record(kind: CallerKind, data: RecordData, options: RecordOptions = {}): number | undefined {
    if (this.#closing !== undefined) return undefined;
    const stream = options.stream ?? 'out';
    const offset = options.offset ?? this.#streams[stream].end;
    const moment = momentOf(this.#clock);
    for (const note of this.#notes.precede(stream, moment)) this.#recordTime(note);
    const seq = this.#index.write(kind, { stream, offset }, data, moment);
    if (options.isState === true) void this.#syncAll();
    this.#arm();
    return seq;
  }

  /** Brings everything so far to the disk. Resolves also when that failed: `status` tells. */
  async sync(): Promise<void> {
    for (const note of this.#notes.flush()) this.#recordTime(note);
    await this.#syncAll();
  }

  /** The first stored stretch in `[start, end)`, at most MAX_READ_BYTES; see readStream. */
  read(stream: StreamName, start: number, end: number): Promise<StoredBytes> {
    return readStream(this.#store(stream), start, Math.min(end, this.#streams[stream].end));
  }

  /** What of `[start, end)` is not stored, deleted bytes included. */
  holes(stream: StreamName, start: number, end: number): readonly Hole[] {
    return holesOf(this.#store(stream), start, Math.min(end, this.#streams[stream].end));
  }

  /** See readRecords. */
  records(query: RecordQuery = {}): AsyncGenerator<JournalRecord, void> {
    return readRecords(this.#store('index'), query);
  }

  /** The newest checkpoint of the stream at or before `offset`. */
  async checkpointBefore(stream: StreamName, offset: number): Promise<JournalRecord | undefined> {
    const query: RecordQuery = { stream, kinds: ['checkpoint'], toOffset: offset, reverse: true, limit: 1 };
    for await (const record of this.records(query)) return record;
    return undefined;
  }

  /** Writes and syncs what waits, marks the end as clean if that worked, closes the files. Idempotent; never rejects. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #begin(): Promise<void> {
    const { recovery } = this.#found;
    const place = { stream: 'out', offset: recovery.ends.out } as const;
    if (recovery.isNew || recovery.isRebuilt)
      this.#index.write('birth', place, { epoch: recovery.ledger.epoch });
    const wallMs = this.#clock.wallMs();
    for (const { stream, from, to } of recovery.lost) {
      const gap = { from, to, fromWallMs: recovery.lastWallMs ?? wallMs, toWallMs: wallMs };
      this.#recordGap(stream, gap, 'unclean', to);
    }
    this.#index.write('open', place);
    await this.#index.writer.sync();
    await this.#streams.out.writer.prepare(this.#streams.out.end);
    await this.#enforceQuota();
    this.#arm();
  }

  async #end(): Promise<void> {
    clearTimeout(this.#timer);
    for (const note of this.#notes.flush()) this.#recordTime(note);
    const wallMs = this.#clock.wallMs();
    for (const stream of STREAMS) {
      const gap = this.#streams[stream].closeGap(wallMs);
      if (gap !== undefined) this.#recordGap(stream, gap, 'queue', gap.to);
    }
    const logs = STREAMS.map((stream) => this.#streams[stream].writer);
    await Promise.all([...logs, this.#index.writer].map((writer) => writer.retry()));
    await this.#quotaRun;
    const isClean = logs.every((writer) => !writer.isDirty);
    if (isClean) this.#index.write('closed', { stream: 'out', offset: this.#streams.out.end });
    await Promise.all([...logs, this.#index.writer].map((writer) => writer.close()));
  }

  #streamLog(stream: StreamName): StreamLog {
    const { folder, segmentBytes = DEFAULT_SEGMENT_BYTES, queueBytes } = this.#options;
    const writer = { files: this.#files, folder, segmentBytes };
    const end = this.#found.recovery.ends[stream];
    return new StreamLog({ stream, writer, events: this.#eventsOf(), end, queueBytes });
  }

  #eventsOf(): WriterEvents {
    const { shelves } = this.#found;
    return {
      created: (segment) => {
        shelves[segment.series].put(segment);
        void this.#enforceQuota();
      },
      grew: (segment) => shelves[segment.series].put(segment),
      withdrew: (segment, lostTo) => this.#handleWithdrawn(segment, lostTo),
      suspected: (file, code) => {
        this.#index.write('suspect', { stream: 'out', offset: this.#streams.out.end }, { file, code });
      },
      changed: () => this.#watch.tell(),
    };
  }

  #handleWithdrawn({ series, key }: Segment, lostTo: number): void {
    this.#found.shelves[series].remove(key);
    const stream = STREAMS.find((name) => name === series);
    if (stream === undefined || lostTo <= key) return;
    const wallMs = this.#clock.wallMs();
    const gap = { from: key, to: lostTo, fromWallMs: wallMs, toWallMs: wallMs };
    this.#recordGap(stream, gap, 'foreign', lostTo);
  }

  #recordGap(stream: StreamName, gap: Gap, reason: string, offset: number): void {
    this.#index.write('gap', { stream, offset: Math.max(offset, gap.to) }, { ...gap, reason });
  }

  #recordTime(note: TimeNote): void {
    this.#index.write('time', note, undefined, note);
  }

  #writers(): readonly SegmentWriter[] {
    return [this.#streams.out.writer, this.#streams.err.writer, this.#index.writer];
  }

  async #syncAll(): Promise<void> {
    await Promise.all(this.#writers().map((writer) => writer.sync()));
  }

  /** One timer for syncs and new attempts, and none when nothing waits. */
  #arm(): void {
    if (this.#timer !== undefined || this.#isTicking || this.#closing !== undefined) return;
    if (!this.#notes.isWaiting && this.#writers().every((writer) => !writer.isDirty)) return;
    this.#timer = setTimeout(() => void this.#tick(), SYNC_EVERY_MS).unref();
  }

  async #tick(): Promise<void> {
    this.#timer = undefined;
    this.#isTicking = true;
    for (const note of this.#notes.flush()) this.#recordTime(note);
    await Promise.all(this.#writers().map((writer) => writer.retry()));
    this.#isTicking = false;
    this.#arm();
  }

  #enforceQuota(): Promise<void> {
    const { quotaBytes = DEFAULT_QUOTA_BYTES, keepFreeBytes = 0 } = this.#options;
    const ends = { out: this.#streams.out.end, err: this.#streams.err.end };
    const { shelves } = this.#found;
    const store = { index: this.#store('index'), shelves, ends, evidence: this.#evidence };
    this.#quotaRun ??= enforceQuota(store, { quotaBytes, keepFreeBytes }, (stream, from, to) => {
      const bytes = (this.#index.ledger.head().deletedBytes[stream] ?? 0) + to - from;
      this.#index.write('tombstone', { stream, offset: this.#streams[stream].end }, { from, to, bytes });
      this.#arm();
    })
      .then(() => this.#watch.setQuotaFault(undefined))
      .catch((error: unknown) => this.#watch.setQuotaFault(String(error)))
      .finally(() => {
        this.#quotaRun = undefined;
      });
    return this.#quotaRun;
  }

  #store(series: Series): StreamStore {
    const { writer } = series === 'index' ? this.#index : this.#streams[series];
    return {
      files: this.#files,
      folder: this.#options.folder,
      shelf: this.#found.shelves[series],
      queue: writer.queue,
    };
  }
}
