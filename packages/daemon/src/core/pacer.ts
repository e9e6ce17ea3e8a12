/**
 * Pacer: input on its way to the line, in order, the bytes of one send never mixed with another's (I8).
 *
 * Two credits limit what may go now. The socket's: so little is written ahead that a send can still be given up at a
 * character border, and its caller told exactly what went out (I12). The far end's: ITS keeps 65 characters that a program
 * has not read and drops the rest with a BEL, so at most `windowChars` may be without their echo. Where nothing echoes,
 * input goes by the clock instead, slower than the line takes it, and stops at the first BEL.
 */
import { EchoCredit, type EchoCreditSnapshot } from './echoCredit.ts';

/** Bytes written and not yet taken by the socket. Small, because what is written can no longer be given up. */
export const WINDOW_BYTES = 1_024;
/** Characters without their echo, by default: half of ITS's input buffer (ts3tty TIBS, docs/its-line.md 14). */
export const DEFAULT_WINDOW_CHARS = 32;
/** Input of all sends that may wait, in bytes; a further send is refused before its first byte. */
export const MAX_QUEUED_BYTES = 1_048_576;
/** After so many ms without credit the rest of the input is dropped and its caller told (CONTRACT 2). */
export const STALL_MS = 30_000;
/** No echo of a send's first characters for so long, in ms, means that the far end does not echo … */
export const NO_ECHO_MS = 1_500;
/** … and so long where the send before was echoed: a program that only thinks must not be taken for one. */
export const NO_ECHO_AFTER_ECHO_MS = 10_000;
/** Between two characters that go by the clock, in ms: two thirds of what the line takes (60 a second). */
export const TIMED_INTERVAL_MS = 25;

interface Entry {
  readonly id: string;
  /** Input of the send, one number a byte. */
  readonly bytes: readonly number[];
  readonly written: number;
  readonly taken: number;
  /** What lets it go on: the echo of what went before, the clock, or nothing but the socket. */
  readonly mode: 'echo' | 'timed' | 'urgent';
  /** Nobody waits for it any more; only its credit is still to come. */
  readonly isGivenUp: boolean;
}

export interface PacerSnapshot {
  readonly queue: readonly Entry[];
  readonly inFlightBytes: number;
  /** When credit last came, or when the first byte began to wait for it. */
  readonly progressMs: number;
  readonly credit: EchoCreditSnapshot;
  /** Sends whose characters are without their echo, in order, and how many. */
  readonly ledger: readonly (readonly [id: string, chars: number])[];
  readonly echoed: readonly (readonly [id: string, chars: number])[];
  /** The last send that could tell was echoed. */
  readonly isEchoing: boolean | undefined;
}

/** A send that is over: all its bytes are out, or the rest was dropped. */
export interface PumpEnd {
  readonly id: string;
  readonly sent: number;
  readonly isComplete: boolean;
}

export interface PacerOptions {
  /** Characters without their echo; undefined: the far end is not paced (a plain line). */
  readonly windowChars: number | undefined;
}

export class Pacer {
  readonly #windowChars: number;
  readonly #isPaced: boolean;
  readonly #credit: EchoCredit;
  #queue: Entry[];
  #inFlightBytes: number;
  #progressMs: number;
  #ledger: (readonly [id: string, chars: number])[];
  readonly #echoed: Map<string, number>;
  #isEchoing: boolean | undefined;
  #writingId: string | undefined;

  constructor({ windowChars }: PacerOptions = { windowChars: undefined }, snapshot?: PacerSnapshot) {
    this.#isPaced = windowChars !== undefined;
    this.#windowChars = windowChars ?? Number.POSITIVE_INFINITY;
    this.#credit = new EchoCredit(snapshot?.credit);
    this.#queue = [...(snapshot?.queue ?? [])];
    this.#inFlightBytes = snapshot?.inFlightBytes ?? 0;
    this.#progressMs = snapshot?.progressMs ?? 0;
    this.#ledger = [...(snapshot?.ledger ?? [])];
    this.#echoed = new Map(snapshot?.echoed);
    this.#isEchoing = snapshot?.isEchoing;
  }

  get isIdle(): boolean {
    return this.#queue.length === 0 && this.#inFlightBytes === 0;
  }

  /** All that was accepted is written, or given up. */
  get isWritten(): boolean {
    return this.#queue.every((entry) => entry.written === entry.bytes.length);
  }

  /** Bytes accepted and not yet taken by the socket. */
  get pendingBytes(): number {
    return this.#queue.reduce((sum, entry) => sum + entry.bytes.length - entry.taken, 0);
  }

  /** Whether the far end echoes, as far as the last sends told. */
  get echo(): 'on' | 'off' | 'unknown' {
    return this.#isEchoing === undefined ? 'unknown' : this.#isEchoing ? 'on' : 'off';
  }

  hasRoomFor(bytes: number): boolean {
    return this.pendingBytes + bytes <= MAX_QUEUED_BYTES;
  }

  enqueue(id: string, bytes: Uint8Array, nowMs: number, isUrgent = false): void {
    if (this.#isWaitless) {
      this.#progressMs = nowMs;
      // What an earlier send left without echo will not be echoed any more.
      this.#forget();
    }
    this.#queue.push({
      id,
      bytes: [...bytes],
      written: 0,
      taken: 0,
      mode: isUrgent ? 'urgent' : 'echo',
      isGivenUp: false,
    });
  }

  /** What comes next is a secret, by the far end's own words: it will hardly be echoed. */
  expectNoEcho(): void {
    this.#isEchoing = undefined;
  }

  /** The far end has answered: what was typed and has not come back was not echoed, unless others were. */
  answered(): void {
    if (this.#queue.length === 0 && this.#credit.outstanding > 0) this.#isEchoing ??= false;
  }

  /** The send whose bytes `tryNext` gave last. */
  get writingId(): string | undefined {
    return this.#writingId;
  }

  /** Next bytes for the socket, as far as both credits go; undefined when nothing may go now. */
  tryNext(nowMs: number): Uint8Array | undefined {
    const index = this.#queue.findIndex((entry) => entry.written < entry.bytes.length);
    const entry = this.#queue[index];
    if (entry === undefined) return undefined;
    const room = Math.min(WINDOW_BYTES - this.#inFlightBytes, this.#roomAtFarEnd(entry, nowMs));
    if (room <= 0) return undefined;
    const bytes = Uint8Array.from(entry.bytes.slice(entry.written, entry.written + room));
    this.#queue[index] = { ...entry, written: entry.written + bytes.length };
    this.#inFlightBytes += bytes.length;
    this.#writingId = entry.id;
    if (entry.mode === 'timed') this.#progressMs = nowMs;
    else if (this.#isPaced && entry.mode === 'echo') {
      this.#credit.wrote(bytes, nowMs);
      this.#note(entry.id, bytes.length);
    }
    return bytes;
  }

  /** The socket took `bytes` of what was written; returns the sends that are complete with it. */
  credit(bytes: number, nowMs: number): readonly PumpEnd[] {
    if (this.#queue.some((entry) => entry.mode === 'echo')) this.#progressMs = nowMs;
    this.#inFlightBytes = Math.max(this.#inFlightBytes - bytes, 0);
    const ends: PumpEnd[] = [];
    let left = bytes;
    while (left > 0) {
      const head = this.#queue[0];
      if (head === undefined) break; // credit of a send that was given up
      const taken = Math.min(left, head.written - head.taken);
      if (taken === 0) break;
      left -= taken;
      if (head.taken + taken === head.bytes.length) {
        this.#queue.shift();
        if (!head.isGivenUp) ends.push({ id: head.id, sent: head.bytes.length, isComplete: true });
      } else this.#queue[0] = { ...head, taken: head.taken + taken };
    }
    return ends;
  }

  /** Text that came; `isPainting`: a program paints the screen. */
  hear(
    rendered: { readonly text: string; readonly length: number },
    isPainting: boolean,
    nowMs: number,
  ): void {
    if (rendered.length === 0) return;
    if (this.#credit.outstanding === 0) this.#credit.passOver();
    else this.#settleLedger(this.#credit.hear(rendered.text, isPainting, nowMs), nowMs, true);
  }

  /** Whether the last character that came is the echo of one that was typed. */
  get endsInEcho(): boolean {
    return this.#credit.endsInEcho;
  }

  /** The far end is silent. */
  pause(nowMs: number): void {
    this.#settleLedger(this.#credit.lookBack(), nowMs, true);
    this.#settleLedger(this.#credit.pause(), nowMs, false);
  }

  /** A BEL outside of any notice: input that goes by the clock has run over. Returns the sends that are stopped. */
  ring(): readonly PumpEnd[] {
    return this.#giveUp((entry) => entry.mode === 'timed');
  }

  /** Characters of a send whose echo came. */
  echoedChars(id: string): number {
    return this.#echoed.get(id) ?? 0;
  }

  /** Nobody asks for the figures of this send any more. */
  release(id: string): void {
    this.#echoed.delete(id);
  }

  isTimed(id: string): boolean {
    return this.#queue.some((entry) => entry.id === id && entry.mode === 'timed');
  }

  /** Gives up the rest of every send, so that something urgent can go. */
  interrupt(): readonly PumpEnd[] {
    return this.#giveUp(() => true);
  }

  /** Gives the rest of a send up; what is written stays written. Undefined when it is over already. */
  cancel(id: string): PumpEnd | undefined {
    const index = this.#queue.findIndex((entry) => entry.id === id);
    const entry = this.#queue[index];
    if (entry === undefined || entry.isGivenUp) return undefined;
    if (entry.written === entry.taken) this.#queue.splice(index, 1);
    else this.#queue[index] = { ...entry, bytes: entry.bytes.slice(0, entry.written), isGivenUp: true };
    return { id, sent: entry.written, isComplete: entry.written === entry.bytes.length };
  }

  /** Drops everything: the connection is gone. */
  clear(): readonly PumpEnd[] {
    const ends = this.#queue
      .filter((entry) => !entry.isGivenUp)
      .map(({ id, taken }) => ({ id, sent: taken, isComplete: false }));
    this.#queue = [];
    this.#inFlightBytes = 0;
    this.#isEchoing = undefined;
    this.#forget();
    return ends;
  }

  /** Sends given up because no credit came for too long; and whatever else the time brings. */
  tick(nowMs: number): readonly PumpEnd[] {
    const blocked = this.#blockedByEcho();
    if (blocked !== undefined && nowMs >= this.#progressMs + this.#echoPatienceMs(blocked)) {
      this.#isEchoing = false;
      this.#forget();
      this.#replace(blocked, { ...blocked, mode: 'timed' });
      this.#progressMs = nowMs;
    }
    const deadline = this.#stallDeadlineMs();
    return deadline === undefined || nowMs < deadline ? [] : this.#giveUp(() => true);
  }

  deadlineMs(): number | undefined {
    const blocked = this.#blockedByEcho();
    const times = [
      this.#stallDeadlineMs(),
      blocked && this.#progressMs + this.#echoPatienceMs(blocked),
      this.#nextTimedMs(),
    ].filter((time) => time !== undefined);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** Bytes of a send that the socket has taken; undefined when it is over or was given up. */
  takenBytes(id: string): number | undefined {
    return this.#queue.find((entry) => entry.id === id && !entry.isGivenUp)?.taken;
  }

  snapshot(): PacerSnapshot {
    return {
      queue: [...this.#queue],
      inFlightBytes: this.#inFlightBytes,
      progressMs: this.#progressMs,
      credit: this.#credit.snapshot(),
      ledger: [...this.#ledger],
      echoed: [...this.#echoed],
      isEchoing: this.#isEchoing,
    };
  }

  get #isWaitless(): boolean {
    return this.#queue.every((entry) => entry.isGivenUp);
  }

  #roomAtFarEnd(entry: Entry, nowMs: number): number {
    if (!this.#isPaced || entry.mode === 'urgent') return WINDOW_BYTES;
    if (entry.mode === 'echo') return this.#windowChars - this.#credit.outstanding;
    return nowMs >= this.#progressMs + TIMED_INTERVAL_MS ? 1 : 0;
  }

  /** The send whose next character waits for echo; undefined when none does. */
  #blockedByEcho(): Entry | undefined {
    if (!this.#isPaced || this.#credit.outstanding < this.#windowChars) return undefined;
    return this.#queue.find((entry) => entry.written < entry.bytes.length && entry.mode === 'echo');
  }

  /** A send of which anything came back is worth waiting for to the end. */
  #echoPatienceMs(entry: Entry): number {
    if (this.echoedChars(entry.id) > 0) return Number.MAX_SAFE_INTEGER;
    return this.#isEchoing === true ? NO_ECHO_AFTER_ECHO_MS : NO_ECHO_MS;
  }

  #nextTimedMs(): number | undefined {
    const entry = this.#queue.find(({ written, bytes }) => written < bytes.length);
    return entry?.mode === 'timed' && this.#inFlightBytes < WINDOW_BYTES
      ? this.#progressMs + TIMED_INTERVAL_MS
      : undefined;
  }

  #stallDeadlineMs(): number | undefined {
    return this.#isWaitless ? undefined : this.#progressMs + STALL_MS;
  }

  #giveUp(isMeant: (entry: Entry) => boolean): readonly PumpEnd[] {
    const ends: PumpEnd[] = [];
    for (const { id } of this.#queue.filter((entry) => !entry.isGivenUp && isMeant(entry))) {
      const end = this.cancel(id);
      if (end !== undefined) ends.push({ ...end, isComplete: false });
    }
    return ends;
  }

  #replace(old: Entry, entry: Entry): void {
    this.#queue[this.#queue.indexOf(old)] = entry;
  }

  #note(id: string, chars: number): void {
    const last = this.#ledger.at(-1);
    if (last?.[0] === id) this.#ledger[this.#ledger.length - 1] = [id, last[1] + chars];
    else this.#ledger.push([id, chars]);
  }

  /** `chars` of the oldest ones are accounted for; `isSeen`: by their echo. */
  #settleLedger(chars: number, nowMs: number, isSeen: boolean): void {
    if (chars === 0) return;
    this.#progressMs = nowMs;
    if (isSeen) this.#isEchoing = true;
    let left = chars;
    while (left > 0) {
      const head = this.#ledger[0];
      if (head === undefined) return;
      const [id, outstanding] = head;
      const taken = Math.min(left, outstanding);
      left -= taken;
      if (isSeen) this.#echoed.set(id, this.echoedChars(id) + taken);
      if (taken === outstanding) this.#ledger.shift();
      else this.#ledger[0] = [id, outstanding - taken];
    }
  }

  #forget(): void {
    this.#credit.forget();
    this.#ledger = [];
  }
}
