/** What a journal is opened with, what a start tells, and how it stands. */
import type { StreamName } from '../../core/journal/names.ts';
import type { JournalRecord } from '../../core/journal/records.ts';
import type { Clock } from './clock.ts';
import type { Files } from './files.ts';

export const DEFAULT_SEGMENT_BYTES = 16 * 1024 * 1024;
/** An index file is read as a whole at start: a millisecond's work. */
export const DEFAULT_INDEX_SEGMENT_BYTES = 1024 * 1024;
export const DEFAULT_QUOTA_BYTES = 1024 * 1024 * 1024;
/** From the first byte that is not on the disk to its sync, and between two attempts at a disk that fails, in ms. */
export const SYNC_EVERY_MS = 1_000;

export interface JournalOptions {
  /** Of one channel; made with mode 0700 when missing. */
  readonly folder: string;
  /** For a journal that does not know its own; random by default. */
  readonly freshEpoch?: string;
  /** Size at which a new data file begins. */
  readonly segmentBytes?: number;
  readonly indexSegmentBytes?: number;
  /** Most bytes of all files together; the oldest go first. */
  readonly quotaBytes?: number;
  /** Free bytes of the file system below which the oldest files go; 0, the default: never looked at. */
  readonly keepFreeBytes?: number;
  /** Of one stream, that wait for the disk. */
  readonly queueBytes?: number;
  /** Told whenever `storage` or its detail changes. */
  readonly onStorage?: (status: StorageStatus) => void;
  readonly files?: Files;
  readonly clock?: Clock;
  /** Read from the system by default. */
  readonly bootId?: string;
}

export interface StorageStatus {
  /** `degraded`: something cannot be written; it is kept in memory and tried again every second. */
  readonly storage: 'ok' | 'degraded';
  /** What failed, on which path, with which code. */
  readonly detail?: string;
}

export interface StreamStatus {
  /** Offset behind the last byte that came. */
  readonly end: number;
  /** Offset behind the last byte that a file has. */
  readonly writtenEnd: number;
  /** Offset behind the last byte that outlives a power cut. */
  readonly syncedEnd: number;
  readonly oldest: number;
}

export interface JournalStatus extends StorageStatus {
  readonly streams: Readonly<Record<StreamName, StreamStatus>>;
  /** Bytes of all streams that came and are not stored, since the journal's birth. */
  readonly gapBytes: number;
  /** Data files. */
  readonly segments: number;
  /** Of all files. */
  readonly bytes: number;
}

export interface Recovered {
  /** This start made the journal. */
  readonly isNew: boolean;
  readonly epoch: string;
  readonly ends: Readonly<Record<StreamName, number>>;
  /** Offset of the oldest stored byte; the end where there is none. */
  readonly oldest: Readonly<Record<StreamName, number>>;
  /** The newest record of every kind that tells how things stand, for each stream, in order. */
  readonly last: readonly JournalRecord[];
  /** What people should know about what was found; not said again by the next start. */
  readonly notes: readonly string[];
  /** Paths of copies of what was damaged. */
  readonly setAside: readonly string[];
  /** Of the newest record; undefined without one. */
  readonly lastWallMs: number | undefined;
  /** The last run closed the journal. A new journal is not. */
  readonly wasClean: boolean;
}

export interface RecordOptions {
  readonly stream?: StreamName;
  /** At most OFFSET_SLACK_BYTES before the stream's end, which is the default. */
  readonly offset?: number;
  /** It and everything before it goes to the disk at once: connects, disconnects, readers. */
  readonly isState?: boolean;
}
