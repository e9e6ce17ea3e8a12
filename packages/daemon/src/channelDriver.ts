/**
 * Drives the channel's core: feeds it facts with the time, carries its orders out, wakes it with one timer. All that is
 * not JSON lives here: the socket, the promises, the timer.
 */
import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { RpcError, rpcError } from '@pidp10/protocol/errors';
import type { ChannelJournal } from './channelJournal.ts';
import { Channel, type ChannelOptions, type ChannelSnapshot } from './core/channel.ts';
import type { ChannelInput, Effect, Settlement, Span } from './core/events.ts';
import type { FloorAnswer, FloorRequest } from './core/floor.ts';
import type { Author } from './core/timeline.ts';
import type { Lookup } from './io/addresses.ts';
import { TcpLine, type TcpLineListener } from './io/tcpLine.ts';
import { saveText } from './io/textFile.ts';
import type { Past } from './resume.ts';
import type { Archive } from './rpc/archive.ts';
import type { LineNews, LineService, WaitRequest } from './rpc/lineService.ts';

/** Longest delay of a Node timer, in ms; a longer one would fire at once. */
const MAX_TIMER_MS = 2_147_483_647;

/** What one daemon hands to the next; JSON. */
export interface HandoverState {
  readonly epoch: string;
  readonly channel: ChannelSnapshot;
  readonly bytesIn: number;
  readonly nextWait: number;
  readonly hasLine: boolean;
  readonly lost: readonly Span[];
}

interface Waiter {
  readonly resolve: (settlement: Settlement) => void;
  readonly reject: (error: RpcError) => void;
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
  /** Random name of this channel's birth (CONTRACT 1). */
  readonly epoch: string;
  readonly #options: DriverOptions;
  readonly #waiters = new Map<string, Waiter>();
  readonly #floorWaiters = new Map<string, (answer: FloorAnswer) => void>();
  readonly #listeners = new Set<(news: LineNews) => void>();
  #line: TcpLine | undefined;
  #timer: NodeJS.Timeout | undefined;
  #nextWait = 1;
  #bytesIn = 0;
  #ticks = 0;
  #lateMs = 0;
  #latestMs = 0;
  #lastState: string;
  readonly #inbox: ChannelInput[] = [];
  #isFeeding = false;
  #isSuspended = false;
  /** A successor is about to take over: what begins now would be neither here nor there. */
  #isLeaving = false;

  constructor(options: DriverOptions) {
    const { past } = options;
    this.#options = options;
    this.epoch = past?.epoch ?? randomBytes(8).toString('hex');
    this.channel = new Channel(options, past?.snapshot);
    if (past !== undefined) {
      this.channel.conversation.transcript.append(past.replay, this.nowMs());
      this.channel.conversation.transcript.pause();
    }
    this.#lastState = stateOf(this.channel.facts);
  }

  get lateness(): { readonly mean: number; readonly max: number } {
    return { mean: this.#ticks === 0 ? 0 : this.#lateMs / this.#ticks, max: this.#latestMs };
  }

  get archive(): Archive | undefined {
    return this.#options.journal;
  }

  readersChanged(): void {
    this.#options.journal?.noteReaders(() => this.channel.conversation.readers.snapshot());
  }

  get isLeaving(): boolean {
    return this.#isLeaving;
  }

  get lost(): readonly Span[] {
    return this.#options.past?.lost ?? [];
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

  wait(
    request: WaitRequest,
    signal: AbortSignal,
  ): { readonly id: string; readonly settled: Promise<Settlement> } {
    if (this.#isLeaving) throw rpcError('upgrading');
    const id = this.#newId();
    const cancel = () => this.#feed({ kind: 'cancel', waitId: id });
    const settled = new Promise<Settlement>((resolve, reject) => {
      this.#waiters.set(id, { resolve, reject });
    }).finally(() => signal.removeEventListener('abort', cancel));
    this.#feed({ ...request, waitId: id });
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
    return { id, settled };
  }

  async requestFloor(request: Omit<FloorRequest, 'waitId'>, signal: AbortSignal): Promise<FloorAnswer> {
    if (this.#isLeaving) throw rpcError('upgrading');
    if (signal.aborted) return { kind: 'cancelled' };
    const waitId = this.#newId();
    const cancel = () => this.#feed({ kind: 'cancel', waitId });
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await new Promise<FloorAnswer>((resolve) => {
        this.#floorWaiters.set(waitId, resolve);
        this.#feed({ ...request, kind: 'floorRequest', waitId });
      });
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  endTurn(token: number): void {
    this.#feed({ kind: 'floorDone', token });
  }

  releaseFloor(reader: string, token: number | undefined): void {
    this.#feed({ kind: 'floorRelease', reader, ...(token !== undefined && { token }) });
  }

  left(reader: string, isNamed: boolean): void {
    this.#feed({ kind: 'left', reader, isNamed });
  }

  note(kind: 'mark' | 'say', author: Author, text: string): void {
    this.#feed({ kind, author, text });
  }

  subscribe(listener: (news: LineNews) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  unstick(): void {
    this.#feed({ kind: 'unstick' });
  }

  saveText(name: string, text: string): Promise<string> {
    return saveText(this.#options.filesDir, name, text);
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
    this.#isLeaving = true;
    if (this.#line !== undefined && !(await this.#line.pause(patienceMs))) {
      this.#isLeaving = false;
      this.#line.resume();
      throw new Error('the far end takes no input; try again when it does');
    }
    clearTimeout(this.#timer);
    this.#isSuspended = true;
  }

  /** All that a successor needs; only while suspended. */
  handover(): HandoverState {
    return {
      epoch: this.epoch,
      channel: this.channel.snapshot(),
      bytesIn: this.#bytesIn,
      nextWait: this.#nextWait,
      hasLine: this.#line?.socket !== undefined,
      lost: this.lost,
    };
  }

  /** Goes on after `suspend`, or after taking over. */
  resume(): void {
    this.#isSuspended = false;
    this.#isLeaving = false;
    this.#line?.resume();
    this.#feed({ kind: 'tick' });
  }

  /** Takes over what a predecessor has handed over; `resume` begins. */
  adopt(state: HandoverState, lineFd: number): void {
    this.#bytesIn = state.bytesIn;
    this.#nextWait = state.nextWait;
    this.#isSuspended = true;
    if (state.hasLine) this.#line = TcpLine.adopt(lineFd, this.#lineListener());
    // Its clients are gone with their connections, and come again.
    for (const [reader, place] of state.channel.conversation.readers.places) {
      if (place.isLive) this.left(reader, !place.isPrivate);
    }
  }

  every(ms: number, act: () => void): Disposable {
    const timer = setInterval(act, ms);
    return { [Symbol.dispose]: () => clearInterval(timer) };
  }

  /** Resets the line and ends every wait. */
  [Symbol.dispose](): void {
    this.close();
    this.#options.journal?.keepReaders(this.channel.conversation.readers.snapshot());
    clearTimeout(this.#timer);
  }

  /** An input that comes while the orders of another are carried out waits for its turn. */
  #feed(input: ChannelInput): void {
    this.#inbox.push(input);
    if (this.#isFeeding) return;
    this.#isFeeding = true;
    try {
      for (let next = this.#inbox.shift(); next !== undefined; next = this.#inbox.shift()) {
        for (const effect of this.channel.handle(next, this.nowMs())) this.#run(effect);
      }
    } finally {
      this.#isFeeding = false;
    }
    this.#wakeAtDeadline();
    this.#reportState();
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
      case 'append':
      case 'record':
      case 'asked':
        this.#options.journal?.keep(effect, this.channel.conversation.transcript);
        for (const listener of this.#listeners) listener(effect);
        return;
      case 'floor':
        this.#floorWaiters.get(effect.waitId)?.(effect.answer);
        this.#floorWaiters.delete(effect.waitId);
        return;
      case 'settle':
        this.#take(effect.waitId)?.resolve(effect.settlement);
        return;
      case 'fail':
        this.#take(effect.waitId)?.reject(
          rpcError(effect.error.name, effect.error.detail, effect.error.data),
        );
        return;
      default:
        effect satisfies never;
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

  #newId(): string {
    const id = `w${this.#nextWait}`;
    this.#nextWait += 1;
    return id;
  }

  #take(waitId: string): Waiter | undefined {
    const waiter = this.#waiters.get(waitId);
    this.#waiters.delete(waitId);
    return waiter;
  }

  #wakeAtDeadline(): void {
    clearTimeout(this.#timer);
    if (this.#isSuspended) return;
    const deadlineMs = this.channel.deadlineMs();
    if (deadlineMs === undefined) return;
    // Timers count whole milliseconds and may fire a little early; an early tick would only set the next one.
    const delayMs = Math.min(Math.max(Math.ceil(deadlineMs - this.nowMs()), 0), MAX_TIMER_MS);
    this.#timer = setTimeout(() => {
      const lateMs = Math.max(this.nowMs() - deadlineMs, 0);
      this.#ticks += 1;
      this.#lateMs += lateMs;
      this.#latestMs = Math.max(this.#latestMs, lateMs);
      this.#feed({ kind: 'tick' });
    }, delayMs);
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

/** The system-wide monotonic clock, in ms; a successor of this process reads the same. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1_000n) / 1_000;
}
