/**
 * History: text and screens of bytes that the ring has lost, made again from a checkpoint that was taken when they came
 * and from the bytes themselves, which somebody has kept (the journal). It shows what the live view showed.
 */
import { type PackedScreen, packScreen, unpackScreen } from './packedScreen.ts';
import { blankScreen, Screen, type ScreenSnapshot } from './screen.ts';
import type { ScreenSize } from './screenSize.ts';
import {
  CHECKPOINT_BYTES,
  spanText,
  type TextCheckpoint,
  type TextSource,
  type TextSpan,
} from './spanText.ts';
import { vt52Text } from './text.ts';
import type { TextRendererFactory } from './textRenderer.ts';

/** Raised when a change gives old checkpoints another meaning. */
const CHECKPOINT_VERSION = 1;

/** Plain JSON: under 4 kB for a full screen of 24 x 80 without characters that JSON escapes. */
export interface HistoryCheckpoint {
  readonly version: typeof CHECKPOINT_VERSION;
  /** A safe offset: text and screens behind it can be made from here. */
  readonly offset: number;
  readonly bits: 7 | 8;
  readonly joinsFolds: boolean;
  readonly size: ScreenSize;
  readonly text: unknown;
  /** Absent where there is none. */
  readonly screen?: PackedScreen;
}

export interface HistoryCheckpointParts {
  readonly offset: number;
  readonly bits: 7 | 8;
  readonly joinsFolds: boolean;
  readonly size: ScreenSize;
  readonly text: unknown;
  readonly screen: ScreenSnapshot | undefined;
}

export function historyCheckpoint({ screen, ...parts }: HistoryCheckpointParts): HistoryCheckpoint {
  return {
    version: CHECKPOINT_VERSION,
    ...parts,
    ...(screen !== undefined && { screen: packScreen(screen) }),
  };
}

/**
 * What `bytes`, the first of which has `offset`, say behind the checkpoint, which `checkpointState()` of a transcript gave,
 * through JSON perhaps. `view`: the transcript's, where it was another than the VT52's.
 *
 * @throws RangeError when the checkpoint is none, or does not lie in `[offset, offset + bytes.length]`
 */
export function renderFrom(
  checkpoint: unknown,
  offset: number,
  bytes: Uint8Array,
  view?: TextRendererFactory,
): HistoryView {
  if (!isCheckpoint(checkpoint))
    throw new RangeError('cannot render old output: its checkpoint is none of this version');
  if (checkpoint.offset < offset || checkpoint.offset > offset + bytes.length)
    throw new RangeError(
      `cannot render the bytes from ${offset} to ${offset + bytes.length}: their checkpoint is at ${checkpoint.offset}`,
    );
  return new HistoryView(checkpoint, bytes.subarray(checkpoint.offset - offset), view);
}

export class HistoryView implements TextSource {
  /** Offset of the checkpoint. */
  readonly oldest: number;
  readonly end: number;
  /** Largest offset at which an answer may end. */
  readonly safeEnd: number;
  readonly view: TextRendererFactory;
  readonly #checkpoint: HistoryCheckpoint;
  readonly #bytes: Uint8Array;
  readonly #contexts: TextCheckpoint[] = [];
  /** The screen that was asked for last: screens are mostly asked for in order. */
  #screen: Screen;

  constructor(checkpoint: HistoryCheckpoint, bytes: Uint8Array, view?: TextRendererFactory) {
    const { offset, bits } = checkpoint;
    this.view = view ?? vt52Text(bits, checkpoint);
    this.oldest = offset;
    this.end = offset + bytes.length;
    this.#checkpoint = checkpoint;
    this.#bytes = bytes;
    this.#screen = this.#firstScreen();
    const renderer = this.view(checkpoint.text);
    for (let at = 0; at < bytes.length; at += CHECKPOINT_BYTES) {
      this.#contexts.push({ offset: offset + at, context: renderer.context() });
      renderer.skip(bytes.subarray(at, at + CHECKPOINT_BYTES));
    }
    this.safeEnd = this.end - renderer.fragmentBytes;
  }

  /** Text of `[start, end)`, at most `maxChars` characters of it: as the scrollback's. */
  text(start: number, end: number, maxChars = Number.POSITIVE_INFINITY): TextSpan {
    return spanText(this, start, end, maxChars);
  }

  /** The screen that the bytes before `offset`, clipped to `[oldest, end]`, have painted; blank where there was none. */
  screenAt(offset: number): ScreenSnapshot {
    const to = Math.min(Math.max(offset, this.oldest), this.end);
    if (this.#checkpoint.screen === undefined) return blankScreen(to, this.#checkpoint.size);
    if (this.#screen.offset > to) this.#screen = this.#firstScreen();
    this.#screen.apply(this.bytes(this.#screen.offset, to));
    return this.#screen.snapshot();
  }

  bytes(start: number, end: number): Uint8Array {
    const from = Math.max(start - this.oldest, 0);
    return this.#bytes.subarray(from, Math.max(end - this.oldest, from));
  }

  checkpointBefore(offset: number): TextCheckpoint {
    const index = Math.floor((offset - this.oldest) / CHECKPOINT_BYTES);
    return (
      this.#contexts[Math.min(index, this.#contexts.length - 1)] ?? { offset, context: this.#checkpoint.text }
    );
  }

  #firstScreen(): Screen {
    const { bits, screen, size, offset } = this.#checkpoint;
    const shown = screen === undefined ? blankScreen(offset, size) : unpackScreen(screen, size);
    return new Screen(bits, shown, offset);
  }
}

/** Whether it is one of this version; it comes from a file of ours, which has checked that it is whole. */
function isCheckpoint(checkpoint: unknown): checkpoint is HistoryCheckpoint {
  if (typeof checkpoint !== 'object' || checkpoint === null) return false;
  const has = (key: keyof HistoryCheckpoint) => key in checkpoint;
  return (
    'version' in checkpoint &&
    checkpoint.version === CHECKPOINT_VERSION &&
    has('offset') &&
    has('bits') &&
    has('joinsFolds') &&
    has('size') &&
    has('text')
  );
}
