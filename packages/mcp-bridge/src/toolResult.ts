/**
 * Outcomes of the daemon as a model reads them: text blocks, the last of which is one line of ours in [ ] (the trailer).
 * Output cannot forge it, because it is the last line of a result, in a block of its own.
 * No structuredContent: clients that get some show a model that alone, and never the text beside it
 * (https://github.com/anthropics/claude-code/issues/54450). The facts for programs are in `_meta` instead.
 */
import type { MethodResult } from '@pidp10/protocol/methods';
import type { Outcome, Slice } from '@pidp10/protocol/schemas';
import { toWordBlock, toWordLines } from './clientWords.ts';
import { toGrid, toScreenTexts } from './screenText.ts';
import { toOutcomeTrailer, toPeekTrailer } from './trailer.ts';
import { toCount, toPlainInput, toVisible, toVisibleLine } from './visibleText.ts';

/** Longest result in characters, whatever was asked for: clients refuse results above 25,000 tokens. */
export const MAX_RESULT_CHARS = 60_000;
/** Room for labels and trailer. */
const OWN_CHARS = 2_000;
/** Longest text of notices in a result. They are short; somebody may send many. */
const MAX_NOTICES_CHARS = 4_000;
/** Longest command or file name that is quoted. */
const MAX_LABEL_CHARS = 80;
/** The line that says what was left out. */
const LEFT_OUT_CHARS = 120;
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
  /** Lines of other clients' words from those answers. */
  readonly words?: readonly string[] | undefined;
  /** Something to tell once, such as a daemon that was started. */
  readonly note?: string | undefined;
}

export function toOutcomeResult(
  outcome: Outcome,
  { undelivered, words: earlier = [], note }: OutcomeContext,
): ToolResult {
  const notices = keepStart(toNotices(outcome), MAX_NOTICES_CHARS, outcome.output);
  const words = toWordBlock([...earlier, ...toWordLines(outcome)]);
  const room = MAX_OUTPUT_CHARS - notices.length - words.length;
  const answers = toAnswers(outcome, room);
  const older = [...undelivered, ...(outcome.before === undefined ? [] : [outcome.before])];
  const before = toBefore(older, room - length(answers));
  return {
    content: toBlocks([
      before,
      ...answers,
      notices,
      words,
      ...(note === undefined ? [] : [ours(note)]),
      toOutcomeTrailer(outcome),
    ]),
    _meta: { [FACTS_KEY]: toFacts(outcome) },
  };
}

/** What is kept of an answer that was not delivered: all its text, the notices that came meanwhile behind it. */
export function toKeptSlice(outcome: Outcome): Slice {
  const { output } = outcome;
  const notices = toNotices(outcome);
  return notices === '' ? output : { ...output, text: `${output.text}\n${notices}\n` };
}

export function toScreenResult(screen: MethodResult<'line.screen'>, since: number | undefined): ToolResult {
  const { grid, trailer } = toScreenTexts(screen, since);
  return { content: toBlocks([grid, trailer]) };
}

export function toPeekResult({ output, lineState }: MethodResult<'line.peek'>): ToolResult {
  const text = keepEnd(toVisible(output.text), MAX_OUTPUT_CHARS, output);
  return { content: toBlocks([text, toPeekTrailer(output, lineState)]) };
}

/** A file of ITS: its text in a block, then one line of ours. */
export function toFileResult({ file, text, lines, chars }: MethodResult<'line.getFile'>): ToolResult {
  const shown = toVisible(text);
  const isWhole = shown.length <= MAX_OUTPUT_CHARS;
  const trailer = [
    toVisibleLine(file, MAX_LABEL_CHARS),
    `${toCount(lines)} ${lines === 1 ? 'line' : 'lines'}`,
    `${toCount(chars)} chars`,
    ...(isWhole
      ? []
      : [`only the first ${toCount(MAX_OUTPUT_CHARS)} are shown: send ":print" with to_file gives all`]),
  ];
  return {
    content: toBlocks([
      isWhole ? shown : toVisible(shown.slice(0, MAX_OUTPUT_CHARS)),
      `[${trailer.join(' · ')}]`,
    ]),
  };
}

/** A sentence or more of our own, which may quote the far end. */
export function toTextResult(text: string): ToolResult {
  return { content: toBlocks([toVisible(text)]) };
}

/** Blocks of which the last is a line of ours. Each is safe to show already. */
export function toBlockResult(texts: readonly string[]): ToolResult {
  return { content: toBlocks(texts) };
}

/** `words`: what other clients said, above it. */
export function toErrorResult(text: string, words = ''): ToolResult {
  return { content: toBlocks([words, toVisible(text).slice(0, MAX_OUTPUT_CHARS)]), isError: true };
}

/** A model's interface refuses blocks without a visible character. */
function toBlocks(texts: readonly string[]): ToolResult['content'] {
  return texts.filter((text) => text.trim() !== '').map((text) => ({ type: 'text', text }));
}

/** The output in blocks: one, or one for each of several commands with its input and how it ended. */
function toAnswers(outcome: Outcome, room: number): string[] {
  const { output, commands, screen } = outcome;
  if (commands === undefined) return [keepStart(toRows(output, screen), room, output)];
  const answers: string[] = [];
  let left = room;
  for (const [index, { input, reason, output: answer }] of commands.entries()) {
    if (left < LEFT_OUT_CHARS + MAX_LABEL_CHARS) {
      const rest = commands.length - index;
      return [...answers, `[${toCount(rest)} more answers left out here: read with from=${answer.start}]`];
    }
    const label = `[${toVisibleLine(toPlainInput(input), MAX_LABEL_CHARS)} · ${reason}]`;
    const rows = toRows(answer, index === commands.length - 1 ? screen : undefined);
    const text = keepStart(rows, Math.max(left - label.length - LEFT_OUT_CHARS, 0), answer);
    answers.push(text.trim() === '' ? label : `${label}\n${text}`);
    left -= label.length + text.length + 2;
  }
  return answers;
}

/** The text; or the screen's rows, numbered, where it consists of those. */
function toRows({ text }: Slice, screen: Outcome['screen']): string {
  if (screen === undefined) return toVisible(text);
  const { rows, cursor } = screen;
  const texts = rows.length === 0 ? [] : text.split('\n');
  return texts.length === rows.length
    ? toGrid(
        rows.map((row, index) => ({ row, text: texts[index] ?? '' })),
        cursor,
      )
    : toVisible(text);
}

function toNotices({ notices = [] }: Outcome): string {
  return notices
    .map(({ text }) => `[notice, not part of the output] ${toVisible(text.trim().replace(/\n{2,}/g, '\n'))}`)
    .join('\n');
}

function length(texts: readonly string[]): number {
  return texts.reduce((total, text) => total + text.length, 0);
}

/** Output older than that of the call, labelled; `tool` reads it again. */
export function toBefore(slices: readonly Slice[], room: number, tool = 'read'): string {
  const [first] = slices;
  const last = slices.at(-1);
  if (first === undefined || last === undefined || last.end <= first.start) return '';
  const span = { start: first.start, end: last.end };
  const text = toVisible(slices.map((slice) => slice.text).join(''));
  const gap = slices.some((slice) => slice.truncated)
    ? `; the oldest part is left out, ${tool} with from gives it`
    : '';
  const label = `[unread output from before this input, offsets ${span.start}-${span.end}${gap}]`;
  return `${label}\n${keepEnd(text, room, span, tool)}`;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

export function keepStart(text: string, room: number, { start }: Span, tool = 'read'): string {
  if (text.length <= room) return text;
  return `${toVisible(text.slice(0, room))}\n[${toCount(text.length - room)} characters left out here: ${tool} with from=${start}]`;
}

function keepEnd(text: string, room: number, { start }: Span, tool = 'read'): string {
  if (text.length <= room) return text;
  const kept = room <= 0 ? '' : toVisible(text.slice(-room));
  return `[${toCount(text.length - kept.length)} characters left out here: ${tool} with from=${start}]\n${kept}`;
}

/** A line of ours above the trailer. */
export function ours(note: string): string {
  return `[${toVisibleLine(note, 500)}]`;
}

/** All of the outcome but its text, and but what others say in it. */
function toFacts(outcome: Outcome): Record<string, unknown> {
  const {
    output,
    before,
    commands,
    notices,
    login,
    floor,
    news: _news,
    messages: _messages,
    ...facts
  } = outcome;
  return {
    ...facts,
    ...toSpanFacts(output),
    lines: output.lines,
    chars: output.text.length,
    ...(before !== undefined && { before: toSpanFacts(before) }),
    ...(commands !== undefined && {
      commands: commands.map(({ input, reason, output: answer }) => ({
        input,
        reason,
        ...toSpanFacts(answer),
      })),
    }),
    ...(notices !== undefined && { notices: notices.map(({ offset }) => ({ offset })) }),
    ...(floor !== undefined && { floor: toFloorFacts(floor) }),
    ...(login !== undefined && { login: { state: login.state, terminal: login.terminal } }),
  };
}

export function toFloorFacts({ state, waiting, holder }: NonNullable<Outcome['floor']>) {
  if (holder === undefined) return { state, waiting };
  const { isYou, kind, since, expiresInMs } = holder;
  return { state, waiting, holder: { isYou, kind, since, expiresInMs } };
}

export function toSpanFacts({ start, end, truncated }: Slice): Pick<Slice, 'start' | 'end' | 'truncated'> {
  return { start, end, truncated };
}
