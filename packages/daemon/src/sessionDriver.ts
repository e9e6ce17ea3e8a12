/**
 * Drives one command session: feeds its core with what the process does and what clients ask, and carries the core's orders out.
 * Without a process it is the session of a program that is gone, of which only the output is there.
 */
import type { SessionFacts } from '@pidp10/protocol/sessionSchemas';
import {
  SessionChannel,
  type SessionChannelEffect,
  type SessionChannelInput,
} from './core/sessionChannel.ts';
import type { Member, SessionStream } from './core/sessionState.ts';
import { CoreLoop } from './coreLoop.ts';
import { OutputMeter } from './io/outputTurns.ts';
import type { ProcessEvents } from './io/process/processHandle.ts';
import { placeOf } from './rpc/sessionAnswers.ts';
import type { SessionDetails, SessionScreen, SessionService, TerminalSize } from './rpc/sessionService.ts';
import type { RunningProcess, SessionDriverOptions } from './sessionDriverOptions.ts';
import { EndWaits } from './sessionEnds.ts';
import { detailsOf, factsOf, isAllRead, streamsOf } from './sessionFacts.ts';
import { SessionInputs } from './sessionInput.ts';
import type { SessionRecord } from './sessionRecord.ts';
import type { SessionTerminal } from './sessionTerminal.ts';
import { StreamDriver } from './streamDriver.ts';

export class SessionDriver implements SessionService, Disposable {
  readonly core: SessionChannel;
  readonly out: StreamDriver;
  readonly err: StreamDriver | undefined;
  readonly #options: SessionDriverOptions;
  readonly #loop: CoreLoop<SessionChannelInput, SessionChannelEffect>;
  readonly #inputs: SessionInputs;
  readonly #ends = new EndWaits((what) => this.#isSo(what));
  readonly #stopping: ((survivors: readonly Member[]) => void)[] = [];
  #record: SessionRecord;
  #process: RunningProcess | undefined;
  #terminal: SessionTerminal | undefined;
  #meter: OutputMeter | undefined;

  constructor(options: SessionDriverOptions) {
    const { record, snapshot } = options;
    this.#options = options;
    this.#record = record;
    const { isPty, splitStderr } = record;
    this.#inputs = new SessionInputs(isPty);
    this.core = new SessionChannel({ ...options, isPty, splitStderr }, snapshot);
    this.#loop = new CoreLoop({
      core: this.core,
      tick: { kind: 'tick' },
      run: (effect) => this.#run(effect),
    });
    this.out = this.#stream('out', this.core.out);
    this.err = this.core.err && this.#stream('err', this.core.err);
  }

  get id(): string {
    return this.#record.id;
  }

  get record(): SessionRecord {
    return this.#record;
  }

  get isOver(): boolean {
    return this.core.isOver;
  }

  get inMemory(): readonly StreamDriver[] {
    return this.err === undefined ? [this.out] : [this.out, this.err];
  }

  place(stream: SessionStream, reader: string): ReturnType<SessionService['place']> {
    const channel = stream === 'out' ? this.out : this.err;
    return channel && placeOf(channel, reader);
  }

  changeKept(): void {
    // all of it is in memory
  }

  get facts(): SessionFacts {
    const { life, exit, isOutputEnded, isOutputHeld } = this.core.state;
    const outputState = isOutputEnded ? 'ended' : isOutputHeld ? 'held' : 'open';
    return factsOf(this.#record, { state: life, exit, outputState });
  }

  get details(): SessionDetails {
    const stopCause = this.core.state.cause;
    const record = { ...this.#record, ...(stopCause !== undefined && { stopCause }) };
    return detailsOf(record, this.#options.expiresMs());
  }

  /** Its process runs from now on; the events of that come to `events`. */
  begin(process: RunningProcess): void {
    const { handle } = process;
    this.#process = process;
    this.#inputs.begin(handle);
    this.#terminal = process.terminal;
    this.#meter = new OutputMeter(this.#options.turns, handle);
    const { pid, startTime } = handle;
    this.#change({ pid, ...(startTime !== undefined && { startTime }) });
    this.#loop.feed({ kind: 'began', text: `started: ${this.#record.command} (${pid})` });
  }

  /** What the process does; valid from `begin` on. */
  readonly events: ProcessEvents = {
    data: (stream, bytes) => {
      this.#loop.feed({ kind: 'data', stream, bytes });
      this.#meter?.took(bytes.length);
    },
    streamEnd: (stream) => this.#loop.feed({ kind: 'streamEnd', stream }),
    exit: ({ code, signal }) => {
      const exit = { ...(code !== undefined && { code }), ...(signal !== undefined && { signal }) };
      this.#loop.feed({ kind: 'exit', exit });
    },
    inputWritten: (written) => {
      const bytes = this.#inputs.written(written);
      if (bytes > 0) this.#loop.feed({ kind: 'written', bytes });
    },
    inputClosed: () => this.#loop.feed({ kind: 'inputClosed' }),
  };

  /** The answers of its terminal go to the program at once, between what people type. */
  answer(bytes: Uint8Array): void {
    this.#inputs.answer(bytes);
  }

  checkInput(bytes: Uint8Array): ReturnType<SessionService['checkInput']> {
    return this.#process?.handle.checkInput(bytes) ?? Promise.resolve({ kind: 'fits' });
  }

  echoState(): ReturnType<SessionService['echoState']> {
    if (!this.#record.isPty) return Promise.resolve('off');
    return this.#process?.handle.echoState() ?? Promise.resolve('unknown');
  }

  signal(...call: Parameters<SessionService['signal']>): ReturnType<SessionService['signal']> {
    return this.#process?.handle.signal(...call) ?? { kind: 'gone' };
  }

  resize(size: TerminalSize): void {
    if (this.#process === undefined || !this.#record.isPty || this.isOver) return;
    this.#process.handle.resize(size);
    this.#terminal?.resize(size);
    this.#change({ size });
  }

  stop(graceMs: number): Promise<readonly Member[]> {
    return this.#stop(graceMs, 'asked');
  }

  /** The daemon ends. */
  shutDown(graceMs: number): Promise<readonly Member[]> {
    return this.#stop(graceMs, 'shutdown');
  }

  whenOver(what: 'exit' | 'end', signal: AbortSignal): Promise<void> {
    return this.#ends.when(what, signal);
  }

  processes(): readonly Member[] {
    return this.#process?.tree.scan().map(({ pid, name }) => ({ pid, name })) ?? [];
  }

  async screen(): Promise<SessionScreen | undefined> {
    return this.#terminal?.show(this.core.out.scrollback.end);
  }

  /** Readers have moved. Once somebody has got all its output, it may be cleaned away when its time is over. */
  noteRead(): void {
    if (!this.isOver) return;
    this.#keepStreams();
    if (this.#record.isRead) return;
    if (isAllRead(this.core)) this.#change({ isRead: true });
  }

  /** Its files are closed, and have so many bytes. */
  noteBytes(bytes: number): void {
    this.#change({ bytes });
  }

  /** The daemon is about to end: places of readers that were about to be kept are kept now. */
  keepNow(): void {
    this.out.keepReaders();
    this.err?.keepReaders();
  }

  /** Lets go of the process without a signal, and ends every wait. */
  [Symbol.dispose](): void {
    this.#loop.feed({ kind: 'call', stream: 'out', call: { kind: 'suspend' } });
    if (this.err !== undefined) this.#loop.feed({ kind: 'call', stream: 'err', call: { kind: 'suspend' } });
    this.#loop[Symbol.dispose]();
    // Whoever still reads one that is over is answered at once.
    if (!this.isOver) for (const stream of this.inMemory) stream.close();
    this.#process?.handle[Symbol.dispose]();
    this.#terminal?.[Symbol.dispose]();
    this.#ends[Symbol.dispose]();
    for (const resolve of this.#stopping.splice(0)) resolve([]);
  }

  #stream(stream: SessionStream, conversation: SessionChannel['out']): StreamDriver {
    const { record, filesDir, keepers, onNews } = this.#options;
    return new StreamDriver({
      conversation,
      epoch: record.epoch,
      filesDir,
      keeper: keepers[stream],
      feed: (call) => {
        if (call.kind === 'open') throw new Error('a session cannot be opened');
        this.#loop.feed({ kind: 'call', stream, call });
      },
      onReaders: () => this.noteRead(),
      onNews,
    });
  }

  #stop(graceMs: number, cause: 'asked' | 'shutdown'): Promise<readonly Member[]> {
    if (this.#process === undefined) return Promise.resolve([]);
    return new Promise((resolve) => {
      this.#stopping.push(resolve);
      this.#loop.feed({ kind: 'stop', graceMs, cause });
    });
  }

  #run(effect: SessionChannelEffect): void {
    switch (effect.kind) {
      case 'stream':
        this.#runStream(effect);
        return;
      case 'closeInput':
        this.#inputs.end();
        return;
      case 'signal':
        this.#hear(this.#process?.tree.signal(effect.signals) ?? []);
        return;
      case 'look':
        this.#hear(this.#process?.tree.scan() ?? []);
        return;
      case 'exited':
        this.#change({ state: 'exited', exit: effect.exit, exitedMs: Date.now(), isOver: this.isOver });
        this.#announce();
        return;
      case 'outputHeld':
        this.#options.onNews();
        return;
      case 'outputEnded':
        if (this.isOver) this.#change({ isOver: true });
        this.#announce();
        return;
      case 'stopped':
        for (const resolve of this.#stopping.splice(0)) resolve(effect.survivors);
        this.#options.onNews();
        return;
      default:
        effect satisfies never;
    }
  }

  #runStream({ stream, effect }: SessionChannelEffect & { readonly kind: 'stream' }): void {
    switch (effect.kind) {
      case 'write':
        this.#inputs.write(effect.bytes);
        return;
      case 'connect':
      case 'disconnect':
        return; // a line's
      default:
        // Not before: what the terminal is to show must not hold a secret (I19).
        if (stream === 'out' && effect.kind === 'append') this.#terminal?.feed(effect.bytes);
        (stream === 'out' ? this.out : this.err)?.run(effect);
    }
  }

  #hear(alive: readonly Member[]): void {
    const members = alive.map(({ pid, name }) => ({ pid, name }));
    this.#loop.feed({ kind: 'members', alive: members });
  }

  /** Tells who waits for it that it has exited, or that its output has ended. */
  #announce(): void {
    this.#ends.settle();
    this.#options.onNews();
    if (this.isOver) this.#finish();
  }

  #finish(): void {
    this.out.keepReaders();
    this.err?.keepReaders();
    this.noteRead();
    void this.#terminal?.freeze(this.core.out.scrollback.end);
    this.#process?.handle[Symbol.dispose]();
    this.#options.onOver();
  }

  /** Its journal is closed: where its readers stand is written beside it. */
  #keepStreams(): void {
    const streams = streamsOf(this.core);
    if (JSON.stringify(streams) !== JSON.stringify(this.#record.streams)) this.#change({ streams });
  }

  #isSo(what: 'exit' | 'end'): boolean {
    return what === 'exit' ? this.core.state.exit !== undefined : this.isOver;
  }

  #change(change: Partial<SessionRecord>): void {
    const { cause } = this.core.state;
    this.#record = { ...this.#record, ...change, ...(cause !== undefined && { stopCause: cause }) };
    this.#options.onRecord(this.#record);
  }
}
