/**
 * Search: lines with a text or a pattern in a span of output, the newest or the oldest first. It goes block by block, holds
 * a few of them, and lets everybody else have their turn in between (I18).
 */
import type { MethodResult } from '@pidp10/protocol/methods';
import type { SearchBlocks, SearchLine } from './searchBlocks.ts';
import type { SearchTerm } from './searchTerm.ts';

/** Longest stretch of work before others have their turn, in ms. */
export const SEARCH_SLICE_MS = 10;
/** Lines looked at between two looks at the clock. */
const LINES_PER_LOOK = 32;
/** Longest line in an answer, in characters; of a longer one the part around the end of the match is shown. */
export const MAX_LINE_CHARS = 2_000;
/** Characters of one answer: the search stops behind it, as at its limit. JSON of them fits into a frame. */
export const MAX_ANSWER_CHARS = 1_048_576;

export interface SearchOptions {
  readonly blocks: SearchBlocks;
  readonly term: SearchTerm;
  readonly span: { readonly from: number; readonly to: number };
  readonly order: 'newest' | 'oldest';
  readonly limit: number;
  /** Lines shown before and behind each match. */
  readonly context: number;
  readonly signal: AbortSignal;
  /** Told the bytes that were looked through, after each block. */
  readonly onBlock?: (bytes: number) => void;
  /** Lets others have their turn. */
  readonly yieldTurn: () => Promise<void>;
  readonly nowMs: () => number;
}

/** A search that was aborted returns what it had found. */
export async function search(options: SearchOptions): Promise<MethodResult<'line.search'>> {
  return await new Search(options).run();
}

type Match = MethodResult<'line.search'>['matches'][number];

class Search {
  readonly #options: SearchOptions;
  readonly #matches: Match[] = [];
  readonly #mayBeIn = new Map<number, boolean>();
  #answerChars = 0;
  #sliceStartMs: number;
  /** Where the part ends that was looked through: its beginning, if the newest come first. Made when it is asked for. */
  #edge: () => number;

  constructor(options: SearchOptions) {
    const { span, order, nowMs } = options;
    this.#options = options;
    this.#sliceStartMs = nowMs();
    this.#edge = () => (order === 'newest' ? span.to : span.from);
  }

  async run(): Promise<MethodResult<'line.search'>> {
    const { blocks, order, span, onBlock } = this.#options;
    const count = blocks.last - blocks.first + 1;
    let bytes = 0;
    for (let index = 0; index < count; index += 1) {
      const number = order === 'newest' ? blocks.last - index : blocks.first + index;
      if (this.#isStopped || !(await this.#lookThrough(number))) return this.#toResult(false);
      bytes += blocks.endOf(number) - blocks.startOf(number);
      onBlock?.(bytes);
      await this.#breathe();
    }
    this.#edge = () => (order === 'newest' ? span.from : span.to);
    return this.#toResult(true);
  }

  /** False when it stopped within the block. */
  async #lookThrough(number: number): Promise<boolean> {
    const { blocks, order } = this.#options;
    if (!(await this.#mayHaveMatches(number))) {
      this.#edge = () => (order === 'newest' ? blocks.startOf(number) : blocks.endOf(number));
      return true;
    }
    const lines = await blocks.lines(number, this.#breathing);
    await this.#breathe();
    for (let index = 0; index < lines.length; index += 1) {
      if (index % LINES_PER_LOOK === 0) await this.#breathe();
      if (this.#isStopped) return false;
      const at = order === 'newest' ? lines.length - 1 - index : index;
      const line = lines[at];
      if (line === undefined) continue;
      const matchEnd = await this.#find(line);
      if (matchEnd === undefined) continue;
      await this.#take(line, matchEnd, { number, at, lines });
      this.#edge = () => (order === 'newest' ? line.start() : line.next());
      // Finding its offsets takes a ms or two.
      await this.#breathe();
    }
    const last = order === 'newest' ? lines.at(0) : lines.at(-1);
    if (last !== undefined) this.#edge = () => (order === 'newest' ? last.start() : last.next());
    return true;
  }

  get #isStopped(): boolean {
    const { limit, signal } = this.#options;
    return signal.aborted || this.#matches.length >= limit || this.#answerChars >= MAX_ANSWER_CHARS;
  }

  #find({ text }: SearchLine): number | undefined | Promise<number | undefined> {
    return this.#options.term.find(text, this.#breathing);
  }

  /** The last line of a block goes on in the next one. */
  async #mayHaveMatches(number: number): Promise<boolean> {
    return (await this.#mayBeInBytes(number)) || (await this.#mayBeInBytes(number + 1));
  }

  async #mayBeInBytes(number: number): Promise<boolean> {
    const { term, blocks } = this.#options;
    if (term.mayBeIn === undefined) return true;
    if (number > blocks.last) return false;
    const known = this.#mayBeIn.get(number);
    if (known !== undefined) return known;
    const found = term.mayBeIn(await blocks.bytes(number));
    this.#mayBeIn.set(number, found);
    await this.#breathe();
    return found;
  }

  async #take(
    line: SearchLine,
    matchEnd: number,
    place: { readonly number: number; readonly at: number; readonly lines: readonly SearchLine[] },
  ): Promise<void> {
    const { context } = this.#options;
    const match: Match = { start: line.start(), end: line.end(), line: shown(line.text, matchEnd) };
    if (context > 0) {
      const { number, at, lines } = place;
      match.before = (await this.#linesBefore(number, lines.slice(0, at))).map((each) => shown(each, 0));
      match.after = (await this.#linesBehind(number, lines.slice(at + 1))).map((each) => shown(each, 0));
    }
    this.#matches.push(match);
    const texts = [match.line, ...(match.before ?? []), ...(match.after ?? [])];
    this.#answerChars += texts.reduce((sum, text) => sum + text.length, 0);
  }

  async #linesBefore(number: number, own: readonly SearchLine[]): Promise<readonly string[]> {
    const { context, blocks } = this.#options;
    let found = own.slice(-context).map(({ text }) => text);
    for (let other = number - 1; other >= blocks.first && found.length < context; other -= 1) {
      const lines = await blocks.lines(other, this.#breathing);
      found = [...lines.slice(found.length - context).map(({ text }) => text), ...found];
      await this.#breathe();
    }
    return found;
  }

  async #linesBehind(number: number, own: readonly SearchLine[]): Promise<readonly string[]> {
    const { context, blocks } = this.#options;
    const found = own.slice(0, context).map(({ text }) => text);
    for (let other = number + 1; other <= blocks.last && found.length < context; other += 1) {
      const lines = await blocks.lines(other, this.#breathing);
      found.push(...lines.slice(0, context - found.length).map(({ text }) => text));
      await this.#breathe();
    }
    return found;
  }

  readonly #breathing = (): Promise<void> => this.#breathe();

  async #breathe(): Promise<void> {
    const { nowMs, yieldTurn } = this.#options;
    if (nowMs() - this.#sliceStartMs < SEARCH_SLICE_MS) return;
    await yieldTurn();
    this.#sliceStartMs = nowMs();
  }

  #toResult(isComplete: boolean): MethodResult<'line.search'> {
    const { order, span } = this.#options;
    const { from, to } =
      order === 'newest' ? { from: this.#edge(), to: span.to } : { from: span.from, to: this.#edge() };
    // The last match may have been at the very end of the span.
    const isAll = isComplete || (from === span.from && to === span.to);
    return { matches: this.#matches, searched: { from, to }, isComplete: isAll };
  }
}

/** A line as an answer has it; of a long one the part in which the match ends. */
function shown(text: string, matchEnd: number): string {
  if (text.length <= MAX_LINE_CHARS) return text;
  const from =
    matchEnd <= MAX_LINE_CHARS ? 0 : Math.min(matchEnd - MAX_LINE_CHARS / 2, text.length - MAX_LINE_CHARS);
  return text.slice(from, from + MAX_LINE_CHARS);
}
