/**
 * DDT printing a text page by page, at the speed of the line. Source: ITS-LINE.md 4 (the pager) and 5 (what stops it).
 * The pager acts before a character would be printed in the last line of a screen; a text that just fits is not paged
 * (the recordings have no such case). A printing terminal has no pages.
 */

import { KEY, type ProgramContext } from './program.ts';
import { SCREEN_ROWS } from './terminal.ts';

/** Characters printed in one turn; more than a screen, so that a page comes in one piece on an unlimited line. */
const TURN_CHARS = 2048;

export interface TypeoutEnd {
  /** Printed to the end. */
  readonly onDone: () => void;
  /** The screen is full; `resume` goes on with the next page. */
  readonly onPage: () => void;
  /** ^S or ^G came in the middle; the rest is dropped. Absent: neither does anything. */
  readonly onStopped?: (key: string) => void;
  /** True when the page is full; default DDT's rule. Asked before each character. */
  readonly isFull?: () => boolean;
}

export class Typeout {
  readonly #context: ProgramContext;
  readonly #text: string;
  readonly #end: TypeoutEnd;
  #at = 0;

  constructor(context: ProgramContext, text: string, end: TypeoutEnd) {
    this.#context = context;
    this.#text = text;
    this.#end = end;
  }

  /** Begins, or goes on after a page. */
  resume(): void {
    this.#context.wait({ isEchoing: false, interrupt: (char) => this.#handleInterrupt(char) });
    this.#printTurn();
  }

  #printTurn(): void {
    const { terminal } = this.#context;
    for (const stop = this.#at + TURN_CHARS; this.#at < stop; this.#at += 1) {
      const char = this.#text[this.#at];
      if (char === undefined) {
        this.#context.endWait(this.#end.onDone);
        return;
      }
      if (this.#isFull()) {
        this.#context.endWait(this.#end.onPage);
        return;
      }
      terminal.putChar(char, this.#text[this.#at + 1]);
    }
    this.#context.whenRoom(() => this.#printTurn());
  }

  #isFull(): boolean {
    const { terminal } = this.#context;
    if (terminal.kind !== 'display') return false;
    return this.#end.isFull?.() ?? (terminal.row === SCREEN_ROWS - 1 && terminal.column === 0);
  }

  #handleInterrupt(char: string): boolean {
    const { onStopped } = this.#end;
    if (onStopped === undefined || (char !== KEY.ctrlS && char !== KEY.bell)) return false;
    this.#context.whenRoom(undefined);
    this.#context.discardOutput();
    this.#context.endWait(() => onStopped(char));
    return true;
  }
}
