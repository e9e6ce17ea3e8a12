/**
 * VT52 parser: bytes in, actions out; it moves no cursor and prints nothing.
 *
 * Source: DEC, "DECscope User's Manual" (EK-VT5X-OP), chapter 3, for the sequences; the shape of the machine and the
 * names print, execute, dispatch follow Paul Williams' chart of a DEC-compatible parser (vt100.net/emu/dec_ansi_parser).
 *
 * Deviation: `ESC [`, `ESC ]` and `ESC P` are read as the ANSI control sequences and strings that they are on other
 * terminal types of ITS (`:tctyp aaa`), because a line's type can change under us and no program of ITS uses hold-screen
 * mode or a printer. They are recognised only to be left out whole; a line end gives a string up, so that at most one
 * line is lost where the guess is wrong.
 */

import { PrintingRuns } from './printingRuns.ts';

export type Vt52State =
  | 'ground'
  | 'escape'
  | 'addressRow'
  | 'addressColumn'
  | 'control'
  | 'string'
  | 'stringEscape';

export interface Vt52Snapshot {
  readonly state: Vt52State;
  /** Row byte of an `ESC Y` whose column byte is still to come. */
  readonly row: number;
  /** Bytes since `ground` was left, sequences that were abandoned on the way included; 0 in `ground`. */
  readonly pendingBytes: number;
}

export type Vt52Action =
  /** Printing characters `bytes[from, to)`. */
  | { readonly kind: 'print'; readonly from: number; readonly to: number }
  /** The control character at index `at`. */
  | { readonly kind: 'execute'; readonly code: number; readonly at: number }
  /** An escape sequence that ends at index `at`; row and column (from 0) for a direct cursor address only. */
  | {
      readonly kind: 'dispatch';
      readonly final: string;
      readonly at: number;
      readonly row?: number;
      readonly column?: number;
    };

const BEL = 0x07;
const LF = 0x0a;
const CR = 0x0d;
const CAN = 0x18;
const SUB = 0x1a;
const ESC = 0x1b;
const DEL = 0x7f;
/** `ESC Y` sends row and column with this added, so that they print. */
const ADDRESS_BASE = 0x20;
/** Behind ESC: operating system command and device control string. */
const OSC = 0x5d;
const DCS = 0x50;

export const INITIAL_VT52: Vt52Snapshot = { state: 'ground', row: 0, pendingBytes: 0 };

export class Vt52Parser {
  #state: Vt52State;
  #row: number;
  #pendingBytes: number;
  readonly #mask: number;

  /** On a 7-bit line the eighth bit is parity or noise, as it is for the multiplexer itself. */
  constructor(bits: 7 | 8, snapshot: Vt52Snapshot = INITIAL_VT52) {
    this.#mask = bits === 7 ? 0x7f : 0xff;
    this.#state = snapshot.state;
    this.#row = snapshot.row;
    this.#pendingBytes = snapshot.pendingBytes;
  }

  /** Bytes at the end of the input that belong to an unfinished sequence. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  snapshot(): Vt52Snapshot {
    return { state: this.#state, row: this.#row, pendingBytes: this.#pendingBytes };
  }

  /** Actions for `bytes`, in order; a sequence that is unfinished at the end goes on with the next call. */
  parse(bytes: Uint8Array): readonly Vt52Action[] {
    const actions: Vt52Action[] = [];
    const { length } = bytes;
    const mask = this.#mask;
    const runs = new PrintingRuns(bytes);
    let at = 0;
    while (at < length) {
      if (this.#state === 'ground') {
        const from = at;
        at = runs.endOf(at, mask);
        if (at > from) actions.push({ kind: 'print', from, to: at });
        if (at === length) break;
        const code = (bytes[at] ?? 0) & mask;
        if (code !== ESC) {
          actions.push({ kind: 'execute', code, at });
          at += 1;
          continue;
        }
      }
      this.#step((bytes[at] ?? 0) & mask, at, actions);
      this.#pendingBytes = this.#state === 'ground' ? 0 : this.#pendingBytes + 1;
      at += 1;
    }
    return actions;
  }

  #step(byte: number, at: number, actions: Vt52Action[]): void {
    // Anywhere rules of the chart: CAN and SUB abandon a sequence, ESC begins a new one; a cursor address takes any byte.
    switch (this.#state) {
      case 'ground':
        this.#state = 'escape'; // only ESC is left to come here
        return;
      case 'escape':
        this.#escape(byte, at, actions);
        return;
      case 'addressRow':
        this.#row = byte - ADDRESS_BASE;
        this.#state = 'addressColumn';
        return;
      case 'addressColumn':
        actions.push({ kind: 'dispatch', final: 'Y', at, row: this.#row, column: byte - ADDRESS_BASE });
        this.#row = 0;
        this.#state = 'ground';
        return;
      case 'control':
        this.#control(byte, at, actions);
        return;
      case 'string':
        if (byte === ESC) this.#state = 'stringEscape';
        else if (byte === BEL || byte === CAN || byte === SUB) this.#finish('string', at, actions);
        else if (byte === CR || byte === LF) {
          this.#state = 'ground';
          actions.push({ kind: 'execute', code: byte, at });
        }
        return;
      case 'stringEscape':
        if (byte === 0x5c) this.#finish('string', at, actions);
        else {
          this.#state = 'escape'; // not ST, but ESC ends a string all the same, and begins something new
          this.#escape(byte, at, actions);
        }
        return;
      default:
        this.#state satisfies never;
    }
  }

  #escape(byte: number, at: number, actions: Vt52Action[]): void {
    if (byte === ESC) return; // begins a new sequence
    if (byte === CAN || byte === SUB) this.#state = 'ground';
    else if (byte === CR || byte === LF) {
      this.#state = 'ground'; // the rest of this sequence was lost, with a connection perhaps
      actions.push({ kind: 'execute', code: byte, at });
    } else if (byte < 0x20 || byte === DEL) {
      actions.push({ kind: 'execute', code: byte, at }); // controls inside a sequence act at once (DEC STD 070)
    } else if (byte === 0x59) this.#state = 'addressRow';
    else if (byte === 0x5b) this.#state = 'control';
    else if (byte === OSC || byte === DCS) this.#state = 'string';
    else this.#finish(String.fromCharCode(byte), at, actions);
  }

  #control(byte: number, at: number, actions: Vt52Action[]): void {
    if (byte === ESC) this.#state = 'escape';
    else if (byte === CAN || byte === SUB) this.#state = 'ground';
    else if (byte < 0x20 || byte === DEL) actions.push({ kind: 'execute', code: byte, at });
    else if (byte >= 0x40) this.#finish(`[${String.fromCharCode(byte)}`, at, actions);
  }

  #finish(final: string, at: number, actions: Vt52Action[]): void {
    this.#state = 'ground';
    actions.push({ kind: 'dispatch', final, at });
  }
}
