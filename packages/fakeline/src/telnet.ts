/**
 * The simulator's telnet input machine, byte by byte. Source: ITS-LINE.md 13, recordings 13a, 13c, 13d; the states are
 * those of sim_tmxr.c. Its fault is part of it: in the state behind IAC an ordinary byte is swallowed and the state
 * stays, so that a lone FF makes the line deaf until a command comes. Not known: what SB does (here: it stays deaf).
 */

const IAC = 0xff;
const DONT = 0xfe;
const DO = 0xfd;
const WONT = 0xfc;
const WILL = 0xfb;
const BREAK = 0xf3;
/** NOP, IP, AO, AYT, EC, EL, GA: ignored, and the line hears again. */
const IGNORED = new Set([0xf1, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9]);

const BINARY = 0;
/** Never answered: BINARY, ECHO, SGA. */
const UNANSWERED = new Set([BINARY, 1, 3]);

const CR = 0x0d;
const LF = 0x0a;

export type TelnetInputAction =
  | { readonly kind: 'char'; readonly char: number }
  | { readonly kind: 'reply'; readonly bytes: readonly number[] };

type State = 'normal' | 'afterCr' | 'iac' | 'will' | 'wont' | 'do' | 'dont';

export class TelnetInput {
  #state: State = 'normal';
  #binary = true;
  readonly #answered = new Set<string>();

  /** True in the state behind IAC, where ordinary bytes vanish. */
  get isDeaf(): boolean {
    return this.#state === 'iac';
  }

  /** What one byte from the client does; undefined when it is swallowed. Characters have 7 bits. */
  push(byte: number): TelnetInputAction | undefined {
    switch (this.#state) {
      case 'normal':
      case 'afterCr':
        return this.#data(byte);
      case 'iac':
        return this.#command(byte);
      case 'will':
      case 'wont':
        if (byte === BINARY) this.#binary = this.#state === 'will';
        return this.#refuse(DONT, byte);
      case 'do':
      case 'dont':
        return this.#refuse(WONT, byte);
      default:
        return this.#state satisfies never;
    }
  }

  #data(byte: number): TelnetInputAction | undefined {
    const afterCr = this.#state === 'afterCr';
    this.#state = 'normal';
    if (afterCr && (byte === LF || byte === 0)) return undefined;
    if (byte === IAC) {
      this.#state = 'iac';
      return undefined;
    }
    if (byte === CR && !this.#binary) this.#state = 'afterCr';
    return { kind: 'char', char: byte & 0x7f };
  }

  #command(byte: number): TelnetInputAction | undefined {
    if (byte === WILL) this.#state = 'will';
    else if (byte === WONT) this.#state = 'wont';
    else if (byte === DO) this.#state = 'do';
    else if (byte === DONT) this.#state = 'dont';
    else if (IGNORED.has(byte)) this.#state = 'normal';
    else if (byte === IAC || byte === BREAK) {
      this.#state = 'normal';
      return { kind: 'char', char: byte === IAC ? 0x7f : 0 };
    }
    return undefined;
  }

  #refuse(verb: number, option: number): TelnetInputAction | undefined {
    this.#state = 'normal';
    const key = `${verb} ${option}`;
    if (UNANSWERED.has(option) || this.#answered.has(key)) return undefined;
    this.#answered.add(key);
    return { kind: 'reply', bytes: [IAC, verb, option] };
  }
}
