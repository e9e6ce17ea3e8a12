/**
 * A small EMACS: moving, typing, killing, files, searching. Source: recordings 07b, 14f, 14g, 15c for all that is sent;
 * what was not seen is marked. It has no M-X, no arguments, no Help; an unknown key rings.
 */

import { EmacsBuffer } from './emacsBuffer.ts';
import { EmacsScreen } from './emacsScreen.ts';
import { type FileName, fileNameText, toFileName } from './files.ts';
import { KEY, type Program, type ProgramContext } from './program.ts';

const GREETING = 'EMACS Editor, version 163 - type Help(^_H) for help.';
/** Character times that loading takes: by DDT, which echoes, and then by EMACS, which does not (recording 14g). */
export const EMACS_LOAD_CHARS = 3;
const START_CHARS = 3;

/** A line typed in the echo area. */
interface Question {
  readonly onDone: (text: string) => void;
  text: string;
}

interface Search {
  text: string;
  /** Where the echo of the next character goes. */
  column: number;
}

export class Emacs implements Program {
  readonly jobName = 'EMACS';
  // Recorded for TECO, in which EMACS is written.
  readonly stoppedAt = '4463)   .IOT 1,15   ';
  readonly #context: ProgramContext;
  readonly #buffer = new EmacsBuffer();
  readonly #screen: EmacsScreen;
  #file: FileName | undefined;
  /** What the mode line calls it, with a version for `>`. */
  #fileText = '';
  #bufferName = 'Main';
  #mode = 'Fundamental';
  /** ^X or ESC or ^Q, waiting for the key behind it. */
  #prefix = '';
  #question: Question | undefined;
  #search: Search | undefined;
  #killed = '';
  /** The screen is behind the text, because more was typed ahead. */
  #isBehind = true;

  constructor(context: ProgramContext) {
    this.#context = context;
    this.#screen = new EmacsScreen(context.terminal, GREETING);
  }

  start(): void {
    const { terminal } = this.#context;
    terminal.moveTo(21, 0);
    terminal.clear();
    terminal.freshLine();
    terminal.print(`${GREETING}\n`);
    this.#context.compute(START_CHARS, () => {}, false);
  }

  /** Only ^Z, which is ITS's; all else EMACS shows itself. */
  echo(char: string): void {
    if (char === KEY.ctrlZ) this.#context.terminal.print('^Z');
  }

  input(char: string): void {
    if (this.#question !== undefined) this.#answer(this.#question, char);
    else if (this.#search === undefined || !this.#trySearch(this.#search, char)) this.#command(char);
  }

  resume(): void {
    this.#screen.spoil();
    this.#refresh();
  }

  handleIntrusion(): void {
    this.#screen.spoil();
    this.#isBehind = true;
  }

  #command(char: string): void {
    const key = this.#prefix + char;
    const isQuoted = this.#prefix === KEY.ctrlQ;
    this.#prefix = '';
    const command = isQuoted ? undefined : this.#commands[key];
    if (command !== undefined) {
      command();
    } else if (!isQuoted && key === KEY.carriageReturn) {
      const isShown = !this.#isBehind && this.#screen.tryNewline(this.#buffer);
      this.#buffer.breakLine();
      if (!isShown) this.#refresh();
    } else if (isQuoted || key === KEY.tab || key === KEY.lineFeed || (key.length === 1 && key >= ' ')) {
      const isShown = !this.#isBehind && this.#screen.tryEcho(this.#buffer, char);
      this.#buffer.insert(char);
      if (!isShown) this.#refresh();
    } else {
      this.#ring();
    }
  }

  /** What each key does; keys behind ^X and ESC in any case. */
  readonly #commands: Readonly<Record<string, () => void>> = {
    [KEY.ctrlX]: () => this.#setPrefix(KEY.ctrlX),
    [KEY.escape]: () => this.#setPrefix(KEY.escape),
    [KEY.ctrlQ]: () => this.#setPrefix(KEY.ctrlQ),
    [KEY.ctrlA]: () => this.#moved(() => this.#setColumn(0)),
    [KEY.ctrlE]: () => this.#moved(() => this.#setColumn(this.#buffer.current.length)),
    [KEY.ctrlF]: () => this.#moved(() => this.#buffer.moveBy(1)),
    [KEY.ctrlB]: () => this.#moved(() => this.#buffer.moveBy(-1)),
    [KEY.backspace]: () => this.#moved(() => this.#buffer.moveBy(-1)),
    [KEY.ctrlN]: () => this.#moved(() => this.#buffer.moveLines(1)),
    [KEY.ctrlP]: () => this.#moved(() => this.#buffer.moveLines(-1)),
    [KEY.ctrlV]: () => this.#moved(() => this.#screen.pageDown(this.#buffer)),
    [`${KEY.escape}v`]: () => this.#moved(() => this.#screen.pageUp(this.#buffer)),
    [`${KEY.escape}V`]: () => this.#moved(() => this.#screen.pageUp(this.#buffer)),
    [`${KEY.escape}<`]: () => this.#moved(() => this.#goToStart()),
    [`${KEY.escape}>`]: () => this.#moved(() => this.#goToEnd()),
    [KEY.ctrlD]: () => this.#moved(() => this.#buffer.deleteForward()),
    [KEY.rubout]: () => this.#moved(() => this.#buffer.moveBy(-1) && this.#buffer.deleteForward()),
    [KEY.ctrlK]: () => this.#moved(() => this.#kill()),
    [KEY.ctrlY]: () => this.#moved(() => this.#yank()),
    [KEY.ctrlL]: () => this.resume(),
    [KEY.ctrlS]: () => this.#startSearch(),
    [KEY.bell]: () => this.#ring(),
    [KEY.ctrlX + KEY.ctrlC]: () => this.#leave(),
    [KEY.ctrlX + KEY.ctrlF]: () => this.#ask('Find File', (text) => this.#find(text)),
    [KEY.ctrlX + KEY.ctrlW]: () => this.#ask('Write File', (text) => this.#write(this.#toName(text))),
    [KEY.ctrlX + KEY.ctrlS]: () => {
      if (this.#file === undefined) this.#ask('Write File', (text) => this.#write(this.#toName(text)));
      else {
        this.#screen.openEcho('');
        this.#write(this.#file);
      }
    },
  };

  #setPrefix(prefix: string): void {
    this.#prefix = prefix;
  }

  #setColumn(column: number): boolean {
    this.#buffer.column = column;
    return true;
  }

  #goToStart(): boolean {
    this.#buffer.moveToStart();
    this.#screen.top = 0;
    return true;
  }

  #goToEnd(): boolean {
    this.#buffer.moveToEnd();
    this.#screen.showEnd(this.#buffer);
    return true;
  }

  #kill(): boolean {
    this.#killed = this.#buffer.killLine();
    return this.#killed !== '';
  }

  #yank(): boolean {
    if (this.#killed === '\n') this.#buffer.breakLine();
    else this.#buffer.insert(this.#killed);
    return this.#killed !== '';
  }

  /** Shows what a command did; a bell when it could do nothing. */
  #moved(act: () => boolean): void {
    if (act()) this.#refresh();
    else this.#ring();
  }

  #ring(): void {
    this.#context.terminal.print(KEY.bell);
  }

  /** Only when nothing more is waiting, as the real one does. */
  #refresh(): void {
    this.#isBehind = this.#context.hasTypedAhead;
    if (this.#isBehind) return;
    const name = this.#bufferName === '' ? '' : `${this.#bufferName}:  `;
    this.#screen.refresh(this.#buffer, `EMACS  (${this.#mode})  ${name}${this.#fileText}`);
  }

  #ask(what: string, onDone: (text: string) => void): void {
    const byDefault = this.#file ?? { directory: this.#context.directory, name1: '.FOO.', name2: '>' };
    this.#screen.openEcho(`${what} (Default ${fileNameText(byDefault)}): `);
    this.#question = { onDone, text: '' };
  }

  #answer(question: Question, char: string): void {
    const { terminal } = this.#context;
    if (char === KEY.carriageReturn) {
      this.#question = undefined;
      terminal.carriageReturn();
      terminal.newline();
      this.#screen.openEcho('');
      question.onDone(question.text);
    } else if (char === KEY.bell) {
      this.#question = undefined;
      this.#ring();
      this.#screen.openEcho('');
      this.#screen.spoilMode();
      this.#refresh();
    } else if (char === KEY.rubout) {
      if (question.text !== '') terminal.erase(1);
      question.text = question.text.slice(0, -1);
    } else if (char >= ' ') {
      question.text += char;
      terminal.put(char);
    }
  }

  #toName(text: string): FileName {
    if (text.trim() === '' && this.#file !== undefined) return this.#file;
    return toFileName(text.trim() === '' ? '.FOO. >' : text, this.#context.directory);
  }

  #find(text: string): void {
    const asked = this.#toName(text);
    const name = this.#context.files.resolve(asked);
    const found = this.#context.files.tryRead(name);
    // Not seen: a file that is not there.
    if (found === undefined) this.#context.terminal.print('(New File)\n');
    this.#buffer.load(found ?? '');
    this.#file = asked;
    this.#bufferName = '';
    this.#mode = /-\*- ?Text ?-\*-/i.test(this.#buffer.lines.slice(0, 2).join('\n')) ? 'Text' : 'Fundamental';
    this.#fileText = `${fileNameText(asked)} ${asked.name2 === '>' ? `(${name.name2}) ` : ''}`;
    this.#screen.top = 0;
    this.#screen.spoilMode();
    this.#refresh();
  }

  #write(name: FileName): void {
    const written = this.#context.files.write({
      ...name,
      text: this.#buffer.text,
      writtenAt: this.#context.now(),
    });
    this.#context.terminal.print(`Written: ${fileNameText(written)}\n`);
    this.#buffer.isModified = false;
    this.#file = name;
    this.#fileText = `${fileNameText(name)} ${name.name2 === '>' ? `(${written.name2}) ` : ''}`;
    this.#screen.spoilMode();
    this.#refresh();
  }

  /** The words are known (AGENT-TRIAL.md, T7), the order of the bytes is not. */
  #startSearch(): void {
    this.#screen.openEcho('I-Search: ');
    this.#search = { text: '', column: this.#context.terminal.column };
  }

  /** False when the key ends the search and is a command. */
  #trySearch(search: Search, char: string): boolean {
    const isText = char >= ' ' && char !== KEY.rubout;
    this.#context.terminal.moveTo(21, search.column);
    if (isText) {
      search.text += char;
      this.#context.terminal.put(char);
      search.column += 1;
      this.#buffer.column = Math.max(0, this.#buffer.column - search.text.length + 1);
    } else if (char === KEY.escape) {
      this.#context.terminal.put(' $');
    }
    if (isText || char === KEY.ctrlS) {
      if (!this.#buffer.searchForward(search.text)) this.#ring();
    } else {
      this.#search = undefined;
    }
    this.#refresh();
    return isText || char === KEY.ctrlS || char === KEY.escape;
  }

  #leave(): void {
    this.#screen.leave();
    this.#context.leaveJob(this);
  }
}
