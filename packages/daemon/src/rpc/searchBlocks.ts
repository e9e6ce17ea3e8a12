/**
 * Output in blocks for one who looks for something in it: raw bytes of a block, and the lines that belong to it, each made
 * only when asked for. What memory has lost comes from what is kept for ever.
 *
 * A block is a stretch between two multiples of its size. A line belongs to the block that has the line end before it, so
 * that each line belongs to one block and is whole, whatever lies between. A whole block without any line end is a line of
 * its own, so that no line is longer than three blocks, from whichever side one comes.
 */
import { CHECKPOINT_BYTES } from '../core/spanText.ts';
import type { PastView } from './archive.ts';
import type { ChannelService } from './channelService.ts';

/** Bytes of a block: five ms of rendering, and as far apart as the checkpoints from which old output is rendered. */
export const SEARCH_BLOCK_BYTES = 262_144;
/** Pieces that are rendered between two looks at the clock: some two ms. */
const PIECES_PER_LOOK = 16;
/** Blocks with their text that are held at once: a line, its context and the look ahead need three. */
const HELD_BLOCKS = 4;

export interface SearchLine {
  readonly text: string;
  /** Offset of its first byte; of the byte behind its last character; where the next line begins. Made when asked for. */
  start(): number;
  end(): number;
  next(): number;
}

export interface BlockOptions {
  readonly from: number;
  readonly to: number;
  readonly blockBytes?: number;
}

/** The text of a block: where each character comes from is found by its piece. */
interface Block {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly pieces: readonly Piece[];
  readonly view: Pick<PastView, 'text'>;
}

interface Piece {
  readonly offset: number;
  readonly end: number;
  /** Index of its first character in the block's text. */
  readonly index: number;
}

export class SearchBlocks {
  /** Numbers of the blocks that the span touches, `last` included; `last` is below `first` for an empty span. */
  readonly first: number;
  readonly last: number;
  readonly #line: Pick<ChannelService, 'archive' | 'conversation'>;
  readonly #from: number;
  readonly #to: number;
  readonly #blockBytes: number;
  readonly #held = new Map<number, Promise<Block>>();

  constructor(line: Pick<ChannelService, 'archive' | 'conversation'>, options: BlockOptions) {
    const { from, to, blockBytes = SEARCH_BLOCK_BYTES } = options;
    this.#line = line;
    this.#from = from;
    this.#to = to;
    this.#blockBytes = blockBytes;
    this.first = Math.floor(from / blockBytes);
    this.last = to > from ? Math.ceil(to / blockBytes) - 1 : this.first - 1;
  }

  startOf(number: number): number {
    return Math.max(number * this.#blockBytes, this.#from);
  }

  endOf(number: number): number {
    return Math.min((number + 1) * this.#blockBytes, this.#to);
  }

  /** Raw bytes of a block as far as they are kept. */
  async bytes(number: number): Promise<Uint8Array> {
    const [start, end] = [this.startOf(number), this.endOf(number)];
    const { scrollback } = this.#line.conversation;
    if (this.#line.archive === undefined || start >= scrollback.oldest) return scrollback.bytes(start, end);
    return await this.#line.archive.bytes(start, end);
  }

  /**
   * Lines that belong to a block, in order. The last one of the span is left out if there is nothing in it. `breathe` is
   * awaited in between, so that others may have their turn.
   */
  async lines(number: number, breathe: () => Promise<void>): Promise<readonly SearchLine[]> {
    const block = await this.#block(number, breathe);
    const ends = lineEnds(block.text);
    const isOwnLine = this.#isCut(number, block);
    const ownsHead =
      number === this.first || isOwnLine || this.#isCut(number - 1, await this.#block(number - 1, breathe));
    const starts = [...(ownsHead ? [0] : []), ...ends.map((end) => end + 1)];
    const lines: SearchLine[] = starts.map((start, index) => {
      const end = ends[ownsHead ? index : index + 1];
      return toLine({ block, index: start }, { block, index: end ?? block.text.length });
    });
    const tail = starts.at(-1);
    if (tail === undefined) return lines;
    let isNothingBehind = number === this.last && !isOwnLine;
    if (number < this.last && !isOwnLine) {
      const next = await this.#block(number + 1, breathe);
      if (!this.#isCut(number + 1, next)) {
        const head = next.text.indexOf('\n');
        const end = { block: next, index: head < 0 ? next.text.length : head };
        lines[lines.length - 1] = toLine({ block, index: tail }, end);
        isNothingBehind = number + 1 === this.last && head < 0;
      }
    }
    return isNothingBehind && lines.at(-1)?.text === '' ? lines.slice(0, -1) : lines;
  }

  #isCut(number: number, { text }: Block): boolean {
    const isWhole = this.endOf(number) - this.startOf(number) === this.#blockBytes;
    return isWhole && !text.includes('\n');
  }

  #block(number: number, breathe: () => Promise<void>): Promise<Block> {
    const held = this.#held.get(number);
    const block = held ?? this.#render(number, breathe);
    // The one that was used last stands last.
    this.#held.delete(number);
    this.#held.set(number, block);
    const [oldest] = this.#held.keys();
    if (oldest !== undefined && this.#held.size > HELD_BLOCKS) this.#held.delete(oldest);
    return block;
  }

  async #render(number: number, breathe: () => Promise<void>): Promise<Block> {
    const { archive, conversation } = this.#line;
    const { scrollback } = conversation;
    const [asked, end] = [this.startOf(number), this.endOf(number)];
    const isPast = archive !== undefined && asked < scrollback.oldest;
    const view = isPast ? await archive.view(asked, end) : scrollback;
    const start = isPast ? asked : Math.min(Math.max(asked, scrollback.oldest), end);
    const pieces: Piece[] = [];
    let text = '';
    for (let at = start; at < end; at += CHECKPOINT_BYTES) {
      const to = Math.min(at + CHECKPOINT_BYTES, end);
      pieces.push({ offset: at, end: to, index: text.length });
      text += view.text(at, to).text;
      if (pieces.length % PIECES_PER_LOOK === 0) await breathe();
    }
    return { start, end, text, pieces, view };
  }
}

interface Place {
  readonly block: Block;
  readonly index: number;
}

function toLine(from: Place, to: Place): SearchLine {
  const text =
    from.block === to.block
      ? from.block.text.slice(from.index, to.index)
      : from.block.text.slice(from.index) + to.block.text.slice(0, to.index);
  return {
    text,
    start: () => offsetOf(from),
    end: () => offsetOf(to),
    next: () => offsetOf({ ...to, index: to.index + 1 }),
  };
}

function lineEnds(text: string): number[] {
  const ends: number[] = [];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) ends.push(at);
  return ends;
}

/** Offset behind the first `index` characters of a block. */
function offsetOf({ block, index }: Place): number {
  const { pieces, text, view, start, end } = block;
  if (index === 0) return start;
  if (index >= text.length) return end;
  const piece = pieces.findLast((each) => each.index < index);
  return piece === undefined ? start : view.text(piece.offset, piece.end, index - piece.index).end;
}
