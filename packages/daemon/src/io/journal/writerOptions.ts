/** What a writer of one series of files is made with, and tells. */
import type { Series } from '../../core/journal/names.ts';
import type { Segment } from '../../core/journal/shelf.ts';
import type { Files } from './files.ts';

export interface Fault {
  readonly operation: 'open' | 'write' | 'sync';
  readonly path: string;
  /** `ENOSPC` and its like. */
  readonly code: string;
}

export interface WriterOptions {
  readonly files: Files;
  readonly folder: string;
  readonly series: Series;
  readonly segmentBytes: number;
  /** First bytes of every new file, whose first record will have the number `key`. */
  readonly head?: (key: number) => Uint8Array;
}

/** Called from the middle of the work: must not throw. */
export interface WriterEvents {
  created(segment: Segment): void;
  grew(segment: Segment): void;
  /** The file is no longer one of ours; its bytes before `lostTo`, if any, are gone with it. */
  withdrew(segment: Segment, lostTo: number): void;
  /** A sync of the file failed. */
  suspected(file: string, code: string): void;
  /** The fault that was there is new, another or over. */
  changed(): void;
}
