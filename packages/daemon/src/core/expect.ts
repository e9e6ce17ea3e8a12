/**
 * Expectation: one caller's wait for output, and what ends it (CONTRACT 2). The first cause wins, and it ends once (I9).
 *
 * The clock of a send starts when the last byte of its input was written; the quiet time runs from the last byte heard,
 * so that it begins with the first one, and a line that says nothing at all runs into the timeout.
 */
import { EchoRecogniser, type EchoSnapshot } from './echo.ts';
import type { Expectation, Reason, Settlement, Span } from './events.ts';
import type { EndingAt } from './its/ending.ts';
import { compilePattern, Matcher, type MatcherSnapshot } from './pattern/pattern.ts';
import type { RenderedText } from './renderedText.ts';
import type { Author } from './timeline.ts';

/** Silence, in ms, after which the end of the output is looked at: pager, prompt, `$` (the line's gaps: p99.9 20 ms). */
export const SILENCE_MS = 100;

export interface WaitStart {
  readonly id: string;
  readonly kind: 'open' | 'send' | 'read';
  readonly reader: string;
  readonly expectation: Expectation;
  /** Unread output older than the wait's own. */
  readonly before?: Span;
  /** Offset at which the wait's own output begins. */
  readonly start: number;
  /** Whether the reader's cursor goes along. */
  readonly isPeeking: boolean;
  /** What is being typed. */
  readonly input?: Uint8Array;
  /** `false`: no output is taken for the echo of the input. */
  readonly isEchoed?: boolean;
  /** The echo of UTF-8 is UTF-8. */
  readonly isUtf8?: boolean;
}

export interface WaitSnapshot
  extends Pick<WaitStart, 'id' | 'kind' | 'reader' | 'expectation' | 'start' | 'isPeeking'> {
  readonly before: Span | undefined;
  readonly bornMs: number;
  /** When the clock started; undefined while input is still going out, or the line is still opening. */
  readonly armedMs: number | undefined;
  readonly heardMs: number | undefined;
  readonly echo: EchoSnapshot | undefined;
  readonly echoEnd: number | undefined;
  readonly matcher: MatcherSnapshot | undefined;
  readonly matchEnd: number | undefined;
  readonly verdict: 'matched' | 'prompt' | undefined;
  /** When the byte came that brought the verdict. */
  readonly verdictMs: number | undefined;
  readonly chars: number;
  /** Offset behind the last character heard. */
  readonly textEnd: number;
  readonly pages: number;
  readonly accepted: number | undefined;
  readonly sent: number | undefined;
  readonly overflow: number | undefined;
}

export interface SettleFacts {
  readonly output: Span;
  readonly match: Span | undefined;
  readonly isPainting: boolean;
  readonly by?: Author | undefined;
}

export class Wait {
  readonly id: string;
  readonly kind: 'open' | 'send' | 'read';
  readonly reader: string;
  readonly expectation: Expectation;
  readonly start: number;
  readonly isPeeking: boolean;
  readonly #before: Span | undefined;
  readonly #bornMs: number;
  #armedMs: number | undefined;
  #heardMs: number | undefined;
  #echo: EchoRecogniser | undefined;
  #echoEnd: number | undefined;
  #matcher: Matcher | undefined;
  #matchEnd: number | undefined;
  #verdict: 'matched' | 'prompt' | undefined;
  #verdictMs: number | undefined;
  #chars: number;
  /** Offset behind the last character heard; what `newest` says is not counted in yet, because it seldom matters. */
  #textEnd: number;
  #newest: { readonly rendered: RenderedText; readonly offset: number } | undefined;
  #pages: number;
  #accepted: number | undefined;
  #sent: number | undefined;
  #overflow: number | undefined;

  private constructor(snapshot: WaitSnapshot) {
    this.id = snapshot.id;
    this.kind = snapshot.kind;
    this.reader = snapshot.reader;
    this.expectation = snapshot.expectation;
    this.start = snapshot.start;
    this.isPeeking = snapshot.isPeeking;
    this.#before = snapshot.before;
    this.#bornMs = snapshot.bornMs;
    this.#armedMs = snapshot.armedMs;
    this.#heardMs = snapshot.heardMs;
    this.#echo = snapshot.echo && EchoRecogniser.restore(snapshot.echo);
    this.#echoEnd = snapshot.echoEnd;
    this.#matcher = matcherOf(snapshot.expectation.pattern, snapshot.matcher);
    this.#matchEnd = snapshot.matchEnd;
    this.#verdict = snapshot.verdict;
    this.#verdictMs = snapshot.verdictMs;
    this.#chars = snapshot.chars;
    this.#textEnd = snapshot.textEnd;
    this.#pages = snapshot.pages;
    this.#accepted = snapshot.accepted;
    this.#sent = snapshot.sent;
    this.#overflow = snapshot.overflow;
  }

  static begin(begin: WaitStart, nowMs: number): Wait {
    const { input, isEchoed = true, isUtf8 } = begin;
    return new Wait({
      id: begin.id,
      kind: begin.kind,
      reader: begin.reader,
      expectation: begin.expectation,
      before: begin.before,
      start: begin.start,
      isPeeking: begin.isPeeking,
      bornMs: nowMs,
      armedMs: begin.kind === 'read' ? nowMs : undefined,
      heardMs: undefined,
      echo: isEchoed ? input && EchoRecogniser.of(input, isUtf8).snapshot() : undefined,
      echoEnd: undefined,
      matcher: undefined,
      matchEnd: undefined,
      verdict: undefined,
      verdictMs: undefined,
      chars: 0,
      textEnd: begin.start,
      pages: 0,
      accepted: input?.length,
      sent: input && 0,
      overflow: undefined,
    });
  }

  static restore(snapshot: WaitSnapshot): Wait {
    return new Wait(snapshot);
  }

  get pages(): number {
    return this.#pages;
  }

  /** When a wait for the line to open gives up; undefined for others, and once the line is open. */
  get opensBy(): number | undefined {
    return this.kind === 'open' && this.#armedMs === undefined
      ? this.#bornMs + this.expectation.timeoutMs
      : undefined;
  }

  /** Whether a pager is its business: all of its input is out, and nothing has ended it yet. */
  get mayMeetPager(): boolean {
    return this.#armedMs !== undefined && this.#verdict === undefined && !this.isFull;
  }

  /** More has come than the answer has room for. */
  get isFull(): boolean {
    return this.#chars > this.expectation.maxChars;
  }

  /** Offset from which output counts as the answer. */
  get answerStart(): number {
    return this.#echoEnd ?? this.start;
  }

  /** All of the input is out, or as much of it as ever will be; `overflow`: bytes of it before the first that was certainly lost. */
  arm(sent: number, nowMs: number, overflow?: number): void {
    this.#sent = sent;
    if (overflow !== undefined) this.#overflow = overflow;
    this.#armedMs = nowMs;
  }

  /** Text of the bytes from `offset` on, which came at `atMs`. */
  hear(rendered: RenderedText, offset: number, atMs: number): void {
    const taken = this.#echo?.state === 'pending' ? this.#echo.push(rendered.text) : 0;
    const endOf = (chars: number) => offset + rendered.byteIndexAfter(chars);
    if (taken > 0) this.#echoEnd = endOf(taken);
    if (!this.isFull && this.#verdict === undefined && this.#echo?.state !== 'pending') {
      const end = this.#matcher?.push(rendered.slice(taken));
      // Behind the last character that the answer has room for there is no match: the limit came first.
      const isWithin = end !== undefined && this.#chars + taken + end <= this.expectation.maxChars;
      if (isWithin) this.#matched(taken + end > 0 ? endOf(taken + end) : this.#findTextEnd(), atMs);
    }
    this.#heardMs = atMs;
    this.#chars += rendered.length;
    if (rendered.length > 0) this.#newest = { rendered, offset };
  }

  /** The output has paused, and this is how it ends, as far as that is known. */
  pause(ending: EndingAt | undefined): void {
    if (!this.mayMeetPager || this.#heardMs === undefined || this.#echo?.state === 'pending') return;
    if (this.#matcher?.matchesAtSilence() === true) this.#matched(this.#findTextEnd(), this.#heardMs);
    else if (this.#matcher === undefined && ending !== undefined && this.#isAnsweredBy(ending)) {
      this.#verdict = 'prompt';
    }
  }

  /** A page was asked for: the quiet time waits for its first byte. */
  turnPage(): void {
    this.#pages += 1;
    this.#heardMs = undefined;
  }

  /** The line has opened: what the wait was for. */
  conclude(nowMs: number): void {
    this.#armedMs ??= nowMs;
    this.#verdict = 'prompt';
  }

  /** Why the wait is over by now, or undefined. */
  tryEnd(nowMs: number): Reason | undefined {
    const { expectation } = this;
    if (this.#armedMs !== undefined) {
      const isFull = this.isFull;
      const isLate = nowMs >= this.#armedMs + expectation.timeoutMs;
      if (this.#verdict !== undefined) {
        if (isFull || isLate || nowMs >= this.#settledMs(this.#armedMs)) return this.#verdict;
      } else if (isFull) return 'limit';
      else if (nowMs >= this.#quietEndsMs(this.#armedMs)) return 'quiet';
      else if (isLate) return 'timeout';
    }
    const { returnAfterMs } = expectation;
    return returnAfterMs !== undefined && nowMs >= this.#bornMs + returnAfterMs ? 'still_waiting' : undefined;
  }

  /** When `tryEnd` may next say something else without a byte or a call in between. */
  deadlineMs(): number {
    const { timeoutMs, returnAfterMs } = this.expectation;
    const times = [this.opensBy ?? Number.MAX_SAFE_INTEGER];
    if (returnAfterMs !== undefined) times.push(this.#bornMs + returnAfterMs);
    if (this.#armedMs !== undefined) {
      times.push(this.#armedMs + timeoutMs);
      times.push(
        this.#verdict === undefined ? this.#quietEndsMs(this.#armedMs) : this.#settledMs(this.#armedMs),
      );
    }
    return Math.min(...times);
  }

  /** The outcome when `cause` ends the wait now; what happened to it before that was the first cause. */
  settle(cause: Reason, { output, match, isPainting, by }: SettleFacts): Settlement {
    const first =
      this.#armedMs === undefined ? undefined : (this.#verdict ?? (this.isFull ? 'limit' : undefined));
    return {
      reason: first ?? cause,
      ...(this.#before !== undefined && { before: this.#before }),
      output,
      ...(this.#echoEnd !== undefined && { echoEnd: Math.min(this.#echoEnd, output.end) }),
      isEchoExact: this.#echo?.isExact ?? false,
      ...(match !== undefined && { match: { ...match, end: Math.min(match.end, output.end) } }),
      ...(this.#accepted !== undefined && { accepted: this.#accepted }),
      ...(this.#sent !== undefined && { sent: this.#sent }),
      ...(this.#overflow !== undefined && { overflow: this.#overflow }),
      pages: this.#pages,
      isPainting,
      ...(by !== undefined && { by }),
    };
  }

  get matchEnd(): number | undefined {
    return this.#matchEnd;
  }

  snapshot(): WaitSnapshot {
    return {
      id: this.id,
      kind: this.kind,
      reader: this.reader,
      expectation: this.expectation,
      before: this.#before,
      start: this.start,
      isPeeking: this.isPeeking,
      bornMs: this.#bornMs,
      armedMs: this.#armedMs,
      heardMs: this.#heardMs,
      echo: this.#echo?.snapshot(),
      echoEnd: this.#echoEnd,
      matcher: this.#verdict === undefined ? this.#matcher?.snapshot() : undefined,
      matchEnd: this.#matchEnd,
      verdict: this.#verdict,
      verdictMs: this.#verdictMs,
      chars: this.#chars,
      textEnd: this.#findTextEnd(),
      pages: this.#pages,
      accepted: this.#accepted,
      sent: this.#sent,
      overflow: this.#overflow,
    };
  }

  #findTextEnd(): number {
    if (this.#newest !== undefined) {
      const { rendered, offset } = this.#newest;
      this.#textEnd = offset + rendered.byteIndexAfter(rendered.length);
      this.#newest = undefined;
    }
    return this.#textEnd;
  }

  /** A prompt is the answer's own if it stands behind the echo; errors and values stand on the line of the echo itself. */
  #isAnsweredBy({ ending, start }: EndingAt): boolean {
    switch (ending.kind) {
      case 'prompt':
      case 'free':
        return start >= this.answerStart;
      case 'error':
      case 'ready':
        // DDT's answer to a lone key is the key's echo.
        return this.#findTextEnd() > (ending.needs?.kind === 'keys' ? this.start : this.answerStart);
      case 'pager':
      case 'question':
        return false;
      default:
        return ending satisfies never;
    }
  }

  #matched(end: number, atMs: number): void {
    this.#verdict = 'matched';
    this.#verdictMs = atMs;
    this.#matchEnd = end;
  }

  #settledMs(armedMs: number): number {
    const { settleMs, settleLimitMs = Number.POSITIVE_INFINITY } = this.expectation;
    const silentMs = this.#silentSinceMs(this.#heardMs ?? armedMs, armedMs) + settleMs;
    return Math.min(silentMs, Math.max(this.#verdictMs ?? armedMs, armedMs) + settleLimitMs);
  }

  /** Never, while nothing was heard. */
  #quietEndsMs(armedMs: number): number {
    if (this.#heardMs === undefined || this.expectation.until === 'prompt') return Number.MAX_SAFE_INTEGER;
    return this.#silentSinceMs(this.#heardMs, armedMs) + this.expectation.quietMs;
  }

  /** Silence while input went out is none; what a read finds unread is as old as it is. */
  #silentSinceMs(heardMs: number, armedMs: number): number {
    return this.kind === 'read' ? heardMs : Math.max(heardMs, armedMs);
  }
}

function matcherOf(source: string | undefined, snapshot: MatcherSnapshot | undefined): Matcher | undefined {
  if (source === undefined) return undefined;
  const compiled = compilePattern(source);
  if (compiled.kind === 'invalid') throw new RangeError(`cannot wait for ${source}: ${compiled.message}`);
  return new Matcher(compiled.pattern, snapshot === undefined ? {} : { snapshot });
}
