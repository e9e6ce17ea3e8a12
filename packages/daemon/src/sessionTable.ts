/**
 * All command sessions of the daemon: those that run, and those that are kept behind their exit, also from earlier daemons. It
 * says who may be started, gives ids that are never used again, and cleans away.
 *
 * When the daemon ends, sessions are stopped and say so (`shutdown`). A daemon that could not do that leaves `lost` ones: their
 * output is there, and what is alive of them is found.
 */
import { randomBytes } from 'node:crypto';
import { rpcError } from '@pidp10/protocol/errors';
import { ChannelJournal } from './channelJournal.ts';
import { commandTranscript } from './core/sessionChannel.ts';
import { Transcript } from './core/transcript.ts';
import { monotonicMs } from './coreLoop.ts';
import { readBootId } from './io/journal/clock.ts';
import type { Log } from './io/log.ts';
import { OutputTurns } from './io/outputTurns.ts';
import type { SpawnPolicy } from './io/spawnPolicy.ts';
import type { SessionRequest, SessionService, SessionTable } from './rpc/sessionService.ts';
import { SessionDriver } from './sessionDriver.ts';
import { SessionFiles } from './sessionFiles.ts';
import {
  LAST_OUTPUT_MS,
  MAX_KEPT,
  MAX_KEPT_IN_MEMORY,
  SESSION_SEGMENT_BYTES,
  SESSION_SHARE,
  SHUTDOWN_GRACE_MS,
} from './sessionLimits.ts';
import type { SessionRecord } from './sessionRecord.ts';
import { SessionShelf } from './sessionShelf.ts';
import { type Prepared, prepare, run } from './sessionStart.ts';

export interface SessionTableOptions {
  /** Who may start commands. */
  readonly commands: 'off' | 'local' | 'all';
  readonly spawnPolicy: SpawnPolicy;
  readonly maxRunning: number;
  /** An exited session that was read is cleaned away after so long, in ms. */
  readonly keepMs: number;
  /** Of all sessions' files together. */
  readonly quotaBytes: number;
  /** Bytes of each stream in memory. */
  readonly ringBytes: number;
  /** Where the sessions' folders are. */
  readonly root: string;
  /** Whether output is kept there too; without that all of a session is in memory. */
  readonly hasJournal: boolean;
  readonly filesDir: string;
  /** The daemon's own environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
}

export class CommandTable implements SessionTable, AsyncDisposable {
  readonly #options: SessionTableOptions;
  readonly #files: SessionFiles;
  readonly #boot: string;
  readonly #turns = new OutputTurns();
  readonly #shelf: SessionShelf;
  /** Those that are being started, and their names. */
  readonly #starting = new Map<Promise<SessionService>, string | undefined>();
  #isEnding = false;

  /** Makes the folder; reads nothing but the names in it. Rejects when it is refused. */
  static async open(options: SessionTableOptions): Promise<CommandTable> {
    return new CommandTable(options, await readBootId());
  }

  private constructor(options: SessionTableOptions, boot: string) {
    this.#options = options;
    this.#boot = boot;
    this.#files = new SessionFiles(options.root);
    const { keepMs, quotaBytes, ringBytes, filesDir, log } = options;
    const [files, turns] = [this.#files, this.#turns];
    this.#shelf = new SessionShelf({ keepMs, quotaBytes, ringBytes, filesDir, files, turns, boot, log });
  }

  get policy(): SessionTable['policy'] {
    return this.#options.commands;
  }

  get all(): readonly SessionService[] {
    return this.#shelf.entries.map(({ service }) => service);
  }

  /** Those whose program has not exited, or whose output is held open. */
  get running(): readonly SessionDriver[] {
    return this.#shelf.live.map(({ service }) => service);
  }

  /** Programs that are gone whose output is in memory. */
  get loadedSessions(): number {
    return this.#shelf.loadedSessions;
  }

  leftovers(): ReturnType<SessionTable['leftovers']> {
    return this.#shelf.leftovers();
  }

  get(key: string): SessionService | undefined {
    return this.#shelf.get(key);
  }

  async start(request: SessionRequest): Promise<SessionService> {
    if (this.#options.commands === 'off') throw rpcError('commands_off');
    if (this.#isEnding) throw rpcError('start_failed', 'The daemon is ending; nothing was started.');
    this.#assertName(request.name);
    const mark = randomBytes(16).toString('hex');
    const { spawnPolicy: policy, env: base } = this.#options;
    const prepared = prepare(request, { policy, base, mark });
    const start = this.#start(request, prepared, mark);
    this.#starting.set(start, request.name);
    try {
      return await start;
    } finally {
      this.#starting.delete(start);
    }
  }

  async delete(session: SessionService): Promise<void> {
    if (session instanceof SessionDriver && session.facts.state !== 'exited')
      throw rpcError('session_running');
    await this.#shelf.remove(session.id);
  }

  subscribe(listener: (session: SessionService) => void): Disposable {
    return this.#shelf.subscribe(listener);
  }

  /** Stops all that runs, and brings what is kept to the disk; nothing is started any more until `goOn`. */
  async end(graceMs = SHUTDOWN_GRACE_MS): Promise<void> {
    this.#isEnding = true;
    await Promise.allSettled(this.#starting.keys());
    await Promise.all(this.running.map((session) => endOf(session, graceMs)));
    for (const { service, journal } of this.#shelf.entries) {
      if (!(service instanceof SessionDriver)) continue;
      service.keepNow();
      await journal?.[Symbol.asyncDispose]();
    }
  }

  /** An end that was not one: starts are taken again. */
  goOn(): void {
    this.#isEnding = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
    this.#shelf[Symbol.dispose]();
    await this.#shelf.idle();
  }

  async #start(request: SessionRequest, prepared: Prepared, mark: string): Promise<SessionService> {
    await this.#makeRoom();
    const id = await this.#newId();
    const shelf = this.#shelf;
    const { hasJournal, filesDir, ringBytes, log } = this.#options;
    const journal = hasJournal ? await this.#openJournal(id) : undefined;
    const file = journal && this.#files.recordFile(id);
    const record = this.#recordOf(request, { id, mark, cwd: prepared.cwd });
    const driver = new SessionDriver({
      record,
      filesDir,
      ringBytes,
      startedMs: monotonicMs(),
      timeLimitMs: request.timeLimitMs,
      keepers: journal === undefined ? {} : { out: journal.keeper('out'), err: journal.keeper('err') },
      turns: this.#turns,
      onRecord: (changed) => shelf.write(file, changed),
      onNews: () => shelf.tell(id),
      onOver: () => shelf.settle(id),
      expiresMs: () => shelf.expiresMs(driver.record),
    });
    try {
      // Before the start: what runs must be found again, whatever happens (the mark).
      await file
        ?.put(JSON.stringify(record))
        .catch((error: unknown) => log.warn({ err: error, session: id }, 'session.json'));
      await run(driver, prepared, request);
      // An end that has begun meanwhile waits for this start, and stops it too.
      shelf.put(id, { service: driver, file, journal });
    } catch (error) {
      driver[Symbol.dispose]();
      await file?.idle();
      await journal?.[Symbol.asyncDispose]();
      if (journal !== undefined) await this.#files.remove(id);
      throw error;
    }
    shelf.tell(id);
    return driver;
  }

  async #newId(): Promise<string> {
    try {
      return await this.#files.nextId();
    } catch (error) {
      throw rpcError('start_failed', `The number of the session cannot be written down (${String(error)}).`);
    }
  }

  /** Undefined when there is no room on the disk, or the folder is refused: then its output is in memory. */
  async #openJournal(id: string): Promise<ChannelJournal | undefined> {
    const { quotaBytes, ringBytes, log } = this.#options;
    try {
      const { journal } = await ChannelJournal.open({
        folder: this.#files.folder(id),
        quotaBytes: quotaBytes * SESSION_SHARE,
        segmentBytes: SESSION_SEGMENT_BYTES,
        blank: new Transcript(commandTranscript(ringBytes)),
        onStorage: (status) => log.warn({ session: id, ...status }, 'storage'),
      });
      return journal;
    } catch (error) {
      log.error({ err: error, session: id }, 'output of the session is kept in memory only');
      return undefined;
    }
  }

  #recordOf(
    { command, args, isPty, size, splitStderr, name, client }: SessionRequest,
    { id, mark, cwd }: { readonly id: string; readonly mark: string; readonly cwd: string },
  ): SessionRecord {
    return {
      id,
      ...(name !== undefined && { name }),
      epoch: randomBytes(8).toString('hex'),
      command,
      args: [...args],
      cwd,
      isPty,
      ...(isPty && { size }),
      splitStderr: splitStderr && !isPty,
      startedBy: client,
      startedMs: Date.now(),
      boot: this.#boot,
      mark,
      state: 'running',
      isOver: false,
      isRead: false,
    };
  }

  #assertName(name: string | undefined): void {
    if (name === undefined) return;
    if (this.#shelf.get(name) !== undefined || [...this.#starting.values()].includes(name))
      throw rpcError('session_name_taken', `There is a session ${name} already; nothing was started.`);
  }

  async #makeRoom(): Promise<void> {
    const { maxRunning, hasJournal } = this.#options;
    const running = this.running.length + this.#starting.size;
    if (running >= maxRunning)
      throw rpcError('too_many_sessions', `${running} commands run already, ${maxRunning} may.`);
    const most = hasJournal ? MAX_KEPT : MAX_KEPT_IN_MEMORY;
    if (this.#shelf.size + this.#starting.size < most) return;
    const kept = this.#shelf.entries.length;
    const oldest = this.#shelf.gone.find((record) => record.isRead || !hasJournal);
    if (oldest === undefined)
      throw rpcError('too_many_sessions', `${kept} sessions are kept already, and nobody has read them.`);
    await this.#shelf.remove(oldest.id);
  }
}

/** Resolves when the session is stopped, and its last output has come or is given up. */
async function endOf(session: SessionDriver, graceMs: number): Promise<void> {
  await session.shutDown(graceMs);
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), LAST_OUTPUT_MS);
  await session.whenOver('end', patience.signal);
  clearTimeout(timer);
}
