/** The text EMACS edits and the point in it, as lines: a paste of a hundred thousand characters costs nothing. */

export class EmacsBuffer {
  /** Never empty. */
  lines: string[] = [''];
  /** Of the point. */
  line = 0;
  column = 0;
  isModified = false;

  get current(): string {
    return this.lines[this.line] ?? '';
  }

  get isAtLineEnd(): boolean {
    return this.column >= this.current.length;
  }

  get isAtLastLine(): boolean {
    return this.line === this.lines.length - 1;
  }

  /** Everything, with newlines. */
  get text(): string {
    return this.lines.join('\n');
  }

  /** Replaces everything; the point goes to the beginning. */
  load(text: string): void {
    this.lines = text.split('\n');
    this.line = 0;
    this.column = 0;
    this.isModified = false;
  }

  insert(char: string): void {
    this.#setCurrent(this.current.slice(0, this.column) + char + this.current.slice(this.column));
    this.column += char.length;
  }

  breakLine(): void {
    const rest = this.current.slice(this.column);
    this.#setCurrent(this.current.slice(0, this.column));
    this.lines.splice(this.line + 1, 0, rest);
    this.line += 1;
    this.column = 0;
  }

  /** The character behind the point. False at the end of the text. */
  deleteForward(): boolean {
    if (!this.isAtLineEnd) {
      this.#setCurrent(this.current.slice(0, this.column) + this.current.slice(this.column + 1));
      return true;
    }
    if (this.isAtLastLine) return false;
    this.#setCurrent(this.current + (this.lines[this.line + 1] ?? ''));
    this.lines.splice(this.line + 1, 1);
    return true;
  }

  /** The rest of the line, or its end when there is no rest. Returns what was killed. */
  killLine(): string {
    if (this.isAtLineEnd) return this.deleteForward() ? '\n' : '';
    const killed = this.current.slice(this.column);
    this.#setCurrent(this.current.slice(0, this.column));
    return killed;
  }

  /** One character on or back. False at the end or the beginning of the text. */
  moveBy(step: 1 | -1): boolean {
    if (step === 1 ? !this.isAtLineEnd : this.column > 0) {
      this.column += step;
      return true;
    }
    if (step === 1 ? this.isAtLastLine : this.line === 0) return false;
    this.line += step;
    this.column = step === 1 ? 0 : this.current.length;
    return true;
  }

  /** To another line, at the same column as far as there is one. False when there is no such line. */
  moveLines(by: number): boolean {
    const to = this.line + by;
    if (to < 0 || to >= this.lines.length) return false;
    this.line = to;
    this.column = Math.min(this.column, this.current.length);
    return true;
  }

  moveToStart(): void {
    this.line = 0;
    this.column = 0;
  }

  moveToEnd(): void {
    this.line = this.lines.length - 1;
    this.column = this.current.length;
  }

  /** Behind the next occurrence, any case, of a text within a line. False, and nothing moved, when there is none. */
  searchForward(text: string): boolean {
    const wanted = text.toLowerCase();
    for (let line = this.line; line < this.lines.length; line += 1) {
      const at = (this.lines[line] ?? '').toLowerCase().indexOf(wanted, line === this.line ? this.column : 0);
      if (at < 0) continue;
      this.line = line;
      this.column = at + text.length;
      return true;
    }
    return false;
  }

  #setCurrent(text: string): void {
    this.lines[this.line] = text;
    this.isModified = true;
  }
}
