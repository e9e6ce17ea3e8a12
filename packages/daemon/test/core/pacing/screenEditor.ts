/**
 * An editor that paints the screen, as EMACS does on an ITS (recordings 07b, 14f): typed at the end of a line a character
 * is its own echo; anything else sends each row that changed as a whole. What it shows is what it has read.
 */
const ROWS = 20;
const MODE_ROW = 20;
const COLUMNS = 79;
/** Row of the point when it has left the window. */
const POINT_ROW = 12;

export class ScreenEditor {
  #lines: string[] = [''];
  #line = 0;
  #column = 0;
  #top = 0;
  #shown: string[] = [];
  #isSpoiled = true;
  #isModeShown = false;

  /** `behind`: text in which the point stands, in front of it. */
  constructor(behind = '') {
    this.#lines = behind.split('\n');
  }

  get text(): string {
    return this.#lines.join('\n');
  }

  /** A message of another user has been printed over the picture. */
  spoil(): void {
    this.#isSpoiled = true;
  }

  /** Takes a character; returns what is sent for it. */
  read(byte: number): string {
    const character = String.fromCharCode(byte);
    const isPlain = this.#isInStep();
    const current = this.#lines[this.#line] ?? '';
    const [left, right] = [current.slice(0, this.#column), current.slice(this.#column)];
    if (character === '\r') {
      this.#lines.splice(this.#line, 1, left, right);
      this.#line += 1;
      this.#column = 0;
      const isLast = this.#line === this.#lines.length - 1;
      if (!isPlain || right !== '' || !isLast || this.#line - this.#top >= ROWS) return this.#refresh();
      this.#shown = this.#rows();
      return '\x1bK\r\n';
    }
    this.#lines[this.#line] = left + character + right;
    this.#column += 1;
    if (!isPlain || right !== '' || character < ' ' || expand(left).length + 1 >= COLUMNS)
      return this.#refresh();
    this.#shown = this.#rows();
    return character;
  }

  /** Sends something by itself. */
  paint(what: 'row' | 'mode' | 'screen', choice: number): string {
    if (this.#isSpoiled && what !== 'screen') return '';
    if (what === 'screen') {
      this.#isSpoiled = true;
      return this.#refresh();
    }
    const row = choice % Math.max(this.#shown.length, 1);
    const painted = what === 'mode' ? MODE_ROW : row;
    const text = what === 'mode' ? 'EMACS  (Fundamental)  Main:   --BOT-- *' : (this.#shown[row] ?? '');
    return `${moveTo(painted, 0)}\x1bK${text}${this.#toPoint()}`;
  }

  #isInStep(): boolean {
    const current = this.#lines[this.#line] ?? '';
    return !this.#isSpoiled && this.#isModeShown && expand(current).length < COLUMNS;
  }

  #refresh(): string {
    let out = '';
    if (this.#isSpoiled) {
      out += '\x1bH\x1bJ';
      this.#shown = [];
      this.#isModeShown = false;
      this.#isSpoiled = false;
    }
    if (this.#line < this.#top || this.#pointRow() >= ROWS) {
      this.#top = Math.max(0, this.#line - POINT_ROW);
      while (this.#pointRow() >= ROWS && this.#top < this.#line) this.#top += 1;
    }
    const rows = this.#rows();
    for (let row = 0; row < ROWS; row += 1) {
      if ((this.#shown[row] ?? '') !== (rows[row] ?? '')) out += `${moveTo(row, 0)}\x1bK${rows[row] ?? ''}`;
    }
    this.#shown = rows;
    if (!this.#isModeShown) out += `${moveTo(MODE_ROW, 0)}\x1bKEMACS  (Fundamental)  Main:   *`;
    this.#isModeShown = true;
    return out + this.#toPoint();
  }

  #rows(): string[] {
    return this.#lines
      .slice(this.#top, this.#top + ROWS)
      .flatMap(fold)
      .slice(0, ROWS);
  }

  #pointRow(): number {
    const above = this.#lines.slice(this.#top, this.#line).flatMap(fold).length;
    return above + Math.floor(this.#pointColumns() / COLUMNS);
  }

  #pointColumns(): number {
    return expand((this.#lines[this.#line] ?? '').slice(0, this.#column)).length;
  }

  #toPoint(): string {
    return moveTo(this.#pointRow(), this.#pointColumns() % COLUMNS);
  }
}

function moveTo(row: number, column: number): string {
  return `\x1bH${'\n'.repeat(row)}${'\t'.repeat(Math.floor(column / 8))}${'\x1bC'.repeat(column % 8)}`;
}

function expand(line: string): string {
  let shown = '';
  for (const character of line) shown += character === '\t' ? ' '.repeat(8 - (shown.length % 8)) : character;
  return shown;
}

function fold(line: string): string[] {
  const rows: string[] = [];
  let rest = expand(line);
  for (; rest.length > COLUMNS; rest = rest.slice(COLUMNS)) rows.push(`${rest.slice(0, COLUMNS)}!`);
  return [...rows, rest];
}
