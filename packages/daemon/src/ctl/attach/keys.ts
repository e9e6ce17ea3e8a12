/**
 * What the keyboard of an attached terminal means: bytes and the time in, events out; it sends and shows nothing.
 *
 * The escape sequence is conserver's (`^Ec` and a key). What a terminal sends by itself, ECMA-48 control sequences and
 * strings (5.4, 5.6), are its function keys and its answers, and none of it is typed on the line (W14); an ESC that a
 * person types is told from them by the pause behind it. Pasted text stands between xterm's `CSI 200 ~` and `CSI 201 ~`.
 */
import { MAX_INPUT_CHARS } from '@pidp10/protocol/limits';
import { describeCharacter, parsePaste } from './pasted.ts';

/** An ESC without anything behind it for so many ms is the key Altmode; a terminal sends its sequences at one go. */
export const ESCAPE_HOLD_MS = 50;
/** A paste that neither goes on nor ends for so many ms is given up: its end was lost. */
export const PASTE_SILENCE_MS = 5_000;
/** Longest paste, in bytes: with each CR, TAB and tilde as an escape of two characters it still is one line.send. */
export const MAX_PASTE_BYTES = MAX_INPUT_CHARS / 2 - 1;
/** Longest sequence of a terminal that is kept until it is known to be one, in bytes; what is longer is never typed. */
export const MAX_HELD_BYTES = 256;
/** `^E`, as with conserver. */
export const DEFAULT_ESCAPE_KEY = 0x05;

export type KeyEvent =
  /** Characters up to 0x7F to be typed. */
  | { readonly kind: 'type'; readonly text: string }
  /** As `type`, but text for one program, line ends as CR. */
  | { readonly kind: 'paste'; readonly text: string }
  /** A control key that is to pass everything (`^Ecb`). */
  | { readonly kind: 'urgent'; readonly text: string }
  /** `^Ec` and this key. */
  | { readonly kind: 'command'; readonly key: string }
  /** Half of a command was typed. */
  | { readonly kind: 'awaits'; readonly what: 'command' | 'control' }
  /** Was not and will not be typed. */
  | { readonly kind: 'refused'; readonly why: string };

type State =
  | 'ground'
  /** Behind the escape key. */
  | 'prefix'
  | 'command'
  | 'control'
  | 'character'
  | 'escape'
  | 'sequence'
  | 'function'
  | 'string'
  | 'stringEscape'
  | 'paste';

const ESC = 0x1b;
const BEL = 0x07;
const PASTE_BEGIN = '[200~';
const PASTE_END = '\x1b[201~';
const COMMAND_LETTER = 0x63;
/** DCS, SOS, OSC, PM, APC behind ESC: strings, up to ST or BEL. */
const STRING_INTRODUCERS = new Set([0x50, 0x58, 0x5d, 0x5e, 0x5f]);
/** Final bytes of keys (arrows, Home, End, function keys); other sequences are answers, and nobody wonders about them. */
const KEY_FINALS = /[ABCDFHPQRSZ~]$/;
const NO_SUCH_KEY = 'that key is none of an ITS terminal';

export class Keys {
  readonly #escapeKey: number;
  #state: State = 'ground';
  /** Bytes of a sequence, a character or a paste that is not complete. */
  #held: number[] = [];
  /** Bytes of the paste that found no room. */
  #lost = 0;
  #heardAtMs = 0;

  /** `escapeKey`: a control character, 0x01 to 0x1F but ESC. */
  constructor(escapeKey = DEFAULT_ESCAPE_KEY) {
    this.#escapeKey = escapeKey;
  }

  /** When `tick` has something to do. */
  get deadlineMs(): number | undefined {
    switch (this.#state) {
      case 'ground':
      case 'prefix':
      case 'command':
      case 'control':
        return undefined;
      case 'paste':
        return this.#heardAtMs + PASTE_SILENCE_MS;
      case 'character':
      case 'escape':
      case 'sequence':
      case 'function':
      case 'string':
      case 'stringEscape':
        return this.#heardAtMs + ESCAPE_HOLD_MS;
      default:
        return this.#state satisfies never;
    }
  }

  push(bytes: Uint8Array, nowMs: number): readonly KeyEvent[] {
    const events = [...this.tick(nowMs)];
    for (const byte of bytes) this.#step(byte, events);
    this.#heardAtMs = nowMs;
    return joined(events);
  }

  /** Gives up waiting for the rest of something, when its time has come. */
  tick(nowMs: number): readonly KeyEvent[] {
    const { deadlineMs } = this;
    if (deadlineMs === undefined || nowMs < deadlineMs) return [];
    const events: KeyEvent[] = [];
    if (this.#state === 'paste') {
      events.push({ kind: 'refused', why: 'the end of the paste did not come; nothing of it was sent' });
    } else if (this.#state === 'character') {
      events.push({ kind: 'refused', why: describeCharacter(this.#held) });
    } else if (this.#held.length < MAX_HELD_BYTES) {
      events.push({ kind: 'type', text: toText(this.#held) }); // slow enough for a person
    }
    this.#reset();
    return events;
  }

  #step(byte: number, events: KeyEvent[]): void {
    switch (this.#state) {
      case 'ground':
        this.#ground(byte, events);
        return;
      case 'prefix':
        if (byte === COMMAND_LETTER) return this.#await('command', events);
        events.push({ kind: 'type', text: String.fromCharCode(this.#escapeKey) });
        this.#reset();
        this.#ground(byte, events);
        return;
      case 'command':
        if (byte === 0x62) return this.#await('control', events); // b
        this.#reset();
        if (byte === this.#escapeKey) events.push({ kind: 'type', text: String.fromCharCode(byte) });
        else events.push({ kind: 'command', key: String.fromCharCode(byte) });
        return;
      case 'control':
        this.#reset();
        if (byte >= 0x40 && byte < 0x7f)
          events.push({ kind: 'urgent', text: String.fromCharCode(byte & 0x1f) });
        else events.push({ kind: 'refused', why: 'a control key has a letter or one of @ [ \\ ] ^ _' });
        return;
      case 'character':
        this.#character(byte, events);
        return;
      case 'paste':
        this.#paste(byte, events);
        return;
      case 'escape':
      case 'sequence':
      case 'function':
      case 'string':
      case 'stringEscape':
        this.#sequence(byte, events);
        return;
      default:
        this.#state satisfies never;
    }
  }

  #ground(byte: number, events: KeyEvent[]): void {
    if (byte === this.#escapeKey) this.#state = 'prefix';
    else if (byte === ESC) this.#hold('escape', byte);
    else if (byte >= 0x80) this.#character(byte, events);
    else events.push({ kind: 'type', text: String.fromCharCode(byte) });
  }

  #await(what: 'command' | 'control', events: KeyEvent[]): void {
    this.#state = what;
    events.push({ kind: 'awaits', what });
  }

  /** UTF-8 (RFC 3629), in order to name the character that cannot be sent. */
  #character(byte: number, events: KeyEvent[]): void {
    const isContinuation = byte >= 0x80 && byte < 0xc0;
    if (this.#held.length > 0 && !isContinuation) {
      events.push({ kind: 'refused', why: describeCharacter(this.#held) });
      this.#reset();
      this.#ground(byte, events);
      return;
    }
    this.#hold('character', byte);
    const [first = 0] = this.#held;
    const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
    if (this.#held.length < length) return;
    events.push({ kind: 'refused', why: describeCharacter(this.#held) });
    this.#reset();
  }

  #sequence(byte: number, events: KeyEvent[]): void {
    switch (this.#state) {
      case 'escape':
        if (byte === 0x5b) return this.#hold('sequence', byte);
        if (byte === 0x4f) return this.#hold('function', byte);
        if (STRING_INTRODUCERS.has(byte)) return this.#hold('string', byte);
        return this.#wasTyped(byte, events);
      case 'sequence':
        if (byte >= 0x20 && byte < 0x40) return this.#hold('sequence', byte);
        if (byte >= 0x40 && byte < 0x7f) return this.#finish(byte, events);
        return this.#wasTyped(byte, events);
      case 'function':
        if (byte >= 0x40 && byte < 0x7f) return this.#finish(byte, events);
        return this.#wasTyped(byte, events);
      case 'string':
        if (byte === BEL) return this.#reset();
        return this.#hold(byte === ESC ? 'stringEscape' : 'string', byte);
      default:
        if (byte === 0x5c) return this.#reset();
        return this.#hold(byte === ESC ? 'stringEscape' : 'string', byte);
    }
  }

  /** No terminal sends that: a person typed ESC and went on. */
  #wasTyped(byte: number, events: KeyEvent[]): void {
    if (this.#held.length < MAX_HELD_BYTES) events.push({ kind: 'type', text: toText(this.#held) });
    this.#reset();
    this.#ground(byte, events);
  }

  #finish(byte: number, events: KeyEvent[]): void {
    const sequence = toText([...this.#held, byte]).slice(1);
    this.#reset();
    if (sequence === PASTE_BEGIN) this.#state = 'paste';
    else if (KEY_FINALS.test(sequence) && !/[?>=<$]/.test(sequence))
      events.push({ kind: 'refused', why: NO_SUCH_KEY });
  }

  #paste(byte: number, events: KeyEvent[]): void {
    this.#held.push(byte);
    if (byte === 0x7e && toText(this.#held.slice(-PASTE_END.length)) === PASTE_END) {
      const bytes = this.#held.slice(0, -PASTE_END.length);
      const isTooLong = this.#lost > 0 || bytes.length > MAX_PASTE_BYTES;
      this.#reset();
      const tooLong = `the paste has more than ${MAX_PASTE_BYTES} bytes; nothing of it was sent`;
      events.push(isTooLong ? { kind: 'refused', why: tooLong } : parsePaste(bytes));
    } else if (this.#held.length > MAX_PASTE_BYTES + 2 * PASTE_END.length) {
      // Only its end is still looked for.
      this.#lost += this.#held.length - PASTE_END.length;
      this.#held = this.#held.slice(-PASTE_END.length);
    }
  }

  #hold(state: State, byte: number): void {
    this.#state = state;
    if (this.#held.length < MAX_HELD_BYTES) this.#held.push(byte);
  }

  #reset(): void {
    this.#state = 'ground';
    this.#held = [];
    this.#lost = 0;
  }
}

/** Characters that follow each other as one event. */
function joined(events: readonly KeyEvent[]): readonly KeyEvent[] {
  const result: KeyEvent[] = [];
  for (const event of events) {
    const last = result.at(-1);
    if (event.kind === 'type' && last?.kind === 'type') {
      result[result.length - 1] = { kind: 'type', text: last.text + event.text };
    } else result.push(event);
  }
  return result;
}

function toText(bytes: readonly number[]): string {
  return bytes.map((byte) => String.fromCharCode(byte)).join('');
}
