/**
 * Readers: named places in the scrollback (CONTRACT 3). Reading takes nothing away from anybody; a reader only
 * remembers how far its owner has been served.
 *
 * A place has two offsets: `committed`, up to which the owner has certainly got everything, and `handed`, up to which
 * answers were made. A new claimant goes on at `committed`, so that nothing is lost when an owner died in between.
 */

/** Readers that nobody holds are forgotten, the longest unused first, above this number; each is a few dozen bytes. */
export const MAX_IDLE_READERS = 256;

interface Place {
  readonly committed: number;
  readonly handed: number;
  readonly isLive: boolean;
  /** Ends with its connection: a client that gave no name. */
  readonly isPrivate: boolean;
}

export interface ReadersSnapshot {
  /** In order of use, the longest unused first. */
  readonly places: readonly (readonly [name: string, place: Place])[];
}

export class Readers {
  readonly #places: Map<string, Place>;

  constructor(snapshot: ReadersSnapshot = { places: [] }) {
    this.#places = new Map(snapshot.places);
  }

  /**
   * Takes NAME for a connection; when a live one holds it, the lowest free of NAME#2, NAME#3 …, which begins where
   * NAME is committed unless it has a place of its own. A reader that never was begins at `end`.
   */
  claim(name: string, end: number): string {
    const base = this.#places.get(name);
    let claimed = name;
    for (let n = 2; this.#places.get(claimed)?.isLive === true; n += 1) claimed = `${name}#${n}`;
    const known = this.#places.get(claimed) ?? base;
    const at = Math.min(known?.committed ?? end, end);
    this.#put(claimed, { committed: at, handed: at, isLive: true, isPrivate: false });
    return claimed;
  }

  /** A place without a name to come back to; `key` must be unique among live ones. */
  claimPrivate(key: string, end: number): void {
    this.#put(key, { committed: end, handed: end, isLive: true, isPrivate: true });
  }

  /** A connection whose name is its own elsewhere comes for the first time, or comes back: then where it had committed. */
  attend(name: string, start: number, isPrivate: boolean): void {
    const known = this.#places.get(name);
    if (known?.isLive === true) return;
    const at = known?.committed ?? start;
    this.#put(name, { committed: at, handed: at, isLive: true, isPrivate });
  }

  /** The connection is gone. What was handed out and not committed will be handed out again. */
  release(name: string): void {
    const place = this.#places.get(name);
    if (place === undefined) return;
    if (place.isPrivate) this.#places.delete(name);
    else this.#put(name, { ...place, handed: place.committed, isLive: false });
    this.#forgetIdle();
  }

  /** Offset of the first byte that `name` was not given yet. */
  cursor(name: string): number | undefined {
    return this.#places.get(name)?.handed;
  }

  committed(name: string): number | undefined {
    return this.#places.get(name)?.committed;
  }

  /** An answer up to `end` was made for `name`. Never moves back: what another answer gave is given. */
  hand(name: string, end: number): void {
    const place = this.#places.get(name);
    if (place !== undefined) this.#put(name, { ...place, handed: Math.max(place.handed, end) });
  }

  /** Everything up to `end` has arrived. Never moves back, never beyond what was handed out. */
  commit(name: string, end: number): void {
    const place = this.#places.get(name);
    if (place === undefined) return;
    const committed = Math.max(place.committed, Math.min(end, place.handed));
    this.#put(name, { ...place, committed });
  }

  /** Named readers, in order of their names. */
  get names(): readonly string[] {
    return [...this.#places].flatMap(([name, { isPrivate }]) => (isPrivate ? [] : [name])).sort();
  }

  isLive(name: string): boolean {
    return this.#places.get(name)?.isLive === true;
  }

  has(name: string): boolean {
    return this.#places.has(name);
  }

  /** Forgets a place; a live one is not to be removed. */
  remove(name: string): void {
    this.#places.delete(name);
  }

  /** Moves a place to another name, which is free. */
  rename(from: string, to: string): void {
    const place = this.#places.get(from);
    if (place === undefined) return;
    this.#places.delete(from);
    this.#put(to, place);
  }

  snapshot(): ReadersSnapshot {
    return { places: [...this.#places] };
  }

  #put(name: string, place: Place): void {
    this.#places.delete(name); // so that the map stays in order of use
    this.#places.set(name, place);
  }

  #forgetIdle(): void {
    const idle = [...this.#places].filter(([, place]) => !place.isLive);
    for (const [name] of idle.slice(0, Math.max(idle.length - MAX_IDLE_READERS, 0)))
      this.#places.delete(name);
  }
}
