/**
 * Screen of a PTY session: xterm.js without a browser, fed with the output, read when somebody looks.
 *
 * The emulation answers queries (cursor position, attributes, modes) as a terminal would; the answers are given to `reply`, to be
 * written to the child. It is loaded with the first screen, and works in slices, so that what was fed is on the screen a little
 * later: `now` waits for that.
 */
import type { Terminal } from '@xterm/headless';
import type { TerminalSize } from './process/processHandle.ts';
import { CountClamp } from './screen/countClamp.ts';
import { type Cell, cellsOf } from './screen/screenCells.ts';

/**
 * Bytes that may wait for the emulation, which takes some 50 MB/s. More than that is a flood; its oldest part is dropped, for
 * the screen will be full of its newest.
 */
export const SCREEN_BACKLOG_BYTES = 4 * 1024 * 1024;
/** Bytes given to the emulation at a time. */
const PIECE_BYTES = 64 * 1024;
/** Bytes of answers to the queries in one piece; a flood of queries must not become a flood of input. */
export const REPLY_BYTES_LIMIT = 4_096;

export interface ScreenView {
  readonly size: TerminalSize;
  /** One a row, without blanks at the end. */
  readonly lines: readonly string[];
  /** Counted from 0. */
  readonly cursor: { readonly row: number; readonly column: number };
  /** A program paints the whole screen. */
  readonly isAlternate: boolean;
  /** Bytes that were dropped in floods so far. */
  readonly droppedBytes: number;
  /** Rows of cells, when asked for. */
  readonly grid?: readonly (readonly Cell[])[];
}

export interface AnsiScreenOptions {
  readonly size: TerminalSize;
  /** Gets what the terminal answers. */
  readonly reply: (bytes: Uint8Array) => void;
}

export class AnsiScreen implements Disposable {
  readonly #terminal: Terminal;
  readonly #reply: (bytes: Uint8Array) => void;
  readonly #clamp = new CountClamp();
  readonly #backlog: Uint8Array[] = [];
  #backlogBytes = 0;
  #droppedBytes = 0;
  #replyBytes = 0;
  #isWriting = false;
  #last: ScreenView | undefined;
  #isDisposed = false;
  #fedBytes = 0;
  /** Bytes that are on the screen, or dropped. */
  #doneBytes = 0;
  #waiting: { readonly untilBytes: number; readonly resolve: () => void }[] = [];

  private constructor(terminal: Terminal, reply: (bytes: Uint8Array) => void) {
    this.#terminal = terminal;
    this.#reply = reply;
    terminal.onData((text) => this.#answer(Buffer.from(text, 'utf8')));
    terminal.onBinary((text) => this.#answer(Buffer.from(text, 'latin1')));
  }

  static async create({ size, reply }: AnsiScreenOptions): Promise<AnsiScreen> {
    // The named export is declared but not there: the package is CommonJS.
    const { default: xterm } = await import('@xterm/headless');
    const terminal = new xterm.Terminal({
      rows: size.rows,
      cols: size.columns,
      scrollback: 0,
      allowProposedApi: true,
    });
    return new AnsiScreen(terminal, reply);
  }

  /** Takes output; it is on the screen some turns later. */
  feed(bytes: Uint8Array): void {
    if (this.#isDisposed || bytes.length === 0) return;
    this.#backlog.push(bytes.slice());
    this.#backlogBytes += bytes.length;
    this.#fedBytes += bytes.length;
    while (this.#backlogBytes > SCREEN_BACKLOG_BYTES) {
      const oldest = this.#backlog.shift()?.length ?? 0;
      this.#backlogBytes -= oldest;
      this.#droppedBytes += oldest;
      this.#doneBytes += oldest;
    }
    this.#pump();
  }

  /** The screen with all on it that was fed so far, in a flood some more; behind its disposal, as it was then. */
  async now({ hasGrid = false }: { readonly hasGrid?: boolean } = {}): Promise<ScreenView> {
    await this.#caughtUp();
    const { grid, ...view } = this.#last ?? this.#view(hasGrid);
    return hasGrid && grid !== undefined ? { ...view, grid } : view;
  }

  /** Behind what was fed so far. */
  async resize({ rows, columns }: TerminalSize): Promise<void> {
    await this.#caughtUp();
    if (!this.#isDisposed) this.#terminal.resize(columns, rows);
  }

  [Symbol.dispose](): void {
    if (this.#isDisposed) return;
    this.#last = this.#view(true);
    this.#isDisposed = true;
    this.#backlog.length = 0;
    this.#settle();
    this.#terminal.dispose();
  }

  #view(hasGrid: boolean): ScreenView {
    const terminal = this.#terminal;
    const { active } = terminal.buffer;
    const rows = Array.from({ length: terminal.rows }, (_, row) => active.getLine(active.viewportY + row));
    return {
      size: { rows: terminal.rows, columns: terminal.cols },
      // Blanks that a program printed at a row's end are not told from those that nobody printed.
      lines: rows.map((line) => (line?.translateToString(true) ?? '').replace(/ +$/, '')),
      // Behind the last column it stands on it, until something is printed.
      cursor: { row: active.cursorY, column: Math.min(active.cursorX, terminal.cols - 1) },
      isAlternate: active.type === 'alternate',
      droppedBytes: this.#droppedBytes,
      ...(hasGrid ? { grid: rows.map((line) => cellsOf(line)) } : {}),
    };
  }

  #pump(): void {
    if (this.#isWriting || this.#isDisposed) return;
    const piece = this.#next();
    if (piece === undefined) return;
    this.#isWriting = true;
    this.#replyBytes = 0;
    this.#terminal.write(this.#clamp.pass(piece, this.#terminal.rows, this.#terminal.cols), () => {
      this.#isWriting = false;
      this.#doneBytes += piece.length;
      this.#settle();
      this.#pump();
    });
  }

  #next(): Uint8Array | undefined {
    const first = this.#backlog[0];
    if (first === undefined) return undefined;
    if (first.length <= PIECE_BYTES) this.#backlog.shift();
    else this.#backlog[0] = first.subarray(PIECE_BYTES);
    const piece = first.subarray(0, PIECE_BYTES);
    this.#backlogBytes -= piece.length;
    return piece;
  }

  /** Resolves when all that was fed before the call is done with. */
  #caughtUp(): Promise<void> {
    const untilBytes = this.#fedBytes;
    if (this.#isDisposed || this.#doneBytes >= untilBytes) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ untilBytes, resolve }));
  }

  #settle(): void {
    const isDue = ({ untilBytes }: { untilBytes: number }) =>
      this.#isDisposed || this.#doneBytes >= untilBytes;
    const due = this.#waiting.filter(isDue);
    this.#waiting = this.#waiting.filter((waiting) => !isDue(waiting));
    for (const { resolve } of due) resolve();
  }

  #answer(bytes: Uint8Array): void {
    if (this.#isDisposed || this.#replyBytes + bytes.length > REPLY_BYTES_LIMIT) return;
    this.#replyBytes += bytes.length;
    this.#reply(bytes);
  }
}
