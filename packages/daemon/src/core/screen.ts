/**
 * Screen of a VT52: the grid that the line's bytes have painted, with its cursor.
 *
 * Source: DEC, "DECscope User's Manual" (EK-VT5X-OP), chapter 3. As there, a character at the right margin replaces the
 * last one (no wrap), LF at the bottom scrolls up, ESC I at the top scrolls down, and a motion over an edge does nothing.
 * Not modelled: the keyboard's modes, the graphics font (characters stay what they are), hold-screen mode.
 */
import { nextTabStop, type ScreenSize, VT52_SIZE } from './screenSize.ts';
import { INITIAL_VT52, type Vt52Action, Vt52Parser, type Vt52Snapshot } from './vt52.ts';

const BLANK = 0x20;
const BS = 0x08;
const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;

export interface ScreenSnapshot {
  /** Bytes that painted it: the offset behind the last of them. */
  readonly offset: number;
  /** All rows, trailing blanks included, one character a cell. */
  readonly rows: readonly string[];
  /** For each row the offset behind the byte that changed it last; 0 for one never written to. */
  readonly changedAt: readonly number[];
  readonly row: number;
  readonly column: number;
  readonly vt52: Vt52Snapshot;
  /** Sequences of which nothing was understood. */
  readonly unknown: number;
}

export function blankScreen(offset = 0, size: ScreenSize = VT52_SIZE): ScreenSnapshot {
  return {
    offset,
    rows: Array.from({ length: size.rows }, () => ' '.repeat(size.columns)),
    changedAt: Array.from({ length: size.rows }, () => 0),
    row: 0,
    column: 0,
    vt52: INITIAL_VT52,
    unknown: 0,
  };
}

export class Screen {
  readonly #columns: number;
  readonly #lastRow: number;
  readonly #mask: number;
  readonly #parser: Vt52Parser;
  readonly #cells: Uint8Array[];
  readonly #changedAt: number[];
  #offset: number;
  #row: number;
  #column: number;
  #unknown: number;

  /** A screen as it was, or a copy of one that goes on by itself; `offset` says where in the stream it goes on. */
  constructor(bits: 7 | 8, source: ScreenSnapshot | Screen = blankScreen(), offset = source.offset) {
    this.#mask = bits === 7 ? 0x7f : 0xff;
    if (source instanceof Screen) {
      this.#parser = new Vt52Parser(bits, source.#parser.snapshot());
      this.#cells = source.#cells.map((row) => row.slice());
      this.#changedAt = [...source.#changedAt];
      this.#row = source.#row;
      this.#column = source.#column;
      this.#unknown = source.#unknown;
    } else {
      this.#parser = new Vt52Parser(bits, source.vt52);
      this.#cells = source.rows.map((row) => Uint8Array.from(row, (character) => character.charCodeAt(0)));
      this.#changedAt = [...source.changedAt];
      this.#row = source.row;
      this.#column = source.column;
      this.#unknown = source.unknown;
    }
    this.#columns = this.#cells[0]?.length ?? 0;
    this.#lastRow = this.#cells.length - 1;
    this.#offset = offset;
  }

  /** Offset behind the last byte that was applied. */
  get offset(): number {
    return this.#offset;
  }

  apply(bytes: Uint8Array): void {
    for (const action of this.#parser.parse(bytes)) {
      switch (action.kind) {
        case 'print':
          this.#print(bytes.subarray(action.from, action.to), this.#offset + action.to);
          break;
        case 'execute':
          this.#execute(action.code, this.#offset + action.at + 1);
          break;
        case 'dispatch':
          this.#dispatch(action, this.#offset + action.at + 1);
          break;
        default:
          action satisfies never;
      }
    }
    this.#offset += bytes.length;
  }

  snapshot(): ScreenSnapshot {
    return {
      offset: this.#offset,
      rows: this.#cells.map((row) => Reflect.apply(String.fromCharCode, undefined, row) as string),
      changedAt: [...this.#changedAt],
      row: this.#row,
      column: this.#column,
      vt52: this.#parser.snapshot(),
      unknown: this.#unknown,
    };
  }

  #print(bytes: Uint8Array, at: number): void {
    const cells = this.#cells[this.#row];
    if (cells === undefined) return;
    // The hot loop of a flood: locals, because the engine does not hoist private fields.
    const mask = this.#mask;
    const margin = this.#columns - 1;
    let column = this.#column;
    for (let index = 0; index < bytes.length; index += 1) {
      cells[column] = (bytes[index] ?? 0) & mask;
      if (column < margin) column += 1;
    }
    this.#column = column;
    this.#touch(this.#row, at);
  }

  #execute(code: number, at: number): void {
    switch (code) {
      case BS:
        this.#column = Math.max(this.#column - 1, 0);
        return;
      case TAB:
        this.#column = nextTabStop(this.#column, this.#columns);
        return;
      case LF:
        if (this.#row === this.#lastRow) this.#scrollUp(at);
        else this.#row += 1;
        return;
      case CR:
        this.#column = 0;
        return;
      default: // NUL, BEL and the rest move and print nothing
    }
  }

  #dispatch(action: Vt52Action & { kind: 'dispatch' }, at: number): void {
    switch (action.final) {
      case 'A':
        this.#row = Math.max(this.#row - 1, 0);
        return;
      case 'B':
        this.#row = Math.min(this.#row + 1, this.#lastRow);
        return;
      case 'C':
        this.#column = Math.min(this.#column + 1, this.#columns - 1);
        return;
      case 'D':
        this.#column = Math.max(this.#column - 1, 0);
        return;
      case 'H':
        this.#row = 0;
        this.#column = 0;
        return;
      case 'I':
        if (this.#row === 0) this.#scrollDown(at);
        else this.#row -= 1;
        return;
      case 'J':
        this.#erase(this.#row, this.#column, at);
        for (let row = this.#row + 1; row <= this.#lastRow; row += 1) this.#erase(row, 0, at);
        return;
      case 'K':
        this.#erase(this.#row, this.#column, at);
        return;
      case 'Y':
        this.#address(action.row ?? 0, action.column ?? 0);
        return;
      case 'Z':
      case '=':
      case '>':
      case 'F':
      case 'G':
        return; // identification and modes: nothing on the screen changes
      default:
        this.#unknown += 1;
    }
  }

  /** EK-VT5X-OP 3.4: a row out of range leaves the row alone, a column out of range goes to the right margin. */
  #address(row: number, column: number): void {
    if (row >= 0 && row <= this.#lastRow) this.#row = row;
    this.#column = column >= 0 && column < this.#columns ? column : this.#columns - 1;
  }

  #erase(row: number, from: number, at: number): void {
    const cells = this.#cells[row];
    if (cells === undefined || cells.subarray(from).every((cell) => cell === BLANK)) return;
    cells.fill(BLANK, from);
    this.#touch(row, at);
  }

  #scrollUp(at: number): void {
    const top = this.#cells.shift();
    if (top !== undefined) this.#cells.push(top.fill(BLANK));
    this.#changedAt.fill(at);
  }

  #scrollDown(at: number): void {
    const bottom = this.#cells.pop();
    if (bottom !== undefined) this.#cells.unshift(bottom.fill(BLANK));
    this.#changedAt.fill(at);
  }

  #touch(row: number, at: number): void {
    this.#changedAt[row] = at;
  }
}
