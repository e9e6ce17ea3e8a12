/**
 * Pacer: input on its way to the line, in order, the bytes of one send never mixed with another's (I8).
 *
 * Three credits limit what may go now. The socket's: so little is written ahead that a send can still be given up at a
 * character border, and its caller told exactly what went out (I12). The echo's: at most `windowChars` may be without what
 * looks like their echo. The far end's buffer: never more than it holds without proof that they were read
 * (`pacing/readProof.ts`), since ITS drops the rest. Where nothing comes back at all, input goes by the clock instead: soon
 * where a secret was asked for, elsewhere after a wait that hardly any stall outlasts; and it stops at the first BEL.
 */
import type { Resting } from './pacing/cursorEvidence.ts';
import { FarEnd, type FarEndSnapshot, type Told } from './pacing/farEnd.ts';
import { InputQueue, type PumpEnd, type QueuedInput, type QueuedSnapshot } from './pacing/inputQueue.ts';
import type { Overflow } from './pacing/overflowWatch.ts';
import { Patience, type PatienceSnapshot } from './pacing/patience.ts';

export type { PumpEnd } from './pacing/inputQueue.ts';
export { NO_ECHO_MS, SILENT_MS, STALL_MS, TIMED_INTERVAL_MS } from './pacing/patience.ts';

/** Bytes written and not yet taken by the socket. Small, because what is written can no longer be given up. */
export const WINDOW_BYTES = 1_024;
/** Characters without their echo, by default: half of ITS's input buffer (ts3tty TIBS, docs/its-line.md 14). */
export const DEFAULT_WINDOW_CHARS = 32;
/** Input of all sends that may wait, in bytes; a further send is refused before its first byte. */
export const MAX_QUEUED_BYTES = 1_048_576;
/** The key at which ITS throws away what is typed ahead. */
const FLUSHING_KEY = 0x07;

export interface PacerSnapshot {
  readonly queue: readonly QueuedSnapshot[];
  readonly inFlightBytes: number;
  readonly patience: PatienceSnapshot;
  readonly farEnd: FarEndSnapshot;
  /** The next send is a secret. */
  readonly isSecret: boolean;
}

export interface PacerOptions {
  /** Characters without their echo; undefined: the far end is not paced (a plain line). */
  readonly windowChars: number | undefined;
}

export class Pacer {
  readonly #isPaced: boolean;
  readonly #farEnd: FarEnd;
  readonly #queue: InputQueue;
  readonly #patience: Patience;
  #inFlightBytes: number;
  #isSecret: boolean;
  #writingId: string | undefined;

  constructor({ windowChars }: PacerOptions = { windowChars: undefined }, snapshot?: PacerSnapshot) {
    this.#isPaced = windowChars !== undefined;
    this.#farEnd = new FarEnd(windowChars ?? Number.POSITIVE_INFINITY, snapshot?.farEnd);
    this.#queue = new InputQueue(snapshot?.queue);
    this.#inFlightBytes = snapshot?.inFlightBytes ?? 0;
    this.#patience = new Patience(this.#queue, this.#farEnd, snapshot?.patience);
    this.#isSecret = snapshot?.isSecret ?? false;
  }

  get isIdle(): boolean {
    return this.#queue.isEmpty && this.#inFlightBytes === 0;
  }

  /** All that was accepted is written, or given up. */
  get isWritten(): boolean {
    return this.#queue.unwrittenBytes === 0;
  }

  /** What is still to be written, by send. */
  get unwritten(): InputQueue['unwritten'] {
    return this.#queue.unwritten;
  }

  /** Bytes accepted and not yet taken by the socket. */
  get pendingBytes(): number {
    return this.#queue.pendingBytes;
  }

  /** Whether the screen at rest tells it anything: painting that costs as much as half a screen of output. */
  get looksAtScreen(): boolean {
    return this.#isPaced;
  }

  /** Whether the far end echoes, as far as the last sends told. */
  get echo(): 'on' | 'off' | 'unknown' {
    const { isEchoing } = this.#farEnd;
    return isEchoing === undefined ? 'unknown' : isEchoing ? 'on' : 'off';
  }

  /** Whether the last character that came is the echo of one that was typed. */
  get endsInEcho(): boolean {
    return this.#farEnd.endsInEcho;
  }

  /** What goes next is the first of its send. */
  get isAtStart(): boolean {
    return this.#queue.next?.written === 0;
  }

  /** The send whose bytes `tryNext` gave last. */
  get writingId(): string | undefined {
    return this.#writingId;
  }

  hasRoomFor(bytes: number): boolean {
    return this.pendingBytes + bytes <= MAX_QUEUED_BYTES;
  }

  enqueue(id: string, bytes: Uint8Array, nowMs: number, isUrgent = false): void {
    if (this.#queue.isWaitless) {
      this.#patience.progressMs = nowMs;
      this.#farEnd.begin(nowMs);
    }
    this.#queue.push({
      id,
      bytes: bytes.slice(), // whoever typed a secret wipes his own
      written: 0,
      taken: 0,
      mode: isUrgent ? 'urgent' : 'echo',
      isUnseen: this.#farEnd.isUnseenReader || this.#isSecret,
      isGivenUp: false,
    });
    this.#isSecret = false;
  }

  /** What comes next is a secret, by the far end's own words: it will hardly be echoed. */
  expectNoEcho(): void {
    this.#farEnd.isEchoing = undefined;
    this.#isSecret = true;
  }

  /** The far end has answered: what was typed has been read, and what has not come back of it was not echoed. */
  answered(): void {
    if (this.#queue.isEmpty) this.#farEnd.answered();
  }

  /**
   * The far end has refused something and is ready: what was typed ahead of that it has read or thrown away. Where input
   * still goes, its own echo tells better; where none can go any more, nothing else would.
   */
  refused(nowMs: number): void {
    if (this.#queue.isEmpty || (this.#inFlightBytes === 0 && this.#patience.blocked !== undefined))
      this.#farEnd.discarded(nowMs);
  }

  /** Next bytes for the socket, as far as all credits go; undefined when nothing may go now. */
  tryNext(nowMs: number): Uint8Array | undefined {
    const entry = this.#queue.next;
    if (entry === undefined) return undefined;
    // On a line that is not paced nothing but the socket limits it.
    const farRoom = this.#isPaced ? this.#patience.room(entry, nowMs) : WINDOW_BYTES;
    const room = Math.min(WINDOW_BYTES - this.#inFlightBytes, farRoom);
    if (room <= 0) return undefined;
    const bytes = entry.bytes.slice(entry.written, entry.written + room);
    this.#queue.replace(entry, { ...entry, written: entry.written + bytes.length });
    this.#inFlightBytes += bytes.length;
    this.#writingId = entry.id;
    if (entry.mode === 'timed') this.#patience.progressMs = nowMs;
    if (this.#isPaced) this.#account(entry, bytes, nowMs);
    return bytes;
  }

  /** The socket took `bytes` of what was written; returns the sends that are complete with it. */
  credit(bytes: number, nowMs: number): readonly PumpEnd[] {
    if (this.#queue.entries.some((entry) => entry.mode === 'echo')) this.#patience.progressMs = nowMs;
    this.#inFlightBytes = Math.max(this.#inFlightBytes - bytes, 0);
    return this.#queue.credit(bytes);
  }

  /** Text that came; `isPainting`: a program paints the screen. */
  hear(
    rendered: { readonly text: string; readonly length: number },
    isPainting: boolean,
    nowMs: number,
  ): void {
    if (rendered.length === 0) return;
    this.#patience.heardMs = nowMs;
    if (!this.#farEnd.isListening) return this.#farEnd.passOver();
    this.#learn(this.#farEnd.hear(rendered.text, isPainting, nowMs), nowMs);
  }

  /** The far end is silent; `resting`: the screen as it stands, else a program that paints may be given up. */
  pause(nowMs: number, resting?: Resting): void {
    this.#learn(this.#farEnd.pause(resting, nowMs), nowMs);
  }

  /** A BEL outside of any notice: input that goes by the clock has run over. Returns the sends that are stopped. */
  ring(nowMs: number): readonly PumpEnd[] {
    const blind = this.#queue.entries.filter((entry) => this.#patience.isBlind(entry));
    const lost = this.#lose(this.#farEnd.ring(blind.length > 0, nowMs));
    const rest = this.#queue.giveUp((entry) => blind.some(({ id }) => id === entry.id));
    // What is known to be lost of an earlier send may be lost of those behind it, too, from their first byte on.
    return [...lost, ...rest.map((end) => (lost.length > 0 && end.sent > 0 ? { ...end, overflow: 0 } : end))];
  }

  /** Characters of a send whose echo came. */
  echoedChars(id: string): number {
    return this.#farEnd.echoedChars(id);
  }

  /** Nobody asks for the figures of this send any more. */
  release(id: string): void {
    this.#farEnd.release(id);
  }

  isTimed(id: string): boolean {
    return this.#queue.entries.some((entry) => entry.id === id && entry.mode === 'timed');
  }

  /** Gives up the rest of every send, so that something urgent can go. */
  interrupt(): readonly PumpEnd[] {
    return this.#queue.giveUp(() => true);
  }

  /** Gives the rest of a send up; what is written stays written. Undefined when it is over already. */
  cancel(id: string): PumpEnd | undefined {
    return this.#queue.cancel(id);
  }

  /** Drops everything: the connection is gone. */
  clear(): readonly PumpEnd[] {
    const ends = this.#queue.clear();
    this.#inFlightBytes = 0;
    this.#isSecret = false;
    this.#farEnd.reset();
    return ends;
  }

  /** Sends given up because no credit came for too long, or because input was lost; and whatever else the time brings. */
  tick(nowMs: number): readonly PumpEnd[] {
    const patience = this.#patience;
    const isOver = (deadlineMs: number | undefined): boolean =>
      deadlineMs !== undefined && nowMs >= deadlineMs;
    if (this.#isPaced) {
      const { blocked } = patience;
      if (blocked !== undefined && isOver(patience.echoDeadlineMs())) {
        if (blocked.isUnseen) this.#farEnd.isEchoing = false;
        this.#queue.replace(blocked, { ...blocked, mode: 'timed' });
        patience.progressMs = nowMs;
      }
      if (isOver(patience.silenceDeadlineMs())) this.#farEnd.takeForSilentReader();
      if (isOver(patience.probeMs())) this.#farEnd.probe();
    }
    const ends = this.#lose(this.#farEnd.takeOverflow());
    return isOver(patience.stallDeadlineMs()) ? [...ends, ...this.#queue.giveUp(() => true)] : ends;
  }

  deadlineMs(): number | undefined {
    const patience = this.#patience;
    const paced = this.#isPaced
      ? [
          patience.echoDeadlineMs(),
          patience.silenceDeadlineMs(),
          this.#inFlightBytes < WINDOW_BYTES ? patience.doubtEndMs() : undefined,
          this.#inFlightBytes < WINDOW_BYTES ? patience.timedMs() : undefined,
          patience.probeMs(),
        ]
      : [];
    const times = [patience.stallDeadlineMs(), ...paced].filter((time) => time !== undefined);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** Bytes of a send that the socket has taken; undefined when it is over or was given up. */
  takenBytes(id: string): number | undefined {
    return this.#queue.find(id)?.taken;
  }

  snapshot(): PacerSnapshot {
    return {
      queue: this.#queue.snapshot(),
      inFlightBytes: this.#inFlightBytes,
      patience: this.#patience.snapshot(),
      farEnd: this.#farEnd.snapshot(),
      isSecret: this.#isSecret,
    };
  }

  /** Remembers what was written until it is known to be read. */
  #account(entry: QueuedInput, bytes: Uint8Array, nowMs: number): void {
    if (entry.mode === 'urgent' && bytes.includes(FLUSHING_KEY)) this.#farEnd.forget();
    const isUnseen = entry.mode === 'timed' && entry.isUnseen;
    const how = isUnseen ? 'unseen' : entry.mode === 'urgent' ? 'passing' : 'echoed';
    this.#farEnd.wrote(entry.id, bytes, how, nowMs);
  }

  #learn(told: Told, nowMs: number): void {
    if (told === 'nothing') return;
    this.#patience.progressMs = nowMs;
    if (told === 'read') return;
    // What goes by the clock was only slow to begin.
    for (const entry of this.#queue.entries)
      if (entry.mode === 'timed' && !entry.isUnseen) this.#queue.replace(entry, { ...entry, mode: 'echo' });
  }

  /** Something of a send was lost: the rest of it would only follow. */
  #lose(lost: Overflow | undefined): readonly PumpEnd[] {
    if (lost === undefined) return [];
    const { id, offset, sent } = lost;
    return [{ sent, ...this.#queue.cancel(id), id, isComplete: false, overflow: offset }];
  }
}
