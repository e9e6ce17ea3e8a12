/** What the guest side is given: the line it prints on, and its settings. */

import type { FileSystem } from './files.ts';
import type { ProgramSettings } from './program.ts';

/** What the guest needs of the line. */
export interface GuestLine {
  print(text: string): void;
  discard(): void;
  whenRoom(then: (() => void) | undefined): void;
  /** Characters have come that were not handed over yet. */
  hasInputWaiting(): boolean;
  hasEcho(): boolean;
}

export interface GuestOptions extends ProgramSettings {
  readonly ctrlZMs: number;
  readonly files: FileSystem;
  readonly clock: () => Date;
  /** Letters are echoed in upper case. */
  readonly hasUpperCaseEcho: boolean;
  /** Programs stop reading about every so many characters; undefined: never. */
  readonly stallEvery: number | undefined;
  readonly stallMs: number;
  /** What comes in a stall is echoed at once; else when it is read. */
  readonly stallEchoes: boolean;
  readonly seed: number;
  /** The text of `:?`, with newlines. */
  readonly commandHelp: string;
}

/** A `:SEND` from this line. */
export interface SentMessage {
  readonly to: string;
  readonly text: string;
}
