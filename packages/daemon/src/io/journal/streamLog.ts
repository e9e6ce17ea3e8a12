/** One stream of a journal on its way to the disk: how far it has come, what was left out, how much is safe. */
import { type Gap, Intake, QUEUE_BYTES } from '../../core/journal/intake.ts';
import type { StreamName } from '../../core/journal/names.ts';
import type { StreamStatus } from './journalOptions.ts';
import { SegmentWriter } from './segmentWriter.ts';
import type { WriterEvents, WriterOptions } from './writerOptions.ts';

export interface StreamLogOptions {
  readonly stream: StreamName;
  readonly writer: Omit<WriterOptions, 'series' | 'head'>;
  readonly events: WriterEvents;
  /** Offset of the first byte that will come. */
  readonly end: number;
  readonly queueBytes: number | undefined;
}

export class StreamLog {
  readonly writer: SegmentWriter;
  readonly #intake: Intake;
  #end: number;

  constructor({ stream, writer, events, end, queueBytes = QUEUE_BYTES }: StreamLogOptions) {
    this.writer = new SegmentWriter({ ...writer, series: stream }, events);
    this.#intake = new Intake(queueBytes);
    this.#end = end;
  }

  get end(): number {
    return this.#end;
  }

  /** Bytes of the gap that is still open. */
  get openGapBytes(): number {
    const from = this.#intake.gapFrom;
    return from === undefined ? 0 : this.#end - from;
  }

  /** Starts the write of as many of them as the queue has room for; gives the gap that ended before them. */
  append(bytes: Uint8Array, wallMs: number): Gap | undefined {
    const from = this.#end;
    this.#end += bytes.length;
    const { accepted, closed } = this.#intake.take(from, bytes.length, this.writer.queue.bytes, wallMs);
    if (accepted > 0) this.writer.append(from, bytes.subarray(0, accepted));
    return closed;
  }

  /** The gap that is open when nothing more will come. */
  closeGap(wallMs: number): Gap | undefined {
    return this.#intake.close(this.#end, wallMs);
  }

  status(oldest: number | undefined): StreamStatus {
    const end = this.#end;
    const writtenEnd = this.writer.queue.next?.key ?? this.#intake.gapFrom ?? end;
    const syncedEnd = this.writer.queue.firstKey ?? writtenEnd;
    return { end, writtenEnd, syncedEnd, oldest: oldest ?? end };
  }
}
