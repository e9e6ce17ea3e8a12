/**
 * The user's terminal while it is attached: raw mode, the alternate screen, its signals. `leave` brings back what was there
 * before, as often as it is called and on every way out of the process that runs any code at all: `exit` comes also after
 * an exception that nobody caught, and writing to a terminal is synchronous there.
 */
import type { Readable } from 'node:stream';
import type { Output } from '../command.ts';
import { CLEAR, type Size } from './frame.ts';

/** A readable stream that is a terminal. */
export interface TtyInput extends Readable {
  readonly isTTY: true;
  setRawMode(isRaw: boolean): unknown;
}

export interface TtyOutput extends Output {
  readonly columns?: number | undefined;
  on?(event: 'resize', listener: () => void): unknown;
  off?(event: 'resize', listener: () => void): unknown;
}

/** Where the signals of the process come from, and where they go to. */
export type SignalSource = Pick<NodeJS.Process, 'on' | 'off' | 'kill' | 'pid'>;

export interface TtyEvents {
  readonly onBytes: (bytes: Uint8Array) => void;
  readonly onResize: () => void;
  /** The terminal is ours again, and empty. */
  readonly onResume: () => void;
  /** To end, by a signal; the terminal is still attached. */
  readonly onSignal: (signal: 'SIGTERM' | 'SIGHUP' | 'SIGQUIT') => void;
  /** The terminal is gone. */
  readonly onHangup: () => void;
}

export interface TtyOptions {
  readonly input: TtyInput;
  readonly output: TtyOutput;
  readonly signals: SignalSource;
  readonly modes: TtyModes;
  readonly events: TtyEvents;
}

const END_SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;
/** A process that still runs so long after SIGTSTP, in ms, was not stopped by it. */
const STOP_MS = 200;
/** Size of a terminal that does not tell. */
const DEFAULT_SIZE: Size = { rows: 24, columns: 80 };
/**
 * The alternate screen, with the modes in which the translation means what it says: characters as they are (G0 ASCII),
 * replacing, addresses from the corner; pasted text marked as such.
 */
const MODES = `\x1b(B\x0f\x1b[4l\x1b[?6l\x1b[?25h\x1b[?2004h${CLEAR}`;
const ALTERNATE = '\x1b[?1049h';
const LEAVE = '\x1b[r\x1b[m\x1b[?2004l\x1b[?25h\x1b[?1049l';

/** How a terminal is set up, and how what was done to it is undone. */
export interface TtyModes {
  /** For an empty alternate screen. */
  readonly enter: string;
  /** Back on the normal screen. */
  readonly leave: string;
}

export const LINE_MODES: TtyModes = { enter: MODES, leave: LEAVE };

/**
 * A program sets modes for itself, and is not there any more to take them back: keypad and cursor keys, mouse, focus, marked
 * pastes, reverse, wrap, the shape of the cursor. What it has not asked for is off.
 */
const PLAIN_MODES =
  '\x1b(B\x1b)B\x0f\x1b[4l\x1b[?6l\x1b[?1l\x1b>\x1b[?5l\x1b[?7h\x1b[?25h\x1b[?2004l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1004l\x1b[?1005l\x1b[?1006l\x1b[?1015l\x1b[0 q';
export const PROGRAM_MODES: TtyModes = {
  enter: `${PLAIN_MODES}${CLEAR}`,
  leave: `\x1b[r\x1b[m${PLAIN_MODES}\x1b[?1049l`,
};

export class Tty implements Disposable {
  readonly #input: TtyInput;
  readonly #output: TtyOutput;
  readonly #signals: SignalSource;
  readonly #events: TtyEvents;
  readonly #modes: TtyModes;
  readonly #releases: (() => void)[] = [];
  #isEntered = false;
  #fallback: NodeJS.Timeout | undefined;

  constructor({ input, output, signals, modes, events }: TtyOptions) {
    this.#input = input;
    this.#output = output;
    this.#signals = signals;
    this.#modes = modes;
    this.#events = events;
  }

  get size(): Size {
    const { rows, columns } = this.#output;
    // A terminal over a serial line, or none yet: 0.
    return { rows: rows || DEFAULT_SIZE.rows, columns: columns || DEFAULT_SIZE.columns };
  }

  write(text: string): void {
    if (this.#isEntered && text !== '') this.#output.write(text);
  }

  start(): void {
    const { onBytes, onResize, onSignal, onHangup } = this.#events;
    this.#listen(this.#input, 'data', (chunk: Uint8Array) => onBytes(chunk));
    this.#listen(this.#input, 'end', onHangup);
    this.#listen(this.#input, 'error', onHangup);
    this.#output.on?.('resize', onResize);
    this.#releases.push(() => this.#output.off?.('resize', onResize));
    for (const signal of END_SIGNALS) this.#listen(this.#signals, signal, () => onSignal(signal));
    this.#listen(this.#signals, 'SIGTSTP', this.#handleStop);
    this.#listen(this.#signals, 'SIGCONT', this.#handleContinue);
    this.#listen(this.#signals, 'exit', () => this.leave());
    this.#enter();
    this.#input.resume();
  }

  /** Stops the process as ^Z would in a shell; goes on with `onResume`. */
  suspend(): void {
    this.#signals.kill(this.#signals.pid, 'SIGTSTP');
  }

  /** Idempotent. Throws nothing: a terminal that is gone cannot be put right. */
  leave(): void {
    if (!this.#isEntered) return;
    this.#isEntered = false;
    try {
      this.#output.write(this.#modes.leave);
      this.#input.setRawMode(false);
    } catch {
      // EIO: hung up
    }
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#fallback);
    this.leave();
    this.#input.pause();
    for (const release of this.#releases.splice(0)) release();
  }

  #enter(): void {
    this.#input.setRawMode(true);
    // After SIGSTOP it is the alternate screen still, and to enter it twice would lose the cursor of the first one.
    this.#output.write(this.#isEntered ? this.#modes.enter : `${ALTERNATE}${this.#modes.enter}`);
    this.#isEntered = true;
  }

  readonly #handleStop = (): void => {
    this.leave();
    // Without a listener the signal does what it does by default: nothing, where no shell has job control.
    this.#signals.off('SIGTSTP', this.#handleStop);
    this.#signals.kill(this.#signals.pid, 'SIGTSTP');
    this.#fallback = setTimeout(this.#handleContinue, STOP_MS);
  };

  /** Also after SIGSTOP, behind our back: a shell has set the terminal up for itself meanwhile. */
  readonly #handleContinue = (): void => {
    clearTimeout(this.#fallback);
    this.#signals.off('SIGTSTP', this.#handleStop);
    this.#signals.on('SIGTSTP', this.#handleStop);
    try {
      this.#input.setRawMode(false);
      this.#enter();
    } catch {
      this.#events.onHangup();
      return;
    }
    this.#events.onResume();
  };

  #listen(
    source: { on(event: string, listener: never): unknown; off(event: string, listener: never): unknown },
    event: string,
    listener: (...args: never[]) => void,
  ): void {
    source.on(event, listener as never);
    this.#releases.push(() => source.off(event, listener as never));
  }
}
