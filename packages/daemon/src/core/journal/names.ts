/**
 * Names of the journal's files, all in one folder per channel:
 *
 *     out-00000000000016777216     raw bytes of the stream `out` from that offset on, nothing else
 *     err-00000000000000000000     the same of `err`, where a channel has it
 *     index-00000000000000000042   records from that sequence number on, one line each (records.ts)
 *     NAME.damaged                 copies of index lines that were torn or flipped: evidence, never read again
 *     NAME.suspect                 a file that a failed sync or somebody else's hand made worthless: never read again
 *
 * Twenty digits, so that names sort like their numbers. A file ends where the next one of its series begins, also when
 * it is longer: what was written behind the last sync that succeeded is written again in the next one.
 */

export const SERIES = ['out', 'err', 'index'] as const;
export type Series = (typeof SERIES)[number];
export type StreamName = Exclude<Series, 'index'>;
export const STREAMS: readonly StreamName[] = ['out', 'err'];

const DIGITS = 20;
const NAME = /^(out|err|index)-(\d{20})$/;

export interface SegmentName {
  readonly series: Series;
  /** Offset of the first byte, or sequence number of the first record. */
  readonly key: number;
}

export function segmentName(series: Series, key: number): string {
  return `${series}-${String(key).padStart(DIGITS, '0')}`;
}

/** Undefined for files that are not segments, and for numbers that no journal of ours can have reached. */
export function parseSegmentName(name: string): SegmentName | undefined {
  const found = NAME.exec(name);
  const series = SERIES.find((one) => one === found?.[1]);
  const key = Number(found?.[2]);
  if (series === undefined || !Number.isSafeInteger(key)) return undefined;
  return { series, key };
}
