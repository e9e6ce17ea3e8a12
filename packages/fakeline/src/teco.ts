/**
 * A little TECO on the display: text in the upper 19 lines, `*` of a changed buffer in line 20, commands typed in the
 * lines below. Source: recording 07f. Commands: i, j, t, ht, hk; an altmode ends the text of i, two carry out. Not as
 * recorded: `j2t`, whose output there was not understood.
 */

import { KEY, type Program, type ProgramContext } from './program.ts';
import { caretForm } from './terminal.ts';

const MODE_ROW = 19;
const ECHO_ROW = 20;
const LAST_ROW = 23;

interface Place {
  readonly row: number;
  readonly column: number;
}

export class Teco implements Program {
  readonly jobName = 'TECO';
  readonly stoppedAt = '4463)   .IOT 1,15   ';
  readonly #context: ProgramContext;
  /** CR is the end of a line, LF one typed alone. */
  #text = '';
  #typed = '';
  #echoAt: Place = { row: ECHO_ROW, column: 0 };
  #typeoutAt: Place = { row: 0, column: 0 };
  #shown: string[] = ['TECO.1213'];

  constructor(context: ProgramContext) {
    this.#context = context;
  }

  start(): void {
    const { terminal } = this.#context;
    terminal.moveTo(ECHO_ROW, 3);
    terminal.clear();
    terminal.freshLine();
    terminal.print('TECO.1213');
  }

  echo(char: string): void {
    const { terminal } = this.#context;
    terminal.moveTo(this.#echoAt.row, this.#echoAt.column);
    if (char === KEY.carriageReturn || char === KEY.lineFeed) this.#echoNewline();
    else if (char === KEY.escape) terminal.put('$');
    else terminal.put(char < ' ' || char === KEY.rubout ? caretForm(char) : char);
    this.#echoAt = { row: terminal.row, column: terminal.column };
  }

  input(char: string): void {
    if (char === KEY.ctrlC) {
      this.#leave();
      return;
    }
    this.#typed += char;
    if (!this.#typed.endsWith(KEY.escape + KEY.escape)) return;
    const command = this.#typed.slice(0, -2);
    this.#typed = '';
    this.#run(command);
  }

  #echoNewline(): void {
    const { terminal } = this.#context;
    if (terminal.row < LAST_ROW) {
      terminal.newline();
      return;
    }
    terminal.moveTo(ECHO_ROW, 0);
    terminal.clearLine();
  }

  #run(command: string): void {
    const name = command.toLowerCase();
    if (name.startsWith('i')) {
      this.#text += command.slice(1);
      this.#display();
    } else if (name === 'hk') {
      this.#text = '';
      this.#display();
    } else if (name === 'ht' || name === 't') {
      this.#typeOut();
    } else if (name !== 'j' && name !== '') {
      this.#context.terminal.print(`?${caretForm(KEY.bell)}`);
    }
  }

  /** The buffer's lines as the display has them. */
  #lines(): readonly string[] {
    const shown = Array.from(this.#text, (char) =>
      char < ' ' && char !== '\r' ? caretForm(char) : char,
    ).join('');
    return shown.split('\r');
  }

  #display(): void {
    const { terminal } = this.#context;
    const lines = this.#lines().slice(0, MODE_ROW);
    const rows = Array.from({ length: Math.max(lines.length, this.#shown.length) }, (_, i) => lines[i] ?? '');
    for (const [row, text] of rows.entries()) {
      if (text === (this.#shown[row] ?? '')) continue;
      terminal.moveTo(row, 0);
      terminal.clearLine();
      terminal.put(text);
    }
    this.#shown = rows;
    terminal.moveTo(MODE_ROW, 0);
    terminal.clearLine();
    terminal.put(' *');
    this.#typeoutAt = { row: 0, column: 0 };
  }

  #typeOut(): void {
    const { terminal } = this.#context;
    terminal.moveTo(this.#typeoutAt.row, this.#typeoutAt.column);
    terminal.print(this.#lines().join('\n'));
    this.#typeoutAt = { row: terminal.row, column: terminal.column };
  }

  #leave(): void {
    const { terminal } = this.#context;
    terminal.moveTo(this.#typeoutAt.row + 1, 0);
    terminal.clearLine();
    this.#context.leaveJob(this);
  }
}
