/**
 * Outcomes of the daemon as a model reads them: text blocks, the last of which is one line of ours in [ ] (the trailer).
 * Output cannot forge it, because it is the last line of a result, in a block of its own.
 * No structuredContent: clients that get some show a model that alone, and never the text beside it
 * (https://github.com/anthropics/claude-code/issues/54450). The facts for programs are in `_meta` instead.
 */
import type { MethodResult } from '@pidp10/protocol/methods';
import type { Outcome, Slice } from '@pidp10/protocol/schemas';
import { toOutcomeTrailer, toPeekTrailer } from './trailer.ts';
import { toCount, toVisible, toVisibleLine } from './visibleText.ts';

/** Longest result in characters, whatever was asked for: clients refuse results above 25,000 tokens. */
export const MAX_RESULT_CHARS = 60_000;
/** Room for labels and trailer. */
const OWN_CHARS = 2_000;
/** Ceiling of `max_chars`. More is read with the next call. */
export const MAX_OUTPUT_CHARS = MAX_RESULT_CHARS - OWN_CHARS;
/** Name of the facts in `_meta`. */
export const FACTS_KEY = 'pidp10/outcome';

export interface ToolResult {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export interface OutcomeContext {
  /** Output of answers that never arrived, older than all of the outcome. */
  readonly undelivered: readonly Slice[];
  /** Something to tell once, such as a daemon that was started. */
  readonly note?: string | undefined;
}

export function toOutcomeResult(outcome: Outcome, { undelivered, note }: OutcomeContext): ToolResult {
  const output = keepStart(toVisible(outcome.output.text), MAX_OUTPUT_CHARS, outcome.output);
  const older = [...undelivered, ...(outcome.before === undefined ? [] : [outcome.before])];
  const before = toBefore(older, MAX_OUTPUT_CHARS - output.length);
  return {
    content: toBlocks([
      before,
      output,
      ...(note === undefined ? [] : [ours(note)]),
      toOutcomeTrailer(outcome),
    ]),
    _meta: { [FACTS_KEY]: toFacts(outcome) },
  };
}

export function toPeekResult({ output, lineState }: MethodResult<'line.peek'>): ToolResult {
  const text = keepEnd(toVisible(output.text), MAX_OUTPUT_CHARS, output);
  return { content: toBlocks([text, toPeekTrailer(output, lineState)]) };
}

/** A sentence or more of our own, which may quote the far end. */
export function toTextResult(text: string): ToolResult {
  return { content: toBlocks([toVisible(text)]) };
}

export function toErrorResult(text: string): ToolResult {
  return { content: toBlocks([toVisible(text).slice(0, MAX_OUTPUT_CHARS)]), isError: true };
}

/** A model's interface refuses blocks without a visible character. */
function toBlocks(texts: readonly string[]): ToolResult['content'] {
  return texts.filter((text) => text.trim() !== '').map((text) => ({ type: 'text', text }));
}

function toBefore(slices: readonly Slice[], room: number): string {
  const [first] = slices;
  const last = slices.at(-1);
  if (first === undefined || last === undefined || last.end <= first.start) return '';
  const span = { start: first.start, end: last.end };
  const text = toVisible(slices.map((slice) => slice.text).join(''));
  const gap = slices.some((slice) => slice.truncated)
    ? '; the oldest part is left out, read with from gives it'
    : '';
  const label = `[unread output from before this input, offsets ${span.start}-${span.end}${gap}]`;
  return `${label}\n${keepEnd(text, room, span)}`;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function keepStart(text: string, room: number, { start }: Span): string {
  if (text.length <= room) return text;
  return `${toVisible(text.slice(0, room))}\n[${toCount(text.length - room)} characters left out here: read with from=${start}]`;
}

function keepEnd(text: string, room: number, { start }: Span): string {
  if (text.length <= room) return text;
  const kept = room <= 0 ? '' : toVisible(text.slice(-room));
  return `[${toCount(text.length - kept.length)} characters left out here: read with from=${start}]\n${kept}`;
}

function ours(note: string): string {
  return `[${toVisibleLine(note, 500)}]`;
}

/** All of the outcome but its text. */
function toFacts({ output, before, ...facts }: Outcome): Record<string, unknown> {
  const { start, end, truncated, lines } = output;
  return {
    ...facts,
    start,
    end,
    truncated,
    lines,
    chars: output.text.length,
    ...(before !== undefined && {
      before: { start: before.start, end: before.end, truncated: before.truncated },
    }),
  };
}
