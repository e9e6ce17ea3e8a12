/**
 * A fold on its way: the `!` that ITS puts in the last column of a line that is too long, the line end behind it, and the
 * ESC K that on a VT52 follows each of its line ends (docs/its-line.md 4 and 5). Only all three are a fold: a line of
 * paper that happens to end in `!` there has no ESC K. Until it is decided, the text is held back.
 */
import type { TextContext } from './textContext.ts';

export class Fold {
  #stage: TextContext['fold'];
  #bytes: number;

  constructor({ fold, foldBytes }: Pick<TextContext, 'fold' | 'foldBytes'>) {
    this.#stage = fold;
    this.#bytes = foldBytes;
  }

  get stage(): TextContext['fold'] {
    return this.#stage;
  }

  /** Bytes since the `!`, itself included; 0 when no fold is on its way. */
  get bytes(): number {
    return this.#bytes;
  }

  /** More bytes have come. */
  pass(bytes: number): void {
    if (this.#bytes > 0) this.#bytes += bytes;
  }

  /** The `!` has come, `bytes` before the end of what has. */
  begin(bytes: number): void {
    this.#stage = 'mark';
    this.#bytes = bytes;
  }

  /** Whether the motion is one of the fold's, which ends no line by itself. */
  takes(motion: 'return' | 'feed' | 'home'): boolean {
    const isNext = this.#stage === (motion === 'feed' ? 'return' : 'mark');
    if (isNext) this.#stage = motion === 'return' ? 'return' : 'lineEnd';
    return isNext || (motion === 'return' && this.#stage === 'return');
  }

  /** ESC K has come: whether that made it a fold, of which nothing is text. */
  isProven(): boolean {
    if (this.#stage !== 'lineEnd') return false;
    this.#clear();
    return true;
  }

  /** It is none: the text that was held back. */
  release(): string {
    if (this.#stage === 'none') return '';
    const text = this.#stage === 'mark' ? '!' : '!\n';
    this.#clear();
    return text;
  }

  #clear(): void {
    this.#stage = 'none';
    this.#bytes = 0;
  }
}
