/** What is known of the far end by what came back: what it has echoed, what it has certainly read, what it may have lost. */
import { EchoCredit, type EchoCreditSnapshot } from '../echoCredit.ts';
import type { Resting } from './cursorEvidence.ts';
import { EchoLedger, type EchoLedgerSnapshot } from './echoLedger.ts';
import {
  BUFFER_CHARS,
  MAX_UNTOLD_CHARS,
  type Overflow,
  OverflowWatch,
  type OverflowWatchSnapshot,
} from './overflowWatch.ts';
import { ReadProof } from './readProof.ts';
import type { ReadProofSnapshot } from './readProofState.ts';

/** What was typed so long before the next send, in ms, is taken for read: hardly any program pauses for a minute. */
export const FORGET_MS = 60_000;

/** Where no proof comes the next probe goes after so many ms, and each further one after twice the time. */
export const PROBE_WAIT_MS = 500;

export interface FarEndSnapshot {
  readonly credit: EchoCreditSnapshot;
  readonly proof: ReadProofSnapshot;
  readonly overflow: OverflowWatchSnapshot;
  readonly ledger: EchoLedgerSnapshot;
  /** The last send that could tell was echoed. */
  readonly isEchoing: boolean | undefined;
  /** It answered what it did not echo: it reads. */
  readonly isUnseenReader: boolean;
  /** It is taken for one that reads and shows nothing of it. */
  readonly isSilentReader: boolean;
  /** Characters that seem to have come back and are not proved read. */
  readonly seen: number;
  /** When something was proved read, or something written where nothing was unread. */
  readonly provedMs: number;
}

/** What some text told: nothing, that characters were read, or that they were read and came back. */
export type Told = 'nothing' | 'read' | 'echoed';

export class FarEnd {
  readonly #windowChars: number;
  readonly #credit: EchoCredit;
  readonly #proof: ReadProof;
  readonly #overflow: OverflowWatch;
  readonly #ledger: EchoLedger;
  isEchoing: boolean | undefined;
  #isSilentReader: boolean;
  #isUnseenReader: boolean;
  #seen: number;
  #provedMs: number;

  /** `windowChars`: at most so many without their echo. More than ITS's buffer says that the far end has another one. */
  constructor(windowChars: number, snapshot?: FarEndSnapshot) {
    this.#windowChars = windowChars;
    this.#credit = new EchoCredit(snapshot?.credit);
    this.#proof = new ReadProof(snapshot?.proof);
    this.#overflow = new OverflowWatch(snapshot?.overflow);
    this.#ledger = new EchoLedger(snapshot?.ledger);
    this.isEchoing = snapshot?.isEchoing;
    this.#isSilentReader = snapshot?.isSilentReader ?? false;
    this.#isUnseenReader = snapshot?.isUnseenReader ?? false;
    this.#seen = snapshot?.seen ?? 0;
    this.#provedMs = snapshot?.provedMs ?? 0;
  }

  /** It is known to read and not to echo. */
  get isUnseenReader(): boolean {
    return this.#isUnseenReader;
  }

  /** It is taken for one that reads and shows nothing of it. */
  get isSilentReader(): boolean {
    return this.#isSilentReader;
  }

  takeForSilentReader(): void {
    this.isEchoing = false;
    this.#isSilentReader = true;
  }

  /** Nothing that came looks like an echo of what is not proved read. */
  get hasShownNothing(): boolean {
    return this.#seen === 0;
  }

  /** Whether the last character that came is the echo of one that was typed. */
  get endsInEcho(): boolean {
    return this.#credit.endsInEcho;
  }

  /** Characters of `waiting` ones that its buffer certainly has room for. */
  roomInBuffer(waiting: number): number {
    return this.#windowChars > BUFFER_CHARS ? Number.POSITIVE_INFINITY : this.#proof.roomFor(waiting);
  }

  /** Characters that may go with their echo to come. Where other text came, echo may have gone with it, as a message's. */
  room(waiting: number): number {
    const isWaiting = this.#proof.isFollowing || this.#windowChars > BUFFER_CHARS;
    const window = this.#windowChars - this.#credit.outstanding;
    const room = this.roomInBuffer(waiting);
    return isWaiting ? Math.min(window, room) : room;
  }

  echoedChars(id: string): number {
    return this.#ledger.echoed(id);
  }

  /** Nobody asks for the figures of this send any more. */
  release(id: string): void {
    this.#ledger.release(id);
  }

  /** A send begins where nothing else waits. */
  begin(nowMs: number): void {
    if (nowMs >= this.#proof.writtenMs + FORGET_MS) this.forget();
    // Each send has a window and figures of its own, the buffer is one.
    this.#credit.forget();
    this.#ledger.forget();
    this.#proof.begin();
  }

  /** When a few characters more may go although nothing was proved; undefined when none may. */
  get probeMs(): number | undefined {
    if (!this.#proof.mayProbe) return undefined;
    return this.#proof.writtenMs + Math.max(this.#proof.writtenMs - this.#provedMs, PROBE_WAIT_MS);
  }

  probe(): void {
    this.#proof.probe();
  }

  /** Remembers what was written until it is known to be read. `how`: whether echo is hoped for, or none can come. */
  wrote(id: string, bytes: Uint8Array, how: 'echoed' | 'passing' | 'unseen', nowMs: number): void {
    this.#overflow.wrote(id, bytes.length);
    if (how === 'unseen') return;
    if (this.#proof.unproved === 0) this.#provedMs = nowMs;
    this.#proof.wrote(bytes, nowMs);
    if (how !== 'passing') {
      this.#credit.wrote(bytes, nowMs);
      this.#ledger.note(id, bytes.length);
    }
    // By the clock more goes than the buffer holds; what no BEL has come for since then was read.
    this.#proof.keep(MAX_UNTOLD_CHARS);
    this.#settle(this.#credit.keep(MAX_UNTOLD_CHARS), false);
  }

  /** Something that was typed is without its echo or its proof. */
  get isListening(): boolean {
    return this.#credit.outstanding > 0 || this.#proof.unproved > 0;
  }

  /** Text came of which nothing is an echo. */
  passOver(): void {
    this.#credit.passOver();
    this.#proof.passOver();
  }

  /** Takes text that came, one character after the other: how it was split must change nothing. */
  hear(text: string, isPainting: boolean, nowMs: number): Told {
    let told: Told = 'nothing';
    for (const character of text) if (this.#hearOne(character, isPainting, nowMs)) told = 'echoed';
    return told;
  }

  /** It is silent; `resting`: the screen as it stands. */
  pause(resting: Resting | undefined, nowMs: number): Told {
    const echoed = this.#credit.lookBack();
    this.#settle(echoed, true);
    const unseen = this.#credit.pause();
    this.#settle(unseen, false);
    if (this.#prove(this.#proof.pause(resting), nowMs) || echoed > 0) return 'echoed';
    return unseen > 0 ? 'read' : 'nothing';
  }

  /** It has answered: what was typed has been read, and what has not come back of it was not echoed. */
  answered(): void {
    if (this.#credit.outstanding > 0) this.isEchoing ??= false;
    this.#isUnseenReader = this.isEchoing === false;
    this.forget();
  }

  /** It is ready, and has thrown away what was typed ahead and not read: what it did not echo tells nothing of its echo. */
  discarded(nowMs: number): void {
    this.#proof.forget();
    this.#provedMs = nowMs;
    this.#overflow.proved(0);
    this.#settle(this.#credit.keep(0), false);
    this.#seen = 0;
  }

  /** A BEL came; `isBlind`: nothing else would tell of a loss. Returns where input was lost, if that is certain. */
  ring(isBlind: boolean, nowMs: number): Overflow | undefined {
    this.#isSilentReader = false;
    this.#overflow.ring(isBlind, nowMs);
    return this.#overflow.take();
  }

  /** When a BEL came, so that what comes later may show that input was lost. */
  get doubtMs(): number | undefined {
    return this.#overflow.doubtMs;
  }

  /** Input that was certainly lost, told once. */
  takeOverflow(): Overflow | undefined {
    return this.#overflow.take();
  }

  /** Nothing that was typed is on its way or unread any more. */
  forget(): void {
    this.#credit.forget();
    this.#proof.forget();
    this.#overflow.proved(0);
    this.#ledger.forget();
    this.#seen = 0;
  }

  /** Another connection: nothing is known. */
  reset(): void {
    this.isEchoing = undefined;
    this.#isSilentReader = false;
    this.#isUnseenReader = false;
    this.forget();
  }

  snapshot(): FarEndSnapshot {
    return {
      credit: this.#credit.snapshot(),
      proof: this.#proof.snapshot(),
      overflow: this.#overflow.snapshot(),
      ledger: this.#ledger.snapshot(),
      isEchoing: this.isEchoing,
      isSilentReader: this.#isSilentReader,
      isUnseenReader: this.#isUnseenReader,
      seen: this.#seen,
      provedMs: this.#provedMs,
    };
  }

  /** Whether the character told that something was read. */
  #hearOne(character: string, isPainting: boolean, nowMs: number): boolean {
    const { outstanding, skipped } = this.#credit;
    if (outstanding === 0) this.#credit.passOver();
    const echoed = outstanding === 0 ? 0 : this.#credit.hear(character, isPainting, nowMs);
    this.#settle(echoed, true);
    if (!isPainting && this.#credit.skipped > skipped) this.#overflow.skip(nowMs);
    return this.#prove(this.#proof.hear(character, isPainting, nowMs), nowMs) || echoed > 0;
  }

  /** `chars` of the oldest ones are accounted for; `isSeen`: by their echo. */
  #settle(chars: number, isSeen: boolean): void {
    if (chars === 0) return;
    this.#ledger.settle(chars, isSeen);
    if (!isSeen) return;
    this.#seen += chars;
    this.isEchoing = true;
    this.#isSilentReader = false;
    this.#isUnseenReader = false;
  }

  /** So many characters are proved read, those included whose echo was missed. */
  #prove(chars: number, nowMs: number): boolean {
    if (chars === 0) return false;
    this.#provedMs = nowMs;
    this.#overflow.proved(this.#proof.unproved);
    this.#settle(this.#credit.keep(this.#proof.unproved), true);
    this.#seen = Math.max(this.#seen - chars, 0);
    return true;
  }
}
