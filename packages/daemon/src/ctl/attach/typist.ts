/**
 * Who types, and when: what was typed, the floor and the answers to calls in; calls to make and things to say out. One call
 * types at a time; what is typed meanwhile is collected for the next one.
 *
 * As RFC 8855 has it, nobody types without the floor. Typing takes a free floor for a lease that each call renews; from
 * somebody else it is taken by force only, and only after a question: the key that raised it is not sent, and an answer
 * within `CONFIRM_AFTER_MS` counts for nothing, because whoever types a word without looking has not answered.
 */
import type { MethodResult } from '@pidp10/protocol/methods';
import { describeFloorHolder } from '../floorText.ts';
import type { KeyEvent } from './keys.ts';

export type Floor = MethodResult<'floor.status'>;

/** Lease of the floor that typing takes, in ms: who walks away blocks the others for a minute. */
export const LEASE_MS = 60_000;
/** Silence between the last key and the one that confirms, in ms. */
export const CONFIRM_AFTER_MS = 700;
/** Characters that wait for the call under way: a line takes no more than that per minute, and nobody types it. */
export const MAX_PENDING_CHARS = 4_096;
/** And for a program, which gets pastes as typed: what one call may carry. */
export const MAX_PENDING_BYTES = 65_536;
/** A call that takes so long, in ms, stands still: ^S, which else is a key like others, passes it. */
export const STALLED_MS = 500;

/** Where typing into the line and into a program differ. */
export interface TypingHabits {
  /** Keys that always pass what waits to be sent, and that is given up. */
  readonly urgentKeys: string;
  /** Those that do so while the other side stands still. */
  readonly stalledKeys: string;
  readonly maxPendingChars: number;
}

/** ^G quits in EMACS and elsewhere; ^S searches, unless nothing moves any more. */
export const LINE_HABITS: TypingHabits = {
  urgentKeys: '\x07',
  stalledKeys: '\x13',
  maxPendingChars: MAX_PENDING_CHARS,
};
/** A program's ^C, ^Z and ^\ are keys like others (EMACS has ^X^C), unless it does not read. */
export const PROGRAM_HABITS: TypingHabits = {
  urgentKeys: '',
  stalledKeys: '\x03\x1a\x1c',
  maxPendingChars: MAX_PENDING_BYTES,
};

export interface Typing {
  readonly text: string;
  readonly isPaste: boolean;
  readonly isUrgent: boolean;
}

export type Step =
  | { readonly kind: 'request'; readonly isForced: boolean }
  | ({ readonly kind: 'send'; readonly token: number } & Typing)
  | { readonly kind: 'release'; readonly token: number }
  | { readonly kind: 'say'; readonly text: string };

/** How a send ended, as far as it matters for what is typed next. */
export type Sent =
  | { readonly kind: 'sent' }
  | { readonly kind: 'failed'; readonly text: string }
  | { readonly kind: 'floor_lost' };

type State =
  /** Has no floor. */
  | { readonly kind: 'listening' }
  /** Somebody else has it: shall it be taken? */
  | { readonly kind: 'asking'; readonly sinceMs: number }
  | { readonly kind: 'requesting' }
  | { readonly kind: 'typing'; readonly token: number };

export type Access = 'full' | 'spy' | 'read';

export class Typist {
  #state: State = { kind: 'listening' };
  readonly #habits: TypingHabits;
  #access: Access;
  #floor: Floor;
  #pending: Typing[] = [];
  /** Calls under way, urgent ones included; the first of them since `#busySinceMs`. */
  #calls = 0;
  #busySinceMs = 0;

  /** `read`: the connection may not type; `spy`: the user does not want to, for now. */
  constructor(access: Access, floor: Floor, habits = LINE_HABITS) {
    this.#habits = habits;
    this.#access = access;
    this.#floor = floor;
  }

  get access(): Access {
    return this.#access;
  }

  get floor(): Floor {
    return this.#floor;
  }

  get hasFloor(): boolean {
    return this.#state.kind === 'typing';
  }

  /** The question that stands, if one does. */
  get question(): string | undefined {
    if (this.#state.kind !== 'asking') return undefined;
    return `${describeFloorHolder(this.#floor)}; your key was not sent. y or ^Ecf takes the floor by force`;
  }

  type(event: Extract<KeyEvent, { kind: 'type' | 'paste' | 'urgent' }>, nowMs: number): readonly Step[] {
    if (this.#access !== 'full') return [say(this.#whyReadOnly())];
    const typing = this.#toTyping(event);
    switch (this.#state.kind) {
      case 'asking':
        return this.#answer(typing, this.#state.sinceMs, nowMs);
      case 'listening':
        if (this.#isHeldByOther) return this.#ask(nowMs);
        this.#state = { kind: 'requesting' };
        return [...this.#collect(typing), { kind: 'request', isForced: false }];
      case 'requesting':
        return this.#collect(typing);
      case 'typing':
        return this.#send(typing, this.#state.token, nowMs);
      default:
        return this.#state satisfies never;
    }
  }

  force(): readonly Step[] {
    if (this.#access !== 'full') return [say(this.#whyReadOnly())];
    if (this.#state.kind === 'typing' || this.#state.kind === 'requesting') return [];
    this.#state = { kind: 'requesting' };
    return [{ kind: 'request', isForced: true }];
  }

  /** Gives the floor back, and forgets what was not sent yet. */
  release(): readonly Step[] {
    const { token } = this.#drop();
    return token === undefined ? [] : [{ kind: 'release', token }];
  }

  /** Only looks on from here. */
  spy(): readonly Step[] {
    if (this.#access !== 'full') return [say(this.#whyReadOnly())];
    this.#access = 'spy';
    return [...this.release(), say('you are watching only; ^Eca to type again')];
  }

  attach(): readonly Step[] {
    if (this.#access === 'read') return [say(this.#whyReadOnly())];
    this.#access = 'full';
    return [say('the next key takes the floor')];
  }

  handleGranted(token: number, nowMs: number): readonly Step[] {
    // Given back, or gone over to watching, before the answer came.
    if (this.#state.kind !== 'requesting') return [{ kind: 'release', token }];
    this.#state = { kind: 'typing', token };
    return this.#sendNext(nowMs);
  }

  /** Somebody was quicker: `floor` as it is now. What was typed is not sent. */
  handleHeld(floor: Floor, nowMs: number): readonly Step[] {
    this.#floor = floor;
    if (this.#state.kind !== 'requesting') return [];
    this.#pending = [];
    return this.#ask(nowMs);
  }

  handleRequestFailed(text: string): readonly Step[] {
    this.#drop();
    return [say(text)];
  }

  handleSent(sent: Sent, nowMs: number): readonly Step[] {
    this.#calls = Math.max(this.#calls - 1, 0);
    if (sent.kind === 'sent') return this.#sendNext(nowMs);
    // What follows was typed by somebody who did not know.
    this.#pending = [];
    if (sent.kind === 'failed') return [say(sent.text)];
    this.#drop();
    return [say('the floor has changed hands; what you typed last was not sent')];
  }

  /** From the watch. */
  handleFloor(floor: Floor): readonly Step[] {
    this.#floor = floor;
    switch (this.#state.kind) {
      case 'typing':
        if (floor.holder?.isYou === true) return [];
        this.#drop();
        return [say(floor.state === 'free' ? 'the floor is free again' : describeFloorHolder(floor))];
      case 'asking':
        if (this.#isHeldByOther) return [];
        this.#drop();
        return [say('the floor is free: the next key takes it')];
      default:
        return [];
    }
  }

  /** The connection is another one: whatever was asked or held there is gone. */
  handleReconnect(floor: Floor): void {
    this.#drop();
    this.#calls = 0;
    this.#floor = floor;
  }

  get #isHeldByOther(): boolean {
    return this.#floor.state === 'held' && this.#floor.holder?.isYou !== true;
  }

  #whyReadOnly(): string {
    return this.#access === 'read'
      ? 'you are watching only; attach again without --spy to type'
      : 'you are watching only; ^Eca to type again';
  }

  #ask(nowMs: number): readonly Step[] {
    this.#state = { kind: 'asking', sinceMs: nowMs };
    return [];
  }

  #answer(typing: Typing, sinceMs: number, nowMs: number): readonly Step[] {
    if (nowMs - sinceMs < CONFIRM_AFTER_MS) return this.#ask(nowMs);
    if (typing.text.toLowerCase() === 'y' && !typing.isPaste) return this.force();
    this.#state = { kind: 'listening' };
    return [];
  }

  #send(typing: Typing, token: number, nowMs: number): readonly Step[] {
    const isStalled = this.#calls > 0 && nowMs - this.#busySinceMs >= STALLED_MS;
    if (typing.isUrgent || (isOneOf(this.#habits.stalledKeys, typing) && isStalled)) {
      this.#pending = []; // it would arrive behind the key that is to stop it
      return [this.#toSend({ ...typing, isUrgent: true }, token, nowMs)];
    }
    const refused = this.#collect(typing);
    return [...refused, ...this.#sendNext(nowMs)];
  }

  #collect(typing: Typing): readonly Step[] {
    const last = this.#pending.at(-1);
    const waiting = this.#pending.reduce(
      (total, { text, isPaste }) => total + (isPaste ? 0 : text.length),
      0,
    );
    if (this.#pending.some(({ isPaste }) => isPaste && typing.isPaste)) {
      return [say('a paste is still waiting; this one was not sent')];
    }
    if (!typing.isPaste && waiting + typing.text.length > this.#habits.maxPendingChars) {
      return [say('no input is taken at the moment; this key was not sent')];
    }
    if (last !== undefined && !last.isPaste && !typing.isPaste) {
      this.#pending[this.#pending.length - 1] = { ...last, text: last.text + typing.text };
    } else this.#pending.push(typing);
    return [];
  }

  #sendNext(nowMs: number): readonly Step[] {
    if (this.#state.kind !== 'typing' || this.#calls > 0) return [];
    const next = this.#pending.shift();
    return next === undefined ? [] : [this.#toSend(next, this.#state.token, nowMs)];
  }

  #toSend(typing: Typing, token: number, nowMs: number): Step {
    if (this.#calls === 0) this.#busySinceMs = nowMs;
    this.#calls += 1;
    return { kind: 'send', token, ...typing };
  }

  #toTyping({ kind, text }: Extract<KeyEvent, { kind: 'type' | 'paste' | 'urgent' }>): Typing {
    const isUrgent = kind === 'urgent' || (kind === 'type' && isOneOf(this.#habits.urgentKeys, { text }));
    return { text, isPaste: kind === 'paste', isUrgent };
  }

  #drop(): { readonly token: number | undefined } {
    const token = this.#state.kind === 'typing' ? this.#state.token : undefined;
    this.#state = { kind: 'listening' };
    this.#pending = [];
    return { token };
  }
}

function isOneOf(keys: string, { text }: Pick<Typing, 'text'>): boolean {
  return text.length === 1 && keys.includes(text);
}

function say(text: string): Step {
  return { kind: 'say', text };
}
