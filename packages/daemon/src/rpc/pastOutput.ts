/** Output that the ring has lost, from what is kept for ever. */
import type { Slice } from '@pidp10/protocol/schemas';
import { remainderOf } from '../core/spans.ts';
import type { Archive, PastView } from './archive.ts';
import type { ChannelService } from './channelService.ts';
import type { Answer } from './outcome.ts';
import { tidyText } from './tidy.ts';

/** Bytes of one look into the past: four screens of a full ring, some ten milliseconds of rendering. */
export const PAST_BYTES = 262_144;

export interface PastOptions {
  readonly start: number;
  readonly maxChars: number;
  readonly tidy: boolean;
}

/** Whether `offset` lies before what memory holds, and is kept all the same. */
export function isPast(
  line: ChannelService,
  offset: number,
): line is ChannelService & { readonly archive: Archive } {
  return line.archive !== undefined && offset < line.conversation.scrollback.oldest;
}

/** A read that begins in the past: what was said there, at most `maxChars`; the rest is for the next read. */
export async function readPast(
  line: ChannelService & { readonly archive: Archive },
  { start, maxChars, tidy }: PastOptions,
): Promise<Answer> {
  const { archive } = line;
  const { scrollback } = line.conversation;
  const from = Math.max(start, Math.min(archive.oldest, scrollback.safeEnd));
  const to = Math.min(from + PAST_BYTES, scrollback.safeEnd);
  const view = await archive.view(from, to);
  // A fragment at the end stays for the next look, unless there is nothing else.
  const end = view.safeEnd > from ? Math.min(view.safeEnd, to) : to;
  const spoken = spokenText(line, view, { start: from, end }, maxChars);
  const text = tidy ? tidyText(spoken.text) : spoken.text;
  const output: Slice = {
    start: from,
    end: spoken.end,
    text,
    truncated: start < from || archive.holes(from, spoken.end).length > 0,
    lines: text.split('\n').length - 1,
  };
  return {
    reason: 'limit',
    output,
    remaining: scrollback.end - spoken.end,
    pages: 0,
    bells: spoken.bells,
  };
}

/** The newest `chars` characters before `end`, which may lie before what memory holds. */
export async function peekPast(
  line: ChannelService & { readonly archive: Archive },
  chars: number,
): Promise<Slice> {
  const { safeEnd: end } = line.conversation.scrollback;
  const from = Math.max(end - PAST_BYTES * 4, line.archive.oldest);
  const view = await line.archive.view(from, end);
  const whole = view.text(Math.max(from, view.oldest), end);
  const surplus = Math.max(whole.text.length - chars, 0);
  const start = surplus === 0 ? whole.start : view.text(whole.start, end, surplus).end;
  const { text } = spokenText(line, view, { start, end }, Number.POSITIVE_INFINITY);
  return { start, end, text, truncated: start > 0, lines: text.split('\n').length - 1 };
}

function spokenText(
  line: ChannelService,
  view: PastView,
  span: { readonly start: number; readonly end: number },
  maxChars: number,
): { readonly text: string; readonly end: number; readonly bells: number } {
  const cuts = line.conversation.transcript.cuts(span);
  let text = '';
  let bells = 0;
  for (const part of remainderOf(span, cuts)) {
    const found = view.text(part.start, part.end, maxChars - text.length);
    text += found.text;
    bells += found.bells;
    if (found.end < part.end) return { text, end: found.end, bells };
  }
  return { text, end: span.end, bells };
}
