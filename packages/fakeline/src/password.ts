/** PWORD, a program of this line only: it asks for a password and does not echo it. */

import { KEY, type Program, type ProgramContext } from './program.ts';

export class Password implements Program {
  readonly jobName = 'PWORD';
  readonly stoppedAt = '112)   .IOT 1,2   ';
  readonly #context: ProgramContext;

  constructor(context: ProgramContext) {
    this.#context = context;
  }

  start(): void {
    this.#context.terminal.print('Password: ');
  }

  echo(): void {}

  input(char: string): void {
    if (char !== KEY.carriageReturn) return;
    this.#context.terminal.print('\nOK\n');
    this.#context.finish();
  }
}
