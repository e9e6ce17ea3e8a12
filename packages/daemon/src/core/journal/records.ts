/**
 * Records of the journal's index: one line of ASCII each, so that a torn or flipped one is found and the next is read.
 *
 *     7d0ab1c5 {"seq":42,"kind":"time","stream":"out","offset":9000,"wallMs":…,"monoMs":…,"boot":"…"}\n
 *
 * Eight hexadecimal digits of the CRC-32 of the JSON text, a blank, the JSON text (everything beyond ASCII escaped), a
 * line feed. `seq` grows by one for ever and is the only order: wall clocks jump (a Pi has none over a power cut). `offset`
 * says where `stream` stood; `boot` names the boot whose monotonic clock `monoMs` was read.
 *
 * Kinds of the journal's own, with their `data`:
 * - `birth {epoch}`: the first record of a journal.
 * - `open {}`, `closed {}`: a daemon took it up, left it with everything on the disk.
 * - `time`: the bytes up to `offset` had come by then.
 * - `gap {from, to, reason, fromWallMs, toWallMs}`: bytes that came and are not stored; `reason` is `queue` (the disk did
 *   not keep up or was full), `unclean` (lost at a crash or power cut) or `foreign` (somebody moved or cut our file).
 * - `tombstone {from, to, bytes}`: bytes that the quota deleted; `bytes` counts all of this stream so far.
 * - `suspect {file, code}`: a file whose sync failed; its unsynced bytes were written again elsewhere.
 * - `lost {records}`: records that found the queue full.
 * - `head` (head.ts): the first line of every index file; its `seq` is that of the record behind it.
 *
 * The kinds of the caller are opaque here.
 */
import { crc32 } from './crc32.ts';
import { STREAMS, type StreamName } from './names.ts';

export const CALLER_KINDS = [
  'input',
  'state',
  'outage',
  'life',
  'mark',
  'floor',
  'said',
  'readers',
  'checkpoint',
] as const;
export type CallerKind = (typeof CALLER_KINDS)[number];
export const OWN_KINDS = [
  'birth',
  'open',
  'closed',
  'time',
  'gap',
  'tombstone',
  'suspect',
  'lost',
  'head',
] as const;
export type RecordKind = CallerKind | (typeof OWN_KINDS)[number];

/**
 * Longest line in bytes: the table of readers and a screen fit many times, and an index file stays readable as a whole.
 * A longer one is refused.
 */
export const MAX_RECORD_BYTES = 256 * 1024;

/** A head repeats records: one of each standing kind and stream at most, and its own few figures. */
export const MAX_HEAD_BYTES = 32 * MAX_RECORD_BYTES;

export type RecordData = Readonly<Record<string, unknown>>;

export interface JournalRecord {
  readonly seq: number;
  readonly kind: RecordKind;
  readonly stream: StreamName;
  readonly offset: number;
  /** Milliseconds since 1970 by the clock on the wall. */
  readonly wallMs: number;
  /** Milliseconds of the system-wide monotonic clock of `boot`. */
  readonly monoMs: number;
  readonly boot: string;
  readonly data?: RecordData;
}

/** A stretch of an index file, in bytes, that holds no valid record. */
export interface DamagedRange {
  readonly from: number;
  readonly to: number;
}

export interface ParsedIndex {
  readonly records: readonly JournalRecord[];
  readonly damaged: readonly DamagedRange[];
}

const KINDS: ReadonlySet<unknown> = new Set<unknown>([...CALLER_KINDS, ...OWN_KINDS]);
const CRC_CHARS = 8;
const BEYOND_ASCII = /[\u007f-\uffff]/g;

/** The line, ASCII, with its line feed. Throws RangeError above `maxBytes`. */
export function encodeRecord(record: JournalRecord, maxBytes = MAX_RECORD_BYTES): string {
  const json = JSON.stringify(record).replace(
    BEYOND_ASCII,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const line = `${toHex(crc32(json))} ${json}\n`;
  if (line.length <= maxBytes) return line;
  throw new RangeError(
    `a journal record of kind ${record.kind} has ${line.length} bytes, at most ${maxBytes} are kept`,
  );
}

/** The record of a line without its line feed; undefined when it is torn, flipped or not a record. */
export function decodeLine(line: string): JournalRecord | undefined {
  const json = line.slice(CRC_CHARS + 1);
  if (line.slice(0, CRC_CHARS + 1) !== `${toHex(crc32(json))} `) return undefined;
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Everything valid in an index file, given with one byte a character, and where the rest is. */
export function parseIndex(text: string): ParsedIndex {
  const records: JournalRecord[] = [];
  const damaged: DamagedRange[] = [];
  for (let from = 0; from < text.length; ) {
    const feed = text.indexOf('\n', from);
    const end = feed === -1 ? text.length : feed;
    const to = feed === -1 ? end : end + 1;
    const record = decodeLine(text.slice(from, end));
    const last = damaged.at(-1);
    if (record !== undefined) records.push(record);
    else if (last !== undefined && last.to === from) damaged[damaged.length - 1] = { from: last.from, to };
    else damaged.push({ from, to });
    from = to;
  }
  return { records, damaged };
}

function toHex(value: number): string {
  return value.toString(16).padStart(CRC_CHARS, '0');
}

function isRecord(value: unknown): value is JournalRecord {
  if (!isObject(value)) return false;
  const { seq, kind, stream, offset, wallMs, monoMs, boot, data } = value;
  return (
    isCount(seq) &&
    KINDS.has(kind) &&
    STREAMS.some((name) => name === stream) &&
    isCount(offset) &&
    typeof wallMs === 'number' &&
    typeof monoMs === 'number' &&
    typeof boot === 'string' &&
    (data === undefined || isObject(data))
  );
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

export function isObject(
  value: unknown,
): value is { readonly [key: string]: unknown } & Partial<RecordFields> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Names that are looked for in parsed JSON. */
type RecordFields = Readonly<
  Record<
    | 'seq'
    | 'kind'
    | 'stream'
    | 'offset'
    | 'wallMs'
    | 'monoMs'
    | 'boot'
    | 'data'
    | 'from'
    | 'to'
    | 'bytes'
    | 'epoch'
    | 'ends'
    | 'last'
    | 'gapBytes'
    | 'deletedBytes',
    unknown
  >
>;
