/**
 * A session of a program that is gone, as its folder has it. Nothing is loaded before somebody asks for its output; then the
 * newest of it is in memory for a while, and the rest is read from the files.
 */
import type { SessionFacts } from '@pidp10/protocol/sessionSchemas';
import { ChannelArchive } from './channelArchive.ts';
import type { PartialConversationSnapshot } from './core/conversationSnapshot.ts';
import { Readers, type ReadersSnapshot } from './core/readers.ts';
import { CHECKPOINT_BYTES } from './core/scrollback.ts';
import { commandConversation, commandTranscript } from './core/sessionChannel.ts';
import { type Member, SessionState, type SessionStream } from './core/sessionState.ts';
import { Transcript } from './core/transcript.ts';
import { CoreLoop, monotonicMs } from './coreLoop.ts';
import { ClosedJournal } from './io/journal/closedJournal.ts';
import type { JournalStatus } from './io/journal/journalOptions.ts';
import type { OutputTurns } from './io/outputTurns.ts';
import { toSignal } from './io/process/signalChild.ts';
import type { ProcessTree } from './io/processTree.ts';
import type { SessionDetails, SessionScreen, SessionService } from './rpc/sessionService.ts';
import { SessionDriver } from './sessionDriver.ts';
import { detailsOf, factsOf, goneState } from './sessionFacts.ts';
import { namedPlaces, type SessionRecord } from './sessionRecord.ts';
import { SessionTerminal } from './sessionTerminal.ts';
import type { StreamDriver, StreamKeeper } from './streamDriver.ts';

/** Output before what is loaded that is looked through for a sequence or character that reaches into it, in bytes. */
const LEAD_BYTES = 4 * CHECKPOINT_BYTES;
/** Number of the next entry of a record of which nobody knows how long it is: behind any that it can have. */
const UNKNOWN_SEQ = 2 ** 40;

export interface KeptSessionOptions {
  readonly record: SessionRecord;
  /** Of its files. */
  readonly folder: string;
  readonly filesDir: string;
  readonly ringBytes: number;
  readonly turns: OutputTurns;
  /** What of its processes may be alive; undefined: nothing. */
  readonly tree: ProcessTree | undefined;
  /** Places of readers as they were, also of those without a name. */
  readonly readers?: Partial<Record<SessionStream, ReadersSnapshot>>;
  readonly onRecord: (record: SessionRecord) => void;
  readonly onNews: () => void;
  /** Its output is in memory from now on, until `unload`. */
  readonly onLoad: () => void;
  readonly expiresMs: () => number | undefined;
}

export class KeptSession implements SessionService, Disposable {
  readonly #options: KeptSessionOptions;
  #record: SessionRecord;
  #readers: Partial<Record<SessionStream, ReadersSnapshot>>;
  #driver: SessionDriver | undefined;
  #ends: JournalStatus['streams'] | undefined;

  constructor(options: KeptSessionOptions) {
    this.#options = options;
    this.#record = options.record;
    const { streams } = options.record;
    this.#readers = options.readers ?? {
      out: { places: streams?.out.readers ?? [] },
      err: { places: streams?.err?.readers ?? [] },
    };
  }

  get id(): string {
    return this.#record.id;
  }

  get record(): SessionRecord {
    return this.#record;
  }

  /** The daemon that ran it ended without a word. */
  get isLost(): boolean {
    return this.#record.state === 'running';
  }

  get facts(): SessionFacts {
    const { state, exit } = this.#record;
    return factsOf(this.#record, {
      state: state === 'running' ? 'lost' : state,
      exit,
      outputState: 'ended',
    });
  }

  get details(): SessionDetails {
    return { ...detailsOf(this.#record, this.#options.expiresMs()), pid: undefined };
  }

  get out(): StreamDriver {
    return this.#load().out;
  }

  get err(): StreamDriver | undefined {
    return this.#record.splitStderr ? this.#load().err : undefined;
  }

  get inMemory(): readonly StreamDriver[] {
    return this.#driver?.inMemory ?? [];
  }

  place(stream: SessionStream, reader: string): ReturnType<SessionService['place']> {
    if (this.#driver !== undefined) return this.#driver.place(stream, reader);
    if (stream === 'err' && !this.#record.splitStderr) return undefined;
    // Nobody writes its files any more.
    this.#ends ??= new ClosedJournal(this.#options.folder).status.streams;
    const { end, oldest } = this.#ends[stream];
    return { end, oldest, unread: end - (new Readers(this.#readers[stream]).cursor(reader) ?? 0) };
  }

  changeKept(change: (readers: Readers) => void): void {
    if (this.#driver !== undefined) return;
    for (const stream of this.#record.splitStderr ? (['out', 'err'] as const) : (['out'] as const)) {
      const readers = new Readers(this.#readers[stream]);
      change(readers);
      const snapshot = readers.snapshot();
      this.#readers = { ...this.#readers, [stream]: snapshot };
      this.#keepReaders(stream, snapshot);
    }
  }

  checkInput(): ReturnType<SessionService['checkInput']> {
    return Promise.resolve({ kind: 'fits' });
  }

  echoState(): ReturnType<SessionService['echoState']> {
    return Promise.resolve(this.#record.isPty ? 'unknown' : 'off');
  }

  /** Reaches what a daemon that is gone has left alive. */
  signal(...[name]: Parameters<SessionService['signal']>): ReturnType<SessionService['signal']> {
    const reached = this.#options.tree?.signal([toSignal(name)]) ?? [];
    return { kind: reached.length > 0 ? 'sent' : 'gone' };
  }

  resize(): void {
    // it has no terminal any more
  }

  stop(graceMs: number): Promise<readonly Member[]> {
    const { tree } = this.#options;
    return tree === undefined ? Promise.resolve([]) : stopTree(tree, graceMs);
  }

  whenOver(): Promise<void> {
    return Promise.resolve();
  }

  processes(): readonly Member[] {
    return this.#options.tree?.scan().map(({ pid, name }) => ({ pid, name })) ?? [];
  }

  /** As its newest output paints it, which is what the ring holds. */
  async screen(): Promise<SessionScreen | undefined> {
    const { isPty, size } = this.#record;
    if (!isPty || size === undefined) return undefined;
    using terminal = await SessionTerminal.create(size, () => undefined);
    const { scrollback } = this.out.conversation;
    terminal.feed(scrollback.bytes(scrollback.oldest, scrollback.end));
    return await terminal.show(scrollback.end);
  }

  /** Its files have so many bytes. */
  noteBytes(bytes: number): void {
    this.#change({ ...this.#record, bytes });
  }

  /** Forgets what can be loaded again. */
  unload(): void {
    const driver = this.#driver;
    if (driver === undefined) return;
    this.#readers = {
      out: driver.out.conversation.readers.snapshot(),
      ...(driver.err !== undefined && { err: driver.err.conversation.readers.snapshot() }),
    };
    this[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    this.#driver?.[Symbol.dispose]();
    this.#driver = undefined;
  }

  #load(): SessionDriver {
    if (this.#driver !== undefined) return this.#driver;
    const { folder, filesDir, ringBytes, turns, onNews, onLoad, expiresMs } = this.#options;
    const journal = new ClosedJournal(folder);
    const [out, err] = [this.#restore(journal, 'out'), this.#restore(journal, 'err')];
    const driver = new SessionDriver({
      record: this.#record,
      filesDir,
      ringBytes,
      startedMs: monotonicMs(),
      keepers: { out: this.#keeper(journal, 'out'), err: this.#keeper(journal, 'err') },
      snapshot: goneState(this.#record, { out, err: this.#record.splitStderr ? err : undefined }),
      turns,
      // Nothing else about it changes any more.
      onRecord: ({ isRead }) => this.#change({ ...this.#record, isRead }),
      onNews,
      onOver: () => undefined,
      expiresMs,
    });
    this.#driver = driver;
    onLoad();
    return driver;
  }

  /** The conversation with the newest output in it, as it was when the last byte had come. */
  #restore(journal: ClosedJournal, stream: SessionStream): PartialConversationSnapshot {
    const { ringBytes } = this.#options;
    const { end } = journal.status.streams[stream];
    const from = Math.max(Math.ceil((end - ringBytes) / CHECKPOINT_BYTES) * CHECKPOINT_BYTES, 0);
    const lead = Math.max(from - LEAD_BYTES, 0);
    const bytes = journal.bytesFrom(stream, lead);
    const conversation = commandConversation(ringBytes, {
      transcript: { scrollback: { end: lead, bytes: '', ...blankAt(lead) } },
    });
    conversation.transcript.append(bytes, monotonicMs());
    const nextSeq = this.#record.streams?.[stream]?.nextSeq ?? UNKNOWN_SEQ;
    return {
      transcript: conversation.transcript.snapshot(),
      readers: this.#readers[stream] ?? { places: [] },
      timeline: { entries: [], nextSeq },
    };
  }

  #keeper(journal: ClosedJournal, stream: SessionStream): StreamKeeper {
    const blank = new Transcript(commandTranscript(this.#options.ringBytes));
    const keepReaders = (readers: ReadersSnapshot) => this.#keepReaders(stream, readers);
    return {
      archive: new ChannelArchive({ source: { journal }, stream, blank }),
      keep: () => undefined, // what is said of it now is not on disk: its journal is closed
      noteReaders: (snapshot) => keepReaders(snapshot()),
      keepReaders,
    };
  }

  #keepReaders(stream: SessionStream, readers: ReadersSnapshot): void {
    const { streams } = this.#record;
    const known = streams?.[stream];
    if (streams === undefined || known === undefined) return;
    const places = namedPlaces(readers);
    if (JSON.stringify(places) === JSON.stringify(known.readers)) return;
    this.#change({ ...this.#record, streams: { ...streams, [stream]: { ...known, readers: places } } });
  }

  #change(record: SessionRecord): void {
    this.#record = record;
    this.#options.onRecord(record);
  }
}

function blankAt(offset: number) {
  const context = commandTranscript(0).view().context();
  return { checkpoints: [{ offset, context }], tail: context };
}

/** Stops processes that have no daemon any more, as a running session is stopped. */
function stopTree(tree: ProcessTree, graceMs: number): Promise<readonly Member[]> {
  const state = new SessionState({ isPty: false, streams: [], startedMs: monotonicMs() });
  state.handle({ kind: 'exit', exit: {} }, monotonicMs());
  return new Promise((resolve) => {
    const hear = (alive: readonly Member[]) => loop.feed({ kind: 'members', alive });
    const loop = new CoreLoop({
      core: {
        handle: (...input: Parameters<SessionState['handle']>) => state.handle(...input),
        deadlineMs: () => state.nextDeadlineMs,
      },
      tick: { kind: 'tick' },
      run: (effect) => {
        if (effect.kind === 'signal') hear(tree.signal(effect.signals));
        else if (effect.kind === 'look') hear(tree.scan());
        else if (effect.kind === 'stopped') {
          resolve(effect.survivors.map(({ pid, name }) => ({ pid, name })));
          loop[Symbol.dispose]();
        }
      },
    });
    loop.feed({ kind: 'stop', graceMs });
  });
}
