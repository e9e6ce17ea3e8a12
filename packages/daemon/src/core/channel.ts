/**
 * Channel: the line, its codec, and the conversation on it. Facts go in, orders come out; it does no IO, knows no clock,
 * and gives the same answers however its input is split (I3, I4).
 */
import { takeCall } from './calls.ts';
import { Conversation } from './conversation.ts';
import type { ConversationSnapshot, PartialConversationSnapshot } from './conversationSnapshot.ts';
import type { ChannelInput, CoreError, Effect, LineFacts } from './events.ts';
import { DEFAULT_GUARD } from './its/guard.ts';
import { type LineEvent, LineState, type LineStateSnapshot } from './lineState.ts';
import { type LastEnd, OutageClock } from './outage.ts';
import { DEFAULT_WINDOW_CHARS } from './pacer.ts';
import type { ScreenSize } from './screenSize.ts';
import { TelnetCodec, type TelnetMode, type TelnetSnapshot } from './telnet.ts';
import type { Profile } from './transcript.ts';

/** What an open answers with, once the greeting is there: what the far end says right behind it belongs to it. */
const OPEN_EXPECTATION = {
  quietMs: 0,
  settleMs: 150,
  autoMore: false,
  maxPages: 0,
  maxChars: 20_000,
} as const;

/** Inputs that are news of a connection: what comes late, after its end, means nothing any more. */
const CONNECTION_NEWS: ReadonlySet<ChannelInput['kind']> = new Set([
  'tried',
  'connected',
  'data',
  'ended',
  'failed',
  'written',
]);

export interface ChannelOptions {
  readonly telnet: TelnetMode;
  readonly bits: 7 | 8;
  readonly ringBytes: number;
  /** What is at the far end; default `its`. */
  readonly profile?: Profile;
  /** Characters that may be without their echo; default: 32 for ITS, no limit for a plain line. */
  readonly windowChars?: number;
  /** Silence, in ms, after which an IAC NOP asks whether the connection still stands; undefined: never. */
  readonly nopAfterMs?: number;
  /** Size of the line's screen; default that of a VT52, 24 x 80. Another than before keeps what fits, from the top left corner. */
  readonly screen?: ScreenSize;
  /** Lines that need a person's word, as RE2 patterns; default: those of ITS, none on a plain line. */
  readonly guard?: readonly string[];
}

export interface ChannelSnapshot {
  readonly line: LineStateSnapshot;
  readonly telnet: TelnetSnapshot;
  readonly conversation: ConversationSnapshot;
  readonly connectOffset: number;
  readonly openedOffset: number | undefined;
  readonly nopMs: number;
  /** Absent while a connection is open, and before the first one. */
  readonly lastEnd?: LastEnd;
}

export type PartialChannelSnapshot = Partial<Omit<ChannelSnapshot, 'conversation'>> & {
  readonly conversation?: PartialConversationSnapshot;
};

export class Channel {
  readonly conversation: Conversation;
  readonly #options: ChannelOptions;
  readonly #line: LineState;
  #telnet: TelnetCodec;
  /** Where the scrollback ended when the present connection began. */
  #connectOffset: number;
  /** Where it ended when the line opened: what lies behind came from the guest. */
  #openedOffset: number | undefined;
  /** When the last IAC NOP went out to see whether anybody is there. */
  #nopMs: number;
  readonly #outages: OutageClock;

  /** `snapshot` may be a part: what it leaves out is as at birth. */
  constructor(options: ChannelOptions, snapshot?: PartialChannelSnapshot) {
    this.#options = options;
    this.#line = new LineState(snapshot?.line);
    this.#telnet = new TelnetCodec(options.telnet, snapshot?.telnet);
    const { profile = 'its' } = options;
    const windowChars = options.windowChars ?? (profile === 'its' ? DEFAULT_WINDOW_CHARS : undefined);
    const guard = options.guard ?? (profile === 'its' ? DEFAULT_GUARD : []);
    this.conversation = new Conversation({ ...options, profile, windowChars, guard }, snapshot?.conversation);
    this.#connectOffset = snapshot?.connectOffset ?? 0;
    this.#openedOffset = snapshot?.openedOffset;
    this.#nopMs = snapshot?.nopMs ?? 0;
    this.#outages = new OutageClock(snapshot?.lastEnd);
  }

  get facts(): LineFacts {
    return this.#line.facts(this.#telnet.codec);
  }

  /** When the present state of the line began, on the monotonic clock. */
  get stateSinceMs(): number {
    return this.#line.sinceMs;
  }

  /** Whether anything has come since the line opened; undefined while it is not open. */
  get hasSpoken(): boolean | undefined {
    return this.#openedOffset === undefined
      ? undefined
      : this.conversation.scrollback.end > this.#openedOffset;
  }

  handle(input: ChannelInput, nowMs: number): readonly Effect[] {
    const { state } = this.#line;
    const taken = [...this.#take(input, nowMs), ...this.conversation.failOpens(this.#line.lateness(), nowMs)];
    if (this.#line.state !== state) this.#noteState(state, nowMs);
    // What has happened is told first: nobody gets an answer made of output that is not kept yet (I2).
    const effects = [...this.conversation.advance(nowMs)];
    const isNews = (effect: Effect) => effect.kind === 'append' || effect.kind === 'record';
    const news = effects.filter(isNews);
    const ordered = [...news, ...taken, ...effects.filter((effect) => !isNews(effect))];
    return ordered.map((effect) =>
      effect.kind === 'write' && effect.isCommand !== true
        ? { ...effect, bytes: this.#telnet.encode(effect.bytes) }
        : effect,
    );
  }

  /** When `tick` has something to do next; undefined: not before the next input. */
  deadlineMs(): number | undefined {
    const times = [this.#line.deadlineMs(), this.conversation.deadlineMs(), this.#nopDeadlineMs()].filter(
      (time) => time !== undefined,
    );
    return times.length === 0 ? undefined : Math.min(...times);
  }

  snapshot(): ChannelSnapshot {
    const lastEnd = this.#outages.snapshot();
    return {
      line: this.#line.snapshot(),
      telnet: this.#telnet.snapshot(),
      conversation: this.conversation.snapshot(),
      connectOffset: this.#connectOffset,
      openedOffset: this.#openedOffset,
      nopMs: this.#nopMs,
      ...(lastEnd !== undefined && { lastEnd }),
    };
  }

  #noteState(before: LineFacts['state'], nowMs: number): void {
    const outage = this.#outages.step(before, this.facts, nowMs);
    // It stands where the new connection's output begins, before the greeting.
    if (outage !== undefined) {
      this.conversation.note({ kind: 'outage', ...outage }, nowMs, this.#connectOffset);
    }
    this.conversation.note({ kind: 'state', facts: this.facts }, nowMs);
  }

  #take(input: ChannelInput, nowMs: number): readonly Effect[] {
    const { conversation } = this;
    if (!this.#isStanding && CONNECTION_NEWS.has(input.kind)) return [];
    switch (input.kind) {
      case 'open':
        return this.#open(input, nowMs);
      case 'close':
        return this.#close(nowMs);
      case 'unstick':
        if (this.#line.state !== 'open' || this.#telnet.codec !== 'telnet') return [];
        return [conversation.isUnanswered ? NOP_BEHIND_IAC : NOP];
      case 'tried':
        this.#line.tried(input.detail);
        return [];
      case 'connected':
        return this.#follow(this.#line.connected(this.#telnet.codec, nowMs), nowMs);
      case 'data':
        return this.#data(input.bytes, nowMs);
      case 'ended':
        return [{ kind: 'disconnect' }, ...this.#follow(this.#line.ended(nowMs), nowMs)];
      case 'failed':
        return this.#follow(this.#line.failed(input.failure, input.detail, nowMs), nowMs);
      case 'written':
        conversation.credit(input.bytes, nowMs);
        return [];
      case 'send':
        return this.#send(input, nowMs);
      case 'read':
        return this.#read(input, nowMs);
      case 'tick':
        return [...this.#probe(nowMs), ...this.#follow(this.#line.tick(nowMs), nowMs)];
      default:
        return takeCall(conversation, input, nowMs);
    }
  }

  #open(
    { waitId, reader, host, port, timeoutMs }: ChannelInput & { kind: 'open' },
    nowMs: number,
  ): readonly Effect[] {
    const { attempt, state } = this.#line;
    const isStanding = this.#isStanding;
    if (isStanding && attempt !== undefined && (attempt.host !== host || attempt.port !== port)) {
      const detail = `The line is ${state} to ${attempt.host}:${attempt.port}, so it was not opened to ${host}:${port}.`;
      return [failure(waitId, { name: 'line_open_elsewhere', detail })];
    }
    const expectation = { ...OPEN_EXPECTATION, timeoutMs };
    if (state === 'open') {
      this.conversation.awaitOpen(
        waitId,
        reader,
        { ...expectation, settleMs: 0 },
        this.conversation.scrollback.end,
        nowMs,
      );
      this.conversation.conclude(nowMs);
      return [];
    }
    const effects: Effect[] = [];
    if (isStanding) this.#line.join(nowMs + timeoutMs);
    else {
      this.#connectOffset = this.conversation.scrollback.end;
      this.#openedOffset = undefined;
      this.#telnet = new TelnetCodec(this.#options.telnet);
      this.conversation.rebirth();
      this.#line.begin({ host, port, deadlineMs: nowMs + timeoutMs }, nowMs);
      effects.push({ kind: 'connect', host, port });
    }
    this.conversation.awaitOpen(waitId, reader, expectation, this.#connectOffset, nowMs);
    return effects;
  }

  #close(nowMs: number): readonly Effect[] {
    const { state } = this.#line;
    if (state === 'closed') return [];
    const error: CoreError = {
      name: 'open_aborted',
      detail: 'The line was closed while it was being opened.',
    };
    this.#line.close(nowMs);
    return [{ kind: 'disconnect' }, ...this.conversation.failOpens(error), ...this.conversation.die(nowMs)];
  }

  #data(chunk: Uint8Array, nowMs: number): readonly Effect[] {
    const bytes = this.#telnet.decode(chunk);
    if (bytes.length > 0) this.conversation.hear(bytes, nowMs);
    return this.#follow(this.#line.data(bytes, this.#telnet.codec, nowMs), nowMs);
  }

  #send(input: ChannelInput & { kind: 'send' }, nowMs: number): readonly Effect[] {
    if (this.#line.state !== 'open') {
      return [
        failure(input.waitId, { name: 'line_not_open', detail: `${this.#describe()} Nothing was sent.` }),
      ];
    }
    return this.conversation.send(input, nowMs);
  }

  #read(input: ChannelInput & { kind: 'read' }, nowMs: number): readonly Effect[] {
    const error = this.conversation.read(input, nowMs);
    if (error !== undefined) return [failure(input.waitId, error)];
    return this.#isStanding ? [] : this.conversation.die(nowMs);
  }

  /** A peer that is gone is noticed when something is sent to it, and IAC NOP is nothing to one that is there. */
  #probe(nowMs: number): readonly Effect[] {
    const deadlineMs = this.#nopDeadlineMs();
    if (deadlineMs === undefined || nowMs < deadlineMs) return [];
    this.#nopMs = nowMs;
    return [NOP];
  }

  #nopDeadlineMs(): number | undefined {
    const { nopAfterMs } = this.#options;
    if (nopAfterMs === undefined || this.#line.state !== 'open' || this.#telnet.codec !== 'telnet')
      return undefined;
    // What is not answered may have been typed to a deaf line, and there a probe would be typed too.
    if (this.conversation.isUnanswered) return undefined;
    return Math.max(this.#line.sinceMs, this.conversation.lastByteMs ?? 0, this.#nopMs) + nopAfterMs;
  }

  /** Whether there is a connection, or an attempt at one. */
  get #isStanding(): boolean {
    return this.#line.state === 'open' || this.#line.state === 'connecting';
  }

  /** What a step of the line means for those who wait. */
  #follow(event: LineEvent | undefined, nowMs: number): readonly Effect[] {
    if (event === undefined) return [];
    switch (event.kind) {
      case 'opened':
        this.#openedOffset =
          event.greetingBytes === undefined
            ? this.conversation.scrollback.end
            : this.#connectOffset + event.greetingBytes;
        this.conversation.opened();
        this.conversation.conclude(nowMs);
        return [];
      case 'timedOut':
        return [
          { kind: 'disconnect' },
          ...this.conversation.failOpens(event.error),
          ...this.conversation.die(nowMs),
        ];
      case 'refused':
        return [
          ...this.conversation.failOpens({ name: event.error, detail: event.detail }),
          ...this.conversation.die(nowMs),
        ];
      case 'died':
        return this.conversation.die(nowMs);
      default:
        return event satisfies never;
    }
  }

  #describe(): string {
    const { state, detail, attempt } = {
      ...this.#line.facts(this.#telnet.codec),
      attempt: this.#line.attempt,
    };
    const where = attempt === undefined ? '' : ` (${attempt.host}:${attempt.port})`;
    return `The line is ${state}${where}.${detail === undefined ? '' : ` ${detail}`}`;
  }
}

/** IAC NOP, which is nothing on a line that hears. To a deaf one its FF would be a rubout, and its F1 a `q`. */
const NOP: Effect = { kind: 'write', bytes: Uint8Array.of(0xff, 0xf1), dataBytes: 0, isCommand: true };
/** What ends the command that a lone FF began, where nothing is answered any more (docs/its-line.md 13). */
const NOP_BEHIND_IAC: Effect = { kind: 'write', bytes: Uint8Array.of(0xf1), dataBytes: 0, isCommand: true };

function failure(waitId: string, error: CoreError): Effect {
  return { kind: 'fail', waitId, error };
}
