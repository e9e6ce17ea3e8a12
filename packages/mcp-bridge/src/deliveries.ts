/**
 * Output on its way to the client (I5: what was handed out only counts as read when it was delivered). The daemon hands
 * out, the SDK writes the answer or, after a cancel, does not; only what was written is committed. What was not is kept
 * here and leads the next answer. The daemon keeps it too: it begins there again for the next connection.
 */
import type { Slice } from '@pidp10/protocol/schemas';

export type RequestId = string | number;

export interface Delivery {
  readonly id: RequestId;
  readonly signal: AbortSignal;
  /** Stream of the slices. Default: the line's output. */
  readonly place?: string | undefined;
  /** What the answer holds of the stream, older first. */
  readonly slices: readonly Slice[];
  /** Lines of what other clients said, which the daemon tells once. */
  readonly words?: readonly string[] | undefined;
  readonly commit: () => void;
}

/** Undelivered output kept as text, in characters for each stream; above it the oldest is named by its offsets only. */
export const MAX_KEPT_CHARS = 60_000;
/** Undelivered lines of what other clients said; older ones are in the daemon's history. */
export const MAX_KEPT_WORDS = 50;

/** Streams whose undelivered output is kept as text; of older ones only the offsets. */
export const MAX_KEPT_PLACES = 8;
/** The line's output; sessions' are named by whoever delivers them. */
const LINE = 'line';

export class Deliveries {
  #prepared: Delivery[] = [];
  readonly #undelivered = new Map<string, readonly Slice[]>();
  #words: readonly string[] = [];

  /** What leads the next answer; whoever takes it hands it to `prepare` with the rest of that answer. */
  takeUndelivered(place = LINE): readonly Slice[] {
    const slices = this.#undelivered.get(place) ?? [];
    this.#undelivered.delete(place);
    return slices;
  }

  /** The same for what other clients said. */
  takeWords(): readonly string[] {
    const words = this.#words;
    this.#words = [];
    return words;
  }

  /** The SDK is about to get the answer. */
  prepare(delivery: Delivery): void {
    if (delivery.signal.aborted) return this.#keep(delivery);
    this.#prepared.push(delivery);
    delivery.signal.addEventListener(
      'abort',
      () => {
        if (this.#remove(delivery)) this.#keep(delivery);
      },
      { once: true },
    );
  }

  /** The answer to `id` is being written; call what is returned when it was. Nothing for answers without output. */
  trySend(id: RequestId, isResult: boolean): (() => void) | undefined {
    const delivery = this.#prepared.find((prepared) => prepared.id === id);
    if (delivery === undefined || !this.#remove(delivery)) return undefined;
    if (isResult) return delivery.commit;
    this.#keep(delivery);
    return undefined;
  }

  /** A new connection: the daemon goes on at the committed place and hands all output behind it out again; what was said it does not. */
  forget(): void {
    this.#undelivered.clear();
  }

  #remove(delivery: Delivery): boolean {
    const index = this.#prepared.indexOf(delivery);
    if (index >= 0) this.#prepared.splice(index, 1);
    return index >= 0;
  }

  #keep({ slices, place = LINE, words = [] }: Delivery): void {
    this.#words = [...this.#words, ...words].slice(-MAX_KEPT_WORDS);
    const added = slices.filter(({ start, end }) => end > start);
    if (added.length === 0) return;
    const kept = [...this.takeUndelivered(place), ...added].toSorted((a, b) => a.start - b.start);
    this.#undelivered.set(place, keepNewest(kept, MAX_KEPT_CHARS));
    for (const [older, itsSlices] of [...this.#undelivered].slice(0, -MAX_KEPT_PLACES))
      this.#undelivered.set(older, keepNewest(itsSlices, 0));
  }
}

/** What has no room keeps its offsets: it is said that something is left out, and where. */
function keepNewest(slices: readonly Slice[], chars: number): readonly Slice[] {
  let room = chars;
  return slices
    .toReversed()
    .map((slice) => {
      room -= slice.text.length;
      return room >= 0 ? slice : { ...slice, text: '', lines: 0, truncated: true };
    })
    .toReversed();
}
