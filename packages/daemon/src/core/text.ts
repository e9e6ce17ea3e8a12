/**
 * Text view of a VT52 line: what the bytes say, line by line, without the motions that put it on a screen.
 *
 * Rules (measured on a real ITS, docs/its-line.md): CR LF, a lone CR and a lone LF end a line; so does any motion to
 * another row, because ITS wraps the screen and its newline at the bottom is a mere ESC H ESC K. A motion to the right
 * of what the line says is a blank (ITS sends ESC C for a tab of one column). Erasing prints nothing, NUL vanishes, TAB
 * stays, BEL is counted.
 *
 * The view is a pure function of the bytes and of the context they begin in; the context is small and is kept in the
 * scrollback's checkpoints, so that text can be made again from any offset.
 */
import { INITIAL_VT52, type Vt52Action, Vt52Parser, type Vt52Snapshot } from './vt52.ts';

export interface TextContext {
  readonly vt52: Vt52Snapshot;
  /** Cursor, counted from 0. Clipped at the screen's edges, as the terminal does. */
  readonly row: number;
  readonly column: number;
  /** Column behind the rightmost character of the line that is not ended yet; 0: nothing was printed on it. */
  readonly extent: number;
  /** Bytes since a CR that ended a line, itself included; 0 when there is none: an LF next would belong to it. */
  readonly crBytes: number;
}

export interface ScreenSize {
  readonly rows: number;
  readonly columns: number;
}

export const VT52_SIZE: ScreenSize = { rows: 24, columns: 80 };

export const INITIAL_TEXT_CONTEXT: TextContext = {
  vt52: INITIAL_VT52,
  row: 0,
  column: 0,
  extent: 0,
  crBytes: 0,
};

export interface RenderedText {
  readonly text: string;
  /** For each character of `text` how many bytes of the input had been taken with it. */
  readonly ends: Uint32Array;
}

const TAB_STOP_COLUMNS = 8;
const NUL = 0x00;
const BEL = 0x07;
const BS = 0x08;
const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;

export class TextView {
  readonly #size: ScreenSize;
  readonly #bits: 7 | 8;
  readonly #parser: Vt52Parser;
  #row: number;
  #column: number;
  #extent: number;
  #crBytes: number;
  #bells = 0;

  constructor(bits: 7 | 8, context: TextContext = INITIAL_TEXT_CONTEXT, size: ScreenSize = VT52_SIZE) {
    this.#size = size;
    this.#bits = bits;
    this.#parser = new Vt52Parser(bits, context.vt52);
    this.#row = context.row;
    this.#column = context.column;
    this.#extent = context.extent;
    this.#crBytes = context.crBytes;
  }

  context(): TextContext {
    return {
      vt52: this.#parser.snapshot(),
      row: this.#row,
      column: this.#column,
      extent: this.#extent,
      crBytes: this.#crBytes,
    };
  }

  get column(): number {
    return this.#column;
  }

  /** Bytes at the end that must not be split off: an unfinished escape sequence, or a CR that an LF may follow. */
  get fragmentBytes(): number {
    return Math.max(this.sequenceBytes, this.#crBytes);
  }

  /** Bytes at the end that belong to an unfinished escape sequence. */
  get sequenceBytes(): number {
    return this.#parser.pendingBytes;
  }

  /** BELs since this view was made. */
  get bells(): number {
    return this.#bells;
  }

  /** Text of the next bytes. */
  render(bytes: Uint8Array): RenderedText {
    const builder = new TextBuilder(bytes, this.#bits);
    this.#apply(bytes, builder);
    return builder.finish();
  }

  /** Moves over bytes whose text nobody wants. */
  skip(bytes: Uint8Array): void {
    this.#apply(bytes, undefined);
  }

  #apply(bytes: Uint8Array, builder: TextBuilder | undefined): void {
    if (this.#crBytes > 0) this.#crBytes += bytes.length;
    for (const action of this.#parser.parse(bytes)) {
      switch (action.kind) {
        case 'print':
          builder?.print(action.from, action.to);
          this.#advance(action.to - action.from);
          this.#crBytes = 0;
          break;
        case 'execute':
          this.#execute(action.code, action.at, bytes.length, builder);
          break;
        case 'dispatch':
          this.#dispatch(action, builder);
          this.#crBytes = 0;
          break;
        default:
          action satisfies never;
      }
    }
  }

  #execute(code: number, at: number, chunkBytes: number, builder: TextBuilder | undefined): void {
    switch (code) {
      case CR:
        if (this.#crBytes === 0) builder?.newline(at); // a second CR at the start of the line moves nothing
        this.#crBytes = chunkBytes - at;
        this.#column = 0;
        this.#extent = 0;
        return;
      case LF:
        if (this.#crBytes === 0) builder?.newline(at);
        this.#crBytes = 0;
        this.#extent = 0;
        this.#row = Math.min(this.#row + 1, this.#size.rows - 1);
        return;
      case NUL:
        return; // padding, also between CR and LF
      case TAB:
        builder?.character(at, '\t');
        this.#advance(TAB_STOP_COLUMNS - (this.#column % TAB_STOP_COLUMNS));
        break;
      case BS:
        this.#column = Math.max(this.#column - 1, 0);
        break;
      case BEL:
        this.#bells += 1;
        break;
      default:
    }
    this.#crBytes = 0;
  }

  #dispatch(action: Vt52Action & { kind: 'dispatch' }, builder: TextBuilder | undefined): void {
    const lastRow = this.#size.rows - 1;
    switch (action.final) {
      case 'A':
        this.#moveTo(Math.max(this.#row - 1, 0), action.at, builder);
        return;
      case 'B':
        this.#moveTo(Math.min(this.#row + 1, lastRow), action.at, builder);
        return;
      case 'C':
        if (this.#column < this.#extent) this.#column = Math.min(this.#column + 1, this.#size.columns - 1);
        else {
          builder?.character(action.at, ' ');
          this.#advance(1);
        }
        return;
      case 'D':
        this.#column = Math.max(this.#column - 1, 0);
        return;
      case 'H':
        if (this.#row === 0 && this.#extent > 0) this.#endLine(action.at, builder);
        this.#moveTo(0, action.at, builder);
        this.#column = 0;
        return;
      case 'I':
        this.#moveTo(Math.max(this.#row - 1, 0), action.at, builder);
        return;
      case 'Y':
        this.#address(action.row ?? 0, action.column ?? 0, action.at, builder);
        return;
      default: // erasing, modes, identification and unknown sequences print nothing and move nothing
    }
  }

  /** EK-VT5X-OP 3.4: a row out of range leaves the row alone, a column out of range goes to the right margin. */
  #address(row: number, column: number, at: number, builder: TextBuilder | undefined): void {
    if (row >= 0 && row < this.#size.rows) this.#moveTo(row, at, builder);
    this.#column = column >= 0 && column < this.#size.columns ? column : this.#size.columns - 1;
  }

  #moveTo(row: number, at: number, builder: TextBuilder | undefined): void {
    if (row === this.#row) return;
    this.#row = row;
    this.#endLine(at, builder);
  }

  #endLine(at: number, builder: TextBuilder | undefined): void {
    builder?.newline(at);
    this.#extent = 0;
  }

  /** Something was printed. Behind the right margin it piles up there. */
  #advance(columns: number): void {
    this.#column = Math.min(this.#column + columns, this.#size.columns - 1);
    this.#extent = Math.max(this.#extent, this.#column);
  }
}

/** Bytes behind the `count`-th character of `rendered` (0: before the first): an index into the chunk it came from. */
export function byteIndexAfter(rendered: RenderedText, count: number): number {
  return count <= 0 ? 0 : (rendered.ends[Math.min(count, rendered.ends.length) - 1] ?? 0);
}

/** Collects text of one chunk together with where in the chunk each character came from. */
class TextBuilder {
  readonly #bytes: Uint8Array;
  readonly #mask: number;
  // Never more characters than bytes.
  readonly #codes: Uint8Array;
  readonly #ends: Uint32Array;
  #length = 0;

  constructor(bytes: Uint8Array, bits: 7 | 8) {
    this.#bytes = bytes;
    this.#mask = bits === 7 ? 0x7f : 0xff;
    this.#codes = new Uint8Array(bytes.length);
    this.#ends = new Uint32Array(bytes.length);
  }

  print(from: number, to: number): void {
    // The hot loop of a flood: locals, because the engine does not hoist private fields.
    const bytes = this.#bytes;
    const codes = this.#codes;
    const ends = this.#ends;
    const mask = this.#mask;
    let length = this.#length;
    for (let at = from; at < to; ) {
      codes[length] = (bytes[at] ?? 0) & mask;
      at += 1;
      ends[length] = at;
      length += 1;
    }
    this.#length = length;
  }

  newline(at: number): void {
    this.#add(LF, at);
  }

  character(at: number, character: string): void {
    this.#add(character.charCodeAt(0), at);
  }

  finish(): RenderedText {
    return {
      text: latin1(this.#codes.subarray(0, this.#length)),
      ends: this.#ends.subarray(0, this.#length),
    };
  }

  #add(code: number, at: number): void {
    this.#codes[this.#length] = code;
    this.#ends[this.#length] = at + 1;
    this.#length += 1;
  }
}

/** Longest argument list that every engine takes; longer texts are made in pieces. */
const APPLY_LIMIT = 8_192;

/** One character a byte. `apply` takes the array as it is; a spread would visit each element first, ten times slower. */
function latin1(codes: Uint8Array): string {
  let text = '';
  for (let from = 0; from < codes.length; from += APPLY_LIMIT) {
    text += Reflect.apply(String.fromCharCode, undefined, codes.subarray(from, from + APPLY_LIMIT)) as string;
  }
  return text;
}
