/**
 * Text view of a VT52 line: what the bytes say, line by line, without the motions that put it on a screen.
 *
 * Rules (measured on a real ITS, docs/its-line.md): CR LF, a lone CR and a lone LF end a line; so does any motion to
 * another row, because ITS wraps the screen and its newline at the bottom is a mere ESC H ESC K. A motion to the right
 * of what the line says is a blank, or the tab of one column that ITS sends so. Erasing prints nothing, NUL vanishes, TAB
 * stays, BEL is counted. ITS folds what is longer than 79 characters by a `!` in the last column and a line end: both
 * go, and the line is one again.
 *
 * The view is a pure function of the bytes and of the context they begin in; the context is small and is kept in the
 * scrollback's checkpoints, so that text can be made again from any offset.
 */
import { RenderedText } from './renderedText.ts';
import { type ScreenSize, TAB_COLUMNS, VT52_SIZE } from './screenSize.ts';
import { TextBuilder } from './textBuilder.ts';
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
  /** Bytes since a `!` that is a fold if a line end follows, itself included; 0 when there is none. */
  readonly foldBytes: number;
  /** The last column has its character: what comes next on the row replaces it. */
  readonly isFull: boolean;
  /**
   * The cursor was just sent home: what follows tells what for. `painting`: to paint the screen, unless it clears it;
   * `blankLine`: ITS's line end behind an empty last row, unless it clears the screen.
   */
  readonly home: 'none' | 'painting' | 'blankLine';
  /** The row is known: before the first motion to a fixed place it is not, on a line that was in use before. */
  readonly isPlaced: boolean;
  /** Line feeds without a return in a row. */
  readonly lineFeeds: number;
}

export const INITIAL_TEXT_CONTEXT: TextContext = {
  vt52: INITIAL_VT52,
  row: 0,
  column: 0,
  extent: 0,
  crBytes: 0,
  foldBytes: 0,
  isFull: false,
  home: 'none',
  isPlaced: false,
  lineFeeds: 0,
};

export interface TextOptions {
  readonly size?: ScreenSize;
  /** Take ITS's folds out. */
  readonly joinsFolds?: boolean;
}

/** Up, down, left, reverse line feed, direct address: no program that only prints moves so. */
const PAINTING_FINALS: ReadonlySet<string> = new Set(['A', 'B', 'D', 'I', 'Y']);
const MOVING_FINALS: ReadonlySet<string> = new Set([...PAINTING_FINALS, 'C', 'H']);
const NUL = 0x00;
const BEL = 0x07;
const BS = 0x08;
const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const EXCLAMATION = 0x21;
/** So many line feeds without a return are a way down the screen; text has two at the most. */
const PAINTING_LINE_FEEDS = 3;

export class TextView {
  readonly #size: ScreenSize;
  readonly #joinsFolds: boolean;
  readonly #bits: 7 | 8;
  readonly #parser: Vt52Parser;
  #row: number;
  #column: number;
  #extent: number;
  #crBytes: number;
  #foldBytes: number;
  #isFull: boolean;
  #home: TextContext['home'];
  #isPlaced: boolean;
  #lineFeeds: number;
  #folds = 0;
  #motions = 0;
  #bells = 0;

  constructor(bits: 7 | 8, context: TextContext = INITIAL_TEXT_CONTEXT, options: TextOptions = {}) {
    this.#size = options.size ?? VT52_SIZE;
    this.#joinsFolds = options.joinsFolds ?? false;
    this.#bits = bits;
    this.#parser = new Vt52Parser(bits, context.vt52);
    this.#row = context.row;
    this.#column = context.column;
    this.#extent = context.extent;
    this.#crBytes = context.crBytes;
    this.#foldBytes = context.foldBytes;
    this.#isFull = context.isFull;
    this.#home = context.home;
    this.#isPlaced = context.isPlaced;
    this.#lineFeeds = context.lineFeeds;
  }

  context(): TextContext {
    return {
      vt52: this.#parser.snapshot(),
      row: this.#row,
      column: this.#column,
      extent: this.#extent,
      crBytes: this.#crBytes,
      foldBytes: this.#foldBytes,
      isFull: this.#isFull,
      home: this.#home,
      isPlaced: this.#isPlaced,
      lineFeeds: this.#lineFeeds,
    };
  }

  get column(): number {
    return this.#column;
  }

  /** Bytes at the end that must not be split off: an unfinished sequence, a CR that an LF may follow, half a fold. */
  get fragmentBytes(): number {
    return Math.max(this.sequenceBytes, this.#crBytes, this.#foldBytes);
  }

  /** Bytes at the end that belong to an unfinished escape sequence. */
  get sequenceBytes(): number {
    return this.#parser.pendingBytes;
  }

  /** BELs since this view was made. */
  get bells(): number {
    return this.#bells;
  }

  /** Folds taken out since this view was made. */
  get folds(): number {
    return this.#folds;
  }

  /** Painting motions since this view was made. */
  get motions(): number {
    return this.#motions;
  }

  /** Text of the next bytes. */
  render(bytes: Uint8Array): RenderedText {
    const context = this.context();
    const builder = new TextBuilder(bytes, this.#bits, false);
    const motions = this.#motions;
    this.#apply(bytes, builder);
    const options = { size: this.#size, joinsFolds: this.#joinsFolds };
    return new RenderedText({
      codes: builder.codes,
      bells: builder.bells,
      motions: this.#motions - motions,
      // Where each character came from is asked for once in a while only: then these bytes are read again.
      toEnds: () => {
        const again = new TextBuilder(bytes, this.#bits, true);
        new TextView(this.#bits, context, options).#apply(bytes, again);
        return again.ends;
      },
    });
  }

  /** Moves over bytes whose text nobody wants. */
  skip(bytes: Uint8Array): void {
    this.#apply(bytes, undefined);
  }

  #apply(bytes: Uint8Array, builder: TextBuilder | undefined): void {
    const { length } = bytes;
    if (this.#crBytes > 0) this.#crBytes += length;
    if (this.#foldBytes > 0) this.#foldBytes += length;
    for (const action of this.#parser.parse(bytes)) {
      switch (action.kind) {
        case 'print':
          this.#print(action.from, action.to, bytes, builder);
          break;
        case 'execute':
          this.#execute(action.code, action.at, length, builder);
          break;
        case 'dispatch':
          this.#dispatch(action, length, builder);
          break;
        default:
          action satisfies never;
      }
    }
  }

  #print(from: number, to: number, bytes: Uint8Array, builder: TextBuilder | undefined): void {
    this.#leaveHome(false, from, builder);
    this.#releaseFold(from, bytes.length, builder);
    const isAtMargin = !this.#isFull && this.#column + to - from === this.#size.columns;
    const isFold = this.#joinsFolds && isAtMargin && ((bytes[to - 1] ?? 0) & 0x7f) === EXCLAMATION;
    builder?.print(from, isFold ? to - 1 : to);
    this.#isFull ||= this.#column + to - from >= this.#size.columns;
    this.#advance(to - from);
    this.#crBytes = 0;
    this.#lineFeeds = 0;
    if (isFold) this.#foldBytes = bytes.length - to + 1;
  }

  /** A `!` in the last column was one after all: it is text, before what is at index `at` of the chunk. */
  #releaseFold(at: number, chunkBytes: number, builder: TextBuilder | undefined): void {
    if (this.#foldBytes === 0) return;
    builder?.character(Math.min(chunkBytes - this.#foldBytes, at), '!');
    this.#foldBytes = 0;
  }

  /** Whether the line end at hand is a fold's, which ends no line. */
  #joinsFold(): boolean {
    if (this.#foldBytes === 0) return false;
    this.#foldBytes = 0;
    this.#folds += 1;
    return true;
  }

  /** Something comes behind a motion home, at index `at` of the chunk. */
  #leaveHome(isClearing: boolean, at: number, builder: TextBuilder | undefined): void {
    if (this.#home === 'none') return;
    if (!isClearing) {
      if (this.#home === 'painting') this.#motions += 1;
      else builder?.newline(at - 1);
    }
    this.#home = 'none';
  }

  #execute(code: number, at: number, chunkBytes: number, builder: TextBuilder | undefined): void {
    if (code === NUL) return; // padding, also between CR and LF
    if (code === BEL) {
      this.#bells += 1;
      builder?.bell(at);
      this.#crBytes = 0;
      return;
    }
    this.#leaveHome(false, at, builder);
    this.#isFull = false;
    if (code === LF && this.#crBytes === 0) {
      this.#lineFeeds += 1;
      if (this.#lineFeeds === PAINTING_LINE_FEEDS) this.#motions += 1;
    } else this.#lineFeeds = 0;
    switch (code) {
      case CR:
        // A second CR at the start of the line moves nothing.
        if (this.#crBytes === 0 && !this.#joinsFold()) builder?.newline(at);
        this.#crBytes = chunkBytes - at;
        this.#column = 0;
        this.#extent = 0;
        return;
      case LF:
        if (this.#crBytes === 0 && !this.#joinsFold()) builder?.newline(at);
        this.#crBytes = 0;
        this.#extent = 0;
        this.#row = Math.min(this.#row + 1, this.#size.rows - 1);
        return;
      case TAB:
        this.#releaseFold(at, chunkBytes, builder);
        builder?.character(at, '\t');
        // ITS's own count, which decides where it folds; behind the last stop it differs from what the screen does.
        this.#advance(TAB_COLUMNS - (this.#column % TAB_COLUMNS));
        break;
      case BS:
        this.#releaseFold(at, chunkBytes, builder);
        this.#column = Math.max(this.#column - 1, 0);
        break;
      default:
    }
    this.#crBytes = 0;
  }

  #dispatch(
    action: Vt52Action & { kind: 'dispatch' },
    chunkBytes: number,
    builder: TextBuilder | undefined,
  ): void {
    const lastRow = this.#size.rows - 1;
    const isFold = action.final === 'H' && this.#joinsFold();
    this.#releaseFold(action.at, chunkBytes, builder);
    this.#leaveHome(action.final === 'J', action.at, builder);
    this.#crBytes = 0;
    this.#lineFeeds = 0;
    if (MOVING_FINALS.has(action.final)) this.#isFull = false;
    if (PAINTING_FINALS.has(action.final)) this.#motions += 1;
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
          // ITS sends a tab of one column so; a blank it would send as a blank.
          builder?.character(action.at, (this.#column + 1) % TAB_COLUMNS === 0 ? '\t' : ' ');
          this.#advance(1);
        }
        return;
      case 'D':
        this.#column = Math.max(this.#column - 1, 0);
        return;
      case 'H':
        this.#goHome(action.at, isFold, builder);
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

  /** At the bottom it is ITS's line end, also of an empty line; from elsewhere it begins something else. */
  #goHome(at: number, isFold: boolean, builder: TextBuilder | undefined): void {
    const isAtBottom = this.#row === this.#size.rows - 1;
    if (isFold) this.#extent = 0;
    else if (this.#extent > 0) this.#endLine(at, builder);
    else if (isAtBottom) this.#home = 'blankLine';
    if (!isAtBottom && this.#isPlaced) this.#home = 'painting';
    this.#isPlaced = true;
    this.#row = 0;
    this.#column = 0;
  }

  /** A motion to another row ends the line, if there is anything on it. */
  #moveTo(row: number, at: number, builder: TextBuilder | undefined): void {
    if (row === this.#row) return;
    this.#row = row;
    if (this.#extent > 0) this.#endLine(at, builder);
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
