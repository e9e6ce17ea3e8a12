/**
 * Notices: text that nobody on the line asked for, from other users and from the system (measured, docs/its-line.md 8;
 * [15c-send-received], [01-connect-wait]). They come in one burst, announced by BELs, at any moment.
 *
 * The scanner reads the text of the stream as it comes and says which spans are notices. What belongs to one: the line
 * end that ITS puts before it when the cursor was not at the start of a line, the announcing line, and the lines of a
 * message: its first one, because what follows without a pause may be what it came into, going on. Text is held back only from the BEL on until that line is told.
 */
import type { Span } from '../events.ts';
import type { RenderedPiece, Scrollback } from '../scrollback.ts';

/** A message goes on while its text comes without a gap of so many ms; the line's own gaps are 0.1 ms, p99.9 4 ms. */
export const NOTICE_GAP_MS = 12;
/** Longest announcing line, and longest message, in characters; more than that is somebody's output. */
const MAX_HEAD_CHARS = 200;
const MAX_NOTICE_CHARS = 4_096;
/** Notices that are remembered for the text of old output. */
const MAX_NOTICES = 256;

const MESSAGE = /^\[Message from [^\]]+\]$/;
/** The system job's and the shutdown's (PDP-10/its SYSJOB, build notes; its.primer IX.D). */
const SYSTEM =
  /^(?:[A-Z]+ ITS \d+ (?:NOT )?IN OPERATION\b.*|IT IS NOW .*|.*\bITS (?:\d+ )?(?:GOING DOWN|BEING BROUGHT DOWN|REVIVED)\b.*)$/i;
const GOING_DOWN = /\bITS (?:\d+ )?(?:GOING DOWN|BEING BROUGHT DOWN|NOT IN OPERATION)\b/i;
const REVIVED = /\bITS (?:\d+ )?(?:REVIVED|IN OPERATION)\b/i;

/** What may stand in front of the first BEL: `KA ITS 1652 ` 07 `IN OPERATION`. */
const NAMED = /^[A-Z]+ ITS \d+ $/;
/** Longest such name that is looked at, in characters. */
const MAX_NAME_CHARS = 40;

const ERASE_LINE = '\u001bK';
const LINE_ENDS = ['\r\n', '\u001bH'] as const;

export interface Notice extends Span {
  readonly text: string;
  /** Offset of its first BEL: what stands before it may have been told already. */
  readonly bell: number;
}

interface OpenNotice extends Notice {
  /** `head`: the announcing line is not complete; `body`: a message's lines are coming. */
  readonly state: 'head' | 'body';
  readonly lastMs: number;
}

export interface NoticesSnapshot {
  readonly notices: readonly Notice[];
  readonly open: OpenNotice | undefined;
  /** The line that is not ended yet, as far as it could be a name. */
  readonly line: string;
  readonly goingDown: string | undefined;
}

export class Notices {
  #notices: Notice[];
  #open: OpenNotice | undefined;
  #line: string;
  #goingDown: string | undefined;
  readonly #stream: Pick<Scrollback, 'bytes' | 'rendered' | 'end'>;

  /** `stream` has the bytes of a piece when it is heard. */
  constructor(stream: Pick<Scrollback, 'bytes' | 'rendered' | 'end'>, snapshot?: NoticesSnapshot) {
    this.#stream = stream;
    this.#notices = [...(snapshot?.notices ?? [])];
    this.#open = snapshot?.open;
    this.#line = snapshot?.line ?? '';
    this.#goingDown = snapshot?.goingDown;
  }

  /** What the system said about going down, as long as it stands. */
  get goingDown(): string | undefined {
    return this.#goingDown;
  }

  /** Spans that are notices, the open one included. */
  get spans(): readonly Notice[] {
    return this.#open?.state === 'body' ? [...this.#notices, this.#open] : this.#notices;
  }

  /** Notices that are announced in `[start, end)`. */
  within({ start, end }: Span): readonly Notice[] {
    const { spans } = this;
    return spans
      .filter(({ bell }) => bell >= start && bell < end)
      .map((notice) => ({ ...notice, text: notice.text.trim() }));
  }

  /** Takes the next piece; returns what is not (yet) part of a notice. */
  hear(piece: RenderedPiece, nowMs: number): readonly RenderedPiece[] {
    const { offset, rendered } = piece;
    if (this.#open?.state === 'body' && nowMs - this.#open.lastMs > NOTICE_GAP_MS) this.#close();
    const heard: RenderedPiece[] = [];
    // BELs with nothing behind them that come one at a time announce nothing: each is a character that was lost.
    if (this.#open?.state === 'head' && this.#isLone(this.#open) && nowMs - this.#open.lastMs > NOTICE_GAP_MS)
      heard.push(...this.#release(offset));
    if (this.#open === undefined && rendered.bells.length === 0) {
      this.#follow(rendered.text);
      return [...heard, piece];
    }
    let at = this.#open === undefined ? 0 : this.#take(piece, 0, nowMs, heard);
    for (const bell of rendered.bells) {
      if (bell.index < at || this.#open !== undefined) continue;
      const line = this.#lineBefore(rendered.text.slice(at, bell.index));
      if (line !== '' && !NAMED.test(line)) continue;
      heard.push(...partOf(piece, at, bell.index));
      this.#follow(rendered.text.slice(at, bell.index));
      const bellOffset = offset + bell.at;
      const start = this.#startOf(bellOffset - line.length);
      this.#open = {
        start,
        end: bellOffset,
        text: line,
        state: 'head',
        lastMs: nowMs,
        bell: bellOffset,
      };
      at = this.#take(piece, bell.index, nowMs, heard);
    }
    if (this.#open === undefined) {
      heard.push(...partOf(piece, at));
      this.#follow(rendered.text.slice(at));
    }
    return heard;
  }

  /** The output has paused: a message is over, and what only looked like an announcement is none. */
  pause(): readonly RenderedPiece[] {
    // What the system says may end without a line end: it has come up and nobody is there yet.
    const isWhole = this.#open?.state === 'body' || SYSTEM.test(this.#open?.text.trim() ?? '');
    if (isWhole) this.#close();
    return this.#release(this.#stream.end);
  }

  snapshot(): NoticesSnapshot {
    return {
      notices: [...this.#notices],
      open: this.#open,
      line: this.#line,
      goingDown: this.#goingDown,
    };
  }

  /** Reads an open notice on from character `from` of the piece; returns the first character that is not taken. */
  #take({ offset, rendered }: RenderedPiece, from: number, nowMs: number, heard: RenderedPiece[]): number {
    let at = from;
    while (this.#open !== undefined && at < rendered.length) {
      const open: OpenNotice = this.#open;
      const lineEnd = rendered.text.indexOf('\n', at);
      const to = lineEnd < 0 ? rendered.length : lineEnd + 1;
      const text = open.text + rendered.text.slice(at, to);
      const end = offset + rendered.byteIndexAfter(to);
      this.#open = { ...open, text, end, lastMs: nowMs };
      this.#follow(rendered.text.slice(at, to));
      at = to;
      if (open.state === 'body') {
        if (text.length > MAX_NOTICE_CHARS || lineEnd >= 0) this.#close();
      } else if (lineEnd >= 0 || text.length > MAX_HEAD_CHARS) this.#judge(heard);
    }
    return at;
  }

  /** The announcing line is complete. */
  #judge(heard: RenderedPiece[]): void {
    if (this.#open === undefined) return;
    const head = this.#open.text.trim();
    if (MESSAGE.test(head)) {
      this.#open = { ...this.#open, state: 'body' };
    } else if (SYSTEM.test(head)) this.#close();
    else heard.push(...this.#release(this.#open.end));
  }

  #close(): void {
    if (this.#open === undefined) return;
    const { start, end, text, bell } = this.#open;
    this.#open = undefined;
    this.#notices.push({ start, end, text: text.trim(), bell });
    if (this.#notices.length > MAX_NOTICES) this.#notices.shift();
    if (GOING_DOWN.test(text)) this.#goingDown = text.trim();
    else if (REVIVED.test(text)) this.#goingDown = undefined;
  }

  /** What only looked like an announcement, up to the offset `end`: it is told now. */
  #release(end: number): readonly RenderedPiece[] {
    if (this.#open?.state !== 'head') return [];
    const { bell } = this.#open;
    this.#open = undefined;
    return this.#stream.rendered(bell, end);
  }

  #isLone({ text }: OpenNotice): boolean {
    return text === '' || NAMED.test(text);
  }

  /** The line that is not ended yet, with `text` behind it; more than a name could have is cut off. */
  #lineBefore(text: string): string {
    const lineStart = text.lastIndexOf('\n') + 1;
    return lineStart > 0 ? text.slice(lineStart) : (this.#line + text).slice(0, MAX_NAME_CHARS + 1);
  }

  #follow(text: string): void {
    this.#line = this.#lineBefore(text).slice(0, MAX_NAME_CHARS + 1);
  }

  /**
   * Where a notice whose first character or BEL is at `first` begins. ITS goes to a fresh line first: ESC K alone when the cursor was at
   * the start of one, CR LF ESC K (ESC H ESC K at the bottom) when not; only then is the line end the notice's own.
   */
  #startOf(first: number): number {
    const before = String.fromCharCode(...this.#stream.bytes(first - 6, first));
    if (LINE_ENDS.some((lineEnd) => before.endsWith(lineEnd + ERASE_LINE))) return first - 4;
    return before.endsWith(ERASE_LINE) ? first - 2 : first;
  }
}

/** Characters `[from, to)` of a piece with their BELs; none when there is neither. */
function partOf({ offset, rendered }: RenderedPiece, from: number, to?: number): readonly RenderedPiece[] {
  const part = rendered.slice(from, to);
  return part.length > 0 || part.bells.length > 0 ? [{ offset, rendered: part }] : [];
}
