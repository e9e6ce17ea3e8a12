/**
 * Notices: text that nobody on the line asked for, from other users and from the system (measured, docs/its-line.md 8;
 * [15c-send-received], [01-connect-wait]). They come in one burst, announced by BELs, at any moment.
 *
 * The scanner reads the text of the stream as it comes and says which spans are notices. What belongs to one: the line
 * end that ITS puts before it when the cursor was not at the start of a line, the announcing line, and of a message its
 * text. Nothing marks the end of that. Where the line was silent before, all lines that come in the same burst belong to
 * it, up to what no message contains: a fresh line of DDT's (ESC K once more), another motion, the next BEL. Where
 * output or echo was on its way, only the first line is surely the message's, because what follows may be that going on.
 * Text is held back only from the BEL on until the announcing line is told.
 */
import type { Span } from '../events.ts';
import type { RenderedText } from '../renderedText.ts';
import type { RenderedPiece, Scrollback } from '../scrollback.ts';

/** A message goes on while its text comes without a gap of so many ms; the line's own gaps are 0.1 ms, p99.9 4 ms. */
export const NOTICE_GAP_MS = 12;
/** A message that comes after so many ms without output comes into nothing: echo has a character each 17 ms. */
export const NOTICE_SILENCE_MS = 50;
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

const LF = 0x0a;
const ERASE_LINE = '\u001bK';
const LINE_ENDS = ['\r\n', '\u001bH'] as const;
/**
 * Bytes between a line end and the first character of the message's next line: LF, where the line ended with its CR, and
 * ESC K. A blank line at the bottom is ESC H, of which a part may stand before the byte that told it.
 */
const BETWEEN_LINES = new RegExp(`^\n?(?:${ERASE_LINE})?(?:\u001b|\u001bH)?$`);
/** More bytes than these with some padding are something else. */
const MAX_BETWEEN_BYTES = 64;

export interface Notice extends Span {
  readonly text: string;
  /** Offset of its first BEL: what stands before it may have been told already. */
  readonly bell: number;
}

interface OpenNotice extends Notice {
  /** `head`: the announcing line is not complete; `body`: a message's first line is not; `block`: more lines may come. */
  readonly state: 'head' | 'body' | 'block';
  readonly lastMs: number;
  /** The line was silent before it. */
  readonly isAlone: boolean;
}

export interface NoticesSnapshot {
  readonly notices: readonly Notice[];
  readonly open: OpenNotice | undefined;
  /** The line that is not ended yet, as far as it could be a name. */
  readonly line: string;
  /** When the newest character came that is on that line, and when the newest in front of it; undefined: none did. */
  readonly lineMs: number | undefined;
  readonly beforeMs: number | undefined;
  readonly goingDown: string | undefined;
}

export class Notices {
  #notices: Notice[];
  #open: OpenNotice | undefined;
  #line: string;
  #lineMs: number | undefined;
  #beforeMs: number | undefined;
  #goingDown: string | undefined;
  readonly #stream: Pick<Scrollback, 'bytes' | 'rendered' | 'end'>;

  /** `stream` has the bytes of a piece when it is heard. */
  constructor(stream: Pick<Scrollback, 'bytes' | 'rendered' | 'end'>, snapshot?: NoticesSnapshot) {
    this.#stream = stream;
    this.#notices = [...(snapshot?.notices ?? [])];
    this.#open = snapshot?.open;
    this.#line = snapshot?.line ?? '';
    this.#lineMs = snapshot?.lineMs;
    this.#beforeMs = snapshot?.beforeMs;
    this.#goingDown = snapshot?.goingDown;
  }

  /** What the system said about going down, as long as it stands. */
  get goingDown(): string | undefined {
    return this.#goingDown;
  }

  /** Spans that are notices, the open one included. */
  get spans(): readonly Notice[] {
    return this.#open !== undefined && this.#open.state !== 'head'
      ? [...this.#notices, this.#open]
      : this.#notices;
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
    const heard: RenderedPiece[] = [];
    if (this.#open !== undefined && nowMs - this.#open.lastMs > NOTICE_GAP_MS) {
      if (this.#open.state !== 'head') this.#close();
      // BELs with nothing behind them that come one at a time announce nothing: each is a character that was lost.
      else if (this.#isLone(this.#open)) heard.push(...this.#release(offset));
    }
    if (this.#open === undefined && rendered.bells.length === 0) {
      this.#follow(rendered, nowMs);
      return [...heard, piece];
    }
    let at = this.#open === undefined ? 0 : this.#take(piece, 0, nowMs, heard);
    for (const bell of rendered.bells) {
      if (bell.index < at) continue;
      if (this.#open?.state === 'block' && this.#open.text.endsWith('\n')) this.#close(); // the next one
      if (this.#open !== undefined) continue;
      const line = this.#lineBefore(rendered.slice(at, bell.index));
      if (line !== '' && !NAMED.test(line)) continue;
      heard.push(...partOf(piece, at, bell.index));
      this.#follow(rendered.slice(at, bell.index), nowMs);
      const bellOffset = offset + bell.at;
      const spokeMs = this.#beforeMs;
      this.#open = {
        start: this.#startOf(bellOffset - line.length),
        end: bellOffset,
        text: line,
        state: 'head',
        lastMs: nowMs,
        bell: bellOffset,
        isAlone: spokeMs === undefined || nowMs - spokeMs >= NOTICE_SILENCE_MS,
      };
      at = this.#take(piece, bell.index, nowMs, heard);
    }
    if (this.#open === undefined) {
      heard.push(...partOf(piece, at));
      this.#follow(rendered.slice(at), nowMs);
    }
    return heard;
  }

  /** Something is being typed: what comes next may be its echo. */
  typed(nowMs: number): void {
    this.#beforeMs = nowMs;
    if (this.#open?.state === 'block') this.#close();
    else if (this.#open !== undefined) this.#open = { ...this.#open, isAlone: false };
  }

  /** The output has paused: a message is over, and what only looked like an announcement is none. */
  pause(): readonly RenderedPiece[] {
    // What the system says may end without a line end: it has come up and nobody is there yet.
    const { state = 'head', text = '' } = this.#open ?? {};
    if (state !== 'head' || SYSTEM.test(text.trim())) this.#close();
    return this.#release(this.#stream.end);
  }

  snapshot(): NoticesSnapshot {
    return {
      notices: [...this.#notices],
      open: this.#open,
      line: this.#line,
      lineMs: this.#lineMs,
      beforeMs: this.#beforeMs,
      goingDown: this.#goingDown,
    };
  }

  /** Reads an open notice on from character `from` of the piece; returns the first character that is not taken. */
  #take(piece: RenderedPiece, from: number, nowMs: number, heard: RenderedPiece[]): number {
    const { offset, rendered } = piece;
    let at = from;
    while (this.#open !== undefined && at < rendered.length) {
      const open: OpenNotice = this.#open;
      if (open.state === 'block' && open.text.endsWith('\n') && this.#isOver(open, piece, at)) {
        this.#close();
        break;
      }
      const lineEnd = rendered.text.indexOf('\n', at);
      const to = lineEnd < 0 ? rendered.length : lineEnd + 1;
      const text = open.text + rendered.text.slice(at, to);
      const end = offset + rendered.byteIndexAfter(to);
      this.#open = { ...open, text, end, lastMs: nowMs };
      this.#line = this.#lineBefore(rendered.slice(at, to));
      at = to;
      if (open.state === 'head') {
        if (lineEnd >= 0 || text.length > MAX_HEAD_CHARS) this.#judge(heard);
      } else if (text.length > MAX_NOTICE_CHARS) this.#close();
      else if (lineEnd >= 0) this.#endLine();
    }
    if (this.#open === undefined) this.#lineMs = undefined;
    return at;
  }

  /** Whether what begins a line behind those of an open notice, at character `at` of the piece, is none of it. */
  #isOver({ end }: OpenNotice, { offset, rendered }: RenderedPiece, at: number): boolean {
    if (rendered.bells.some(({ index }) => index === at)) return true;
    const between = this.#stream.bytes(end, offset + rendered.byteIndexAfter(at + 1) - 1);
    if (between.length > MAX_BETWEEN_BYTES) return true;
    const motions = String.fromCharCode(...between.map((byte) => byte & 0x7f)).replaceAll('\0', '');
    return !BETWEEN_LINES.test(motions);
  }

  /** The announcing line is complete. */
  #judge(heard: RenderedPiece[]): void {
    if (this.#open === undefined) return;
    const head = this.#open.text.trim();
    if (MESSAGE.test(head)) this.#open = { ...this.#open, state: 'body' };
    else if (SYSTEM.test(head)) this.#endLine();
    else heard.push(...this.#release(this.#open.end));
  }

  /** The notice could end with the line that is complete. */
  #endLine(): void {
    if (this.#open?.isAlone === true) this.#open = { ...this.#open, state: 'block' };
    else this.#close();
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
    const { bell, lastMs } = this.#open;
    this.#open = undefined;
    this.#beforeMs = lastMs;
    return this.#stream.rendered(bell, end);
  }

  #isLone({ text }: OpenNotice): boolean {
    return text === '' || NAMED.test(text);
  }

  /** The line that is not ended yet, with `text` behind it; more than a name could have is cut off. */
  #lineBefore(text: RenderedText): string {
    const lineStart = text.lastLineEnd + 1;
    if (lineStart === 0 && this.#line.length > MAX_NAME_CHARS) return this.#line;
    const rest = text.textAt(lineStart, MAX_NAME_CHARS + 1);
    return lineStart > 0 ? rest : (this.#line + rest).slice(0, MAX_NAME_CHARS + 1);
  }

  /** Text that is no notice. A line end alone may be the one in front of a notice. */
  #follow(text: RenderedText, nowMs: number): void {
    const lineStart = text.lastLineEnd + 1;
    if (lineStart > 0) {
      let words = lineStart - 1;
      while (words > 0 && text.charCodeAt(words - 1) === LF) words -= 1;
      this.#beforeMs = words > 0 ? nowMs : laterOf(this.#lineMs, this.#beforeMs);
      this.#lineMs = undefined;
    }
    if (lineStart < text.length) this.#lineMs = nowMs;
    this.#line = this.#lineBefore(text);
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

/** The line may be older than what was typed behind it. */
function laterOf(lineMs: number | undefined, beforeMs: number | undefined): number | undefined {
  if (lineMs === undefined || beforeMs === undefined) return lineMs ?? beforeMs;
  return Math.max(lineMs, beforeMs);
}

/** Characters `[from, to)` of a piece with their BELs; none when there is neither. */
function partOf({ offset, rendered }: RenderedPiece, from: number, to?: number): readonly RenderedPiece[] {
  const part = rendered.slice(from, to);
  return part.length > 0 || part.bells.length > 0 ? [{ offset, rendered: part }] : [];
}
