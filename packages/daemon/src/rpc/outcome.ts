/** Answers for the wire: offsets of a settlement become text, and the facts of the channel stand beside it. */
import type { Outcome, Slice } from '@pidp10/protocol/schemas';
import type { Settlement, Span } from '../core/events.ts';
import type { LineService } from './lineService.ts';
import { tidyText } from './tidy.ts';

/** Bytes that are looked at for each character of the newest output: the rest, motions and NULs, is cut off with it. */
const MAX_BYTES_PER_CHAR = 16;
/** The shortest look back, in bytes: a screen of motions between two words. */
const MIN_LOOK_BYTES = 4_096;

export interface AnswerOptions {
  readonly tidy: boolean;
  readonly echo: 'keep' | 'strip';
  readonly maxChars: number;
}

export function toOutcome(line: LineService, settlement: Settlement, options: AnswerOptions): Outcome {
  const { before, output, echoEnd, isEchoExact, match, accepted, sent, pages, reason } = settlement;
  const { scrollback } = line.channel.conversation;
  const answer =
    options.echo === 'strip' && isEchoExact && echoEnd !== undefined ? { ...output, start: echoEnd } : output;
  return {
    reason,
    // Unread output takes at most half of an answer, and the newest of it: what was asked for must have room.
    ...(before !== undefined && {
      before: toSlice(line, newest(line, before, Math.ceil(options.maxChars / 2)), options.tidy),
    }),
    output: toSlice(line, { span: answer, isCut: false }, options.tidy),
    ...(echoEnd !== undefined && { echoEnd }),
    ...(match !== undefined && { match }),
    ...(accepted !== undefined && { accepted }),
    ...(sent !== undefined && { sent }),
    remaining: scrollback.end - output.end,
    pages,
    bells: scrollback.text(output.start, output.end).bells,
    ...toFacts(line),
  };
}

/** The facts that stand beside every answer. */
export function toFacts(line: LineService): Pick<Outcome, 'lineState' | 'activity' | 'echo' | 'epoch'> {
  return { lineState: line.channel.facts, activity: { kind: 'unknown' }, echo: 'unknown', epoch: line.epoch };
}

export function toSlice(line: LineService, { span, isCut }: CutSpan, tidy: boolean): Slice {
  const { scrollback, turns } = line.channel.conversation;
  const parts = turns
    .remainder(span.start, span.end)
    .map((part) => scrollback.text(part.start, part.end).text);
  const text = tidy ? tidyText(parts.join('')) : parts.join('');
  return {
    start: Math.max(span.start, Math.min(scrollback.oldest, span.end)),
    end: span.end,
    text,
    truncated: isCut || span.start < scrollback.oldest,
    lines: text.split('\n').length - 1,
  };
}

export interface CutSpan {
  readonly span: Span;
  /** Older bytes that were asked for are left out, although they are still there. */
  readonly isCut: boolean;
}

/** The end of a span that has so many characters. */
export function newest(line: LineService, span: Span, chars: number): CutSpan {
  const { scrollback } = line.channel.conversation;
  const limit = Math.max(span.start, span.end - chars * MAX_BYTES_PER_CHAR - MIN_LOOK_BYTES);
  // Back from the end in growing steps: the span may be the whole ring, and its end is all that is wanted.
  for (let bytes = chars + MIN_LOOK_BYTES; ; bytes *= 4) {
    const from = Math.max(span.end - bytes, limit);
    const { text } = scrollback.text(from, span.end);
    const surplus = text.length - chars;
    if (surplus > 0) {
      return { span: { start: scrollback.text(from, span.end, surplus).end, end: span.end }, isCut: true };
    }
    if (from === limit) return { span: { start: from, end: span.end }, isCut: from > span.start };
  }
}
