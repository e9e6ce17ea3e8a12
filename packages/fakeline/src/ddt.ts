/**
 * DDT, the program a terminal talks to: keys, jobs, locations, questions. Source: ITS-LINE.md 4, 5 and the recordings
 * 04a to 05a, 13a to 13c, 14c. Colon commands are in ddtCommands.ts. No symbols but the jobs' names; no expressions
 * but sums in octal.
 */

import { isSymbol, runAltmodeCommand } from './ddtAltmode.ts';
import { runColonCommand } from './ddtCommands.ts';
import type { Guest } from './guest.ts';
import { Locations, type Memory, toOctalSum } from './locations.ts';
import { KEY, type Program } from './program.ts';
import { caretForm } from './terminal.ts';
import { Typeout } from './typeout.ts';

export interface Job {
  readonly name: string;
  /** Absent for a job that was only created. */
  readonly program: Program | undefined;
  readonly memory: Memory;
}

/** Asked on the terminal; the next character answers, already echoed. */
type Question = (char: string) => void;

export interface QuestionOptions {
  /** Printed at any other answer; default `Flushed`. */
  readonly flushed?: string;
  /** What happens then; default the prompt. */
  readonly onNo?: () => void;
}

/** Character times that DDT needs to put a `--More--` aside: what comes meanwhile is echoed before `Flushed`. */
const FLUSH_CHARS = 1;

export class Ddt implements Program {
  readonly jobName = 'HACTRN';
  readonly stoppedAt = '';
  readonly guest: Guest;
  readonly jobs: Job[] = [];
  current: Job | undefined;
  userName: string | undefined;
  directory = 'SYS';
  /** After an altmode login (`rms$u`) DDT asks without the tail. */
  hasShortQuestions = false;
  #typed = '';
  readonly #locations: Locations;
  #question: Question | undefined;
  /** Messages printed while a program had the terminal; DDT prints them once more (recording 15c). */
  readonly unseenMessages: string[] = [];

  constructor(guest: Guest) {
    this.guest = guest;
    this.#locations = new Locations(guest.terminal);
  }

  start(): void {}

  echo(char: string): void {
    const { terminal } = this.guest;
    if (char === KEY.carriageReturn) terminal.newline();
    else if (char === KEY.lineFeed) {
      if (this.#isColon()) terminal.lineFeed();
    } else if (char === KEY.escape) terminal.putChar('$');
    else if (char === KEY.bell) terminal.putChar(char);
    else if (char < KEY.space) terminal.print(caretForm(char));
    else if (char !== KEY.rubout) terminal.putChar(char);
  }

  input(char: string): void {
    const question = this.#question;
    this.#question = undefined;
    if (question !== undefined) question(char);
    else if (!this.#tryControl(char)) this.#handleText(char);
  }

  prompt(): void {
    this.guest.terminal.freshLine();
    this.guest.terminal.putChar('*');
  }

  /** Says what is wrong and forgets what was typed, typed ahead included. */
  fail(text: string): void {
    this.#typed = '';
    this.#locations.close();
    this.guest.flushTypeAhead();
    this.guest.terminal.print(text);
  }

  /** Prints a text with pages, then the prompt. */
  typeOut(text: string): void {
    this.guest.terminal.clear();
    const typeout = new Typeout(this.guest, text, {
      onDone: () => this.prompt(),
      onPage: () => this.ask('--More--', () => typeout.resume()),
      onStopped: (key) => {
        if (key === KEY.bell) this.fail(' QUIT? ');
        else {
          this.guest.terminal.print('^S');
          this.prompt();
        }
      },
    });
    typeout.resume();
  }

  /** A question in DDT's form. Space is yes; what else does is the table of ITS-LINE.md 4. */
  ask(text: string, onYes: () => void, options: QuestionOptions = {}): void {
    const { terminal } = this.guest;
    const flush = (): void => {
      terminal.print(options.flushed ?? 'Flushed');
      if (options.onNo !== undefined) options.onNo();
      else this.prompt();
    };
    terminal.print(text);
    this.#question = (char) => {
      if (char === KEY.space) {
        terminal.newline();
        onYes();
      } else if (char === KEY.rubout || char === KEY.carriageReturn || char === KEY.ctrlS) flush();
      else if (char === KEY.bell) this.fail(' QUIT? ');
      else {
        this.guest.compute(FLUSH_CHARS, () => {
          flush();
          this.input(char);
        });
      }
    };
    if (this.hasShortQuestions) return;
    this.guest.compute(text === '--Kill--' ? 1 : 0, () => terminal.print(' (Space=yes, Rubout=no)'));
  }

  /** A program ended by itself. */
  handleProgramEnd(): void {
    const { terminal } = this.guest;
    // On paper the space is not there (recording 15b).
    terminal.print(terminal.kind === 'display' || this.current !== undefined ? ':KILL ' : ':KILL');
    this.promptWithJob();
  }

  /** ^Z in a program: its job stays, stopped. */
  handleStopped(program: Program): void {
    this.#addJob(program);
    this.guest.terminal.freshLine();
    this.guest.terminal.print(program.stoppedAt);
  }

  /** The program gave the terminal back; its job stays. */
  handleLeft(program: Program): void {
    const { terminal } = this.guest;
    this.#addJob(program);
    for (const text of this.unseenMessages.splice(0)) {
      terminal.freshLine();
      terminal.print(text);
    }
    this.prompt();
  }

  /** The job that is current now, if any, and the prompt. */
  promptWithJob(): void {
    if (this.current !== undefined) this.guest.terminal.print(` ${this.current.name}$J`);
    this.prompt();
  }

  kill(job: Job): void {
    const at = this.jobs.indexOf(job);
    if (at >= 0) this.jobs.splice(at, 1);
    this.current = this.jobs.at(-1);
  }

  /** Makes the job of this name the current one, and the job itself if there is none. True when it is new. */
  selectJob(name: string): boolean {
    const known = this.jobs.find((job) => job.name === name);
    this.current = known ?? { name, program: undefined, memory: new Map() };
    if (known === undefined) this.jobs.push(this.current);
    return known === undefined;
  }

  /** A second job of a program gets a number: CREATE, CREAT0. */
  #addJob(program: Program): void {
    const { jobName } = program;
    const isTaken = (name: string): boolean => this.jobs.some((job) => job.name === name);
    let name = jobName;
    for (let i = 0; isTaken(name); i += 1) name = `${jobName.slice(0, 5)}${i}`;
    this.current = { name, program, memory: new Map() };
    this.jobs.push(this.current);
  }

  /** A `:SEND`: its text has lines and ends at ^C. */
  #isSending(): boolean {
    return /^:send\s/i.test(this.#typed);
  }

  #isColon(): boolean {
    return this.#typed.startsWith(':');
  }

  /** The keys that act whatever has been typed. */
  #tryControl(char: string): boolean {
    const { terminal } = this.guest;
    if (char === KEY.ctrlD) this.fail(' XXX? ');
    else if (char === KEY.bell) this.fail(' QUIT? ');
    else if (char === KEY.ctrlZ) this.fail('?? ');
    else if (char === KEY.ctrlC && this.#isSending()) {
      terminal.newline();
      this.#runColon();
    } else if (char === KEY.ctrlC) {
      this.#typed = '';
      terminal.newline();
    } else if (char === KEY.rubout) this.#rubOut();
    else return false;
    return true;
  }

  #rubOut(): void {
    const last = this.#typed.at(-1);
    if (last === undefined) {
      this.guest.terminal.print('?? ');
      return;
    }
    this.#typed = this.#typed.slice(0, -1);
    this.guest.terminal.erase(last < KEY.space && last !== KEY.escape ? 2 : 1);
  }

  #handleText(char: string): void {
    const ends = char === KEY.carriageReturn || char === KEY.lineFeed;
    if (this.#isColon()) {
      if (ends && this.#isSending()) this.#typed += '\n';
      else if (ends) this.#runColon();
      else this.#typed += char;
    } else if (this.#typed.includes(KEY.escape)) this.#handleAltmode(char);
    else if (char === KEY.carriageReturn) this.#endLine();
    else if (char === KEY.lineFeed) this.#moveLocation(1);
    else if (char === '^') this.#moveLocation(-1);
    else if (char === ':' && this.#typed !== '') this.fail(this.#typed === '.' ? ' ? ' : ' JOB? ');
    else if (char === '/') this.#openLocation();
    else if (char === '=') this.#type(`${toOctalSum(this.#typed)}   `);
    else if (char === '?' && this.#typed === '') this.#type('0,,3   ');
    else if (/[()]/.test(char) && isSymbol(this.#typed)) this.fail('?U? ');
    // Other control characters are echoed and nothing more (NUL in recording 13b).
    else if (char >= KEY.space || char === KEY.escape) this.#typed += char;
  }

  #type(text: string): void {
    this.#typed = '';
    this.guest.terminal.print(text);
  }

  #runColon(): void {
    const command = this.#typed.slice(1).trim();
    this.#typed = '';
    runColonCommand(this, command);
  }

  #endLine(): void {
    const typed = this.#typed;
    this.#locations.deposit(this.current?.memory, typed);
    this.#locations.close();
    this.#typed = '';
    if (!isSymbol(typed)) return;
    const isOurs = ['logout', 'login'].includes(typed.toLowerCase());
    this.fail(isOurs ? `?U? Use :${typed.toUpperCase()} (you must type the colon).` : '?U? ');
  }

  #openLocation(): void {
    const typed = this.#typed;
    this.#typed = '';
    if (isSymbol(typed) && this.current !== undefined) this.fail('?U? ');
    else if (!this.#locations.open(this.current?.memory, typed)) this.fail(' JOB? ');
  }

  #moveLocation(by: 1 | -1): void {
    this.#locations.deposit(this.current?.memory, this.#typed);
    this.#typed = '';
    if (!this.#locations.move(this.current?.memory, by)) this.fail(' JOB? ');
  }

  #handleAltmode(char: string): void {
    const typed = this.#typed;
    if (char === KEY.escape) {
      this.#typed += char;
      return;
    }
    this.#typed = '';
    runAltmodeCommand(this, typed, char);
  }
}
