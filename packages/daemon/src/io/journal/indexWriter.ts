/** Gives records their numbers and brings them to the index files; keeps the head that a new one begins with. */
import type { Ledger } from '../../core/journal/head.ts';
import { QUEUE_BYTES } from '../../core/journal/intake.ts';
import type { StreamName } from '../../core/journal/names.ts';
import {
  encodeRecord,
  type JournalRecord,
  MAX_HEAD_BYTES,
  type RecordData,
  type RecordKind,
} from '../../core/journal/records.ts';
import type { Moment } from '../../core/journal/timeNotes.ts';
import { type Clock, momentOf } from './clock.ts';
import { SegmentWriter } from './segmentWriter.ts';
import type { WriterEvents, WriterOptions } from './writerOptions.ts';

export interface Place {
  readonly stream: StreamName;
  readonly offset: number;
}

export interface IndexOptions {
  readonly writer: Omit<WriterOptions, 'series' | 'head'>;
  readonly events: WriterEvents;
  readonly ledger: Ledger;
  readonly nextSeq: number;
  readonly boot: string;
  readonly clock: Clock;
}

export class IndexWriter {
  readonly writer: SegmentWriter;
  readonly ledger: Ledger;
  readonly #boot: string;
  readonly #clock: Clock;
  #seq: number;
  #lost = 0;

  constructor(options: IndexOptions) {
    this.ledger = options.ledger;
    this.#boot = options.boot;
    this.#clock = options.clock;
    this.#seq = options.nextSeq;
    const head = (key: number): Uint8Array => this.#head(key);
    this.writer = new SegmentWriter({ ...options.writer, series: 'index', head }, options.events);
  }

  /** Starts the write before it returns the record's number. Throws RangeError above MAX_RECORD_BYTES. */
  write(kind: RecordKind, place: Place, data?: RecordData, moment: Moment = momentOf(this.#clock)): number {
    const record = this.#numbered(kind, place, data, moment);
    const line = toBytes(encodeRecord(record));
    this.#seq += 1;
    this.ledger.note(record);
    const queued = this.writer.queue.bytes;
    // Once full it takes nothing until half is gone, like the queues of the streams.
    if (queued + line.length > QUEUE_BYTES || (this.#lost > 0 && queued > QUEUE_BYTES / 2)) {
      this.#lost += 1;
      return record.seq;
    }
    this.writer.append(record.seq, line);
    if (this.#lost > 0) this.#tellLost(place);
    return record.seq;
  }

  #tellLost(place: Place): void {
    const records = this.#lost;
    this.#lost = 0;
    this.write('lost', place, { records });
  }

  #numbered(kind: RecordKind, place: Place, data: RecordData | undefined, moment: Moment): JournalRecord {
    const { stream, offset } = place;
    const { wallMs, monoMs } = moment;
    const record = { seq: this.#seq, kind, stream, offset, wallMs, monoMs, boot: this.#boot };
    return data === undefined ? record : { ...record, data };
  }

  #head(key: number): Uint8Array {
    const head = this.ledger.head();
    const record = this.#numbered(
      'head',
      { stream: 'out', offset: head.ends.out ?? 0 },
      { ...head },
      momentOf(this.#clock),
    );
    return toBytes(encodeRecord({ ...record, seq: key }, MAX_HEAD_BYTES));
  }
}

function toBytes(line: string): Uint8Array {
  return Buffer.from(line, 'latin1');
}
