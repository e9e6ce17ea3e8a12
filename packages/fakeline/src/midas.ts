/**
 * MIDAS as far as recordings 15b and 16 show it: the title, a long silence, the title again, where the constants went,
 * `:KILL`. It counts words and knows no instructions; a program it has assembled prints its first ASCIZ when it is run.
 */

import { type FileName, fileNameText, toFileName } from './files.ts';
import { typeOutWithMore } from './more.ts';
import { KEY, type Program, type ProgramContext } from './program.ts';
import { caretForm } from './terminal.ts';

/** What a binary of ours begins with; what it prints comes behind. */
export const BINARY_MARK = '\0MIDAS\0';
/** Symbols MIDAS knows before a program has any of its own (recording 16). */
const INITIAL_SYMBOLS = 1428;
const FIRST_ADDRESS = 0o100;

export class Midas implements Program {
  readonly jobName = 'MIDAS';
  /** Not seen. */
  readonly stoppedAt = '13467)   .IOT 1,2   ';
  readonly #context: ProgramContext;
  readonly #argument: string;
  /** What it is doing, and what ends that: ^Z stops the first two. */
  #state: 'computing' | 'printing' | 'asking' = 'computing';
  #cancel: (() => void) | undefined;
  #printOn: (() => void) | undefined;
  /** What is still to come: printed parts, and between them a line to read. */
  #parts: readonly string[] = [];
  #onDone: () => void = () => {};

  constructor(context: ProgramContext, argument: string) {
    this.#context = context;
    this.#argument = argument;
  }

  start(): void {
    const { files, directory, settings, terminal } = this.#context;
    const [before, after] = this.#argument.includes('_')
      ? this.#argument.split('_', 2)
      : ['', this.#argument];
    const source = toFileName(after ?? '', directory);
    const output = before === '' ? `${source.directory};${source.name1} bin` : (before ?? '');
    const text = files.tryRead(source);
    const listed = settings.midasListings[`${source.directory};${source.name1}`];
    if (text === undefined && listed === undefined) {
      // Not seen.
      terminal.print(`${fileNameText(source)} - FILE NOT FOUND\n`);
      this.#context.finish();
      return;
    }
    const assembly = assemble(source, text ?? '');
    this.#onDone = () => this.#write(toFileName(output, source.directory), assembly.prints);
    const [first = '', ...rest] = listed ?? [`${assembly.title}\n${assembly.summary}`];
    const titleEnd = first.indexOf('\n') + 1;
    terminal.print(first.slice(0, titleEnd));
    this.#parts = [first.slice(titleEnd), ...rest];
    this.#compute();
  }

  echo(char: string): void {
    const { terminal } = this.#context;
    if (char === KEY.carriageReturn) terminal.newline();
    else if (char >= KEY.space) terminal.putChar(char);
    else terminal.print(caretForm(char));
  }

  /** The answer to a question of the program that is assembled; what it says changes nothing. */
  input(char: string): void {
    if (char === KEY.carriageReturn) this.#goOn();
  }

  suspend(): void {
    this.#cancel?.();
    this.#context.whenRoom(undefined);
  }

  resume(): void {
    if (this.#state === 'computing') this.#compute();
    else if (this.#state === 'printing') this.#printOn?.();
  }

  /** The silence, whole, also after ^Z. */
  #compute(): void {
    this.#state = 'computing';
    this.#context.wait({ isEchoing: true });
    this.#cancel = this.#context.later(this.#context.settings.midasMs, () =>
      this.#context.endWait(() => this.#goOn()),
    );
  }

  #goOn(): void {
    const [part = '', ...rest] = this.#parts;
    this.#parts = rest;
    this.#state = 'printing';
    this.#printOn = typeOutWithMore(this.#context, part, () => {
      this.#state = 'asking';
      if (rest.length === 0) this.#onDone();
    });
  }

  #write(name: FileName, prints: string): void {
    const text = BINARY_MARK + prints;
    this.#context.files.write({ ...name, text, writtenAt: this.#context.now() });
    this.#context.finish();
  }
}

interface Assembly {
  readonly title: string;
  /** Everything behind the first title. */
  readonly summary: string;
  readonly prints: string;
}

/** Words: one for a line with an instruction, five characters a word for ASCIZ, the literals behind it all. */
function assemble(source: FileName, text: string): Assembly {
  const title = /^\s*title\s+(.*)$/im.exec(text)?.[1] ?? source.name1;
  const prints = /asciz\s+(.)([\s\S]*?)\1/i.exec(text)?.[2] ?? '';
  const strings = [...text.matchAll(/asciz\s+(.)([\s\S]*?)\1/gi)].map((match) => match[2] ?? '');
  const code = text.replaceAll(/asciz\s+(.)[\s\S]*?\1/gi, '');
  const literals = [...code.matchAll(/\[([^\]]*)\]/g)].map((match) => match[1] ?? '');
  const lines = code.split('\n').map((line) =>
    line
      .replace(/^[\w.$%]+:+/, '')
      .replace(/;.*/, '')
      .trim(),
  );
  const instructions = lines.filter(
    (line) => line !== '' && !/^(title|end)\b/i.test(line) && !/^[\w.$%]+==?/.test(line),
  );
  // A newline inside is CR and LF; a NUL ends it.
  const stringWords = strings.map((each) => Math.ceil((each.replaceAll('\n', '\r\n').length + 1) / 5));
  const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
  const constantsAt = FIRST_ADDRESS + instructions.length + sum(stringWords);
  const constants = sum(literals.map((each) => each.split('?').length));
  const symbols = INITIAL_SYMBOLS + [...text.matchAll(/^[\w.$%]+(?::|==?)/gm)].length;
  const area =
    constants === 0
      ? ''
      : `Constants area inclusive\nFrom\tTo\n${constantsAt.toString(8)}\t${(constantsAt + constants - 1).toString(8)}\n`;
  const used = `${symbols} Symbols including initial ones (52% used)\n\n`;
  return { title, summary: `${title}\n${area}Run time = 0.00\n${used}`, prints };
}
