/**
 * ANSI parser: bytes in, actions out; it moves no cursor and prints nothing. The machine is `table.ts`; this loop reads it.
 */
import { isControlFunction } from './functions.ts';
import { type AnsiState, nextOf, stateIndex, stateName, stepOf, transition } from './table.ts';

/**
 * Parameter bytes of a control sequence that are kept; the longest real ones (SGR with several colours) have about 60.
 * Those behind it are read over.
 */
export const PARAMETER_BYTES_LIMIT = 128;
/** A parameter above this is this (X12): no screen has so many rows or columns, and no count means more. */
export const PARAMETER_LIMIT = 9_999;
/**
 * Bytes of DCS, SOS, PM or APC without an end after which what comes is text again: else a stray introducer (binary data on
 * the terminal) would swallow everything for ever. Pictures in sixels have some hundred thousand.
 */
export const STRING_BYTES_LIMIT = 1024 * 1024;

export interface AnsiSnapshot {
  readonly state: AnsiState;
  readonly parameters: string;
  readonly intermediate: string;
  /** Bytes since `ground` was left, sequences that were abandoned on the way included; 0 in `ground`. */
  readonly pendingBytes: number;
}

export type AnsiAction =
  /** Text `bytes[from, to)`: printing ASCII, LF, and everything above 7F, still in UTF-8. */
  | { readonly kind: 'print'; readonly from: number; readonly to: number }
  /**
   * The control character at index `at`; between the sequences LF is text, while NUL and DEL are padding, and nothing.
   */
  | { readonly kind: 'execute'; readonly code: number; readonly at: number }
  /** `ESC` and one letter, which ends at index `at`. */
  | { readonly kind: 'escape'; readonly final: string; readonly at: number }
  /** A control sequence that ends at index `at`; `parameters` as they stood, a private marker included. */
  | {
      readonly kind: 'control';
      readonly final: string;
      readonly parameters: string;
      readonly intermediate: string;
      readonly at: number;
    }
  /** A byte of a sequence given up that is text after all, but stood before the byte at index `at`. */
  | { readonly kind: 'released'; readonly character: string; readonly at: number };

export const INITIAL_ANSI: AnsiSnapshot = {
  state: 'ground',
  parameters: '',
  intermediate: '',
  pendingBytes: 0,
};

const GROUND = stateIndex('ground');
const ESCAPE = stateIndex('escape');
const OPAQUE_STRING = stateIndex('opaqueString');
const NUL = 0x00;
const ESC = 0x1b;
const DEL = 0x7f;
const LF = 0x0a;
/** 1 for the bytes of text, as the table has them in `ground`, and for LF: a flood is looked at here alone. */
const IS_TEXT = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte === LF || stepOf(transition(GROUND, byte)) === 'print' ? 1 : 0,
);

export class AnsiParser {
  #state: number;
  #parameters: string;
  #intermediate: string;
  #pendingBytes: number;

  constructor(snapshot: AnsiSnapshot = INITIAL_ANSI) {
    this.#state = stateIndex(snapshot.state);
    this.#parameters = snapshot.parameters;
    this.#intermediate = snapshot.intermediate;
    this.#pendingBytes = snapshot.pendingBytes;
  }

  /** Bytes at the end of the input that belong to an unfinished sequence. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  snapshot(): AnsiSnapshot {
    return {
      state: stateName(this.#state),
      parameters: this.#parameters,
      intermediate: this.#intermediate,
      pendingBytes: this.#pendingBytes,
    };
  }

  /** Actions for `bytes`, in order; a sequence that is unfinished at the end goes on with the next call. */
  parse(bytes: Uint8Array): readonly AnsiAction[] {
    const actions: AnsiAction[] = [];
    const { length } = bytes;
    for (let at = 0; at < length; at += 1) {
      if (this.#state === GROUND) {
        at = this.#ground(bytes, at, actions);
        if (at === length) break;
      }
      this.#step(bytes[at] ?? 0, at, actions);
    }
    return actions;
  }

  /** The hot loop of a flood: all that leads nowhere from `ground`. Returns the index of the ESC behind it, or the end. */
  #ground(bytes: Uint8Array, start: number, actions: AnsiAction[]): number {
    const { length } = bytes;
    let at = start;
    while (at < length) {
      const from = at;
      while (at < length && IS_TEXT[bytes[at] ?? 0] === 1) at += 1;
      if (at > from) actions.push({ kind: 'print', from, to: at });
      if (at === length) break;
      const code = bytes[at] ?? 0;
      if (code === ESC) break;
      if (code !== NUL && code !== DEL) actions.push({ kind: 'execute', code, at });
      at += 1;
    }
    return at;
  }

  #step(byte: number, at: number, actions: AnsiAction[]): void {
    const entry = transition(this.#state, byte);
    switch (stepOf(entry)) {
      case 'ignore':
        break;
      case 'print':
        actions.push({ kind: 'print', from: at, to: at + 1 });
        break;
      case 'execute':
        actions.push({ kind: 'execute', code: byte, at });
        break;
      case 'param':
        if (this.#parameters.length < PARAMETER_BYTES_LIMIT) this.#parameters += String.fromCharCode(byte);
        break;
      case 'collect':
        this.#intermediate = String.fromCharCode(byte);
        break;
      case 'escDispatch':
        actions.push({ kind: 'escape', final: String.fromCharCode(byte), at });
        break;
      case 'csiDispatch':
        this.#dispatchControl(byte, at, actions);
        break;
      case 'reconsider':
        this.#giveUp(at, actions);
        this.#step(byte, at, actions);
        return;
      default:
    }
    this.#moveTo(nextOf(entry));
  }

  #dispatchControl(byte: number, at: number, actions: AnsiAction[]): void {
    const [parameters, intermediate, final] = [
      this.#parameters,
      this.#intermediate,
      String.fromCharCode(byte),
    ];
    if (isControlFunction(parameters, intermediate, final)) {
      actions.push({ kind: 'control', final, parameters, intermediate, at });
      return;
    }
    this.#giveUp(at, actions);
    actions.push({ kind: 'print', from: at, to: at + 1 });
  }

  /** Introducer and parameters are lost; an intermediate was a blank or a sign of the text behind them. */
  #giveUp(at: number, actions: AnsiAction[]): void {
    if (this.#intermediate !== '') actions.push({ kind: 'released', character: this.#intermediate, at });
    this.#moveTo(GROUND);
  }

  #moveTo(next: number): void {
    this.#pendingBytes = next === GROUND ? 0 : this.#pendingBytes + 1;
    if (next === OPAQUE_STRING && this.#pendingBytes >= STRING_BYTES_LIMIT) {
      this.#pendingBytes = 0;
      this.#state = GROUND;
      return;
    }
    if (next === GROUND || next === ESCAPE) {
      this.#parameters = '';
      this.#intermediate = '';
    }
    this.#state = next;
  }
}

/** Parameters as numbers, clamped; an empty one is undefined. Sub-parameters behind a colon are left out. */
export function toNumbers(parameters: string): readonly (number | undefined)[] {
  return parameters.split(';').map((parameter) => {
    const digits = /^\d+/.exec(parameter)?.[0];
    return digits === undefined ? undefined : Math.min(Number(digits), PARAMETER_LIMIT);
  });
}
