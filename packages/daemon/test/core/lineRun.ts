/**
 * A channel with its driver played by hand: time only moves when told to, ticks come at deadlines, the socket takes
 * what is written at once unless told otherwise.
 */
import { Channel, type ChannelOptions } from '../../src/core/channel.ts';
import type {
  ChannelInput,
  CoreError,
  Effect,
  Expectation,
  Settlement,
  Span,
} from '../../src/core/events.ts';
import { TextView } from '../../src/core/text.ts';
import { bytesOf, charactersOf, thawed } from './bytes.ts';
import { loadRecording, type RecordedEvent } from './recordings.ts';

export const GREETING =
  '\xff\xfb\x22\xff\xfb\x03\xff\xfb\x01\xff\xfb\x00\xff\xfd\x00\n\r\nConnected to the KA-10 simulator MTY device, line 9\r\n\n';
/** Data bytes of the greeting. */
export const GREETED = GREETING.length - 15;
export const WHERE = { host: 'pidp10', port: 10018 } as const;
export const EXPECTATION: Expectation = {
  timeoutMs: 10_000,
  quietMs: 700,
  settleMs: 150,
  autoMore: true,
  maxPages: 20,
  maxChars: 20_000,
};

export interface Ending {
  readonly atMs: number;
  readonly settlement?: Settlement;
  readonly error?: CoreError;
  /** Text of the answer, page turns and notices left out. */
  readonly text?: string;
  readonly before?: string;
}

export interface RunOptions {
  readonly channel?: Partial<ChannelOptions>;
  /** The channel is frozen and thawed after each input. */
  readonly isThawed?: boolean;
  /** How data that comes at one moment is split. */
  readonly split?: (bytes: Uint8Array) => readonly Uint8Array[];
  /** The socket takes nothing by itself. */
  readonly isStuck?: boolean;
}

export class LineRun {
  readonly endings = new Map<string, Ending>();
  /** What was ordered besides answers: connect, disconnect, and writes as the socket gets them. */
  readonly orders: string[] = [];
  readonly written: { readonly atMs: number; readonly text: string }[] = [];
  nowMs = 0;
  channel: Channel;
  readonly #options: RunOptions;
  readonly #channelOptions: ChannelOptions;
  #endCount = 0;

  constructor(options: RunOptions = {}) {
    this.#options = options;
    this.#channelOptions = { telnet: 'auto', bits: 7, ringBytes: 64 * 1024, ...options.channel };
    this.channel = new Channel(this.#channelOptions);
  }

  /** Ends so far; more than `endings` has if a wait ended twice. */
  get endCount(): number {
    return this.#endCount;
  }

  /** What was written, by moment: in how many pieces is nobody's business. */
  get typed(): readonly (readonly [atMs: number, text: string])[] {
    const moments = new Map<number, string>();
    for (const { atMs, text } of this.written) moments.set(atMs, (moments.get(atMs) ?? '') + text);
    return [...moments];
  }

  /** Lets time pass, with a tick at each deadline on the way. */
  to(ms: number): this {
    let last = Number.NEGATIVE_INFINITY;
    for (;;) {
      const deadlineMs = this.channel.deadlineMs();
      if (deadlineMs === undefined || deadlineMs > ms) break;
      const atMs = Math.max(deadlineMs, this.nowMs);
      if (atMs <= last) throw new Error(`a tick at ${atMs} ms did not move the deadline`);
      last = atMs;
      this.nowMs = atMs;
      this.feed({ kind: 'tick' });
    }
    this.nowMs = Math.max(this.nowMs, ms);
    return this;
  }

  after(ms: number): this {
    return this.to(this.nowMs + ms);
  }

  feed(input: ChannelInput): this {
    const effects = this.channel.handle(input, this.nowMs);
    if (this.#options.isThawed === true) {
      this.channel = new Channel(this.#channelOptions, thawed(this.channel.snapshot()));
    }
    for (const effect of effects) this.#run(effect);
    return this;
  }

  hear(output: string | Uint8Array): this {
    const bytes = typeof output === 'string' ? bytesOf(output) : output;
    for (const piece of this.#options.split?.(bytes) ?? [bytes]) this.feed({ kind: 'data', bytes: piece });
    return this;
  }

  open(waitId = 'open', { timeoutMs = 5_000, reader = 'me' } = {}): this {
    return this.feed({ kind: 'open', waitId, reader, ...WHERE, timeoutMs });
  }

  /** A line that is open and has settled, its greeting read; 1 s later. */
  opened(): this {
    for (const reader of ['me', 'other']) this.channel.conversation.readers.claim(reader, 0);
    this.open().feed({ kind: 'connected' }).hear(GREETING).to(1_000);
    this.channel.conversation.readers.hand('other', this.channel.conversation.scrollback.end);
    return this;
  }

  send(waitId: string, input: string, expectation: Partial<Expectation> = {}, reader = 'me'): this {
    return this.feed({
      kind: 'send',
      waitId,
      reader,
      bytes: bytesOf(input),
      expectation: { ...EXPECTATION, ...expectation },
    });
  }

  read(waitId: string, expectation: Partial<Expectation> = {}, reader = 'me', from?: number): this {
    const request = { waitId, reader, expectation: { ...EXPECTATION, ...expectation } };
    return this.feed({ kind: 'read', ...request, ...(from !== undefined && { from }) });
  }

  /** Reason and text of a wait that has ended. */
  end(waitId: string): { reason: string | undefined; text: string | undefined; atMs: number | undefined } {
    const ending = this.endings.get(waitId);
    return {
      reason: ending?.settlement?.reason ?? ending?.error?.name,
      text: ending?.text,
      atMs: ending?.atMs,
    };
  }

  text(span: Span): string {
    return this.channel.conversation.transcript.text(span).text;
  }

  #run(effect: Effect): void {
    switch (effect.kind) {
      case 'connect':
        this.orders.push(`connect ${effect.host}:${effect.port}`);
        return;
      case 'disconnect':
        this.orders.push('disconnect');
        return;
      case 'write':
        this.written.push({ atMs: this.nowMs, text: charactersOf(effect.bytes) });
        if (this.#options.isStuck !== true) this.feed({ kind: 'written', bytes: effect.dataBytes });
        return;
      case 'settle': {
        const { settlement } = effect;
        this.#end(effect.waitId, {
          atMs: this.nowMs,
          settlement,
          text: this.text(settlement.output),
          ...(settlement.before !== undefined && { before: this.text(settlement.before) }),
        });
        return;
      }
      case 'fail':
        this.#end(effect.waitId, { atMs: this.nowMs, error: effect.error });
        return;
      case 'append':
      case 'record':
      case 'floor':
      case 'asked':
        return; // for the journal, for those who watch, and for the floor's own tests
      default:
        effect satisfies never;
    }
  }

  #end(waitId: string, ending: Ending): void {
    this.#endCount += 1;
    this.endings.set(waitId, ending);
  }
}

/** From a character to its echo, in ms (docs/its-line.md). */
const ECHO_MS = 10;
/** Bytes of the longest echo that comes in one piece; longer ones are a picture, or an answer. */
const MAX_ECHO_BYTES = 8;
/** Characters that a picture may have shown before the echo goes on. */
const MAX_SHOWN_CHARS = 16;

/** How many characters of an input had been read when something was said, in a recording. */
class EchoCauses {
  readonly #view = new TextView(7, undefined, { joinsFolds: true });
  readonly #echo: string;
  #read = 0;

  constructor(input: Uint8Array) {
    this.#echo = charactersOf(input).replaceAll('\r', '\n');
  }

  hear(bytes: Uint8Array): number {
    const { text } = this.#view.render(bytes);
    for (const character of bytes.length > MAX_ECHO_BYTES ? '' : text) {
      const ahead = this.#echo.slice(this.#read, this.#read + MAX_SHOWN_CHARS).indexOf(character);
      this.#read += ahead + 1;
    }
    return this.#read;
  }
}

export interface ReplayOptions extends RunOptions {
  readonly expectation?: Partial<Expectation>;
  /** Which recorded inputs are left out, because the channel is to find them itself. */
  readonly omit?: (event: RecordedEvent) => boolean;
}

/**
 * Plays a recording: what the line said, at its time, and what was typed, as sends `s0`, `s1` … What was typed at once
 * then is paced now, so nothing is said before what it echoes is written, and all behind it comes as much later.
 */
export function replay(name: string, options: ReplayOptions = {}): LineRun {
  const run = new LineRun(options);
  run.channel.conversation.readers.claim('me', 0);
  run.open().feed({ kind: 'connected' });
  let [sends, lateMs, writes] = [0, 0, 0];
  let causes = new EchoCauses(new Uint8Array(0));
  for (const event of loadRecording(name)) {
    run.to(event.atMs + lateMs);
    if (event.dir === 'in') {
      const needed = causes.hear(event.bytes);
      const written = (): number =>
        run.written.slice(writes).reduce((chars, { text }) => chars + text.length, 0);
      while (written() < needed && run.endings.get(`s${sends - 1}`) === undefined) {
        const before = run.nowMs;
        run.to(run.channel.deadlineMs() ?? run.nowMs);
        // As soon after it is typed as the line echoes.
        if (written() >= needed) run.after(ECHO_MS);
        lateMs += run.nowMs - before;
      }
      run.hear(event.bytes);
    } else if (event.dir === 'out') {
      if (options.omit?.(event) === true) continue;
      writes = run.written.length;
      causes = new EchoCauses(event.bytes);
      run.send(`s${sends}`, charactersOf(event.bytes), options.expectation);
      sends += 1;
    } else if (event.dir === 'eof') run.feed({ kind: 'ended' });
    else if (event.dir === 'rst') run.feed({ kind: 'failed', failure: 'reset', detail: 'ECONNRESET' });
    else run.feed({ kind: 'close' });
  }
  return run.after(60_000);
}
