/** A place in the source of a pattern. Positions are UTF-16 units from its start, as editors and JavaScript count them. */

/** Thrown by the parser only; `compilePattern` makes a result of it. */
export class PatternError extends Error {
  readonly position: number;

  constructor(message: string, position: number) {
    super(message);
    this.name = 'PatternError';
    this.position = position;
  }
}

export class PatternReader {
  readonly source: string;
  #at = 0;

  constructor(source: string) {
    this.source = source;
  }

  get at(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.source.length;
  }

  isAt(text: string): boolean {
    return this.source.startsWith(text, this.#at);
  }

  /** Takes `text` if it comes next. */
  eat(text: string): boolean {
    if (!this.isAt(text)) return false;
    this.#at += text.length;
    return true;
  }

  /** Takes one character (a whole code point); undefined at the end. */
  take(): string | undefined {
    const code = this.source.codePointAt(this.#at);
    if (code === undefined) return undefined;
    const char = String.fromCodePoint(code);
    this.#at += char.length;
    return char;
  }

  /** Takes what `sticky` (flag y) matches here. */
  takeMatching(sticky: RegExp): RegExpExecArray | undefined {
    sticky.lastIndex = this.#at;
    const found = sticky.exec(this.source);
    if (found === null) return undefined;
    this.#at += found[0].length;
    return found;
  }

  error(message: string, position: number): PatternError {
    return new PatternError(message, position);
  }
}
