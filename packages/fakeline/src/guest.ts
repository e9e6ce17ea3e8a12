/**
 * The guest side: one terminal of an ITS. It loads a DDT at ^Z, hands characters to the program that has the terminal,
 * keeps what is typed while that one does not read. Source: ITS-LINE.md 2, 3, 8, 14.
 */

import { toTimeOfDay } from './clock.ts';
import { Ddt } from './ddt.ts';
import type { FileSystem } from './files.ts';
import type { GuestLine, GuestOptions, SentMessage } from './guestOptions.ts';
import { BANNER, bootText, messageText, type NoticeName, noticeText } from './notices.ts';
import { KEY, type Program, type ProgramContext, type ProgramSettings, type Wait } from './program.ts';
import { Stalls } from './stalls.ts';
import { Terminal } from './terminal.ts';
import { Timers } from './timers.ts';

/** ITS's input buffer per terminal (ts3tty, TIBS = 2*33-1); a character beyond it is lost and rings the bell. */
const TYPE_AHEAD_CHARS = 65;

interface TypedChar {
  readonly char: string;
  readonly isEchoed: boolean;
}

export class Guest implements ProgramContext {
  readonly terminal: Terminal;
  readonly options: GuestOptions;
  /** Trees left by :DETACH, by user name. */
  readonly detached = new Map<string, Ddt>();
  /** What was sent from here to others. */
  readonly sent: SentMessage[] = [];
  readonly #line: GuestLine;
  readonly #timers = new Timers();
  readonly #stalls: Stalls | undefined;
  #ddt: Ddt | undefined;
  /** Has the terminal. Undefined: nobody is there and the line is deaf. */
  #program: Program | undefined;
  #isLoading = false;
  #wait: Wait | undefined;
  #isReading = false;
  #typedAhead: TypedChar[] = [];
  #lostChars = 0;

  constructor(line: GuestLine, options: GuestOptions) {
    this.#line = line;
    this.options = options;
    this.terminal = new Terminal((text) => line.print(text));
    const { stallEvery, seed } = options;
    this.#stalls = stallEvery === undefined ? undefined : new Stalls(stallEvery, seed);
  }

  get files(): FileSystem {
    return this.options.files;
  }

  get settings(): ProgramSettings {
    return this.options;
  }

  get directory(): string {
    return this.#ddt?.directory ?? 'SYS';
  }

  get hasTypedAhead(): boolean {
    return this.#typedAhead.length > 0;
  }

  /** Somebody has a DDT on this line. */
  get isInUse(): boolean {
    return this.#ddt !== undefined;
  }

  now(): Date {
    return this.options.clock();
  }

  /** One character of 7 bits from the multiplexer. */
  input(code: number): void {
    const char = String.fromCharCode(code);
    if (this.#isLoading) this.#keep(char, false);
    else if (this.#program === undefined) this.#handleDeaf(char);
    else if (this.#wait !== undefined) this.#handleWaiting(this.#wait, char);
    else {
      this.#echo(char);
      this.#read(char);
    }
  }

  inputDry(): void {
    this.#wait?.inputDry?.();
  }

  /** Gives the terminal to a program and starts it. */
  run(program: Program): void {
    this.#program = program;
    program.start();
  }

  /** A stopped program goes on. */
  giveTerminal(program: Program): void {
    this.#program = program;
    program.resume?.();
  }

  /** After `:ATTACH`-like reowning: that tree's DDT is now the one on this line. */
  adopt(ddt: Ddt): void {
    this.#ddt = ddt;
    this.#program = ddt;
  }

  finish(): void {
    this.#program = this.#ddt;
    this.#ddt?.handleProgramEnd();
  }

  leaveJob(program: Program): void {
    this.#program = this.#ddt;
    this.#ddt?.handleLeft(program);
  }

  /** Logs the line out (`clearsScreen`) or detaches; deaf afterwards. */
  leave(clearsScreen: boolean): void {
    if (clearsScreen && this.terminal.kind === 'display') this.terminal.clear();
    this.terminal.newline();
    this.terminal.print(`KA ITS 1652  Console 52 Free. ${toTimeOfDay(this.options.clock())}\n`);
    this.#ddt = undefined;
    this.#program = undefined;
    this.flushTypeAhead();
  }

  /** Text of another user, at any moment (recording 15c). */
  message(from: string, text: string): void {
    const shown = messageText(from, text, this.now());
    this.#printUnasked(shown);
    if (this.#program !== this.#ddt) this.#ddt?.unseenMessages.push(shown);
  }

  /** The system says something, to whoever is there. */
  notice(name: NoticeName, minutes?: number): void {
    this.#printUnasked(noticeText(name, this.now(), minutes));
  }

  /** The system has come up; held until somebody connects. */
  announceBoot(): void {
    this.terminal.clear();
    this.terminal.print(bootText(this.now()));
  }

  wait(wait: Wait): void {
    this.#wait = wait;
  }

  endWait(then: () => void): void {
    this.#wait = undefined;
    then();
    if (this.#lostChars > 0) this.terminal.print(KEY.bell);
    this.#lostChars = 0;
    this.#readTypedAhead();
  }

  compute(chars: number, then: () => void, isEchoing = true): void {
    let left = chars;
    const end = (): void => this.endWait(then);
    if (chars <= 0 || !this.#line.hasInputWaiting()) {
      then();
      return;
    }
    this.wait({
      isEchoing,
      charTaken: () => {
        left -= 1;
        if (left <= 0) end();
      },
      inputDry: end,
    });
  }

  later(ms: number, then: () => void): () => void {
    return this.#timers.later(ms, then);
  }

  flushTypeAhead(): void {
    this.#typedAhead = [];
  }

  discardOutput(): void {
    this.#line.discard();
  }

  whenRoom(then: (() => void) | undefined): void {
    this.#line.whenRoom(then);
  }

  /** Calls off every timer. */
  close(): void {
    this.#timers.close();
  }

  #printUnasked(text: string): void {
    this.terminal.freshLine();
    this.terminal.print(text);
    this.#program?.handleIntrusion?.();
  }

  #handleDeaf(char: string): void {
    if (char !== KEY.ctrlZ) return;
    this.#isLoading = true;
    this.later(this.options.ctrlZMs, () => {
      this.#isLoading = false;
      this.#ddt = new Ddt(this);
      this.#program = this.#ddt;
      this.terminal.clear();
      this.terminal.freshLine();
      this.terminal.print(BANNER);
      this.terminal.freshLine();
      this.terminal.freshLine();
      this.#readTypedAhead();
    });
  }

  #handleWaiting(wait: Wait, char: string): void {
    if (wait.interrupt?.(char) === true) return;
    if (char === KEY.ctrlZ && this.#program !== this.#ddt && this.#program?.suspend !== undefined) {
      this.#wait = undefined;
      this.#echo(char);
      this.#stop(this.#program);
      return;
    }
    if (!this.#keep(char, wait.isEchoing)) {
      // A terminal that is printing rings once, afterwards (recording 14e); an idle one rings for each (14b).
      if (wait.isEchoing) this.terminal.print(KEY.bell);
      else this.#lostChars += 1;
    }
    wait.charTaken?.();
  }

  /** False when the character is lost. */
  #keep(char: string, isEchoing: boolean): boolean {
    if (this.#typedAhead.length >= TYPE_AHEAD_CHARS) return false;
    if (isEchoing) this.#echo(char);
    this.#typedAhead.push({ char, isEchoed: isEchoing });
    return true;
  }

  #readTypedAhead(): void {
    if (this.#isReading) return;
    this.#isReading = true;
    while (this.#wait === undefined && this.#program !== undefined) {
      const typed = this.#typedAhead.shift();
      if (typed === undefined) break;
      if (!typed.isEchoed) this.#echo(typed.char);
      this.#read(typed.char);
    }
    this.#isReading = false;
  }

  #echo(char: string): void {
    if (!this.#line.hasEcho()) return;
    this.#program?.echo(this.options.hasUpperCaseEcho ? char.toUpperCase() : char);
  }

  #read(char: string): void {
    const program = this.#program;
    if (program === undefined) return;
    if (char === KEY.ctrlZ && program !== this.#ddt) {
      this.#stop(program);
      return;
    }
    program.input(char);
    const isSteady = program !== this.#ddt && program === this.#program && this.#wait === undefined;
    if (isSteady && this.#stalls?.isDue() === true) {
      this.#stall();
    }
  }

  #stall(): void {
    const wait = { isEchoing: this.options.stallEchoes };
    this.wait(wait);
    this.later(this.options.stallMs, () => {
      // ^Z may have ended it before.
      if (this.#wait === wait) this.endWait(() => {});
    });
  }

  #stop(program: Program): void {
    this.#program = this.#ddt;
    program.suspend?.();
    this.#ddt?.handleStopped(program);
  }
}
