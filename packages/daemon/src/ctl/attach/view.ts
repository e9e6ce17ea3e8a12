/**
 * What an attached terminal shows: the screen, a status line, or lines of our own that cover both. Methods return what is to
 * be written; output comes here translated by the daemon, or filtered (programOutput.ts), and holds nothing else (I17).
 */
import {
  CLEAR,
  type Layout,
  type Origin,
  type Part,
  paintLines,
  paintPart,
  paintStatus,
  type Size,
  toLayout,
  toOrigin,
} from './frame.ts';

export class View {
  readonly #isExact: boolean;
  #terminal: Size;
  #grid: Size | undefined;
  #origin: Origin = { row: 0, column: 0 };
  #status = '';
  #isCovered = false;
  /** The status line hides the last row of the grid. */
  #hidesRow = false;

  /** `isExact`: the output fits a terminal of the grid's own size only, all others are shown a part. */
  constructor(terminal: Size, { isExact = false } = {}) {
    this.#isExact = isExact;
    this.#terminal = terminal;
  }

  /** The grid does not fit the terminal: `showPart` is to be used instead of `follow`. */
  get isPart(): boolean {
    return this.#layout?.kind === 'part';
  }

  /** Our own lines stand there; the line's output is not shown meanwhile. */
  get isCovered(): boolean {
    return this.#isCovered;
  }

  /** The status line has a row of its own; else it hides the last row of the grid. */
  get hasStatusRow(): boolean {
    return this.#layout?.statusRow !== undefined;
  }

  /** The status line is empty but hides a row still: only `begin` brings that back. */
  get needsBegin(): boolean {
    return this.#hidesRow && this.#status === '' && !this.#isCovered;
  }

  get terminal(): Size {
    return this.#terminal;
  }

  resize(terminal: Size): void {
    this.#terminal = terminal;
  }

  /** Our own lines may go; the next `begin` shows what they covered. */
  uncover(): void {
    this.#isCovered = false;
  }

  /** The screen as it is now, on an empty terminal; what covers it stays. */
  begin(paint: string, grid: Size): string {
    this.#grid = grid;
    if (this.#isCovered) return '';
    this.#hidesRow = false;
    return `${CLEAR}${this.isPart ? '' : paint}${this.#paintStatus()}`;
  }

  /** Output that the terminal may get. */
  follow(text: string): string {
    return this.#isCovered || this.isPart || this.#grid === undefined ? '' : text;
  }

  showPart(part: Part): string {
    const layout = this.#layout;
    if (layout?.kind !== 'part' || this.#isCovered) return '';
    this.#origin = toOrigin(this.#origin, part.cursor, layout.shown);
    return paintPart(part, layout, this.#origin);
  }

  /** Empty: the status line is of no interest, and where it has no row of its own, it is not shown. */
  showStatus(text: string): string {
    const isSame = text === this.#status;
    this.#status = text;
    return isSame || this.#isCovered ? '' : this.#paintStatus();
  }

  cover(lines: readonly string[], hint: string): string {
    this.#isCovered = true;
    return paintLines(lines, hint, this.#terminal);
  }

  get #layout(): Layout | undefined {
    return this.#grid === undefined ? undefined : toLayout(this.#terminal, this.#grid, this.#isExact);
  }

  #paintStatus(): string {
    const row = this.#layout?.statusRow;
    if (row !== undefined) return paintStatus(this.#status, row, this.#terminal);
    if (this.#status === '') return '';
    this.#hidesRow = true;
    return paintStatus(this.#status, this.#terminal.rows - 1, this.#terminal);
  }
}
