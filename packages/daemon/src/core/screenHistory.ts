/**
 * The screen now, and as it was at any offset that the scrollback still has. Bytes are painted when somebody asks, or
 * when so many have come that the ring could lose them first; checkpoints on the way make the past reachable, 16 screens
 * of about 2 kB for 256 KiB.
 */
import { type PackedScreen, packScreen, unpackScreen } from './packedScreen.ts';
import { blankScreen, Screen, type ScreenSnapshot } from './screen.ts';
import { type ScreenSize, VT52_SIZE } from './screenSize.ts';
import { SCREEN_CHECKPOINT_BYTES, type Scrollback } from './scrollback.ts';

export interface ScreenHistorySnapshot {
  readonly checkpoints: readonly PackedScreen[];
}

export class ScreenHistory {
  readonly #bits: 7 | 8;
  readonly #scrollback: Scrollback;
  readonly #size: ScreenSize;
  /** In order of offset; the first is at or before the oldest byte. Empty where there is no screen. */
  #checkpoints: Screen[];
  /** The screen at the newest checkpoint, alive: making it again for every piece would cost more than the piece. */
  #latest: Screen | undefined;

  /** `screen`: its size, or `none` where the bytes are no VT52's: then it is blank and costs nothing. */
  constructor(
    bits: 7 | 8,
    scrollback: Scrollback,
    snapshot?: ScreenHistorySnapshot,
    screen: ScreenSize | 'none' = VT52_SIZE,
  ) {
    this.#bits = bits;
    this.#scrollback = scrollback;
    const size = screen === 'none' ? VT52_SIZE : screen;
    this.#size = size;
    const kept = snapshot?.checkpoints.map((packed) => unpackScreen(packed, size)) ?? [blankScreen(0, size)];
    this.#checkpoints = screen === 'none' ? [] : kept.map((shown) => new Screen(bits, shown));
  }

  /** To be called after bytes were appended, at the latest a ring less a checkpoint distance after the last time. */
  catchUp(): void {
    const newest = this.#checkpoints.at(-1);
    if (newest === undefined || this.#scrollback.end - newest.offset < SCREEN_CHECKPOINT_BYTES) return;
    const { oldest, oldestPaint } = this.#scrollback;
    if (this.#latest === undefined || this.#latest.offset < oldestPaint) {
      this.#latest = this.#copyOf(newest);
    }
    const screen = this.#latest;
    while (this.#scrollback.end - screen.offset >= SCREEN_CHECKPOINT_BYTES) {
      const next = (Math.floor(screen.offset / SCREEN_CHECKPOINT_BYTES) + 1) * SCREEN_CHECKPOINT_BYTES;
      screen.apply(this.#scrollback.paint(screen.offset, next));
      this.#checkpoints.push(new Screen(this.#bits, screen));
    }
    const needed = this.#checkpoints.findLastIndex((checkpoint) => checkpoint.offset <= oldest);
    if (needed > 0) this.#checkpoints.splice(0, needed);
  }

  /** The screen that the bytes before `offset` have painted; clipped to what is kept. */
  at(offset: number): ScreenSnapshot {
    const end = Math.max(Math.min(offset, this.#scrollback.end), this.#scrollback.oldest);
    const nearest =
      this.#checkpoints.findLast((checkpoint) => checkpoint.offset <= end) ?? this.#checkpoints[0];
    if (nearest === undefined) return blankScreen(end, this.#size);
    const screen = this.#copyOf(nearest);
    screen.apply(this.#scrollback.paint(screen.offset, end));
    return screen.snapshot();
  }

  /** A copy to go on with. One append can exceed the ring; what is gone was painted over long ago, or nobody knows. */
  #copyOf(screen: Screen): Screen {
    return new Screen(this.#bits, screen, Math.max(screen.offset, this.#scrollback.oldestPaint));
  }

  snapshot(): ScreenHistorySnapshot {
    return { checkpoints: this.#checkpoints.map((screen) => packScreen(screen.snapshot())) };
  }
}
