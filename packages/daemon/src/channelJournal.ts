/**
 * A channel's journal: what its core orders to be kept goes to the files in the same tick; what the files hold comes back
 * as the channel's past, at start and whenever somebody asks for something old. Read as an archive it is that of stream `out`.
 */
import { randomBytes } from 'node:crypto';
import { ChannelArchive, type ReadableJournal } from './channelArchive.ts';
import type { StreamName } from './core/journal/names.ts';
import type { ReadersSnapshot } from './core/readers.ts';
import type { Transcript } from './core/transcript.ts';
import { Journal } from './io/journal/journal.ts';
import type { Recovered } from './io/journal/journalOptions.ts';
import type { ChannelNews } from './rpc/channelService.ts';
import type { StreamKeeper } from './streamDriver.ts';

/** Distance of checkpoints, in bytes: old output is rendered from the one before it, in some ten milliseconds. */
export const JOURNAL_CHECKPOINT_BYTES = 262_144;
/** Changes of readers are kept at most once in so many ms: each committed answer moves one. */
const READERS_EVERY_MS = 1_000;

export interface ChannelJournalOptions {
  readonly folder: string;
  readonly quotaBytes: number;
  /** Size at which a new data file begins, if not the default. */
  readonly segmentBytes?: number;
  /** A transcript of the channel's kind in which nothing was said yet: it knows how to render old output. */
  readonly blank: Transcript;
  readonly onStorage: (status: { readonly storage: string; readonly detail?: string }) => void;
}

export class ChannelJournal extends ChannelArchive implements AsyncDisposable {
  readonly #options: ChannelJournalOptions;
  readonly #source: { journal: Journal };
  readonly #keepers: Readonly<Record<StreamName, JournalKeeper>>;

  private constructor(journal: Journal, options: ChannelJournalOptions, ends: Recovered['ends']) {
    const source = { journal };
    const { blank } = options;
    super({ source, stream: 'out', blank });
    this.#options = options;
    this.#source = source;
    const err = new ChannelArchive({ source, stream: 'err', blank });
    this.#keepers = {
      out: new JournalKeeper(source, 'out', this, ends.out),
      err: new JournalKeeper(source, 'err', err, ends.err),
    };
  }

  /** Rejects when the folder is refused or cannot be read. */
  static async open(
    options: ChannelJournalOptions,
  ): Promise<{ readonly journal: ChannelJournal; readonly recovered: Recovered }> {
    const { journal, recovered } = await openFiles(options);
    return { journal: new ChannelJournal(journal, options, recovered.ends), recovered };
  }

  /** Bytes of all files, and the oldest offset of each stream that they have. */
  get status(): ReadableJournal['status'] {
    return this.#source.journal.status;
  }

  keeper(stream: StreamName): StreamKeeper {
    return this.#keepers[stream];
  }

  /** Opens the files again after they were closed, with nothing in between. */
  async reopen(): Promise<void> {
    const { journal } = await openFiles(this.#options);
    this.#source.journal = journal;
  }

  /** Brings everything to the disk and closes the files. Idempotent; never rejects. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const keeper of Object.values(this.#keepers)) keeper[Symbol.dispose]();
    await this.#source.journal.close();
  }
}

/** Keeps what happens on one stream. */
class JournalKeeper implements StreamKeeper, Disposable {
  readonly archive: ChannelArchive;
  readonly #source: { readonly journal: Journal };
  readonly #stream: StreamName;
  #lastCheckpoint: number;
  #readersTimer: NodeJS.Timeout | undefined;
  #lastReaders = '';

  constructor(
    source: { readonly journal: Journal },
    stream: StreamName,
    archive: ChannelArchive,
    end: number,
  ) {
    this.#source = source;
    this.#stream = stream;
    this.archive = archive;
    this.#lastCheckpoint = end;
  }

  /** Its write is issued before this returns (CONTRACT 5). */
  keep(news: ChannelNews, transcript: Transcript): void {
    const { journal } = this.#source;
    const stream = this.#stream;
    if (news.kind === 'append') {
      journal.append(stream, news.bytes);
      this.#checkpoint(transcript);
    } else if (news.kind === 'record') {
      const { seq, offset, atMs: _atMs, kind, ...data } = news.entry;
      const isState = kind === 'state' || kind === 'life';
      journal.record(kind, { ...data, entry: seq }, { stream, offset, isState });
    }
  }

  noteReaders(snapshot: () => ReadersSnapshot): void {
    this.#readersTimer ??= setTimeout(() => this.keepReaders(snapshot()), READERS_EVERY_MS).unref();
  }

  keepReaders(snapshot: ReadersSnapshot): void {
    this[Symbol.dispose]();
    const places = snapshot.places.filter(([, place]) => !place.isPrivate);
    const text = JSON.stringify(places);
    if (text === this.#lastReaders) return;
    this.#lastReaders = text;
    this.#source.journal.record('readers', { places }, { stream: this.#stream, isState: true });
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#readersTimer);
    this.#readersTimer = undefined;
  }

  #checkpoint(transcript: Transcript): void {
    const { end } = transcript.scrollback;
    if (end - this.#lastCheckpoint < JOURNAL_CHECKPOINT_BYTES) return;
    this.#lastCheckpoint = end;
    const checkpoint = transcript.checkpointState();
    const { offset } = checkpoint;
    this.#source.journal.record('checkpoint', { ...checkpoint }, { stream: this.#stream, offset });
  }
}

function openFiles({ folder, quotaBytes, segmentBytes, onStorage }: ChannelJournalOptions) {
  return Journal.open({
    folder,
    quotaBytes,
    onStorage,
    freshEpoch: randomBytes(8).toString('hex'),
    ...(segmentBytes !== undefined && { segmentBytes }),
  });
}
