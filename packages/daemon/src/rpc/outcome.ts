/** Answers for the wire: offsets of a settlement become text, and the facts of the channel stand beside it. */
import type { Outcome, Slice } from '@pidp10/protocol/schemas';
import type { Settlement, Span } from '../core/events.ts';
import type { ChannelService } from './channelService.ts';
import type { LineService } from './lineService.ts';
import { changedRows } from './screenText.ts';
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

type Facts = Pick<Outcome, 'lineState' | 'activity' | 'echo' | 'goingDown' | 'epoch'>;
/** An outcome without the facts that stand beside it, which are the line's or a session's. */
export type Answer = Omit<Outcome, keyof Facts>;

export function toOutcome(line: LineService, settlement: Settlement, options: AnswerOptions): Outcome {
  return { ...toAnswer(line, settlement, options), ...toFacts(line) };
}

export function toAnswer(line: ChannelService, settlement: Settlement, options: AnswerOptions): Answer {
  const { before, output, echoEnd, match, accepted, sent, echoed, overflow, pages, reason } = settlement;
  const { scrollback, transcript } = line.conversation;
  const { bells, folds } = transcript.text(output);
  // Unread output takes at most half of an answer, and the newest of it: what was asked for must have room.
  const unread = before && toSlice(line, newest(line, before, Math.ceil(options.maxChars / 2)), options.tidy);
  return {
    reason,
    ...(unread !== undefined && unread.text !== '' && { before: unread }),
    ...answerOf(line, settlement, options),
    ...(echoEnd !== undefined && { echoEnd }),
    ...(match !== undefined && { match }),
    ...(accepted !== undefined && { accepted }),
    ...(sent !== undefined && { sent }),
    ...(echoed !== undefined && { echoed }),
    ...(overflow !== undefined && { overflow: { offset: overflow } }),
    remaining: scrollback.end - output.end,
    pages,
    bells,
    ...(folds > 0 && { folds }),
    ...noticesIn(line, { start: before?.start ?? output.start, end: output.end }),
  };
}

/** The answer's text; from a program that paints the screen, the rows it changed instead of the fragments it sent. */
function answerOf(
  line: ChannelService,
  settlement: Settlement,
  options: AnswerOptions,
): Pick<Outcome, 'output' | 'screen'> {
  const { output, isPainting } = settlement;
  const { activity, transcript } = line.conversation;
  const slice = toSlice(line, { span: answerSpan(settlement, options), isCut: false }, options.tidy);
  if (!isPainting || activity.kind !== 'screen_program') return { output: slice };
  const screen = transcript.screens.at(output.end);
  const texts = screen.rows.map((row) => row.trimEnd());
  // A row that was erased says nothing; the whole screen is there for who wants to see that it is empty.
  const rows = changedRows(screen, output.start).filter((row) => texts[row] !== '');
  const text = rows.map((row) => texts[row] ?? '').join('\n');
  return {
    output: { ...slice, text, lines: Math.max(rows.length - 1, 0) },
    screen: { rows, cursor: { row: screen.row, column: screen.column } },
  };
}

/** The output, without the echo where that was asked for and is certain. */
export function answerSpan(
  { output, echoEnd, isEchoExact }: Settlement,
  { echo }: Pick<AnswerOptions, 'echo'>,
): Span {
  return echo === 'strip' && isEchoExact && echoEnd !== undefined ? { ...output, start: echoEnd } : output;
}

/** Messages of others in a span, as they stand beside its text. */
export function noticesIn(line: ChannelService, span: Span): Pick<Outcome, 'notices'> {
  const notices = line.conversation.transcript.notices(span);
  return notices.length > 0 ? { notices: notices.map(({ start, text }) => ({ offset: start, text })) } : {};
}

/** The facts that stand beside every answer. */
export function toFacts(line: LineService): Facts {
  const { activity, echo, transcript } = line.conversation;
  const { goingDown } = transcript;
  return {
    lineState: line.channel.facts,
    activity,
    echo,
    ...(goingDown !== undefined && { goingDown }),
    epoch: line.epoch,
  };
}

export function toSlice(line: ChannelService, { span, isCut }: CutSpan, tidy: boolean): Slice {
  const { scrollback, transcript } = line.conversation;
  const spoken = transcript.text(span).text;
  const text = tidy ? tidyText(spoken) : spoken;
  return {
    start: Math.max(span.start, Math.min(scrollback.oldest, span.end)),
    end: span.end,
    text,
    truncated: isCut || span.start < scrollback.oldest || hasLost(line, span),
    lines: text.split('\n').length - 1,
  };
}

function hasLost(line: ChannelService, span: Span): boolean {
  return line.lost.some(({ start, end }) => start < span.end && end > span.start);
}

export interface CutSpan {
  readonly span: Span;
  /** Older bytes that were asked for are left out, although they are still there. */
  readonly isCut: boolean;
}

/** The end of a span that has so many characters. */
export function newest(line: ChannelService, span: Span, chars: number): CutSpan {
  const { scrollback } = line.conversation;
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
