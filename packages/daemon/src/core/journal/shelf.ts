/**
 * The files of one series in order, and what they cover: pure, from names and sizes alone, so that a start does not
 * depend on how much is stored.
 */
import { type Series, segmentName } from './names.ts';

export interface Segment {
  readonly series: Series;
  readonly key: number;
  /** Bytes in the file. */
  readonly bytes: number;
}

/** A stretch of a stream that one file has; `position` of its first byte in the file is `from - segment.key`. */
export interface Stretch {
  readonly segment: Segment;
  readonly from: number;
  readonly to: number;
}

/** A stretch of a stream that no file has. */
export interface Hole {
  readonly from: number;
  readonly to: number;
}

export class Shelf {
  #segments: Segment[];

  constructor(segments: readonly Segment[]) {
    this.#segments = segments.toSorted((a, b) => a.key - b.key);
  }

  get segments(): readonly Segment[] {
    return this.#segments;
  }

  get bytes(): number {
    return this.#segments.reduce((sum, segment) => sum + segment.bytes, 0);
  }

  /** Offset behind the last stored byte; also a file that is empty tells how far the stream had come. */
  get end(): number {
    return this.#segments.reduce((end, segment) => Math.max(end, segment.key + segment.bytes), 0);
  }

  /** Offset of the oldest stored byte; undefined when there is none. */
  get oldest(): number | undefined {
    return this.#segments.find((segment) => segment.bytes > 0)?.key;
  }

  /** Adds a file, or tells its new size. */
  put(segment: Segment): void {
    const index = this.#segments.findLastIndex((one) => one.key <= segment.key);
    const isKnown = this.#segments[index]?.key === segment.key;
    this.#segments.splice(isKnown ? index : index + 1, isKnown ? 1 : 0, segment);
  }

  remove(key: number): void {
    this.#segments = this.#segments.filter((segment) => segment.key !== key);
  }

  /** The first stored stretch of a stream that ends behind `offset`, from `offset` on or later. */
  stretchAt(offset: number): Stretch | undefined {
    let index = Math.max(this.#lastAtOrBefore(offset), 0);
    for (; index < this.#segments.length; index++) {
      const segment = this.#segments[index];
      if (segment === undefined) break;
      const next = this.#segments[index + 1]?.key ?? Number.POSITIVE_INFINITY;
      const to = Math.min(segment.key + segment.bytes, next);
      const from = Math.max(segment.key, offset);
      if (to > from) return { segment, from, to };
    }
    return undefined;
  }

  /** What no file has of `[start, end)`, in order. */
  holes(start: number, end: number): readonly Hole[] {
    const holes: Hole[] = [];
    for (let at = start; at < end; ) {
      const stretch = this.stretchAt(at);
      const from = Math.min(stretch?.from ?? end, end);
      if (from > at) holes.push({ from: at, to: from });
      at = stretch?.to ?? end;
    }
    return holes;
  }

  #lastAtOrBefore(key: number): number {
    let low = 0;
    let high = this.#segments.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#segments[middle]?.key ?? 0) <= key) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

export function nameOf(segment: Segment): string {
  return segmentName(segment.series, segment.key);
}

/**
 * The file that goes next when room is needed: the oldest of the data series that holds most, never one's newest (it is
 * being written). By order alone, never by a clock (S10). Undefined when only newest ones are left.
 */
export function nextToDelete(shelves: readonly Shelf[]): Segment | undefined {
  const full = shelves.filter((shelf) => shelf.segments.length > 1);
  const largest = full.toSorted((a, b) => b.bytes - a.bytes)[0];
  return largest?.segments[0];
}
