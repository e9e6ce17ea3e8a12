/** CREATE: a text typed in until ^C becomes a file (recordings 08b, 08c, 14-create-*, 16). */

import { type FileName, fileNameText } from './files.ts';
import { KEY, type Program, type ProgramContext } from './program.ts';
import { caretForm } from './terminal.ts';

export class Create implements Program {
  readonly jobName = 'CREATE';
  readonly stoppedAt = '421574)   .IOT 1,2   ';
  readonly #context: ProgramContext;
  readonly #name: FileName;
  #text = '';

  constructor(context: ProgramContext, name: FileName) {
    this.#context = context;
    this.#name = name;
  }

  start(): void {
    const { terminal } = this.#context;
    terminal.freshLine();
    terminal.print(`Creating file ${fileNameText(this.#name)}   Type ^C to end input, ^_H for help.\n`);
  }

  echo(char: string): void {
    const { terminal } = this.#context;
    if (char === KEY.carriageReturn) terminal.newline();
    else if (char === KEY.tab || char >= KEY.space) {
      if (char !== KEY.rubout) terminal.putChar(char);
    } else if (char !== KEY.ctrlC) terminal.print(caretForm(char));
  }

  input(char: string): void {
    if (char === KEY.ctrlC) this.#write();
    else if (char === KEY.rubout) this.#rubOut();
    else this.#text += char === KEY.carriageReturn ? '\n' : char;
  }

  #rubOut(): void {
    const last = this.#text.at(-1);
    if (last === undefined || last === '\n') return;
    this.#text = this.#text.slice(0, -1);
    this.#context.terminal.erase(last < KEY.space ? 2 : 1);
  }

  #write(): void {
    const { terminal, files } = this.#context;
    const written = files.write({ ...this.#name, text: this.#text, writtenAt: this.#context.now() });
    terminal.freshLine();
    terminal.print(`Written to ${fileNameText(written)}\n`);
    this.#context.finish();
  }
}
