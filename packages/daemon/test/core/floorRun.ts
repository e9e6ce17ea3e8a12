/**
 * A channel and three clients who all want to type, each as the daemon's handlers do it: ask for the floor, send with its
 * token, say that the call is over. Played by hand in virtual time; what is written, recorded and answered is kept.
 */
import { Channel, type ChannelOptions } from '../../src/core/channel.ts';
import type { ChannelInput, CoreError, Effect, Settlement } from '../../src/core/events.ts';
import { CALL_LEASE_MS } from '../../src/core/floor.ts';
import type { Entry } from '../../src/core/timeline.ts';
import { thawed } from './bytes.ts';
import { EXPECTATION } from './lineRun.ts';

export type Step =
  | {
      readonly kind: 'send';
      readonly reader: string;
      readonly length: number;
      readonly isUrgent: boolean;
      readonly waitMs: number;
      readonly isStale: boolean;
      /** Commands of the call, each sent when the one before is over. */
      readonly parts: number;
      readonly returnAfterMs: number | undefined;
    }
  | { readonly kind: 'ask'; readonly reader: string; readonly isForced: boolean; readonly leaseMs: number }
  | { readonly kind: 'release' | 'cancel'; readonly reader: string }
  | { readonly kind: 'leave'; readonly reader: string; readonly isNamed: boolean }
  | { readonly kind: 'rest'; readonly ms: number }
  | { readonly kind: 'says'; readonly text: string }
  | { readonly kind: 'echo'; readonly isOn: boolean }
  | { readonly kind: 'socket'; readonly isTaking: boolean }
  | { readonly kind: 'mark' };

export const READERS = ['a', 'b', 'c'] as const;
/** Without a guard: nobody types what it looks for, and its patterns are a fifth of a short run. */
const OPTIONS: ChannelOptions = { telnet: 'off', bits: 7, ringBytes: 8_192, guard: [] };
/** The first byte that stands for a send; each send has two of its own, so that its input can be told from all others. */
const FIRST_CODE = 0x30;
const MAX_TICKS = 4; // at one moment; more would be a loop without end
/** Sends that can be told apart. */
export const MAX_SENDS = 38;

export interface Sent {
  readonly index: number;
  readonly reader: string;
  readonly isUrgent: boolean;
  /** Its client is gone. */
  isGone: boolean;
  readonly bytes: Uint8Array;
  /** What was written of it. */
  readonly out: number[];
  settlement?: Settlement;
  error?: CoreError | string;
  ends: number;
}

interface OwnCall {
  readonly sent: Sent;
  readonly step: Step & { readonly kind: 'send' };
  readonly partsLeft: number;
  readonly token: number | undefined;
}

/** Byte `at` of send `index`: of a pattern, so that nothing can be left out or come twice. */
export function byteOf(index: number, at: number): number {
  return FIRST_CODE + 2 * index + (at % 3 === 0 ? 1 : 0);
}

export class FloorRun {
  channel = new Channel(OPTIONS);
  readonly sends: Sent[] = [];
  readonly entries: Entry[] = [];
  readonly faults: string[] = [];
  readonly log: string[] = [];
  /** Every data byte, in the order in which they went out. */
  readonly written: number[] = [];
  nowMs = 0;
  readonly #isThawed: boolean;
  readonly #inbox: ChannelInput[] = [];
  readonly #calls = new Map<string, OwnCall>();
  #isEchoing = true;
  #isTaking = true;
  #untaken = 0;
  #asked = 0;
  #isHandling = false;

  constructor(isThawed = false) {
    this.#isThawed = isThawed;
    for (const reader of READERS) this.channel.conversation.readers.claim(reader, 0);
    this.#feed({ kind: 'open', waitId: 'open', reader: 'a', host: 'h', port: 1, timeoutMs: 5_000 });
    this.#feed({ kind: 'connected' });
    this.#rest(1_000);
  }

  play(steps: readonly Step[]): this {
    for (const step of steps) this.#apply(step);
    return this;
  }

  /** Lets everything come to its end. */
  finish(): this {
    return this.play([
      { kind: 'socket', isTaking: true },
      { kind: 'rest', ms: 100_000 },
      ...READERS.map((reader): Step => ({ kind: 'release', reader })),
      { kind: 'rest', ms: 100_000 },
    ]);
  }

  #apply(step: Step): void {
    switch (step.kind) {
      case 'send':
        return this.#send(step);
      case 'ask': {
        const { reader, isForced, leaseMs } = step;
        const author = { client: reader, reader };
        this.#asked += 1;
        const request = {
          waitId: `ask${this.#asked}`,
          author,
          mode: 'asked',
          isForced,
          leaseMs,
          waitMs: 0,
        } as const;
        return this.#feed({ kind: 'floorRequest', ...request });
      }
      case 'release':
        return this.#feed({ kind: 'floorRelease', reader: step.reader });
      case 'cancel':
        return this.#cancel(step.reader);
      case 'leave':
        // The driver gives the calls of a connection up before it says that the connection is gone.
        this.#cancel(step.reader);
        this.#feed({ kind: 'left', reader: step.reader, isNamed: step.isNamed });
        // What still has a wait cleans up behind the call that was given up.
        for (const sent of this.sends) sent.isGone ||= sent.reader === step.reader && sent.ends > 0;
        this.channel.conversation.readers.claim(step.reader, this.channel.conversation.scrollback.end);
        return;
      case 'rest':
        return this.#rest(step.ms);
      case 'says':
        return this.#feed({ kind: 'data', bytes: Uint8Array.from(step.text, (char) => char.charCodeAt(0)) });
      case 'echo':
        this.#isEchoing = step.isOn;
        return;
      case 'socket':
        this.#isTaking = step.isTaking;
        return this.#takeUntaken();
      case 'mark':
        return this.#feed({ kind: 'mark', author: { client: 'm', reader: 'm' }, text: 'here' });
      default:
        return step satisfies never;
    }
  }

  #send(step: Step & { readonly kind: 'send' }): void {
    const { reader, isUrgent, waitMs, isStale, returnAfterMs } = step;
    if (this.#calls.has(reader) || this.sends.length === MAX_SENDS) return;
    const sent = this.#newSend(step);
    this.#calls.set(reader, { sent, step, partsLeft: step.parts - 1, token: undefined });
    if (isUrgent) return this.#feed(this.#request(sent, undefined, returnAfterMs));
    const token = isStale ? { token: (this.channel.conversation.floor.holder?.token ?? 1) - 1 || 999 } : {};
    const author = { client: reader, reader };
    const request = {
      waitId: `f${sent.index}`,
      author,
      mode: 'call',
      waitMs,
      leaseMs: CALL_LEASE_MS,
    } as const;
    this.#feed({ kind: 'floorRequest', ...request, ...token });
  }

  #newSend({ reader, length, isUrgent }: Step & { readonly kind: 'send' }): Sent {
    const index = this.sends.length;
    const bytes = Uint8Array.from({ length }, (_, at) => byteOf(index, at));
    const sent: Sent = { index, reader, isUrgent, isGone: false, bytes, out: [], ends: 0 };
    this.sends.push(sent);
    return sent;
  }

  #request({ index, reader, bytes, isUrgent }: Sent, token?: number, returnAfterMs?: number): ChannelInput {
    const expectation = {
      ...EXPECTATION,
      timeoutMs: 2_000,
      ...(returnAfterMs !== undefined && { returnAfterMs }),
    };
    const base = { kind: 'send', waitId: `s${index}`, reader, bytes, isUrgent, expectation } as const;
    return token === undefined ? base : { ...base, token };
  }

  #cancel(reader: string): void {
    const call = this.#calls.get(reader);
    if (call === undefined) return;
    const waitId = `${call.token === undefined && !call.sent.isUrgent ? 'f' : 's'}${call.sent.index}`;
    this.#feed({ kind: 'cancel', waitId });
  }

  #rest(ms: number): void {
    const untilMs = this.nowMs + ms;
    let [lastMs, ticks] = [-1, 0];
    for (;;) {
      const deadlineMs = this.channel.deadlineMs();
      if (deadlineMs === undefined || deadlineMs > untilMs) break;
      this.nowMs = Math.max(deadlineMs, this.nowMs);
      // What a tick writes may have a deadline that is over already; but that must come to an end.
      ticks = this.nowMs > lastMs ? 1 : ticks + 1;
      if (ticks > MAX_TICKS) throw new Error(`${ticks} ticks at ${this.nowMs} ms did not move the deadline`);
      lastMs = this.nowMs;
      this.#feed({ kind: 'tick' });
    }
    this.nowMs = Math.max(this.nowMs, untilMs);
  }

  /** Inputs one after the other, as the driver's loop has them: none comes while another is being carried out. */
  #feed(input: ChannelInput): void {
    this.#inbox.push(input);
    if (this.#isHandling) return;
    this.#isHandling = true;
    for (let next = this.#inbox.shift(); next !== undefined; next = this.#inbox.shift()) {
      const effects = this.channel.handle(next, this.nowMs);
      if (this.#isThawed) this.channel = new Channel(OPTIONS, thawed(this.channel.snapshot()));
      for (const effect of effects) this.#run(effect);
    }
    this.#isHandling = false;
  }

  #run(effect: Effect): void {
    switch (effect.kind) {
      case 'write':
        if (effect.dataBytes > 0) this.#write(effect.bytes);
        return;
      case 'record':
        this.entries.push(effect.entry);
        if (effect.entry.kind === 'floor') this.log.push(`${this.nowMs} floor ${effect.entry.cause}`);
        return;
      case 'floor': {
        if (!effect.waitId.startsWith('f')) return;
        const sent = this.sends[Number(effect.waitId.slice(1))];
        if (sent === undefined) return;
        const { answer } = effect;
        if (answer.kind !== 'granted') return this.#end(sent, { error: answer.kind });
        const call = this.#calls.get(sent.reader);
        if (call?.sent !== sent)
          return void this.faults.push(`send ${sent.index} was answered after its end`);
        this.#calls.set(sent.reader, { ...call, token: answer.token });
        return this.#feed(this.#request(sent, answer.token, call.step.returnAfterMs));
      }
      case 'settle':
      case 'fail': {
        const sent = effect.waitId.startsWith('s') ? this.sends[Number(effect.waitId.slice(1))] : undefined;
        if (sent === undefined) return;
        return this.#end(
          sent,
          effect.kind === 'settle' ? { settlement: effect.settlement } : { error: effect.error },
        );
      }
      default:
    }
  }

  #end(sent: Sent, how: Pick<Sent, 'settlement' | 'error'>): void {
    sent.ends += 1;
    Object.assign(sent, how);
    this.log.push(`${this.nowMs} send ${sent.index} ${how.settlement?.reason ?? JSON.stringify(how.error)}`);
    const call = this.#calls.get(sent.reader);
    const token = call?.token;
    // The next command of a call goes whatever became of the one before: the token alone must stop it.
    if (call !== undefined && token !== undefined && call.partsLeft > 0 && this.sends.length < MAX_SENDS) {
      const next = this.#newSend(call.step);
      this.#calls.set(sent.reader, { ...call, sent: next, partsLeft: call.partsLeft - 1 });
      return this.#feed(this.#request(next, token, call.step.returnAfterMs));
    }
    this.#calls.delete(sent.reader);
    if (token !== undefined) this.#feed({ kind: 'floorDone', token });
  }

  #write(bytes: Uint8Array): void {
    this.written.push(...bytes);
    const index = Math.floor(((bytes[0] ?? 0) - FIRST_CODE) / 2);
    const sent = this.sends[index];
    if (sent === undefined) return void this.faults.push('bytes of nobody were written');
    for (const byte of bytes) {
      if (byte !== byteOf(index, sent.out.length)) this.faults.push(`send ${index}: byte ${sent.out.length}`);
      sent.out.push(byte);
    }
    if (sent.isGone) this.faults.push(`${sent.reader} is gone, and send ${index} goes on`);
    const { holder } = this.channel.conversation.floor;
    if (!sent.isUrgent && holder?.author.reader !== sent.reader)
      this.faults.push(`${sent.reader} typed while ${holder?.author.reader ?? 'nobody'} had the floor`);
    this.#untaken += bytes.length;
    if (this.#isTaking) this.#takeUntaken();
    if (this.#isEchoing) this.#feed({ kind: 'data', bytes });
  }

  #takeUntaken(): void {
    const bytes = this.#untaken;
    this.#untaken = 0;
    if (bytes > 0) this.#feed({ kind: 'written', bytes });
  }
}
