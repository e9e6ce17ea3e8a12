/** Output for those who watch, in the form that each asked for; made once for all who stand at the same place. */
import type { ScreenSnapshot } from '../core/screen.ts';
import { paint, Vt52ToAnsi } from '../core/vt52ToAnsi.ts';
import type { ChannelService } from './channelService.ts';
import type { PastForm } from './pastPieces.ts';

/** Characters of one notification at most: a client of a slow link sees the beginning before the end is made. */
export const MAX_PIECE_CHARS = 16_384;
/** Pieces that are remembered: watchers of the same output ask within moments of each other. */
const MAX_PIECES = 16;

export interface Piece {
  readonly end: number;
  readonly text: string;
}

export interface Ansi {
  readonly paint: string;
  next(start: number, end: number): Piece;
  readonly past: PastForm;
}

export class OutputForms {
  readonly #line: ChannelService;
  readonly #bits: 7 | 8;
  readonly #texts = new Map<string, Piece>();

  constructor(line: ChannelService, bits: 7 | 8) {
    this.#line = line;
    this.#bits = bits;
  }

  /** Text from `start`, a safe place, up to `end` or as far as one piece goes. */
  text(start: number, end: number): Piece {
    return this.#remembered(`text ${start} ${end}`, () => {
      const { scrollback } = this.#line.conversation;
      return scrollback.text(start, end, MAX_PIECE_CHARS);
    });
  }

  /** The bytes themselves, in base64. */
  bytes(start: number, end: number): Piece {
    return this.#remembered(`bytes ${start} ${end}`, () => {
      const to = Math.min(end, start + MAX_PIECE_CHARS);
      const bytes = this.#line.conversation.scrollback.bytes(start, to);
      return { end: to, text: btoa(String.fromCharCode(...bytes)) };
    });
  }

  /** A translator of what comes from `offset` on, and what paints the screen as it is there. */
  ansi(offset: number, screen: ScreenSnapshot = this.#line.conversation.transcript.screens.at(offset)): Ansi {
    const { scrollback } = this.#line.conversation;
    const translator = Vt52ToAnsi.at(this.#bits, screen);
    return {
      paint: paint(screen),
      next: (start, end) => {
        const to = Math.min(end, start + MAX_PIECE_CHARS);
        return { end: to, text: translator.push(scrollback.bytes(start, to)) };
      },
      past: (view, start, end) => {
        const to = Math.min(end, start + MAX_PIECE_CHARS);
        return { end: to, text: translator.push(view.bytes(start, to)) };
      },
    };
  }

  #remembered(key: string, make: () => Piece): Piece {
    const known = this.#texts.get(key);
    if (known !== undefined) return known;
    const { end, text } = make();
    const [oldest] = this.#texts.keys();
    if (oldest !== undefined && this.#texts.size >= MAX_PIECES) this.#texts.delete(oldest);
    this.#texts.set(key, { end, text });
    return { end, text };
  }
}
