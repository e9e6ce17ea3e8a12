/**
 * Transcript: everything the far end said, and the views of it: text without what is nobody's answer (page turns,
 * notices), the last words, the screen.
 */
import type { Span } from './events.ts';
import { type HistoryCheckpoint, type HistoryView, historyCheckpoint, renderFrom } from './historyView.ts';
import { type EndingAt, findEnding, isBanner } from './its/ending.ts';
import { type Notice, Notices, type NoticesSnapshot } from './its/notice.ts';
import { BEHIND_FOLD_BYTES, findPagerBehindFold, isPager } from './its/pager.ts';
import { PagerTurns, type PagerTurnsSnapshot } from './pagerTurns.ts';
import { ScreenHistory, type ScreenHistorySnapshot } from './screenHistory.ts';
import { assertScreenSize, type ScreenSize, VT52_SIZE } from './screenSize.ts';
import { CHECKPOINT_BYTES, type RenderedPiece, Scrollback, type ScrollbackSnapshot } from './scrollback.ts';
import { remainderOf } from './spans.ts';
import { viewAt } from './spanText.ts';
import type { TextRendererFactory } from './textRenderer.ts';
import type { Standing } from './typist.ts';

/** Bytes at the end of the stream in which its last words are looked for: a banner with its motions, twice over. */
const LAST_WORDS_BYTES = 2_048;

const SECRET_PROMPT = /pass(?:word|phrase|code)\b.{0,20}$/i;

/** DDT's fresh line behind its banner, and its answer to the CR that was typed with ^Z. */
const FRESH_LINES = ['\u001bK\u001bK', '\u001bK\u001bK\r\n\u001bK'] as const;

export const PROFILES = ['its', 'plain'] as const;
export type Profile = (typeof PROFILES)[number];

export interface TranscriptOptions {
  /** Bytes that can be read again at least. */
  readonly ringBytes: number;
  readonly bits: 7 | 8;
  /** `plain`: nothing is known about the far end; no prompts, no pagers, no notices. */
  readonly profile: Profile;
  /**
   * Size of the VT52's screen, 2 to 200 rows of 20 to 250 columns; default 24 x 80. `none`: there is no VT52 screen, and
   * `screens` shows a blank one.
   */
  readonly screen?: ScreenSize | 'none' | undefined;
  /** Another text view than the VT52's, for a session with a terminal of its own. */
  readonly view?: TextRendererFactory | undefined;
}

export interface TranscriptSnapshot {
  readonly scrollback: ScrollbackSnapshot;
  readonly turns: PagerTurnsSnapshot;
  readonly notices: NoticesSnapshot;
  readonly screens: ScreenHistorySnapshot;
  readonly motions: number;
}

/** Text of the answer without page turns and notices. */
export interface SpokenText {
  readonly text: string;
  readonly bells: number;
  readonly folds: number;
}

export class Transcript {
  readonly scrollback: Scrollback;
  readonly turns: PagerTurns;
  readonly screens: ScreenHistory;
  readonly #profile: Profile;
  readonly #bits: 7 | 8;
  readonly #screen: ScreenSize | 'none';
  readonly #view: TextRendererFactory | undefined;
  readonly #notices: Notices;
  #motions: number;
  /** What was found last, for the same output: whoever types asks for every few characters. */
  #question: { readonly end: number; readonly asksForSecret: boolean } | undefined;

  /** @throws RangeError when the screen's size is out of range, or the snapshot is of another text view */
  constructor(options: TranscriptOptions, snapshot?: Partial<TranscriptSnapshot>) {
    const { ringBytes, bits, profile, view, screen = VT52_SIZE } = options;
    const size = screen === 'none' ? VT52_SIZE : screen;
    assertScreenSize(size);
    this.#profile = profile;
    this.#bits = bits;
    this.#screen = screen;
    this.#view = view;
    const joinsFolds = profile === 'its';
    this.scrollback = new Scrollback({ ringBytes, bits, joinsFolds, size, view }, snapshot?.scrollback);
    this.turns = new PagerTurns(snapshot?.turns);
    this.#notices = new Notices(this.scrollback, snapshot?.notices);
    this.screens = new ScreenHistory(bits, this.scrollback, snapshot?.screens, screen);
    this.#motions = snapshot?.motions ?? 0;
  }

  /** Whether the bytes paint a VT52's screen, which `screens` keeps. */
  get hasScreen(): boolean {
    return this.#screen !== 'none';
  }

  /** Whether the text is UTF-8, as on every terminal but a VT52. */
  get isUtf8(): boolean {
    return this.#view !== undefined;
  }

  get goingDown(): string | undefined {
    return this.#notices.goingDown;
  }

  /** Motions so far that only a program that paints the screen makes. */
  get motions(): number {
    return this.#motions;
  }

  /** Takes the next bytes; returns what those who wait should hear of them now. */
  append(bytes: Uint8Array, nowMs: number): readonly RenderedPiece[] {
    const heard: RenderedPiece[] = [];
    // However much comes at once, nothing is lost before it was seen.
    for (let from = 0; from < bytes.length; ) {
      const room = CHECKPOINT_BYTES - (this.scrollback.end % CHECKPOINT_BYTES);
      for (const piece of this.scrollback.append(bytes.subarray(from, from + room), true)) {
        this.#motions += piece.rendered.motions;
        this.turns.hear(piece.rendered, piece.offset);
        if (this.#profile === 'its') heard.push(...this.#notices.hear(piece, nowMs));
        else heard.push(piece);
      }
      this.screens.catchUp();
      from += room;
    }
    return heard;
  }

  /** Something is being typed: what comes next may be its echo, and is no further line of a message. */
  typed(nowMs: number): void {
    this.#notices.typed(nowMs);
  }

  /** The output has paused; returns what was held back. */
  pause(): readonly RenderedPiece[] {
    return this.#notices.pause();
  }

  /** Parts of a span that are an answer. */
  spoken(span: Span): readonly Span[] {
    return remainderOf(span, this.cuts(span));
  }

  /** Spans that touch `span` and are no answer: page turns and notices, the newest of them, older than the ring too. */
  cuts({ start, end }: Span): readonly Span[] {
    const all: readonly Span[] = [...this.turns.spans, ...this.#notices.spans];
    return all
      .filter((cut) => cut.end > start && cut.start < end)
      .map((cut) => ({ start: cut.start, end: cut.end }));
  }

  text(span: Span): SpokenText {
    const parts = this.spoken(span).map(({ start, end }) => this.scrollback.text(start, end));
    return {
      text: parts.map((part) => part.text).join(''),
      bells: parts.reduce((sum, part) => sum + part.bells, 0),
      folds: parts.reduce((sum, part) => sum + part.folds, 0),
    };
  }

  /** Offset at which the answer in `span` has `maxChars` characters, or the end of it. */
  endOf({ start, end }: Span, maxChars: number): number {
    let left = maxChars;
    for (const part of this.spoken({ start, end })) {
      const found = this.scrollback.text(part.start, part.end, left);
      if (found.end < part.end) return found.end;
      left -= found.text.length;
    }
    return end;
  }

  notices(span: Span): readonly Notice[] {
    return this.#notices.within(span);
  }

  /** Whether the last words ask for a password. */
  get asksForSecret(): boolean {
    const { end } = this.scrollback;
    if (this.#question?.end !== end) {
      this.#question = { end, asksForSecret: SECRET_PROMPT.test(this.scrollback.lastWords()) };
    }
    return this.#question.asksForSecret;
  }

  /** For who types now. The question is looked at only when something goes out: it needs the text of the last line. */
  get standing(): Standing {
    const asksForSecret = () => this.asksForSecret;
    return {
      offset: this.scrollback.end,
      get asksForSecret() {
        return asksForSecret();
      },
    };
  }

  /**
   * How the output since `from` ends, with the offset at which the ending begins. `isPainting`: a program has painted the
   * screen meanwhile; then only what no program paints is an ending.
   */
  ending(from: number, isPainting = false): EndingAt | undefined {
    if (this.#profile === 'plain') return undefined;
    const { end, oldest } = this.scrollback;
    const parts = this.spoken({ start: Math.max(from, end - LAST_WORDS_BYTES, oldest), end });
    const texts = parts.map((part) => this.scrollback.text(part.start, part.end).text);
    const all = texts.join('');
    const pagerBytes = findPagerBehindFold(
      String.fromCharCode(...this.scrollback.bytes(end - BEHIND_FOLD_BYTES, end)),
    );
    if (pagerBytes !== undefined && !isPager(all.slice(all.lastIndexOf('\n') + 1)))
      return { ending: { kind: 'pager', pager: 'ddt' }, start: end - pagerBytes };
    const found = findEnding(all);
    // Behind a message of others only its line ends stand, and they are not the end of anything.
    const tail = parts.findLast((_, index) => texts[index] !== '')?.end ?? end;
    if (isPainting && !(found !== undefined && this.#isSureOf(found, all, tail))) return undefined;
    if (found === undefined)
      return isBanner(all) && this.#isFreshLine(tail) ? { ending: { kind: 'ready' }, start: end } : undefined;
    // A prompt stands in the first column; a `*` painted somewhere on the screen looks alike in text.
    if (found.ending.kind === 'prompt' && this.scrollback.columnAt(tail) !== 1) return undefined;
    let left = found.start;
    for (const [index, part] of parts.entries()) {
      const { length } = texts[index] ?? '';
      if (left < length || index === parts.length - 1) {
        return {
          ...found,
          start: left === 0 ? part.start : this.scrollback.text(part.start, part.end, left).end,
        };
      }
      left -= length;
    }
    return undefined;
  }

  /** DDT behind a program's screen: on two fresh lines, behind the word that the program is gone, or where it stopped. */
  #isSureOf({ ending, start }: EndingAt, text: string, end: number): boolean {
    const { kind } = ending;
    if (kind === 'pager') return true;
    if (kind === 'ready') return ending.needs?.kind === 'called';
    if (kind !== 'prompt') return false;
    const bytes = String.fromCharCode(...this.scrollback.bytes(end - 5, end));
    return bytes === '\u001bK\u001bK*' || /(?:^|\n):KILL .*\n$/.test(text.slice(0, start));
  }

  /** DDT goes to a fresh line before it waits: an ESC K of its own at the start of a line (docs/its-line.md 3). */
  #isFreshLine(end: number): boolean {
    const bytes = String.fromCharCode(...this.scrollback.bytes(end - 16, end));
    return FRESH_LINES.some((line) => bytes.endsWith(line));
  }

  /** All that `renderFrom` needs besides the bytes to show what comes behind the present safe end; plain JSON. */
  checkpointState(): HistoryCheckpoint {
    const { safeEnd: offset } = this.scrollback;
    return historyCheckpoint({
      offset,
      bits: this.#bits,
      joinsFolds: this.#profile === 'its',
      size: this.#screen === 'none' ? VT52_SIZE : this.#screen,
      text: viewAt(this.scrollback, offset).context(),
      screen: this.hasScreen ? this.screens.at(offset) : undefined,
    });
  }

  /** Old output as it was shown, see `historyView.ts`; page turns and notices (`cuts`) are in its text. */
  renderFrom(checkpoint: unknown, offset: number, bytes: Uint8Array): HistoryView {
    return renderFrom(checkpoint, offset, bytes, this.#view);
  }

  snapshot(): TranscriptSnapshot {
    return {
      scrollback: this.scrollback.snapshot(),
      turns: this.turns.snapshot(),
      notices: this.#notices.snapshot(),
      screens: this.screens.snapshot(),
      motions: this.#motions,
    };
  }
}
