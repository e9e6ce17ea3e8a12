/**
 * Screen of a VT52: the grid that the line's bytes have painted, with its cursor.
 *
 * Source: DEC, "DECscope User's Manual" (EK-VT5X-OP), chapter 3. As there, a character at the right margin replaces the
 * last one (no wrap), LF at the bottom scrolls up, ESC I at the top scrolls down, and a motion over an edge does nothing.
 * Not modelled: the keyboard's modes, the graphics font (characters stay what they are), hold-screen mode.
 */
import { trimBlanks } from './packedScreen.ts';
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
  readonly #rowCount: number;
  readonly #mask: number;
  readonly #parser: Vt52Parser;
  /** Rows one behind the other, the one at the top of the screen at row `#top` of it: scrolling moves no cell. */
  readonly #cells: Uint8Array;
  #top: number;
  /** For each row of `#cells` the column behind its last cell that may be other than blank. */
  readonly #extents: number[];
  /** For each row of the screen, but for what moved all of them. */
  readonly #changedAt: number[];
  /** Offset behind the byte that last moved all rows, and so changed them. */
  #scrolledAt: number;
  #offset: number;
  #row: number;
  #column: number;
  #unknown: number;

  /** A screen as it was, or a copy of one that goes on by itself; `offset` says where in the stream it goes on. */
  constructor(bits: 7 | 8, source: ScreenSnapshot | Screen = blankScreen(), offset = source.offset) {
    this.#mask = bits === 7 ? 0x7f : 0xff;
    if (source instanceof Screen) {
      this.#parser = new Vt52Parser(bits, source.#parser.snapshot());
      this.#columns = source.#columns;
      this.#cells = source.#cells.slice();
      this.#top = source.#top;
      this.#extents = [...source.#extents];
      this.#changedAt = [...source.#changedAt];
      this.#scrolledAt = source.#scrolledAt;
      this.#row = source.#row;
      this.#column = source.#column;
      this.#unknown = source.#unknown;
    } else {
      this.#parser = new Vt52Parser(bits, source.vt52);
      this.#columns = source.rows[0]?.length ?? 0;
      this.#cells = Uint8Array.from(source.rows.join(''), (character) => character.charCodeAt(0));
      this.#top = 0;
      this.#extents = source.rows.map((row) => trimBlanks(row).length);
      this.#changedAt = [...source.changedAt];
      this.#scrolledAt = 0;
      this.#row = source.row;
      this.#column = source.column;
      this.#unknown = source.unknown;
    }
    this.#rowCount = this.#extents.length;
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
          this.#print(bytes, action.from, action.to);
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
      rows: this.#changedAt.map((_, row) => {
        const start = this.#stored(row) * this.#columns;
        const cells = this.#cells.subarray(start, start + this.#columns);
        return Reflect.apply(String.fromCharCode, undefined, cells) as string;
      }),
      changedAt: this.#changedAt.map((at) => Math.max(at, this.#scrolledAt)),
      row: this.#row,
      column: this.#column,
      vt52: this.#parser.snapshot(),
      unknown: this.#unknown,
    };
  }

  #print(bytes: Uint8Array, from: number, to: number): void {
    // The hot loop of a flood: locals, because the engine does not hoist private fields.
    const cells = this.#cells;
    const mask = this.#mask;
    const margin = this.#columns - 1;
    const stored = this.#stored(this.#row);
    const room = Math.min(to - from, margin - this.#column);
    let cell = stored * this.#columns + this.#column;
    for (let at = from; at < from + room; at += 1) {
      cells[cell] = (bytes[at] ?? 0) & mask;
      cell += 1;
    }
    this.#column += room;
    // At the margin each replaces the one before: only the last is left.
    const isFull = to - from > room;
    if (isFull) cells[cell] = (bytes[to - 1] ?? 0) & mask;
    const extent = isFull ? this.#columns : this.#column;
    if (extent > (this.#extents[stored] ?? 0)) this.#extents[stored] = extent;
    this.#changedAt[this.#row] = this.#offset + to;
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
        if (this.#row === this.#rowCount - 1) this.#scrollUp(at);
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
        this.#row = Math.min(this.#row + 1, this.#rowCount - 1);
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
        for (let row = this.#row + 1; row < this.#rowCount; row += 1) this.#erase(row, 0, at);
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
    if (row >= 0 && row < this.#rowCount) this.#row = row;
    this.#column = column >= 0 && column < this.#columns ? column : this.#columns - 1;
  }

  /** Where in `#cells` a row of the screen is. */
  #stored(row: number): number {
    const stored = this.#top + row;
    return stored < this.#rowCount ? stored : stored - this.#rowCount;
  }

  /** Erasing blanks changes nothing, and costs nothing: ITS erases each line that it begins. */
  #erase(row: number, from: number, at: number): void {
    const stored = this.#stored(row);
    const extent = this.#extents[stored] ?? 0;
    if (from >= extent) return;
    const start = stored * this.#columns;
    const cells = this.#cells.subarray(start + from, start + extent);
    this.#extents[stored] = from;
    if (cells.every((cell) => cell === BLANK)) return;
    cells.fill(BLANK);
    this.#changedAt[row] = at;
  }

  #scrollUp(at: number): void {
    this.#clear(this.#top);
    this.#top = this.#stored(1);
    this.#scrolledAt = at;
  }

  #scrollDown(at: number): void {
    this.#top = this.#stored(this.#rowCount - 1);
    this.#clear(this.#top);
    this.#scrolledAt = at;
  }

  #clear(stored: number): void {
    const start = stored * this.#columns;
    this.#cells.fill(BLANK, start, start + (this.#extents[stored] ?? 0));
    this.#extents[stored] = 0;
  }
}
