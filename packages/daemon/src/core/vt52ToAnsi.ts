/**
 * The line's VT52 bytes as ECMA-48 text for the terminals that people have (xterm, tmux, a browser's). The cursor of our
 * grid (screen.ts) is kept here, so that motions, margins and addresses come out as the grid has them, whatever the size and
 * the wrap mode of the terminal.
 *
 * Sources: EK-VT5X-OP for what comes, ECMA-48 and DEC STD 070 for what goes. Only
 * these are written: printing characters, CR, BS, IND, RI, CUU, CUD, CUF, CHA, CUP, EL, DL, DECSTBM. Nothing of them makes a
 * terminal answer, beep, or take text for a command, and nothing that the far end sends passes as it is (I17, W14).
 * A pending wrap is never left behind: whatever is printed at the margin is followed by an address.
 */
import { trimBlanks } from './packedScreen.ts';
import type { ScreenSnapshot } from './screen.ts';
import { nextTabStop } from './screenSize.ts';
import { INITIAL_VT52, type Vt52Action, Vt52Parser, type Vt52Snapshot } from './vt52.ts';

const BS = 0x08;
const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;

/** Goes down a row, and scrolls the region up at its bottom; LF would be CR LF behind a terminal driver's ONLCR. */
const INDEX = '\x1bD';
/** Goes up a row, and scrolls the region down at its top. */
const REVERSE_INDEX = '\x1bM';
const CURSOR_UP = '\x1b[A';
const CURSOR_DOWN = '\x1b[B';
const CURSOR_RIGHT = '\x1b[C';
const HOME = '\x1b[H';
const ERASE_REST_OF_ROW = '\x1b[K';

/** What may stand in a cell; the soft hyphen is left out, because some terminals give it no width. */
const NOT_SHOWN = /[^\x20-\x7e\xa0-\xac\xae-\xff]/g;
const PLACEHOLDER = '-';

/** What of a screen a viewer shows. */
export type Painted = Pick<ScreenSnapshot, 'rows' | 'row' | 'column'>;

export interface Vt52ToAnsiSnapshot {
  readonly rows: number;
  readonly columns: number;
  /** Of the grid's cursor, from 0. */
  readonly row: number;
  readonly column: number;
  readonly vt52: Vt52Snapshot;
}

export class Vt52ToAnsi {
  readonly #mask: number;
  readonly #parser: Vt52Parser;
  readonly #lastRow: number;
  readonly #margin: number;
  #row: number;
  #column: number;

  constructor(bits: 7 | 8, { rows, columns, row, column, vt52 }: Vt52ToAnsiSnapshot) {
    this.#mask = bits === 7 ? 0x7f : 0xff;
    this.#parser = new Vt52Parser(bits, vt52);
    this.#lastRow = rows - 1;
    this.#margin = columns - 1;
    this.#row = row;
    this.#column = column;
  }

  /** Goes on behind `screen`, for a terminal that `paint` made show it; also in the middle of an escape sequence. */
  static at(bits: 7 | 8, screen: Painted & { readonly vt52?: Vt52Snapshot }): Vt52ToAnsi {
    const { rows, row, column, vt52 = INITIAL_VT52 } = screen;
    return new Vt52ToAnsi(bits, { rows: rows.length, columns: rows[0]?.length ?? 0, row, column, vt52 });
  }

  /** What makes the terminal follow `bytes`; any split of them gives the same text. */
  push(bytes: Uint8Array): string {
    let text = '';
    for (const action of this.#parser.parse(bytes)) {
      switch (action.kind) {
        case 'print':
          text += this.#print(bytes.subarray(action.from, action.to));
          break;
        case 'execute':
          text += this.#execute(action.code);
          break;
        case 'dispatch':
          text += this.#dispatch(action);
          break;
        default:
          action satisfies never;
      }
    }
    return text;
  }

  snapshot(): Vt52ToAnsiSnapshot {
    return {
      rows: this.#lastRow + 1,
      columns: this.#margin + 1,
      row: this.#row,
      column: this.#column,
      vt52: this.#parser.snapshot(),
    };
  }

  #print(bytes: Uint8Array): string {
    const inside = Math.min(bytes.length, this.#margin - this.#column);
    let text = this.#toText(bytes.subarray(0, inside));
    this.#column += inside;
    // At the margin each character replaces the one before (no wrap).
    for (const character of this.#toText(bytes.subarray(inside))) text += `${character}${this.#toColumn()}`;
    return text;
  }

  #toText(bytes: Uint8Array): string {
    let text = '';
    for (const byte of bytes) text += String.fromCharCode(byte & this.#mask);
    return toShown(text);
  }

  #execute(code: number): string {
    switch (code) {
      case BS:
        return this.#left();
      case TAB: {
        const from = this.#column;
        this.#column = nextTabStop(from, this.#margin + 1);
        return this.#column === from ? '' : this.#toColumn();
      }
      case LF:
        this.#row = Math.min(this.#row + 1, this.#lastRow);
        return INDEX;
      case CR:
        this.#column = 0;
        return '\r';
      default:
        return ''; // NUL, BEL and the rest
    }
  }

  #dispatch(action: Vt52Action & { kind: 'dispatch' }): string {
    switch (action.final) {
      case 'A':
        if (this.#row === 0) return '';
        this.#row -= 1;
        return CURSOR_UP;
      case 'B':
        if (this.#row === this.#lastRow) return '';
        this.#row += 1;
        return CURSOR_DOWN;
      case 'C':
        if (this.#column === this.#margin) return '';
        this.#column += 1;
        return CURSOR_RIGHT;
      case 'D':
        return this.#left();
      case 'H':
        this.#row = 0;
        this.#column = 0;
        return HOME;
      case 'I':
        this.#row = Math.max(this.#row - 1, 0);
        return REVERSE_INDEX;
      case 'J':
        return this.#eraseRest();
      case 'K':
        return ERASE_REST_OF_ROW;
      case 'Y':
        return this.#address(action.row ?? 0, action.column ?? 0);
      default:
        return ''; // identification, modes, and what nobody understands
    }
  }

  #left(): string {
    if (this.#column === 0) return '';
    this.#column -= 1;
    return '\b';
  }

  /** Not ED, which would erase what stands below the grid: deleting rows stays within the scroll region. */
  #eraseRest(): string {
    const below = this.#lastRow - this.#row;
    if (below === 0) return ERASE_REST_OF_ROW;
    return `${ERASE_REST_OF_ROW}${toAddress(this.#row + 1, 0)}\x1b[${below}M${this.#here()}`;
  }

  /** As screen.ts: a row out of range leaves the row alone, a column out of range goes to the margin. */
  #address(row: number, column: number): string {
    if (row >= 0 && row <= this.#lastRow) this.#row = row;
    this.#column = column >= 0 && column <= this.#margin ? column : this.#margin;
    return this.#here();
  }

  #here(): string {
    return toAddress(this.#row, this.#column);
  }

  #toColumn(): string {
    return `\x1b[${this.#column + 1}G`;
  }
}

/**
 * What makes a terminal show the screen with its cursor, whatever stood in its place: each row whole, and a scroll region
 * of the grid's height, so that what stands below it on a larger terminal stays.
 */
export function paint({ rows, row, column }: Painted): string {
  const painted = rows.map((text, index) => `${toAddress(index, 0)}${toShown(trimBlanks(text))}`);
  return `\x1b[1;${rows.length}r${painted.map((text) => `${text}${ERASE_REST_OF_ROW}`).join('')}${toAddress(row, column)}`;
}

function toShown(text: string): string {
  return text.replace(NOT_SHOWN, PLACEHOLDER);
}

/** Both from 0. */
function toAddress(row: number, column: number): string {
  return `\x1b[${row + 1};${column + 1}H`;
}
