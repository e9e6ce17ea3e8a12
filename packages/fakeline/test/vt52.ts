/** A VT52 screen for the tests, just enough for what ITS sends: what stands where. */

export class Vt52 {
  rows: string[][] = Array.from({ length: 24 }, () => []);
  row = 0;
  column = 0;
  #isEscape = false;

  constructor(text = '') {
    this.write(text);
  }

  get lines(): readonly string[] {
    return this.rows.map((row) =>
      Array.from(row, (char) => char ?? ' ')
        .join('')
        .trimEnd(),
    );
  }

  write(text: string): void {
    for (const char of Array.from(text)) {
      if (this.#isEscape) this.#escape(char);
      else if (char === '\x1b') this.#isEscape = true;
      else if (char === '\r') this.column = 0;
      else if (char === '\n') this.row = Math.min(23, this.row + 1);
      else if (char === '\b') this.column = Math.max(0, this.column - 1);
      else if (char === '\t') this.column = Math.min(79, (Math.floor(this.column / 8) + 1) * 8);
      else if (char >= ' ') {
        const row = this.rows[this.row] ?? [];
        row[this.column] = char;
        this.column = Math.min(79, this.column + 1);
      }
    }
  }

  #escape(char: string): void {
    this.#isEscape = false;
    if (char === 'A') this.row = Math.max(0, this.row - 1);
    else if (char === 'C') this.column = Math.min(79, this.column + 1);
    else if (char === 'H') this.row = this.column = 0;
    else if (char === 'K' || char === 'J') {
      this.rows[this.row]?.splice(this.column);
      if (char === 'J') this.rows = this.rows.map((row, i) => (i > this.row ? [] : row));
    } else throw new Error(`ESC ${char} was never sent by ITS`);
  }
}
