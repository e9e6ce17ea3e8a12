/**
 * All sessions that there are: those that run, and those whose program is gone, be it under an earlier daemon. What is gone is
 * read when somebody looks, and is in memory for a while; what nobody needs any more is cleaned away.
 */
import type { ChannelJournal } from './channelJournal.ts';
import { monotonicMs } from './coreLoop.ts';
import type { Log } from './io/log.ts';
import type { OutputTurns } from './io/outputTurns.ts';
import type { PrivateFile } from './io/privateFile.ts';
import { ProcessTree } from './io/processTree.ts';
import { KeptSession, type KeptSessionOptions } from './keptSession.ts';
import { LeastUsed } from './leastUsed.ts';
import type { SessionService } from './rpc/sessionService.ts';
import { SessionDriver } from './sessionDriver.ts';
import type { SessionFiles } from './sessionFiles.ts';
import { type Leftover, Leftovers } from './sessionLeftovers.ts';
import { MAX_LOADED } from './sessionLimits.ts';
import type { SessionRecord } from './sessionRecord.ts';
import { Retention } from './sessionRetention.ts';
import { markOf } from './sessionStart.ts';

/** Records of earlier daemons that are read at a time: a millisecond's work. */
const READ_AT_ONCE = 20;

export interface SessionShelfOptions {
  readonly keepMs: number;
  readonly quotaBytes: number;
  readonly ringBytes: number;
  readonly filesDir: string;
  readonly files: SessionFiles;
  readonly turns: OutputTurns;
  /** Name of this boot. */
  readonly boot: string;
  readonly log: Log;
}

/** A session with what is its own on the shelf. */
export interface Entry {
  service: SessionDriver | KeptSession;
  /** Undefined: it is in memory alone. */
  readonly file: PrivateFile | undefined;
  readonly journal: ChannelJournal | undefined;
}

export class SessionShelf implements Disposable {
  readonly #options: SessionShelfOptions;
  readonly #entries = new Map<string, Entry>();
  /** Sessions that have a folder and were not looked at yet, the oldest first. */
  #unread: string[];
  /** Programs that are gone whose output is in memory, the least used first. */
  readonly #loaded = new LeastUsed(MAX_LOADED);
  readonly #leftovers = new Leftovers();
  readonly #listeners = new Set<(session: SessionService) => void>();
  readonly #retention: Retention;
  #isEnding = false;

  constructor(options: SessionShelfOptions) {
    this.#options = options;
    this.#unread = [...options.files.ids];
    this.#retention = new Retention({
      keepMs: options.keepMs,
      nowMs: () => Date.now(),
      monotonicMs,
      sessions: () => this.gone,
      clean: (id) => this.remove(id).catch((error: unknown) => this.#warn(error)),
    });
    if (this.#unread.length > 0) setImmediate(() => this.#readSome());
  }

  get size(): number {
    return this.#entries.size + this.#unread.length;
  }

  /** In order of their start. */
  get entries(): readonly Entry[] {
    this.#readAll();
    return [...this.#entries.values()];
  }

  /** Those that run, or whose output is held open. */
  get live(): readonly (Entry & { readonly service: SessionDriver })[] {
    return [...this.#entries.values()].flatMap((entry) => {
      const { service } = entry;
      return service instanceof SessionDriver && !service.isOver ? [{ ...entry, service }] : [];
    });
  }

  /** Those whose program is gone, the oldest first. */
  get gone(): readonly SessionRecord[] {
    return [...this.#entries.values()].flatMap(({ service }) =>
      service instanceof KeptSession || service.isOver ? [service.record] : [],
    );
  }

  /** Programs that are gone whose output is in memory. */
  get loadedSessions(): number {
    return this.#loaded.size;
  }

  leftovers(): readonly Leftover[] {
    this.#readAll();
    const lost = [...this.#entries.values()].flatMap(({ service }) =>
      service instanceof KeptSession && service.isLost && service.record.boot === this.#options.boot
        ? [service.record]
        : [],
    );
    return this.#leftovers.find(lost);
  }

  put(id: string, entry: Entry): void {
    this.#entries.set(id, entry);
  }

  /** By id, or by name. */
  get(key: string): SessionService | undefined {
    return (this.#entry(key) ?? this.#named(key))?.service;
  }

  expiresMs(record: SessionRecord): number | undefined {
    return this.#retention.expiresMs(record);
  }

  subscribe(listener: (session: SessionService) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  tell(id: string): void {
    const session = this.#entries.get(id)?.service;
    if (session === undefined) return;
    for (const listener of this.#listeners) listener(session);
  }

  /** What is known of it is another than before. */
  write(file: PrivateFile | undefined, record: SessionRecord): void {
    file?.put(JSON.stringify(record)).catch((error: unknown) => this.#warn(error));
    this.#retention.schedule();
  }

  /** It is over: its files are complete, and what it takes in memory is given back when others need it more. */
  settle(id: string): void {
    this.#settle(id).catch((error: unknown) => this.#warn(error));
  }

  /** Nothing is cleaned away any more. */
  [Symbol.dispose](): void {
    this.#isEnding = true;
    this.#retention[Symbol.dispose]();
    for (const { service } of this.#entries.values()) service[Symbol.dispose]();
  }

  /** Resolves when all that was to be written down is. */
  async idle(): Promise<void> {
    const files = [...this.#entries.values()].flatMap(({ file }) => file ?? []);
    await Promise.all(files.map((file) => file.idle()));
  }

  async #settle(id: string): Promise<void> {
    const entry = this.#entries.get(id);
    await entry?.journal?.[Symbol.asyncDispose]();
    if (entry === undefined || this.#entries.get(id) !== entry) return; // removed meanwhile
    if (entry.service instanceof SessionDriver && entry.journal !== undefined)
      entry.service.noteBytes(entry.journal.status.bytes);
    this.#use(id);
    this.#retention.schedule();
    await this.#enforceQuota();
  }

  /** The newest MAX_LOADED of those that are gone stay in memory. */
  #use(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined || (entry.service instanceof SessionDriver && !entry.service.isOver)) return;
    for (const oldest of this.#loaded.use(id)) this.#unload(oldest);
  }

  #unload(id: string): void {
    const entry = this.#entries.get(id);
    if (entry?.journal === undefined && entry?.service instanceof SessionDriver) return; // it is nowhere else
    if (entry?.service instanceof SessionDriver) {
      const { out, err, record } = entry.service;
      const readers = {
        out: out.conversation.readers.snapshot(),
        ...(err !== undefined && { err: err.conversation.readers.snapshot() }),
      };
      entry.service[Symbol.dispose]();
      entry.service = this.#kept(record, entry.file, { readers });
    } else entry?.service.unload();
  }

  #kept(
    record: SessionRecord,
    file: PrivateFile | undefined,
    more: Pick<KeptSessionOptions, 'readers'> = {},
  ): KeptSession {
    const { id, boot, pid, startTime, mark } = record;
    const { filesDir, ringBytes } = this.#options;
    const leader = { pid: pid ?? -1, startTime: startTime ?? 0 };
    const isOfThisBoot = record.state === 'running' && boot === this.#options.boot;
    const kept: KeptSession = new KeptSession({
      record,
      folder: this.#options.files.folder(id),
      filesDir,
      ringBytes,
      turns: this.#options.turns,
      tree: isOfThisBoot ? new ProcessTree({ leader, mark: markOf(mark) }) : undefined,
      ...more,
      onRecord: (changed) => this.write(file, changed),
      onNews: () => this.tell(id),
      onLoad: () => this.#use(id),
      expiresMs: () => this.#retention.expiresMs(kept.record),
    });
    return kept;
  }

  async remove(id: string): Promise<void> {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    this.#loaded.forget(id);
    this.#leftovers.forget(id);
    const { service, file, journal } = entry;
    for (const listener of this.#listeners) listener(service); // its watches end
    service[Symbol.dispose]();
    await journal?.[Symbol.asyncDispose]();
    await file?.idle();
    if (file !== undefined) await this.#options.files.remove(id);
  }

  async #enforceQuota(): Promise<void> {
    const { quotaBytes } = this.#options;
    if (this.#isEnding) return;
    const sizes = new Map([...this.#entries].map(([id, entry]) => [id, this.#bytesOf(entry)]));
    let bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    const gone = this.gone;
    for (const { id } of [...gone.filter(({ isRead }) => isRead), ...gone.filter(({ isRead }) => !isRead)]) {
      if (bytes <= quotaBytes) return;
      bytes -= sizes.get(id) ?? 0;
      this.#options.log.warn({ session: id }, 'cleaned away: the sessions have taken all their room');
      await this.remove(id);
    }
  }

  #bytesOf({ service, journal }: Entry): number {
    const { id, bytes } = service.record;
    if (journal !== undefined) return journal.status.bytes;
    if (bytes !== undefined || !(service instanceof KeptSession)) return bytes ?? 0;
    const found = this.#options.files.bytes(id);
    service.noteBytes(found);
    return found;
  }

  #entry(id: string): Entry | undefined {
    const index = this.#unread.indexOf(id);
    if (index >= 0) this.#readOne(...this.#unread.splice(index, 1));
    return this.#entries.get(id);
  }

  #named(name: string): Entry | undefined {
    this.#readAll();
    return [...this.#entries.values()].find(({ service }) => service.record.name === name);
  }

  /** A few of the earlier sessions at a time, so that a start does not wait for them. */
  #readSome(): void {
    for (const id of this.#unread.splice(0, READ_AT_ONCE)) this.#readOne(id);
    if (this.#unread.length > 0) setImmediate(() => this.#readSome());
    else this.#sort();
  }

  #readAll(): void {
    if (this.#unread.length === 0) return;
    for (const id of this.#unread.splice(0)) this.#readOne(id);
    this.#sort();
  }

  #readOne(id?: string): void {
    if (id === undefined) return;
    const { files } = this.#options;
    const file = files.recordFile(id);
    const record = files.read(id);
    // Whoever held its output had it from a daemon that is gone.
    const service = this.#kept({ ...record, isOver: record.isOver || record.state === 'exited' }, file);
    this.#entries.set(id, { service, file, journal: undefined });
  }

  /** In order of their start, in whatever order they were read. */
  #sort(): void {
    const sorted = [...this.#entries].sort(([a], [b]) => Number(a.slice(1)) - Number(b.slice(1)));
    this.#entries.clear();
    for (const [id, entry] of sorted) this.#entries.set(id, entry);
    this.#retention.schedule();
    this.#enforceQuota().catch((error: unknown) => this.#warn(error));
  }

  #warn(error: unknown): void {
    this.#options.log.warn({ err: error }, 'sessions');
  }
}
