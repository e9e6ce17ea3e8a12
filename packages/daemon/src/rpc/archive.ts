/** What the handlers need of what is kept for ever: output that the ring has lost, and the record of what happened. */
import type { Span } from '../core/events.ts';
import type { ScreenSnapshot } from '../core/screen.ts';
import type { TextSpan } from '../core/spanText.ts';
import type { Happening } from '../core/timeline.ts';

/** A stretch of old output, rendered as it was when it came. */
export interface PastView {
  /** The view can tell of `[oldest, end)`; an answer may end at `safeEnd` at the latest. */
  readonly oldest: number;
  readonly end: number;
  readonly safeEnd: number;
  text(start: number, end: number, maxChars?: number): TextSpan;
  screenAt(offset: number): ScreenSnapshot;
  bytes(start: number, end: number): Uint8Array;
}

export type PastEntry = Happening & {
  readonly seq: number;
  readonly offset: number;
  readonly wallMs: number;
};

export interface PastQuery {
  readonly fromOffset?: number;
  readonly toOffset?: number;
  readonly kinds?: readonly Happening['kind'][];
  readonly limit?: number;
  readonly isNewestFirst?: boolean;
}

export interface StorageFacts {
  readonly storage: 'ok' | 'degraded';
  readonly detail?: string;
  readonly bytes: number;
  readonly segments: number;
  readonly gapBytes: number;
  readonly syncedEnd: number;
  readonly writtenEnd: number;
}

/** Longest stretch of one view, in bytes. */
export const MAX_VIEW_BYTES = 1_048_576;

export interface Archive {
  /** Oldest offset whose byte is kept. */
  readonly oldest: number;
  readonly facts: StorageFacts;
  /** Output around `[start, end)`, cut at MAX_VIEW_BYTES; bytes that are lost show as nothing. */
  view(start: number, end: number): Promise<PastView>;
  /** Raw bytes of `[start, end)`, at most MAX_VIEW_BYTES; lost ones are NULs. */
  bytes(start: number, end: number): Promise<Uint8Array>;
  /** Stretches of `[start, end)` that came and could not be kept; not what the quota took. */
  holes(start: number, end: number): readonly Span[];
  entries(query: PastQuery): AsyncIterable<PastEntry>;
  /** When the byte at `offset` had come, wall clock in ms; undefined when that is not known. */
  timeAt(offset: number): Promise<number | undefined>;
  /** Up to which offset output had come when, in order, from the first moment behind `offset` on. */
  times(offset: number): AsyncIterable<{ readonly offset: number; readonly wallMs: number }>;
  /** Offset behind which output came at `wallMs` or later. */
  offsetAt(wallMs: number): Promise<number>;
}
