/**
 * Text view of a VT52 line: what the bytes say, line by line, without the motions that put it on a screen.
 *
 * Rules (measured on a real ITS, docs/its-line.md): CR LF, a lone CR and a lone LF end a line; so does any motion to
 * another row, because ITS wraps the screen and its newline at the bottom is a mere ESC H ESC K. A motion to the right
 * of what the line says is a blank, or the tab of one column that ITS sends so. Erasing prints nothing, NUL vanishes, TAB
 * stays, BEL is counted. ITS folds what is longer than 79 characters by a `!` in the last column and a line end: both
 * go, and the line is one again (`fold.ts`).
 *
 * The view is a pure function of the bytes and of the context they begin in; the context is small and is kept in the
 * scrollback's checkpoints, so that text can be made again from any offset.
 */
import { Fold } from './fold.ts';
import { RenderedText } from './renderedText.ts';
import { nextTabStop, type ScreenSize, TAB_COLUMNS, VT52_SIZE } from './screenSize.ts';
import { TextBuilder } from './textBuilder.ts';
import {
  fitContext,
  INITIAL_TEXT_CONTEXT,
  type TextContext,
  type TextCursor,
  toTextContext,
} from './textContext.ts';
import type { TextRenderer, TextRendererFactory } from './textRenderer.ts';
import { type Vt52Action, Vt52Parser } from './vt52.ts';

export interface TextOptions {
  readonly size?: ScreenSize;
  /** Take ITS's folds out. */
  readonly joinsFolds?: boolean;
}

/** Text views of a VT52 line. */
export function vt52Text(bits: 7 | 8, options: TextOptions = {}): TextRendererFactory {
  return (context) => new TextView(bits, context === undefined ? undefined : toTextContext(context), options);
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

export class TextView implements TextRenderer {
  readonly #size: ScreenSize;
  readonly #options: TextOptions;
  readonly #bits: 7 | 8;
  readonly #parser: Vt52Parser;
  readonly #fold: Fold;
  readonly #cursor: TextCursor;
  #folds = 0;
  #motions = 0;
  #bells = 0;

  constructor(bits: 7 | 8, context: TextContext = INITIAL_TEXT_CONTEXT, options: TextOptions = {}) {
    this.#size = options.size ?? VT52_SIZE;
    this.#options = options;
    this.#bits = bits;
    const { vt52, fold, foldBytes, ...cursor } = fitContext(context, this.#size);
    this.#parser = new Vt52Parser(bits, vt52);
    this.#fold = new Fold({ fold, foldBytes });
    this.#cursor = cursor;
  }

  context(): TextContext {
    return {
      vt52: this.#parser.snapshot(),
      fold: this.#fold.stage,
      foldBytes: this.#fold.bytes,
      ...this.#cursor,
    };
  }

  get column(): number {
    return this.#cursor.column;
  }

  /** Half a fold is one too. */
  get fragmentBytes(): number {
    return Math.max(this.sequenceBytes, this.#cursor.crBytes, this.#fold.bytes);
  }

  get sequenceBytes(): number {
    return this.#parser.pendingBytes;
  }

  get bells(): number {
    return this.#bells;
  }

  get folds(): number {
    return this.#folds;
  }

  get motions(): number {
    return this.#motions;
  }

  render(bytes: Uint8Array): RenderedText {
    const context = this.context();
    const builder = new TextBuilder(bytes, this.#bits, false);
    const motions = this.#motions;
    this.#apply(bytes, builder);
    return new RenderedText({
      codes: builder.codes,
      bells: builder.bells,
      motions: this.#motions - motions,
      // Where each character came from is asked for once in a while only: then these bytes are read again.
      toEnds: () => {
        const again = new TextBuilder(bytes, this.#bits, true);
        new TextView(this.#bits, context, this.#options).#apply(bytes, again);
        return again.ends;
      },
    });
  }

  skip(bytes: Uint8Array): void {
    this.#apply(bytes, undefined);
  }

  #apply(bytes: Uint8Array, builder: TextBuilder | undefined): void {
    const { length } = bytes;
    if (this.#cursor.crBytes > 0) this.#cursor.crBytes += length;
    this.#fold.pass(length);
    for (const action of this.#parser.parse(bytes)) {
      switch (action.kind) {
        case 'print':
          this.#print(action.from, action.to, bytes, builder);
          break;
        case 'execute':
          this.#execute(action.code, action.at, length, builder);
          break;
        case 'dispatch':
          this.#dispatch(action, builder);
          break;
        default:
          action satisfies never;
      }
    }
  }

  #print(from: number, to: number, bytes: Uint8Array, builder: TextBuilder | undefined): void {
    this.#leaveHome(false, from, builder);
    this.#releaseFold(from, builder);
    const isAtMargin = !this.#cursor.isFull && this.#cursor.column + to - from === this.#size.columns;
    const isFold =
      this.#options.joinsFolds === true && isAtMargin && ((bytes[to - 1] ?? 0) & 0x7f) === EXCLAMATION;
    builder?.print(from, isFold ? to - 1 : to);
    this.#cursor.isFull ||= this.#cursor.column + to - from >= this.#size.columns;
    this.#advance(to - from);
    this.#cursor.crBytes = 0;
    this.#cursor.lineFeeds = 0;
    if (isFold) this.#fold.begin(bytes.length - to + 1);
  }

  /** It was no fold after all: its characters are text, before what is at index `at` of the chunk. */
  #releaseFold(at: number, builder: TextBuilder | undefined): void {
    if (this.#fold.stage === 'none') return;
    for (const character of this.#fold.release()) builder?.character(at - 1, character);
  }

  /** Something comes behind a motion home, at index `at` of the chunk. */
  #leaveHome(isClearing: boolean, at: number, builder: TextBuilder | undefined): void {
    if (this.#cursor.home === 'none') return;
    if (!isClearing) {
      if (this.#cursor.home === 'painting') this.#motions += 1;
      else builder?.newline(at - 1);
    }
    this.#cursor.home = 'none';
  }

  #execute(code: number, at: number, chunkBytes: number, builder: TextBuilder | undefined): void {
    if (code === NUL) return; // padding, also between CR and LF
    if (code === BEL) {
      this.#bells += 1;
      builder?.bell(at);
      this.#cursor.crBytes = 0;
      return;
    }
    this.#leaveHome(false, at, builder);
    this.#cursor.isFull = false;
    if (code === LF && this.#cursor.crBytes === 0) {
      this.#cursor.lineFeeds += 1;
      if (this.#cursor.lineFeeds === PAINTING_LINE_FEEDS) this.#motions += 1;
    } else this.#cursor.lineFeeds = 0;
    switch (code) {
      case CR:
        // A second CR at the start of the line moves nothing.
        if (this.#cursor.crBytes === 0 && !this.#fold.takes('return')) {
          this.#releaseFold(at, builder);
          builder?.newline(at);
        }
        this.#cursor.crBytes = chunkBytes - at;
        this.#cursor.column = 0;
        this.#cursor.extent = 0;
        return;
      case LF:
        if (!this.#fold.takes('feed')) {
          this.#releaseFold(at, builder);
          if (this.#cursor.crBytes === 0) builder?.newline(at);
        }
        this.#cursor.crBytes = 0;
        this.#cursor.extent = 0;
        this.#cursor.row = Math.min(this.#cursor.row + 1, this.#size.rows - 1);
        return;
      case TAB:
        this.#releaseFold(at, builder);
        builder?.character(at, '\t');
        // As the terminal moves. ITS counts on in eights behind the last stop, but folds before it would send a TAB there.
        this.#advance(nextTabStop(this.#cursor.column, this.#size.columns) - this.#cursor.column);
        break;
      case BS:
        this.#releaseFold(at, builder);
        this.#cursor.column = Math.max(this.#cursor.column - 1, 0);
        break;
      default:
    }
    this.#cursor.crBytes = 0;
  }

  #dispatch(action: Vt52Action & { kind: 'dispatch' }, builder: TextBuilder | undefined): void {
    const isFold = action.final === 'H' && this.#fold.takes('home');
    if (action.final === 'K' && this.#fold.isProven()) this.#folds += 1;
    else if (!isFold) this.#releaseFold(action.at, builder);
    this.#leaveHome(action.final === 'J', action.at, builder);
    this.#cursor.crBytes = 0;
    this.#cursor.lineFeeds = 0;
    if (MOVING_FINALS.has(action.final)) this.#cursor.isFull = false;
    if (PAINTING_FINALS.has(action.final)) this.#motions += 1;
    switch (action.final) {
      case 'A':
      case 'I':
        this.#moveTo(Math.max(this.#cursor.row - 1, 0), action.at, builder);
        return;
      case 'B':
        this.#moveTo(Math.min(this.#cursor.row + 1, this.#size.rows - 1), action.at, builder);
        return;
      case 'C':
        if (this.#cursor.column < this.#cursor.extent)
          this.#cursor.column = Math.min(this.#cursor.column + 1, this.#size.columns - 1);
        else {
          // ITS sends a tab of one column so; a blank it would send as a blank.
          builder?.character(action.at, (this.#cursor.column + 1) % TAB_COLUMNS === 0 ? '\t' : ' ');
          this.#advance(1);
        }
        return;
      case 'D':
        this.#cursor.column = Math.max(this.#cursor.column - 1, 0);
        return;
      case 'H':
        this.#goHome(action.at, isFold, builder);
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
    this.#cursor.column = column >= 0 && column < this.#size.columns ? column : this.#size.columns - 1;
  }

  /** At the bottom it is ITS's line end, also of an empty line; from elsewhere it begins something else. */
  #goHome(at: number, isFold: boolean, builder: TextBuilder | undefined): void {
    const isAtBottom = this.#cursor.row === this.#size.rows - 1;
    if (!isFold && this.#cursor.extent > 0) builder?.newline(at);
    else if (!isFold && isAtBottom) this.#cursor.home = 'blankLine';
    this.#cursor.extent = 0;
    if (!isAtBottom && this.#cursor.isPlaced) this.#cursor.home = 'painting';
    this.#cursor.isPlaced = true;
    this.#cursor.row = 0;
    this.#cursor.column = 0;
  }

  /** A motion to another row ends the line, if there is anything on it. */
  #moveTo(row: number, at: number, builder: TextBuilder | undefined): void {
    if (row === this.#cursor.row) return;
    this.#cursor.row = row;
    if (this.#cursor.extent > 0) builder?.newline(at);
    this.#cursor.extent = 0;
  }

  /** Something was printed. Behind the right margin it piles up there. */
  #advance(columns: number): void {
    this.#cursor.column = Math.min(this.#cursor.column + columns, this.#size.columns - 1);
    this.#cursor.extent = Math.max(this.#cursor.extent, this.#cursor.column);
  }
}
