/** The terminal of a session: its screen while it lives, and the last picture of it afterwards. */
import { AnsiScreen, type ScreenView } from './io/ansiScreen.ts';
import type { SessionScreen, TerminalSize } from './rpc/sessionService.ts';

export class SessionTerminal implements Disposable {
  #screen: AnsiScreen | undefined;
  #last: SessionScreen | undefined;

  private constructor(screen: AnsiScreen) {
    this.#screen = screen;
  }

  /** `reply` gets what the terminal answers to the program. */
  static async create(size: TerminalSize, reply: (bytes: Uint8Array) => void): Promise<SessionTerminal> {
    return new SessionTerminal(await AnsiScreen.create({ size, reply }));
  }

  feed(bytes: Uint8Array): void {
    this.#screen?.feed(bytes);
  }

  resize(size: TerminalSize): void {
    void this.#screen?.resize(size);
  }

  /** The screen that the bytes up to `offset` have made, which are all that were fed. */
  async show(offset: number): Promise<SessionScreen | undefined> {
    const screen = this.#screen;
    return screen === undefined ? this.#last : toSessionScreen(await screen.now(), offset);
  }

  /** Nothing more will come: only the picture stays, because the emulation takes megabytes. */
  async freeze(offset: number): Promise<void> {
    const last = await this.show(offset);
    this[Symbol.dispose]();
    this.#last = last;
  }

  [Symbol.dispose](): void {
    this.#screen?.[Symbol.dispose]();
    this.#screen = undefined;
  }
}

function toSessionScreen({ lines, cursor, isAlternate, size }: ScreenView, offset: number): SessionScreen {
  return { rows: lines, cursor, isAlternate, size, offset };
}
