/** What a program on the guest is, and what the guest offers it. A new program (an editor, PEEK) needs nothing else. */

import type { FileSystem } from './files.ts';
import type { Terminal } from './terminal.ts';

export interface Program {
  /** Name of its job, upper case. */
  readonly jobName: string;
  /** What DDT says when ^Z stops it: address and instruction. */
  readonly stoppedAt: string;
  /** Called once, when it gets the terminal for the first time. */
  start(): void;
  /** The echo of a character, when it arrives; the program may not have read it yet. */
  echo(char: string): void;
  /** A character it reads. Never called while a wait of its own is on. */
  input(char: string): void;
  /** ^Z stops it: its timers rest. A program that waits without this cannot be stopped before it reads again. */
  suspend?(): void;
  /** It has the terminal again. */
  resume?(): void;
  /** Something else was printed on its screen (a message of another user). */
  handleIntrusion?(): void;
}

/** A program that does not read: what becomes of the characters that come meanwhile. */
export interface Wait {
  /** False: the echo comes when they are read. */
  readonly isEchoing: boolean;
  /** True when the character acts at once (^G, ^S) and is not input. */
  interrupt?(char: string): boolean;
  /** One more character was kept (or lost). */
  charTaken?(): void;
  /** No more characters have come by now. */
  inputDry?(): void;
}

export interface ProgramContext {
  readonly terminal: Terminal;
  readonly files: FileSystem;
  readonly settings: ProgramSettings;
  /** What is typed already, or has come, and was not read. */
  readonly hasTypedAhead: boolean;
  /** The user's directory. */
  readonly directory: string;
  now(): Date;
  /** Begins not to read. */
  wait(wait: Wait): void;
  /** Ends it: first `then`, afterwards what was typed ahead is read. */
  endWait(then: () => void): void;
  /** Busy for as long as `chars` characters take to come, or until none are left; then `then`. */
  compute(chars: number, then: () => void, isEchoing?: boolean): void;
  /** Calls back after a time unless the line is closed before; the function returned calls it off. */
  later(ms: number, then: () => void): () => void;
  /** Drops what was typed ahead. */
  flushTypeAhead(): void;
  /** Drops output that has not gone out. */
  discardOutput(): void;
  /** Calls back when the line takes more output; undefined calls it off. */
  whenRoom(then: (() => void) | undefined): void;
  /** The program is done: `:KILL` and DDT's prompt. */
  finish(): void;
  /** Back to DDT; the job stays, as EMACS does at ^X^C. */
  leaveJob(program: Program): void;
}

/** What a test can set about the programs. */
export interface ProgramSettings {
  readonly bootedAt: Date;
  /** PEEK repaints by itself. */
  readonly peekMs: number;
  /** Lines of the system's jobs besides our own that PEEK shows. */
  readonly peekJobs: number;
  /** MIDAS is silent between its two passes. */
  readonly midasMs: number;
  /** What MIDAS prints for a file, by `DIR;NAME1`: between two parts it reads a line. */
  readonly midasListings: Readonly<Record<string, readonly string[]>>;
}

/** The names of the keys, as programs compare with them. */
export const KEY = {
  nul: '\0',
  ctrlA: '\x01',
  ctrlB: '\x02',
  ctrlC: '\x03',
  ctrlD: '\x04',
  ctrlE: '\x05',
  ctrlF: '\x06',
  bell: '\x07',
  backspace: '\b',
  tab: '\t',
  lineFeed: '\n',
  carriageReturn: '\r',
  ctrlK: '\x0b',
  ctrlL: '\x0c',
  ctrlN: '\x0e',
  ctrlP: '\x10',
  ctrlQ: '\x11',
  ctrlR: '\x12',
  ctrlS: '\x13',
  ctrlV: '\x16',
  ctrlW: '\x17',
  ctrlX: '\x18',
  ctrlY: '\x19',
  ctrlZ: '\x1a',
  escape: '\x1b',
  space: ' ',
  rubout: '\x7f',
} as const;
