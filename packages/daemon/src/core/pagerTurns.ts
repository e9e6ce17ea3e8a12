/**
 * Page turns: which pager prompts the channel has answered, and what of the stream is only their doing.
 *
 * A prompt and the echo of its answer stay in the scrollback and leave the text that is handed out, exactly: the prompt's
 * line, the echoed space, and the line end that makes room for the next page (docs/its-line.md 4).
 */
import type { Span } from './events.ts';
import type { RenderedText } from './renderedText.ts';

/** Turns that are remembered for the text of old output; a full ring holds about 170 pages. */
export const MAX_TURNS = 512;

interface OpenTurn {
  readonly start: number;
  readonly end: number;
  /** Next character of the answer's echo that is taken out. */
  readonly expects: 'space' | 'lineEnd';
}

export interface PagerTurnsSnapshot {
  readonly spans: readonly Span[];
  readonly open: OpenTurn | undefined;
}

export class PagerTurns {
  #spans: Span[];
  #open: OpenTurn | undefined;

  constructor(snapshot: PagerTurnsSnapshot = { spans: [], open: undefined }) {
    this.#spans = [...snapshot.spans];
    this.#open = snapshot.open;
  }

  /** Whether text of the stream is needed to see where the echo of the last answer ends. */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** The prompt `[start, end)` is being answered. */
  turn(start: number, end: number): void {
    this.#close();
    this.#open = { start, end, expects: 'space' };
  }

  isTurned(promptStart: number): boolean {
    return this.#open?.start === promptStart || this.#spans.some((span) => span.start === promptStart);
  }

  hear(rendered: RenderedText, offset: number): void {
    for (let at = 0; at < rendered.length && this.#open !== undefined; at += 1) {
      const character = rendered.text.charAt(at);
      const { start, expects } = this.#open;
      const end = offset + rendered.byteIndexAfter(at + 1);
      if (expects === 'space' && character === ' ') this.#open = { start, end, expects: 'lineEnd' };
      else if (character === '\n') {
        this.#open = { start, end, expects };
        this.#close();
      } else this.#close();
    }
  }

  /** Spans that are page turns, the one under way included. */
  get spans(): readonly Span[] {
    return this.#open === undefined ? this.#spans : [...this.#spans, this.#open];
  }

  snapshot(): PagerTurnsSnapshot {
    return { spans: [...this.#spans], open: this.#open };
  }

  #close(): void {
    if (this.#open === undefined) return;
    this.#spans.push({ start: this.#open.start, end: this.#open.end });
    if (this.#spans.length > MAX_TURNS) this.#spans.shift();
    this.#open = undefined;
  }
}
