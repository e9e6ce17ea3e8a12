/**
 * When to look at how the output ends, and from where: the far end has paused behind what was typed last. What moved about
 * on the screen meanwhile tells whether a program paints it.
 */
import { SILENCE_MS } from './expect.ts';

export interface AttentionSnapshot {
  readonly typedOffset: number;
  readonly motionsAtInput: number;
  readonly wasPainting: boolean;
  readonly lastByteMs: number | undefined;
  readonly hasLooked: boolean;
}

export class Attention {
  #typedOffset: number;
  #motionsAtInput: number;
  #wasPainting: boolean;
  #lastByteMs: number | undefined;
  #hasLooked: boolean;

  constructor(snapshot?: AttentionSnapshot) {
    this.#typedOffset = snapshot?.typedOffset ?? 0;
    this.#motionsAtInput = snapshot?.motionsAtInput ?? 0;
    this.#wasPainting = snapshot?.wasPainting ?? false;
    this.#lastByteMs = snapshot?.lastByteMs;
    this.#hasLooked = snapshot?.hasLooked ?? true;
  }

  /** Where the stream ended when something was last typed: last words are looked for behind it. */
  get typedOffset(): number {
    return this.#typedOffset;
  }

  get lastByteMs(): number | undefined {
    return this.#lastByteMs;
  }

  /** A program had painted the screen before the present moment's bytes came: how these are split says nothing. */
  get wasPainting(): boolean {
    return this.#wasPainting;
  }

  /** Whether a program has painted the screen since something was typed, `motions` having been made so far. */
  isPainting(motions: number): boolean {
    return motions > this.#motionsAtInput;
  }

  /** Bytes come, `motions` having been made before them. */
  hear(motions: number, nowMs: number): void {
    if (nowMs !== this.#lastByteMs) this.#wasPainting = this.isPainting(motions);
    this.#lastByteMs = nowMs;
    this.#hasLooked = false;
  }

  /** Something is typed, the output standing at `offset`. */
  type(offset: number, motions: number): void {
    this.#typedOffset = offset;
    this.#motionsAtInput = motions;
  }

  /** The end of the output is to be looked at once more: somebody new waits, or may type now. */
  wake(): void {
    this.#hasLooked = false;
  }

  /** The end of the output was looked at, or tells nothing any more. */
  rest(): void {
    this.#hasLooked = true;
  }

  /** A connection of its own begins at `offset`: what the silence of the last one meant is over. */
  renew(offset: number): void {
    this.#lastByteMs = undefined;
    this.#typedOffset = offset;
  }

  /** The line is open: last words are looked for from here on. */
  opened(offset: number): void {
    this.#typedOffset = offset;
  }

  deadlineMs(): number | undefined {
    return this.#hasLooked || this.#lastByteMs === undefined ? undefined : this.#lastByteMs + SILENCE_MS;
  }

  snapshot(): AttentionSnapshot {
    return {
      typedOffset: this.#typedOffset,
      motionsAtInput: this.#motionsAtInput,
      wasPainting: this.#wasPainting,
      lastByteMs: this.#lastByteMs,
      hasLooked: this.#hasLooked,
    };
  }
}
