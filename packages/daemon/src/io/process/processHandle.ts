/** What a session sees of its child process, on pipes or on a PTY. */

export type OutputStream = 'out' | 'err';

/** `group`: the leader's process group. `foreground`: the group that the terminal lets read; on pipes the group. */
export type SignalTarget = 'group' | 'leader' | 'foreground';

export interface ProcessExit {
  readonly code: number | undefined;
  /** Name of the signal that ended it. */
  readonly signal: string | undefined;
}

/** Exit and end of output are two facts, in any order: descendants may hold the output open (P13). */
export interface ProcessEvents {
  data(stream: OutputStream, bytes: Uint8Array): void;
  /** No more bytes will come of this stream. */
  streamEnd(stream: OutputStream): void;
  exit(exit: ProcessExit): void;
  /** So many bytes more were taken by the system; that says nothing about the program. */
  inputWritten(bytes: number): void;
  /** No more input is taken; `lostBytes` of what was queued were not written. */
  inputClosed(lostBytes: number): void;
}

export type WriteResult =
  | { readonly kind: 'queued'; readonly queuedBytes: number }
  /** Nothing was queued: there is room for so many bytes only. */
  | { readonly kind: 'full'; readonly roomBytes: number }
  | { readonly kind: 'closed' };

export type SignalResult =
  | { readonly kind: 'sent' }
  /** There is nobody left to signal. */
  | { readonly kind: 'gone' }
  /** The system refused, with its error code. */
  | { readonly kind: 'refused'; readonly code: string };

export type InputVerdict =
  | { readonly kind: 'fits' }
  /** The terminal's line discipline would drop the rest of a line of `lineBytes` behind `limitBytes` (P05). */
  | { readonly kind: 'lineTooLong'; readonly lineBytes: number; readonly limitBytes: number };

export type EchoState = 'on' | 'off' | 'unknown';

export interface TerminalSize {
  /** 1 to 1,000. */
  readonly rows: number;
  /** 1 to 1,000. */
  readonly columns: number;
}

export interface ProcessHandle extends Disposable {
  readonly pid: number;
  /** When it began, in the unit of `processTable.ts`; undefined when it was gone before one could look. */
  readonly startTime: number | undefined;
  /** Bytes accepted and not yet written. */
  readonly queuedInputBytes: number;
  /** All or nothing; never blocks. */
  write(bytes: Uint8Array): WriteResult;
  /** Asks before `write` whether the terminal can take `bytes` whole. On pipes always. */
  checkInput(bytes: Uint8Array): Promise<InputVerdict>;
  /** Forgets what is queued; returns how many bytes. */
  discardInput(): number;
  /** End of input, behind what is queued. On a PTY that is the character for it (^D), which ends it at a line start only. */
  closeInput(): void;
  /** Throws a RangeError for a name that the system does not know. Never reaches a process that only has the number. */
  signal(name: string, target: SignalTarget): SignalResult;
  /** No effect on pipes. Throws a RangeError for a size out of range. */
  resize(size: TerminalSize): void;
  /** Whether the terminal shows what is typed; on pipes nobody does. */
  echoState(): Promise<EchoState>;
  /** Stops and goes on reading output; nothing is lost, the child waits. */
  pauseOutput(): void;
  resumeOutput(): void;
  /** Releases descriptors and timers; signals nobody (a PTY is hung up by that), and no event comes any more. Idempotent. */
  [Symbol.dispose](): void;
}
