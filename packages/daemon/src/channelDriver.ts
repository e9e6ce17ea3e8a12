/**
 * Drives the channel's core: feeds it facts with the time, carries its orders out, wakes it with one timer. All that is
 * not JSON lives here: the socket, the promises, the timer.
 */
import { randomBytes } from 'node:crypto';
import { RpcError, rpcError } from '@pidp10/protocol/errors';
import { Channel, type ChannelOptions } from './core/channel.ts';
import type { ChannelInput, Effect, Settlement } from './core/events.ts';
import { type Lookup, TcpLine } from './io/tcpLine.ts';
import { saveText } from './io/textFile.ts';
import type { LineService, WaitRequest } from './rpc/lineService.ts';

/** Longest delay of a Node timer, in ms; a longer one would fire at once. */
const MAX_TIMER_MS = 2_147_483_647;

interface Waiter {
  readonly resolve: (settlement: Settlement) => void;
  readonly reject: (error: RpcError) => void;
}

export interface DriverOptions extends ChannelOptions {
  /** Folder of the texts that clients ask to have written. */
  readonly filesDir: string;
  readonly lookup?: Lookup;
  /** Told of each change of the line's state, for the log. */
  readonly onState?: (facts: Channel['facts']) => void;
}

export class ChannelDriver implements LineService, Disposable {
  readonly channel: Channel;
  /** Random name of this channel's birth (CONTRACT 1). */
  readonly epoch = randomBytes(8).toString('hex');
  readonly #options: DriverOptions;
  readonly #waiters = new Map<string, Waiter>();
  #line: TcpLine | undefined;
  #timer: NodeJS.Timeout | undefined;
  #nextWait = 1;
  #bytesIn = 0;
  #lastState = 'closed';

  constructor(options: DriverOptions) {
    this.#options = options;
    this.channel = new Channel(options);
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
    return Number(process.hrtime.bigint() / 1_000n) / 1_000;
  }

  wait(
    request: WaitRequest,
    signal: AbortSignal,
  ): { readonly id: string; readonly settled: Promise<Settlement> } {
    const id = `w${this.#nextWait}`;
    this.#nextWait += 1;
    const cancel = () => this.#feed({ kind: 'cancel', waitId: id });
    const settled = new Promise<Settlement>((resolve, reject) => {
      this.#waiters.set(id, { resolve, reject });
    }).finally(() => signal.removeEventListener('abort', cancel));
    this.#feed({ ...request, waitId: id });
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
    return { id, settled };
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

  every(ms: number, act: () => void): Disposable {
    const timer = setInterval(act, ms);
    return { [Symbol.dispose]: () => clearInterval(timer) };
  }

  /** Resets the line and ends every wait. */
  [Symbol.dispose](): void {
    this.close();
    clearTimeout(this.#timer);
  }

  #feed(input: ChannelInput): void {
    for (const effect of this.channel.handle(input, this.nowMs())) this.#run(effect);
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
      {
        tried: (detail) => this.#feed({ kind: 'tried', detail }),
        connected: () => this.#feed({ kind: 'connected' }),
        data: (bytes) => {
          this.#bytesIn += bytes.length;
          this.#feed({ kind: 'data', bytes });
        },
        ended: () => this.#feed({ kind: 'ended' }),
        failed: (failure, detail) => this.#feed({ kind: 'failed', failure, detail }),
      },
    );
  }

  #take(waitId: string): Waiter | undefined {
    const waiter = this.#waiters.get(waitId);
    this.#waiters.delete(waitId);
    return waiter;
  }

  #wakeAtDeadline(): void {
    clearTimeout(this.#timer);
    const deadlineMs = this.channel.deadlineMs();
    if (deadlineMs === undefined) return;
    // Timers count whole milliseconds and may fire a little early; an early tick would only set the next one.
    const delayMs = Math.min(Math.max(Math.ceil(deadlineMs - this.nowMs()), 0), MAX_TIMER_MS);
    this.#timer = setTimeout(() => this.#feed({ kind: 'tick' }), delayMs);
  }

  #reportState(): void {
    const { facts } = this.channel;
    const state = `${facts.state} ${facts.phase ?? ''}`;
    if (state === this.#lastState) return;
    this.#lastState = state;
    this.#options.onState?.(facts);
  }
}
