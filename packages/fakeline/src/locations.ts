/** DDT looking into a job's memory, word by word (recordings 05a, 13b). Words are octal text; all are 0 at first. */

import type { Terminal } from './terminal.ts';

export type Memory = Map<number, string>;

export class Locations {
  readonly #terminal: Terminal;
  #at = 0;
  #isOpen = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Typing goes nowhere any more. */
  close(): void {
    this.#isOpen = false;
  }

  /** Puts what was typed into the open location, if there is one and anything was typed. */
  deposit(memory: Memory | undefined, typed: string): void {
    if (this.#isOpen && typed !== '') memory?.set(this.#at, toOctalSum(typed));
  }

  /** `100/`: opens a location; without a number the one where we are. False without a job. */
  open(memory: Memory | undefined, typed: string): boolean {
    if (/^[0-7]+$/.test(typed)) this.#at = Number.parseInt(typed, 8);
    return this.#examine(memory);
  }

  /** LF and `^`: opens the next one on a line of its own. False without a job. */
  move(memory: Memory | undefined, by: 1 | -1): boolean {
    this.#at += by;
    this.#terminal.newline();
    this.#terminal.print(`${this.#at.toString(8)}/`);
    return this.#examine(memory);
  }

  #examine(memory: Memory | undefined): boolean {
    this.#terminal.print('   ');
    this.#isOpen = memory !== undefined;
    if (memory !== undefined) this.#terminal.print(`${memory.get(this.#at) ?? '0'}   `);
    return this.#isOpen;
  }
}

/** The value of `1+2-3` in octal; what is no number counts nothing. */
export function toOctalSum(text: string): string {
  const terms = text.match(/[+-]?[0-7]+/g) ?? [];
  return terms.reduce((total, term) => total + Number.parseInt(term, 8), 0).toString(8);
}
