/**
 * EMACS's display: 20 lines of text, the mode line, an echo area of three lines. Only lines that changed are sent, each
 * whole; of the mode line only its changing end, while the rest stands. Source: recordings 07b, 14f, 14g, 15c. Lines over 79 columns go on in the
 * next one behind a `!` (not seen in EMACS).
 */

import type { EmacsBuffer } from './emacsBuffer.ts';
import { caretForm, type Terminal } from './terminal.ts';

const TEXT_ROWS = 20;
const MODE_ROW = 20;
/** First line of the echo area. */
const ECHO_ROW = 21;
const LAST_ROW = 23;
const LINE_COLUMNS = 79;
/** Where the point's line is put when it has left the window by typing (14f), and by `ESC >` (07b). */
const POINT_ROW = 12;
const END_ROW = 13;

interface Row {
  readonly text: string;
  readonly line: number;
}

export class EmacsScreen {
  /** First line of the text in the window. */
  top = 0;
  readonly #terminal: Terminal;
  /** What stands in the text's rows and the mode line. */
  #shown: string[] = Array.from({ length: MODE_ROW + 1 }, () => '');
  #isClear = true;
  /** Behind an empty line of the text ITS sends the CR that moves on although the cursor is in the first column. */
  #isBehindEmpty = false;

  constructor(terminal: Terminal, greeting: string) {
    this.#terminal = terminal;
    this.#shown[0] = greeting;
  }

  /** Everything again at the next refresh, on a cleared screen. */
  spoil(): void {
    this.#isClear = false;
  }

  /** The mode line is sent whole the next time. */
  spoilMode(): void {
    this.#shown[MODE_ROW] = '';
  }

  /** Brings the screen up to date; the cursor ends at the point. */
  refresh(buffer: EmacsBuffer, mode: string): void {
    if (!this.#isClear) this.#clear();
    this.#isBehindEmpty = false;
    let { rows, point } = this.#layOut(buffer);
    if (point === undefined) {
      this.top = Math.max(0, buffer.line - POINT_ROW);
      ({ rows, point } = this.#layOut(buffer));
    }
    // Lines that go on in the next row may push it out again.
    while (point === undefined && this.top < buffer.line) {
      this.top += 1;
      ({ rows, point } = this.#layOut(buffer));
    }
    const column = width(buffer.current.slice(0, buffer.column));
    const at = { row: point ?? TEXT_ROWS - 1, column: column % LINE_COLUMNS };
    const shown = Array.from({ length: TEXT_ROWS }, (_, row) => this.#showRow(row, rows[row]));
    const changed = shown.filter(Boolean).length;
    const state = `${this.#percent(buffer)}${buffer.isModified ? ' *' : ''}`;
    if (mode + state !== this.#shown[MODE_ROW]) {
      if (changed === 0) this.#terminal.moveTo(at.row, at.column);
      this.#showMode(mode, state);
    }
    this.#terminal.moveTo(at.row, at.column);
  }

  /** Types at the end of a line what needs no more than its own echo. False: a refresh is needed. */
  tryEcho(buffer: EmacsBuffer, char: string): boolean {
    const { row, column } = this.#terminal;
    if (!this.#isInStep(buffer) || !buffer.isAtLineEnd || column + 1 >= LINE_COLUMNS) return false;
    if (char < ' ' || row >= TEXT_ROWS) return false;
    this.#terminal.put(char);
    this.#shown[row] += char;
    return true;
  }

  /** A new line at the end of the text: no refresh, and in the last row the cursor comes to stand on the mode line. */
  tryNewline(buffer: EmacsBuffer): boolean {
    const { row } = this.#terminal;
    if (!this.#isInStep(buffer) || !buffer.isAtLastLine || !buffer.isAtLineEnd || row >= TEXT_ROWS)
      return false;
    this.#terminal.clearLine();
    this.#terminal.carriageReturn();
    this.#terminal.moveTo(row + 1, 0);
    return true;
  }

  /** A page on: two lines stay. False at the end. */
  pageDown(buffer: EmacsBuffer): boolean {
    const top = this.top + TEXT_ROWS - 2;
    if (top >= buffer.lines.length) return false;
    this.#goTo(buffer, top);
    return true;
  }

  pageUp(buffer: EmacsBuffer): boolean {
    if (this.top === 0) return false;
    this.#goTo(buffer, Math.max(0, this.top - TEXT_ROWS + 2));
    return true;
  }

  /** Puts the last line where `ESC >` puts it, unless it is in the window. */
  showEnd(buffer: EmacsBuffer): void {
    if (buffer.lines.length - this.top > TEXT_ROWS) this.top = Math.max(0, buffer.lines.length - 1 - END_ROW);
  }

  /** Goes to the echo area and clears it; then the text. */
  openEcho(text: string): void {
    this.#terminal.moveTo(ECHO_ROW, 0);
    this.#terminal.clearBelow();
    this.#terminal.put(text);
  }

  /** What EMACS leaves to DDT: an empty mode line and the cursor at the top. */
  leave(): void {
    const terminal = this.#terminal;
    const isOnMode = terminal.row === MODE_ROW;
    terminal.moveTo(MODE_ROW, 0);
    terminal.clearLine();
    // As recorded in 14f, where the point stood below the window.
    if (isOnMode) terminal.moveTo(LAST_ROW, 0);
    terminal.moveTo(0, 0);
    terminal.clearLine();
    this.spoil();
  }

  #isInStep(buffer: EmacsBuffer): boolean {
    const { row, column } = this.#terminal;
    const isAtPoint = row === buffer.line - this.top && column === buffer.current.length;
    return this.#isClear && isAtPoint && buffer.isModified && this.#shown[MODE_ROW]?.endsWith(' *') === true;
  }

  #goTo(buffer: EmacsBuffer, line: number): void {
    this.top = line;
    buffer.line = line;
    buffer.column = 0;
  }

  #clear(): void {
    this.#terminal.moveTo(ECHO_ROW, 0);
    this.#terminal.clear();
    this.#shown = this.#shown.map(() => '');
    this.#isClear = true;
  }

  /** `point`: its row; undefined when it is not in the window. */
  #layOut(buffer: EmacsBuffer): { rows: readonly string[]; point: number | undefined } {
    const rows: Row[] = [];
    for (let line = this.top; rows.length < TEXT_ROWS && line < buffer.lines.length; line += 1) {
      for (const text of fold(expand(buffer.lines[line] ?? ''))) rows.push({ text, line });
    }
    const rowsBefore = Math.floor(width(buffer.current.slice(0, buffer.column)) / LINE_COLUMNS);
    const first = rows.findIndex((row) => row.line === buffer.line);
    const found = first >= 0 && first + rowsBefore < TEXT_ROWS ? first + rowsBefore : -1;
    // Behind a new line at the end of a full window the point stands on the mode line until something is typed.
    const isBelow = rows.length === TEXT_ROWS && buffer.isAtLastLine && buffer.current === '';
    const below = isBelow && buffer.line === this.top + TEXT_ROWS ? MODE_ROW : undefined;
    return { rows: rows.map((row) => row.text), point: found >= 0 ? found : below };
  }

  /** True when it had to be sent. */
  #showRow(row: number, line: string | undefined): boolean {
    const text = line ?? '';
    if (this.#shown[row] === text) return false;
    const terminal = this.#terminal;
    if (this.#isBehindEmpty) terminal.carriageReturn();
    this.#isBehindEmpty = line === '';
    terminal.moveTo(row, 0);
    terminal.clearLine();
    terminal.put(text);
    this.#shown[row] = text;
    return true;
  }

  #showMode(mode: string, state: string): void {
    const isKnown = this.#shown[MODE_ROW]?.startsWith(mode) === true;
    this.#terminal.moveTo(MODE_ROW, isKnown ? mode.length : 0);
    this.#terminal.clearLine();
    this.#terminal.put(isKnown ? state : mode + state);
    this.#shown[MODE_ROW] = mode + state;
  }

  #percent(buffer: EmacsBuffer): string {
    const isEndShown = buffer.lines.length - this.top <= TEXT_ROWS + 1;
    if (this.top === 0) return isEndShown ? '' : '--TOP--';
    if (isEndShown) return '--BOT--';
    const count = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length + 2, 0);
    const percent = Math.ceil((100 * count(buffer.lines.slice(0, this.top))) / count(buffer.lines));
    return `--${String(Math.min(99, percent)).padStart(2, '0')}%--`;
  }
}

function expand(line: string): string {
  let shown = '';
  for (const char of line) {
    if (char === '\t') shown += ' '.repeat(8 - (shown.length % 8));
    else shown += char < ' ' || char === '\x7f' ? caretForm(char) : char;
  }
  return shown;
}

function width(text: string): number {
  return expand(text).length;
}

function fold(text: string): readonly string[] {
  const rows: string[] = [];
  let rest = text;
  for (; rest.length > LINE_COLUMNS; rest = rest.slice(LINE_COLUMNS))
    rows.push(`${rest.slice(0, LINE_COLUMNS)}!`);
  return [...rows, rest];
}
