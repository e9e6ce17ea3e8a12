/**
 * What characters, controls and sequences do to a command's text: the rules of `ansiTextView.ts`, one action at a time.
 * Indices `at` are those of the byte that completed the action, in the chunk under way.
 */
import type { AnsiTextBuilder } from './ansiTextBuilder.ts';
import { EMPTY_LINE, LineOfText, type LineSnapshot } from './lineOfText.ts';
import { type AnsiAction, toNumbers } from './parser.ts';

export interface WriterSnapshot {
  readonly line: LineSnapshot;
  /** The row that was addressed, counted from 1, as long as the cursor is surely there; else 0. */
  readonly row: number;
  /** The last line was ended by a CR, and nothing was printed since: an LF is the same line end. */
  readonly isEndedByReturn: boolean;
}

export const INITIAL_WRITER: WriterSnapshot = { line: EMPTY_LINE, row: 0, isEndedByReturn: false };

/**
 * Most copies that REP makes of a character (X12); ncurses uses it for runs within a line. It is also the most text that one
 * byte makes, so the least `maxChars` that always gets on.
 */
export const REPEAT_LIMIT = 512;

export const TAB = 0x09;
export const LF = 0x0a;
export const CR = 0x0d;
const BS = 0x08;
const VT = 0x0b;
const FF = 0x0c;
const BLANK = 0x20;
/** Alternate screen on and off. */
const SCREEN_MODES: ReadonlySet<string> = new Set(['?47', '?1047', '?1049']);

/** Colours and erasing, which most sequences are, print nothing and move nothing. */
const STILL = 'mKJ';

type Builder = AnsiTextBuilder | undefined;

export class AnsiWriter {
  readonly #line: LineOfText;
  #row: number;
  #isEndedByReturn: boolean;
  #motions = 0;

  constructor(snapshot: WriterSnapshot = INITIAL_WRITER) {
    this.#line = new LineOfText(snapshot.line);
    this.#row = snapshot.row;
    this.#isEndedByReturn = snapshot.isEndedByReturn;
  }

  snapshot(): WriterSnapshot {
    return { line: this.#line.snapshot(), row: this.#row, isEndedByReturn: this.#isEndedByReturn };
  }

  get column(): number {
    return this.#line.column;
  }

  /** Motions so far that only a program that paints the screen makes. */
  get motions(): number {
    return this.#motions;
  }

  get isEndedByReturn(): boolean {
    return this.#isEndedByReturn;
  }

  /** The next character stands behind the text, so that `asciiLines` may be used. */
  get isAtEnd(): boolean {
    return this.#line.isAtEnd;
  }

  /** Printing ASCII and LFs behind the text: at once what `character` and `execute` do with each of them. */
  asciiLines(bytes: Uint8Array, start: number, to: number, builder: Builder): void {
    let from = start;
    if (this.#isEndedByReturn && bytes[from] === LF) {
      this.#newLine();
      from += 1;
      if (from === to) return;
    }
    builder?.ascii(bytes, from, to);
    this.#isEndedByReturn = false;
    let lineStart = to;
    while (lineStart > from && bytes[lineStart - 1] !== LF) lineStart -= 1;
    if (lineStart > from) this.#newLine();
    if (lineStart < to) this.#line.appendAscii(bytes, lineStart, to);
  }

  character(codePoint: number, at: number, builder: Builder): void {
    if (codePoint >= 0x80 && codePoint < 0xa0) return; // C1
    this.#isEndedByReturn = false;
    if (this.#line.print(codePoint)) builder?.character(codePoint, at);
  }

  execute(code: number, at: number, builder: Builder): void {
    switch (code) {
      case BS:
        this.#line.backward(1);
        return;
      case TAB:
        this.#isEndedByReturn = false;
        if (this.#line.forward(this.#line.tabColumns)) {
          this.#line.touch();
          builder?.character(TAB, at);
        }
        return;
      case CR:
        this.#return(at, builder);
        return;
      case LF:
        if (!this.#isEndedByReturn) builder?.character(LF, at);
        this.#newLine();
        return;
      case VT:
      case FF:
        this.#endLine(at, builder);
        return;
      default:
    }
  }

  escape(final: string, at: number, builder: Builder): void {
    if (final === 'D') this.#endLine(at, builder, this.#line.column);
    else if (final === 'E') this.execute(LF, at, builder);
    else if (final === 'M' || final === '8' || final === 'c') this.#paint(at, builder);
  }

  control(action: AnsiAction & { kind: 'control' }, builder: Builder): void {
    const { final, parameters, intermediate, at } = action;
    if (intermediate !== '' || STILL.includes(final)) return;
    if (parameters >= '<') {
      if ((final === 'h' || final === 'l') && SCREEN_MODES.has(parameters)) this.#paint(at, builder);
      return;
    }
    const numbers = toNumbers(parameters);
    const count = Math.max(numbers[0] ?? 1, 1);
    switch (final) {
      case 'A':
      case 'd':
      case 'F':
      case 'r':
      case 'u':
        this.#paint(at, builder);
        return;
      case 'H':
      case 'f':
        this.#address(count, Math.max(numbers[1] ?? 1, 1) - 1, at, builder);
        return;
      case 'B':
      case 'E':
      case 'e':
        this.#endLine(at, builder, final === 'E' ? 0 : this.#line.column);
        return;
      case 'C':
      case 'a':
        this.#forward(count, at, builder);
        return;
      case 'D':
        this.#line.backward(count);
        return;
      case 'G':
      case '`':
        this.#moveTo(count - 1, at, builder);
        return;
      case 'I':
        this.execute(TAB, at, builder);
        return;
      case 'b':
        this.#repeat(count, at, builder);
        return;
      default: // inserting, scrolling, modes and reports print nothing and move nothing
    }
  }

  /** To the first column. */
  #return(at: number, builder: Builder): void {
    const { hasText } = this.#line;
    this.#line.begin();
    if (!hasText) return;
    builder?.character(LF, at);
    this.#isEndedByReturn = true;
  }

  #newLine(column = 0): void {
    this.#line.begin(column);
    this.#isEndedByReturn = false;
    this.#row = 0;
  }

  /** To another row. */
  #endLine(at: number, builder: Builder, column = 0): void {
    if (this.#line.hasText) builder?.character(LF, at);
    this.#newLine(column);
  }

  #paint(at: number, builder: Builder, column = 0): void {
    this.#motions += 1;
    this.#endLine(at, builder, column);
  }

  #address(row: number, column: number, at: number, builder: Builder): void {
    if (row === this.#row) {
      this.#moveTo(column, at, builder);
      return;
    }
    this.#paint(at, builder, column);
    this.#row = row;
  }

  #moveTo(column: number, at: number, builder: Builder): void {
    if (column === 0) this.#return(at, builder);
    else if (column < this.#line.column) this.#line.backward(this.#line.column - column);
    else if (column > this.#line.column) this.#forward(column - this.#line.column, at, builder);
  }

  #forward(columns: number, at: number, builder: Builder): void {
    // On an empty line it is an indentation, which no text depends on.
    if (this.#line.forward(columns) && this.#line.hasText) builder?.character(BLANK, at);
  }

  #repeat(count: number, at: number, builder: Builder): void {
    const { last } = this.#line;
    if (last === undefined) return;
    for (let copies = Math.min(count, REPEAT_LIMIT); copies > 0; copies -= 1)
      this.character(last, at, builder);
  }
}
