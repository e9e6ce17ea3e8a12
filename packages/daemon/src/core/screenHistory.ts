/**
 * The screen now, and as it was at any offset that the scrollback still has. Bytes are applied when somebody asks, or
 * when so many have come that the ring could lose them first; checkpoints on the way make the past reachable: one at each
 * offset that can become the oldest byte of the ring, 64 screens of about 2 kB for 256 KiB.
 */
import { blankScreen, Screen, type ScreenSnapshot } from './screen.ts';
import { CHECKPOINT_BYTES, PRUNED_CHECKPOINTS, type Scrollback } from './scrollback.ts';

export interface ScreenHistorySnapshot {
  readonly checkpoints: readonly ScreenSnapshot[];
}

export class ScreenHistory {
  readonly #bits: 7 | 8;
  readonly #scrollback: Scrollback;
  /** In order of offset; the first is at or before the oldest byte. */
  #checkpoints: Screen[];
  /** The screen at the newest checkpoint, alive: making it again for every piece would cost more than the piece. */
  #latest: Screen | undefined;

  constructor(bits: 7 | 8, scrollback: Scrollback, snapshot?: ScreenHistorySnapshot) {
    this.#bits = bits;
    this.#scrollback = scrollback;
    this.#checkpoints = (snapshot?.checkpoints ?? [blankScreen()]).map((screen) => new Screen(bits, screen));
  }

  /** To be called after bytes were appended: takes what would else be lost. */
  catchUp(): void {
    const newest = this.#checkpoints.at(-1);
    if (newest === undefined || this.#scrollback.end - newest.offset < CHECKPOINT_BYTES) return;
    const { oldest } = this.#scrollback;
    if (this.#latest === undefined || this.#latest.offset < oldest) {
      this.#latest = this.#copyOf(newest);
    }
    const screen = this.#latest;
    while (this.#scrollback.end - screen.offset >= CHECKPOINT_BYTES) {
      const next = (Math.floor(screen.offset / CHECKPOINT_BYTES) + 1) * CHECKPOINT_BYTES;
      screen.apply(this.#scrollback.bytes(screen.offset, next));
      this.#checkpoints.push(new Screen(this.#bits, screen));
    }
    // Many at a time: a full ring of megabytes would else copy its list for every piece.
    if ((this.#checkpoints[PRUNED_CHECKPOINTS]?.offset ?? oldest) >= oldest) return;
    const later = this.#checkpoints.findIndex((checkpoint) => checkpoint.offset > oldest);
    this.#checkpoints = this.#checkpoints.slice(later < 0 ? -1 : later - 1);
  }

  /** The screen that the bytes before `offset` have painted; clipped to what is kept. */
  at(offset: number): ScreenSnapshot {
    const end = Math.min(offset, this.#scrollback.end);
    const nearest =
      this.#checkpoints.findLast((checkpoint) => checkpoint.offset <= end) ?? this.#checkpoints[0];
    const screen = nearest === undefined ? new Screen(this.#bits) : this.#copyOf(nearest);
    screen.apply(this.#scrollback.bytes(screen.offset, end));
    return screen.snapshot();
  }

  /** A copy to go on with. One append can exceed the ring; what is gone was painted over long ago, or nobody knows. */
  #copyOf(screen: Screen): Screen {
    return new Screen(this.#bits, screen, Math.max(screen.offset, this.#scrollback.oldest));
  }

  snapshot(): ScreenHistorySnapshot {
    return { checkpoints: this.#checkpoints.map((screen) => screen.snapshot()) };
  }
}
