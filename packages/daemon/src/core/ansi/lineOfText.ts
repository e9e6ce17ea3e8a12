/**
 * The line that a text view is writing: where on it the cursor stands, as far as that decides what is new text.
 *
 * Text that was handed out cannot be taken back, so going back over it deletes nothing: what is printed there is added, except
 * what is no text: a character over the same one (bold in typewriter's manner), `_` over one or a blank over one (rubout).
 */

import { RecentCharacters } from './recentCharacters.ts';

/** Column beyond which columns are not told apart. */
const COLUMN_LIMIT = 9_999;
const TAB_COLUMNS = 8;
const BLANK = 0x20;
const UNDERSCORE = 0x5f;

export interface LineSnapshot {
  /** Column behind the last character; one a character. */
  readonly extent: number;
  /** Columns from there back to the cursor. */
  readonly back: number;
  /** How far back the last motion went; 1 is overstriking. */
  readonly wentBack: number;
  readonly hasText: boolean;
  readonly remembered: readonly number[];
}

export const EMPTY_LINE: LineSnapshot = {
  extent: 0,
  back: 0,
  wentBack: 0,
  hasText: false,
  remembered: [],
};

export class LineOfText {
  #extent: number;
  #back: number;
  #wentBack: number;
  #hasText: boolean;
  readonly #remembered: RecentCharacters;

  constructor(snapshot: LineSnapshot = EMPTY_LINE) {
    this.#extent = snapshot.extent;
    this.#back = snapshot.back;
    this.#wentBack = snapshot.wentBack;
    this.#hasText = snapshot.hasText;
    this.#remembered = new RecentCharacters(snapshot.remembered);
  }

  snapshot(): LineSnapshot {
    return {
      extent: this.#extent,
      back: this.#back,
      wentBack: this.#wentBack,
      hasText: this.#hasText,
      remembered: this.#remembered.snapshot(),
    };
  }

  get column(): number {
    return this.#extent - this.#back;
  }

  get isAtEnd(): boolean {
    return this.#back === 0;
  }

  get hasText(): boolean {
    return this.#hasText;
  }

  /** The character before the cursor, if that stands behind the last one. */
  get last(): number | undefined {
    return this.#back === 0 ? this.#remembered.at(1) : undefined;
  }

  /** The cursor stands at the start of an empty line, or at `column` of it. */
  begin(column = 0): void {
    this.#extent = Math.min(column, COLUMN_LIMIT);
    this.#back = 0;
    this.#wentBack = 0;
    this.#hasText = false;
    this.#remembered.clear();
  }

  /** A run of printing ASCII at the end of the line. */
  appendAscii(bytes: Uint8Array, from: number, to: number): void {
    this.#extent = Math.min(this.#extent + to - from, COLUMN_LIMIT);
    this.#hasText = true;
    this.#remembered.addRun(bytes, from, to);
  }

  /** Whether the character is new text. */
  print(codePoint: number): boolean {
    this.#hasText = true;
    if (this.#back === 0) {
      this.#extent = Math.min(this.#extent + 1, COLUMN_LIMIT);
      this.#remembered.add(codePoint);
      return true;
    }
    const back = this.#back;
    const covered = this.#remembered.at(back);
    const isOverstrike = this.#wentBack === 1 && (codePoint === covered || codePoint === UNDERSCORE);
    this.forward(1);
    if (isOverstrike) return false;
    if (covered !== undefined) this.#remembered.replace(back, codePoint);
    return !(codePoint === BLANK && covered !== undefined && covered !== BLANK);
  }

  backward(columns: number): void {
    this.#back = Math.min(this.#back + columns, this.#extent);
    this.#wentBack = this.#back;
  }

  /** Whether the motion went beyond the end of the line. */
  forward(columns: number): boolean {
    const beyond = columns - this.#back;
    this.#back = Math.max(-beyond, 0);
    if (this.#back === 0) this.#wentBack = 0;
    if (beyond <= 0) return false;
    this.#extent = Math.min(this.#extent + beyond, COLUMN_LIMIT);
    this.#remembered.add(BLANK);
    return true;
  }

  /** A TAB stands on the line. */
  touch(): void {
    this.#hasText = true;
  }

  /** Columns to the next tab stop. */
  get tabColumns(): number {
    return TAB_COLUMNS - (this.column % TAB_COLUMNS);
  }
}
