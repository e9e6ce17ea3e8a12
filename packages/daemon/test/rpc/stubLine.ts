/** A line for handlers, without sockets and in virtual time: the real channel, its orders carried out at once. */
import { rpcError } from '@pidp10/protocol/errors';
import { METHODS, type MethodName, type NotificationName } from '@pidp10/protocol/methods';
import { Channel, type ChannelOptions } from '../../src/core/channel.ts';
import type { ChannelInput, Effect, Settlement, Span } from '../../src/core/events.ts';
import type { FloorAnswer, FloorRequest } from '../../src/core/floor.ts';
import type { Author } from '../../src/core/timeline.ts';
import type { ChannelNews, WaitRequest } from '../../src/rpc/channelService.ts';
import { Clients } from '../../src/rpc/clients.ts';
import { createFloorHandlers } from '../../src/rpc/floorHandlers.ts';
import type { LineService } from '../../src/rpc/lineService.ts';
import { Mailboxes } from '../../src/rpc/mailboxes.ts';
import { createReaderHandlers } from '../../src/rpc/readerHandlers.ts';
import { createRecordHandlers } from '../../src/rpc/recordHandlers.ts';
import { type Call, createSession, type Outlet, type Session } from '../../src/rpc/session.ts';
import { Watches } from '../../src/rpc/watches.ts';
import { createWatchHandlers } from '../../src/rpc/watchHandlers.ts';
import { bytesOf } from '../core/bytes.ts';
import { EXPECTATION } from '../core/lineRun.ts';

export interface Told {
  readonly name: NotificationName;
  readonly params: {
    readonly watch: number;
    readonly offset?: number;
    readonly start?: number;
    readonly end?: number;
    readonly text?: string;
    readonly bytes?: string | number;
    readonly why?: string;
    readonly author?: { readonly client: string };
    readonly lineState?: { readonly state: string };
  };
}

/** A client that takes what it is told only when the test says so. */
export class StubOutlet implements Outlet {
  readonly told: Told[] = [];
  /** Nothing is taken while true. */
  isStopped = false;
  #unsent = 0;
  #waiting: (() => void)[] = [];

  get unsentBytes(): number {
    return this.#unsent;
  }

  notify(name: NotificationName, params: unknown): void {
    // What a client would take for wrong is wrong here, too.
    this.told.push({ name, params: params as Told['params'] });
    if (this.isStopped) this.#unsent += JSON.stringify(params).length;
  }

  whenDrained(callback: () => void): void {
    this.#waiting.push(callback);
  }

  /** Takes all but `left` bytes. */
  take(left = 0): void {
    this.#unsent = Math.min(left, this.#unsent);
    if (left === 0) for (const callback of this.#waiting.splice(0)) callback();
  }
}

export class StubLine implements LineService {
  readonly channel: Channel;
  get conversation(): Channel['conversation'] {
    return this.channel.conversation;
  }
  readonly epoch = 'epoch';
  readonly archive = undefined;
  lost: readonly Span[] = [];
  isLeaving = false;
  readonly bytesIn = 0;
  readonly lateness = { mean: 0, max: 0 };
  readonly clients = new Clients();
  readonly mailboxes: Mailboxes;
  readonly watches: Watches;
  /** What was typed, one character a byte. */
  typed = '';
  readonly #listeners = new Set<(news: ChannelNews) => void>();
  readonly #settling = new Map<string, (settlement: Settlement) => void>();
  readonly #asking = new Map<string, (answer: FloorAnswer) => void>();
  readonly #handlers: Record<string, (params: never, call: Call) => unknown>;
  #nowMs = 0;
  #ids = 0;

  constructor(options: Partial<ChannelOptions> = {}) {
    this.channel = new Channel({ telnet: 'off', bits: 7, ringBytes: 65_536, profile: 'plain', ...options });
    this.mailboxes = new Mailboxes(this, this.clients);
    this.watches = new Watches(this.clients);
    this.subscribe((news) => {
      this.mailboxes.handle(news);
      this.watches.pump(this);
    });
    this.#handlers = {
      ...createFloorHandlers(() => this),
      ...createReaderHandlers(this, this.clients, this.mailboxes, {
        streamOf: () => this,
        sessions: () => [],
      }),
      ...createRecordHandlers(this, this.clients),
      ...createWatchHandlers(this, this.watches, 7),
    };
    this.feed({ kind: 'open', waitId: 'open', reader: 'nobody', host: 'h', port: 1, timeoutMs: 5_000 });
    this.feed({ kind: 'connected' });
    this.pass(1_000);
  }

  /** A client that has said hello. */
  connect(
    reader: string,
    { isNamed = true, access = 'full' as 'full' | 'read' } = {},
  ): Session & { outlet: StubOutlet } {
    const { readers, scrollback } = this.channel.conversation;
    this.#ids += 1;
    const session = createSession(`#${this.#ids}`);
    session.client = { name: reader.toUpperCase(), version: '1' };
    session.isNamed = isNamed;
    session.access = access;
    session.reader = isNamed ? readers.claim(reader, scrollback.end) : session.id;
    if (!isNamed) readers.claimPrivate(session.id, scrollback.end);
    this.clients.add(session);
    return Object.assign(session, { outlet: new StubOutlet() });
  }

  /** Its connection is gone. */
  disconnect(session: Session): void {
    this.clients.remove(session);
    this.watches.forget(session);
    if (session.reader === undefined) return;
    this.mailboxes.forget(session.reader);
    this.left(session.reader, session.isNamed);
  }

  /** Calls a handler with parameters as they come from the wire; its result is checked as a client does. */
  async call(
    method: MethodName,
    params: unknown,
    session: Session,
    signal = new AbortController().signal,
  ): Promise<any> {
    const sent: (() => void)[] = [];
    const call: Call = {
      id: 1,
      signal,
      session,
      sendProgress: () => undefined,
      afterSend: (act) => sent.push(act),
    };
    const handler = this.#handlers[method];
    if (handler === undefined) throw new Error(`${method} has no handler here`);
    const result = await handler(METHODS[method].params.parse(params) as never, call);
    for (const act of sent) act();
    return METHODS[method].result.parse(result);
  }

  /** Name of the error that the call ends with. */
  async refusal(method: MethodName, params: unknown, session: Session): Promise<unknown> {
    return this.call(method, params, session).then(
      () => 'none',
      (error: { data?: { name?: string } }) => error.data?.name,
    );
  }

  /** Types as `session`'s reader does: with the floor, which it keeps for `leaseMs`. */
  async type(session: Session, text: string): Promise<void> {
    const author = { client: session.client?.name ?? '', reader: session.reader ?? '' };
    const request = { author, mode: 'call', waitMs: 0, leaseMs: 5_000 } as const;
    const answer = await this.requestFloor(request, new AbortController().signal);
    if (answer.kind !== 'granted') throw new Error(`the floor is not to be had: ${answer.kind}`);
    this.#ids += 1;
    const { client, reader } = author;
    const base = { kind: 'send', waitId: `t${this.#ids}`, client, reader, token: answer.token } as const;
    this.feed({ ...base, bytes: bytesOf(text), expectation: EXPECTATION });
    this.endTurn(answer.token);
  }

  hear(text: string | Uint8Array): void {
    this.feed({ kind: 'data', bytes: typeof text === 'string' ? bytesOf(text) : text });
  }

  pass(ms: number): void {
    const untilMs = this.#nowMs + ms;
    for (
      let at = this.channel.deadlineMs();
      at !== undefined && at <= untilMs;
      at = this.channel.deadlineMs()
    ) {
      this.#nowMs = Math.max(at, this.#nowMs);
      this.feed({ kind: 'tick' });
    }
    this.#nowMs = untilMs;
  }

  feed(input: ChannelInput): void {
    const effects = this.channel.handle(input, this.#nowMs);
    const taken = effects.map((effect) => this.#run(effect)).reduce((sum, bytes) => sum + bytes, 0);
    if (taken > 0) this.feed({ kind: 'written', bytes: taken });
  }

  nowMs(): number {
    return this.#nowMs;
  }

  wait(request: WaitRequest): { readonly id: string; readonly settled: Promise<Settlement> } {
    this.#ids += 1;
    const id = `w${this.#ids}`;
    const settled = new Promise<Settlement>((resolve) => this.#settling.set(id, resolve));
    this.feed({ ...request, waitId: id });
    return { id, settled };
  }

  requestFloor(request: Omit<FloorRequest, 'waitId'>, signal: AbortSignal): Promise<FloorAnswer> {
    this.#ids += 1;
    const waitId = `f${this.#ids}`;
    signal.addEventListener('abort', () => this.feed({ kind: 'cancel', waitId }), { once: true });
    return new Promise((resolve) => {
      this.#asking.set(waitId, resolve);
      this.feed({ ...request, kind: 'floorRequest', waitId });
    });
  }

  endTurn(token: number): void {
    this.feed({ kind: 'floorDone', token });
  }

  releaseFloor(reader: string, token: number | undefined): void {
    this.feed({ kind: 'floorRelease', reader, ...(token !== undefined && { token }) });
  }

  left(reader: string, isNamed: boolean): void {
    this.feed({ kind: 'left', reader, isNamed });
  }

  note(kind: 'mark' | 'say', author: Author, text: string): void {
    this.feed({ kind, author, text });
  }

  subscribe(listener: (news: ChannelNews) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  close(): void {
    this.feed({ kind: 'close' });
  }

  readersChanged(): void {}

  unstick(): void {}

  saveText(): Promise<string> {
    return Promise.reject(rpcError('internal_error'));
  }

  every(): Disposable {
    return { [Symbol.dispose]: () => undefined };
  }

  /** Data bytes that the socket takes. */
  #run(effect: Effect): number {
    switch (effect.kind) {
      case 'append':
      case 'record':
      case 'asked':
        for (const listener of this.#listeners) listener(effect);
        return 0;
      case 'write':
        this.typed += String.fromCharCode(...effect.bytes);
        return effect.dataBytes;
      case 'floor':
        this.#asking.get(effect.waitId)?.(effect.answer);
        return 0;
      case 'settle':
        this.#settling.get(effect.waitId)?.(effect.settlement);
        return 0;
      default:
        return 0;
    }
  }
}
