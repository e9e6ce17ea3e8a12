/**
 * What the keyboard means where a program has the terminal: every byte is the program's, in order (UTF-8, function keys, marked
 * pastes, what the mouse says), but for the escape sequence of keys.ts.
 */
import { DEFAULT_ESCAPE_KEY, type KeyEvent } from './keys.ts';
import type { KeyReader } from './target.ts';

/** The escape key with nothing behind it for so many ms is typed: a shell ends the line with ^E, and should show it. */
export const PREFIX_HOLD_MS = 1_000;

const COMMAND_LETTER = 0x63;
const CONTROL_LETTER = 0x62;

export class ProgramKeys implements KeyReader {
  readonly #escapeKey: number;
  #state: 'ground' | 'prefix' | 'command' | 'control' = 'ground';
  #heardAtMs = 0;

  /** `escapeKey`: a control character, 0x01 to 0x1F but ESC. */
  constructor(escapeKey = DEFAULT_ESCAPE_KEY) {
    this.#escapeKey = escapeKey;
  }

  get deadlineMs(): number | undefined {
    return this.#state === 'prefix' ? this.#heardAtMs + PREFIX_HOLD_MS : undefined;
  }

  push(bytes: Uint8Array, nowMs: number): readonly KeyEvent[] {
    const events = [...this.tick(nowMs)];
    let typed: number[] = [];
    const flush = () => {
      if (typed.length > 0) events.push(toTyped(typed));
      typed = [];
    };
    for (const byte of bytes) {
      const event = this.#step(byte, typed);
      if (event === undefined) continue;
      flush();
      events.push(event);
    }
    flush();
    this.#heardAtMs = nowMs;
    return events;
  }

  tick(nowMs: number): readonly KeyEvent[] {
    const { deadlineMs } = this;
    if (deadlineMs === undefined || nowMs < deadlineMs) return [];
    this.#state = 'ground';
    return [toTyped([this.#escapeKey])];
  }

  #step(byte: number, typed: number[]): KeyEvent | undefined {
    const state = this.#state;
    this.#state = 'ground';
    switch (state) {
      case 'ground':
        if (byte === this.#escapeKey) this.#state = 'prefix';
        else typed.push(byte);
        return undefined;
      case 'prefix':
        if (byte === COMMAND_LETTER) return this.#await('command');
        typed.push(this.#escapeKey);
        return this.#step(byte, typed);
      case 'command':
        if (byte === CONTROL_LETTER) return this.#await('control');
        if (byte !== this.#escapeKey) return { kind: 'command', key: String.fromCharCode(byte) };
        typed.push(byte);
        return undefined;
      case 'control':
        if (byte >= 0x40 && byte < 0x7f) return { kind: 'urgent', text: String.fromCharCode(byte & 0x1f) };
        return { kind: 'refused', why: 'a control key has a letter or one of @ [ \\ ] ^ _' };
      default:
        return state satisfies never;
    }
  }

  #await(what: 'command' | 'control'): KeyEvent {
    this.#state = what;
    return { kind: 'awaits', what };
  }
}

/** A character for each byte. */
function toTyped(bytes: readonly number[]): KeyEvent {
  return { kind: 'type', text: Buffer.from(bytes).toString('latin1') };
}
