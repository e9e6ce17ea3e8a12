/**
 * What the first line of every index file repeats, so that older files can be deleted and a start reads one file only:
 * the epoch, how far each stream has come, the totals of what is missing, and the newest record of each kind that
 * says how things stand. A head may know more than the file's first records (it is made when the file is); `seq` decides.
 */
import { STREAMS, type StreamName } from './names.ts';
import { isCount, isObject, type JournalRecord, type RecordData, type RecordKind } from './records.ts';

/**
 * Kinds whose newest record tells how things stand; the others go with their file. What happened on the channel is among
 * them, because the newest of it says how it is numbered on.
 */
const STANDING: ReadonlySet<RecordKind> = new Set<RecordKind>([
  'birth',
  'gap',
  'tombstone',
  'input',
  'state',
  'outage',
  'mark',
  'said',
  'floor',
  'readers',
  'checkpoint',
]);

export type Ends = Readonly<Partial<Record<StreamName, number>>>;

export interface Head {
  readonly epoch: string;
  /** Offset behind the last byte of each stream that ever came, stored or not. */
  readonly ends: Ends;
  readonly gapBytes: number;
  readonly deletedBytes: Ends;
  readonly last: readonly JournalRecord[];
}

/** Undefined for data that is no head. */
export function parseHead(data: RecordData | undefined): Head | undefined {
  if (!isObject(data)) return undefined;
  const { epoch, ends, gapBytes, deletedBytes, last } = data;
  if (typeof epoch !== 'string' || !isEnds(ends) || !isEnds(deletedBytes)) return undefined;
  if (!isCount(gapBytes) || !Array.isArray(last)) return undefined;
  return { epoch, ends, gapBytes, deletedBytes, last };
}

/** Keeps the head up to date while records pass; built from one head and what came after it. */
export class Ledger {
  #epoch: string;
  #ends: Partial<Record<StreamName, number>>;
  #gapBytes: number;
  #deletedBytes: Partial<Record<StreamName, number>>;
  readonly #last = new Map<string, JournalRecord>();

  constructor(head: Head) {
    this.#epoch = head.epoch;
    this.#ends = { ...head.ends };
    this.#gapBytes = head.gapBytes;
    this.#deletedBytes = { ...head.deletedBytes };
    for (const record of head.last) this.#keep(record);
  }

  get epoch(): string {
    return this.#epoch;
  }

  /** Takes a record behind the head, in order of `seq`; one that the head knew already is not counted again. */
  note(record: JournalRecord): void {
    this.reach(record.stream, record.offset);
    if (STANDING.has(record.kind) && record.seq <= (this.last(record.kind, record.stream)?.seq ?? -1)) return;
    const { epoch, from, to, bytes } = isObject(record.data) ? record.data : {};
    if (record.kind === 'birth' && typeof epoch === 'string') this.#epoch = epoch;
    if (record.kind === 'gap' && isCount(from) && isCount(to)) {
      this.#gapBytes += Math.max(to - from, 0);
      this.reach(record.stream, to);
    }
    if (record.kind === 'tombstone' && isCount(bytes)) this.#deletedBytes[record.stream] = bytes;
    this.#keep(record);
  }

  /** Bytes up to `offset` came. */
  reach(stream: StreamName, offset: number): void {
    this.#ends[stream] = Math.max(this.#ends[stream] ?? 0, offset);
  }

  /** Newest record of a standing kind. */
  last(kind: RecordKind, stream: StreamName): JournalRecord | undefined {
    return this.#last.get(`${kind} ${stream}`);
  }

  head(): Head {
    return {
      epoch: this.#epoch,
      ends: { ...this.#ends },
      gapBytes: this.#gapBytes,
      deletedBytes: { ...this.#deletedBytes },
      last: [...this.#last.values()].toSorted((a, b) => a.seq - b.seq),
    };
  }

  #keep(record: JournalRecord): void {
    if (!STANDING.has(record.kind)) return;
    const key = `${record.kind} ${record.stream}`;
    if ((this.#last.get(key)?.seq ?? -1) <= record.seq) this.#last.set(key, record);
  }
}

function isEnds(value: unknown): value is Ends {
  if (!isObject(value)) return false;
  return STREAMS.every((name) => value[name] === undefined || isCount(value[name]));
}
