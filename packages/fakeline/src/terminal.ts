/**
 * What ITS's terminal output does on the way to the line: a VT52 of 24 lines and 80 columns, or a printing terminal.
 * Source: ITS-LINE.md 3, 4, 7 and the recordings. It keeps the cursor only, not the screen's contents: all that the
 * bytes depend on is where the cursor stands.
 */

export type TerminalKind = 'display' | 'printing';

/** Lines of the screen; the newline from the last one wraps to the top. */
export const SCREEN_ROWS = 24;
/** Columns; a character that would stand in the last one goes to the next line behind a `!`. */
const SCREEN_COLUMNS = 80;

const HOME = '\x1bH';
const CLEAR_TO_END = '\x1bJ';
const CLEAR_LINE = '\x1bK';
const RIGHT = '\x1bC';
const UP = '\x1bA';
const TAB_COLUMNS = 8;

/** Types TCTYP knows that print on paper; every other known one is taken for a VT52. */
const PRINTING_TYPES = new Set(['LA36', 'PRINTING', 'T35', 'TELETYPE', 'EXECUPORT', 'TERMINET']);
const DISPLAY_TYPES = new Set(['VT52', 'AAA', 'VT50', 'H19', 'HEATH', 'Z19', 'GLASS', 'C100', 'DATAMEDIA']);

/** The kind of a terminal type named as for TCTYP, any case; undefined when the type is unknown. */
function tryTerminalKind(type: string): TerminalKind | undefined {
  const name = type.toUpperCase();
  if (PRINTING_TYPES.has(name)) return 'printing';
  return DISPLAY_TYPES.has(name) ? 'display' : undefined;
}

export class Terminal {
  /** Upper case name, as TCTYP shows it. It belongs to the line: it stays over logout and disconnect. */
  type = 'VT52';
  kind: TerminalKind = 'display';
  row = 0;
  column = 0;
  readonly #send: (text: string) => void;

  constructor(send: (text: string) => void) {
    this.#send = send;
  }

  /** False, and nothing changed, when the type is unknown. */
  setType(type: string): boolean {
    const kind = tryTerminalKind(type);
    if (kind === undefined) return false;
    this.type = type.toUpperCase();
    this.kind = kind;
    this.row = 0;
    return true;
  }

  /** At the bottom of a VT52 a newline is no newline at all but the top of the screen. */
  newline(): void {
    if (this.kind === 'printing') {
      this.#send(this.column === 0 ? '\n' : '\r\n');
    } else if (this.row === SCREEN_ROWS - 1) {
      this.#send(HOME + CLEAR_LINE);
      this.row = 0;
    } else {
      this.#send(`\r\n${CLEAR_LINE}`);
      this.row += 1;
    }
    this.column = 0;
  }

  /** A newline unless the cursor is already in the first column (there the line is cleared once more). */
  freshLine(): void {
    if (this.column !== 0) this.newline();
    else if (this.kind === 'display') this.#send(CLEAR_LINE);
  }

  /**
   * Moves as ITS does: along the line first, then down or up. Up it goes step by step, or by the top when that is nearer
   * (recordings 07b, 14f, 14g). On paper it can only begin a new line.
   */
  moveTo(row: number, column: number): void {
    if (this.kind === 'printing') {
      if (this.column !== 0) this.newline();
      return;
    }
    if (row < this.row && this.row - row > row + 1) {
      this.#send(HOME);
      this.row = 0;
      this.column = 0;
    }
    this.#send(motionAlong(this.column, column));
    this.#send(row < this.row ? UP.repeat(this.row - row) : '\n'.repeat(row - this.row));
    this.row = row;
    this.column = column;
  }

  /** Printing characters as they are: no folding, no tabs; the caller knows the margin. */
  put(text: string): void {
    this.#send(text);
    this.column += text.length;
  }

  /** From the cursor to the end of the line. */
  clearLine(): void {
    if (this.kind === 'display') this.#send(CLEAR_LINE);
  }

  /** From the cursor to the end of the screen. */
  clearBelow(): void {
    if (this.kind === 'display') this.#send(CLEAR_TO_END);
  }

  /** CR alone. */
  carriageReturn(): void {
    this.#send('\r');
    this.column = 0;
  }

  /** Clears a screen; on paper a new line has to do. */
  clear(): void {
    if (this.kind === 'printing') {
      this.newline();
      return;
    }
    this.#send(HOME + CLEAR_TO_END);
    this.row = 0;
    this.column = 0;
  }

  /** Program text: printing characters, `\n` as newline, TAB, BEL; other control characters as `^X`. */
  print(text: string): void {
    for (let i = 0; i < text.length; i += 1) this.putChar(text[i] ?? '', text[i + 1]);
  }

  /** `next` is the character that follows, if it is known: two tabs in a row are sent as they are. */
  putChar(char: string, next?: string): void {
    if (char === '\n') this.newline();
    else if (char === '\t') this.#tab(next === '\t');
    else if (char === '\x07') this.#send(char);
    else if (char < ' ') this.print(caretForm(char));
    else this.#putPrinting(char);
  }

  /** Rubs out the last `width` columns. Back to the first column ITS uses CR, as the recordings 13a and 13c show. */
  erase(width: number): void {
    for (let i = 0; i < width && this.column > 0; i += 1) {
      this.column -= 1;
      const back = this.column === 0 ? '\r' : '\b';
      this.#send(`${back} ${back}`);
    }
  }

  /** The echo of LF inside a command: down, then right again to the column it was in. */
  lineFeed(): void {
    const column = this.column;
    this.newline();
    if (this.kind === 'printing') return;
    const tabs = Math.ceil(column / 8);
    this.#send('\t'.repeat(tabs) + '\b'.repeat(tabs * 8 - column));
    this.column = column;
  }

  #tab(isFollowedByTab: boolean): void {
    const stop = (Math.floor(this.column / TAB_COLUMNS) + 1) * TAB_COLUMNS;
    if (this.kind === 'printing') {
      // Paper has no tab stops that ITS knew of (recording 15b), and is wider than a screen.
      this.put(' '.repeat(stop - this.column));
      return;
    }
    const next = Math.min(stop, SCREEN_COLUMNS - 1);
    // A tab of one column is sent as a cursor movement, unless the cursor goes further at once (recording 05a).
    const isShort = next - this.column === 1 && !isFollowedByTab;
    this.#send(isShort ? RIGHT : '\t');
    this.column = next;
  }

  #putPrinting(char: string): void {
    if (this.kind === 'display' && this.column === SCREEN_COLUMNS - 1) {
      this.#send('!');
      this.newline();
    }
    this.#send(char);
    this.column += 1;
  }
}

/** From one column to another: back by BS or from the margin, forward by tabs and single steps, whichever is shorter. */
function motionAlong(from: number, to: number): string {
  if (to < from) {
    const fromMargin = to === 0 ? '\r' : `\r${motionAlong(0, to)}`;
    return from - to < fromMargin.length ? '\b'.repeat(from - to) : fromMargin;
  }
  const tabs = Math.floor(to / TAB_COLUMNS) - Math.floor(from / TAB_COLUMNS);
  const steps = tabs === 0 ? to - from : to % TAB_COLUMNS;
  const back = TAB_COLUMNS - (to % TAB_COLUMNS);
  // One tab too far and back again, when that is shorter; not beyond the last stop.
  if (steps > 4 && to < SCREEN_COLUMNS - TAB_COLUMNS) return '\t'.repeat(tabs + 1) + '\b'.repeat(back);
  return '\t'.repeat(tabs) + RIGHT.repeat(steps);
}

/** `^A` for a control character, as ITS echoes it; `^?` for rubout. */
export function caretForm(char: string): string {
  return `^${String.fromCharCode((char.codePointAt(0) ?? 0) ^ 0x40)}`;
}
