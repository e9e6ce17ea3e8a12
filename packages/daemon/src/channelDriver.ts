/**
 * Drives the line's core: the socket in front of it, and the stream that clients see. All that is not JSON lives here, in the
 * loop (`coreLoop.ts`) and in the stream (`streamDriver.ts`).
 */
import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import type { ChannelJournal } from './channelJournal.ts';
import { Channel, type ChannelOptions, type ChannelSnapshot } from './core/channel.ts';
import type { ChannelInput, Effect, Span } from './core/events.ts';
import type { Author } from './core/timeline.ts';
import { CoreLoop, monotonicMs } from './coreLoop.ts';
import type { Lookup } from './io/addresses.ts';
import { TcpLine, type TcpLineListener } from './io/tcpLine.ts';
import type { Past } from './resume.ts';
import type { Archive } from './rpc/archive.ts';
import type { ChannelNews, ChannelService } from './rpc/channelService.ts';
import type { LineService } from './rpc/lineService.ts';
import { StreamDriver } from './streamDriver.ts';

/** What one daemon hands to the next; JSON. */
export interface HandoverState {
  readonly epoch: string;
  readonly channel: ChannelSnapshot;
  readonly bytesIn: number;
  readonly nextWait: number;
  readonly hasLine: boolean;
  readonly lost: readonly Span[];
}

export interface DriverOptions extends ChannelOptions {
  /** Folder of the texts that clients ask to have written. */
  readonly filesDir: string;
  readonly lookup?: Lookup;
  /** Keeps what happens, and knows the past; without one there is only what memory holds. */
  readonly journal?: ChannelJournal | undefined;
  /** How the channel stood when the last daemon ended. */
  readonly past?: Past | undefined;
  /** Told of each change of the line's state, for the log. */
  readonly onState?: (facts: Channel['facts']) => void;
}

export class ChannelDriver implements LineService, Disposable {
  readonly channel: Channel;
  readonly #options: DriverOptions;
  readonly #loop: CoreLoop<ChannelInput, Effect>;
  readonly #stream: StreamDriver;
  #line: TcpLine | undefined;
  #bytesIn = 0;
  #lastState: string;

  constructor(options: DriverOptions) {
    const { past, journal, filesDir } = options;
    this.#options = options;
    this.channel = new Channel(options, past?.snapshot);
    this.#loop = new CoreLoop({
      core: this.channel,
      tick: { kind: 'tick' },
      run: (effect) => this.#run(effect),
      onIdle: () => this.#reportState(),
    });
    this.#stream = new StreamDriver({
      conversation: this.channel.conversation,
      epoch: past?.epoch ?? randomBytes(8).toString('hex'),
      lost: past?.lost,
      filesDir,
      keeper: journal?.keeper('out'),
      feed: (call) => this.#feed(call),
    });
    if (past !== undefined) {
      this.conversation.transcript.append(past.replay, this.nowMs());
      this.conversation.transcript.pause();
    }
    this.#lastState = stateOf(this.channel.facts);
  }

  get conversation(): Channel['conversation'] {
    return this.channel.conversation;
  }

  /** Random name of this channel's birth (CONTRACT 1). */
  get epoch(): string {
    return this.#stream.epoch;
  }

  get archive(): Archive | undefined {
    return this.#stream.archive;
  }

  get lateness(): LineService['lateness'] {
    return this.#loop.lateness;
  }

  get isLeaving(): boolean {
    return this.#stream.isLeaving;
  }

  get lost(): readonly Span[] {
    return this.#stream.lost;
  }

  get bytesIn(): number {
    return this.#bytesIn;
  }

  /** Port on our side of the present connection. */
  get localPort(): number | undefined {
    return this.#line?.localPort;
  }

  /** The system-wide monotonic clock, in ms. */
  nowMs(): number {
    return monotonicMs();
  }

  wait(...call: Parameters<ChannelService['wait']>): ReturnType<ChannelService['wait']> {
    return this.#stream.wait(...call);
  }

  requestFloor(
    ...call: Parameters<ChannelService['requestFloor']>
  ): ReturnType<ChannelService['requestFloor']> {
    return this.#stream.requestFloor(...call);
  }

  endTurn(token: number): void {
    this.#stream.endTurn(token);
  }

  releaseFloor(reader: string, token: number | undefined): void {
    this.#stream.releaseFloor(reader, token);
  }

  left(reader: string, isNamed: boolean): void {
    this.#stream.left(reader, isNamed);
  }

  note(kind: 'mark' | 'say', author: Author, text: string): void {
    this.#stream.note(kind, author, text);
  }

  readersChanged(): void {
    this.#stream.readersChanged();
  }

  subscribe(listener: (news: ChannelNews) => void): Disposable {
    return this.#stream.subscribe(listener);
  }

  saveText(name: string, text: string): Promise<string> {
    return this.#stream.saveText(name, text);
  }

  every(ms: number, act: () => void): Disposable {
    return this.#stream.every(ms, act);
  }

  unstick(): void {
    this.#feed({ kind: 'unstick' });
  }

  close(): void {
    this.#feed({ kind: 'close' });
  }

  /** The line's socket, while there is a connection. */
  get socket(): Socket | undefined {
    return this.#line?.socket;
  }

  /**
   * Stands still, for a successor: every wait ends with `still_waiting`, nothing is read any more. Rejects when that cannot
   * be done now; then all is as before.
   */
  async suspend(patienceMs: number): Promise<void> {
    const { state } = this.channel.facts;
    if (state === 'connecting') throw new Error('the line is being opened; try again when that is over');
    this.#feed({ kind: 'suspend' });
    this.#stream.isLeaving = true;
    if (this.#line !== undefined && !(await this.#line.pause(patienceMs))) {
      this.#stream.isLeaving = false;
      this.#line.resume();
      throw new Error('the far end takes no input; try again when it does');
    }
    this.#loop.suspend();
  }

  /** All that a successor needs; only while suspended. */
  handover(): HandoverState {
    return {
      epoch: this.epoch,
      channel: this.channel.snapshot(),
      bytesIn: this.#bytesIn,
      nextWait: this.#stream.nextWait,
      hasLine: this.#line?.socket !== undefined,
      lost: this.lost,
    };
  }

  /** Goes on after `suspend`, or after taking over. */
  resume(): void {
    this.#stream.isLeaving = false;
    this.#line?.resume();
    this.#loop.resume();
  }

  /** Takes over what a predecessor has handed over; `resume` begins. */
  adopt(state: HandoverState, lineFd: number): void {
    this.#bytesIn = state.bytesIn;
    this.#stream.skipWaits(state.nextWait);
    this.#loop.suspend();
    if (state.hasLine) this.#line = TcpLine.adopt(lineFd, this.#lineListener());
    // Its clients are gone with their connections, and come again.
    for (const [reader, place] of state.channel.conversation.readers.places) {
      if (place.isLive) this.left(reader, !place.isPrivate);
    }
  }

  /** Resets the line and ends every wait. */
  [Symbol.dispose](): void {
    this.close();
    this.#stream.keepReaders();
    this.#loop[Symbol.dispose]();
  }

  #feed(input: ChannelInput): void {
    this.#loop.feed(input);
  }

  #run(effect: Effect): void {
    switch (effect.kind) {
      case 'connect':
        this.#connect(effect.host, effect.port);
        return;
      case 'disconnect':
        this.#line?.reset();
        this.#line = undefined;
        return;
      case 'write':
        this.#line?.write(effect.bytes, () => this.#feed({ kind: 'written', bytes: effect.dataBytes }));
        return;
      default:
        this.#stream.run(effect);
    }
  }

  #connect(host: string, port: number): void {
    const { lookup } = this.#options;
    this.#line = TcpLine.connect(
      { host, port, ...(lookup !== undefined && { lookup }) },
      this.#lineListener(),
    );
  }

  #lineListener(): TcpLineListener {
    return {
      tried: (detail) => this.#feed({ kind: 'tried', detail }),
      connected: () => this.#feed({ kind: 'connected' }),
      data: (bytes) => {
        this.#bytesIn += bytes.length;
        this.#feed({ kind: 'data', bytes });
      },
      ended: () => this.#feed({ kind: 'ended' }),
      failed: (failure, detail) => this.#feed({ kind: 'failed', failure, detail }),
    };
  }

  #reportState(): void {
    const { facts } = this.channel;
    const state = stateOf(facts);
    if (state === this.#lastState) return;
    this.#lastState = state;
    this.#options.onState?.(facts);
  }
}

function stateOf({ state, phase }: Channel['facts']): string {
  return `${state} ${phase ?? ''}`;
}
