/**
 * Remembers the steps of a simulation as a lazily built DFA (RE2's: https://swtch.com/~rsc/regexp/regexp3.html, "caching the
 * DFA"). The cache is bounded. When it is full it is emptied, and if it filled up too fast to be of use, the simulation runs
 * without it for a while. None of that changes a result, only its speed.
 */

import type { CodeUnits } from '../renderedText.ts';
import { NARROW } from './alphabet.ts';
import { Context } from './context.ts';
import type { Program } from './program.ts';
import { Simulation, type StepOutcome } from './simulation.ts';

/** States kept for one wait. `x{1000}` needs 1,000; a pattern that needs more than that per screenful does not repay caching. */
export const MAX_CACHED_STATES = 1024;

/** Bytes of table and sets for one wait: 64 waiting readers stay under 64 MiB. At the limit the cache is emptied. */
export const MAX_CACHE_BYTES = 1024 * 1024;

/** Characters that a cached state must serve on average before the cache is full; fewer, and building costs more than it saves. */
const MIN_CHARS_PER_STATE = 10;

/** Characters run without the cache after that; then it gets another chance, because the text may have changed its kind. */
const UNCACHED_CHARS = 65_536;

const MATCHED_BEFORE = -1;
const MATCHED_AFTER = -2;

export class LazyDfa {
  readonly #program: Program;
  readonly #simulation: Simulation;
  readonly #maxStates: number;
  /** State `s` owns `#next[s * classCount …]`: the row of the next state, 0 unknown, negative matched. State 0 is nobody. */
  #next: Int32Array<ArrayBuffer>;
  #sets: Int32Array<ArrayBuffer>;
  #previous: Uint8Array<ArrayBuffer>;
  /** Open addressing, state by hash of its set; 0 is free. Twice MAX_CACHED_STATES, so that it never is over half full. */
  readonly #index = new Uint16Array(2 * MAX_CACHED_STATES);
  #stateCount = 1;
  /** Row of the current state; 0 while running without the cache, when the simulation holds the current set. */
  #row = 0;
  #uncachedLeft = 0;
  #charsSinceEmptied = 0;

  /** Starts behind `previous`. */
  constructor(program: Program, previous: Context) {
    const { words, alphabet } = program;
    this.#program = program;
    this.#simulation = new Simulation(program);
    const bytesPerState = 4 * (alphabet.classCount + words) + 1;
    this.#maxStates = Math.min(MAX_CACHED_STATES, Math.floor(MAX_CACHE_BYTES / bytesPerState));
    this.#next = new Int32Array(0);
    this.#sets = new Int32Array(0);
    this.#previous = new Uint8Array(0);
    this.#grow(Math.min(16, this.#maxStates));
    this.restart(previous);
  }

  /** Begins anew behind `previous`; what the cache has learnt stays, also that it is of no use for a while. */
  restart(previous: Context): void {
    this.#simulation.start(previous);
    if (this.#uncachedLeft <= 0) this.#enter();
  }

  /** The current set and the context before it; `load` takes them back. */
  save(): { set: Int32Array; previous: Context } {
    this.#leave();
    return { set: this.#simulation.set.slice(), previous: this.#simulation.previous };
  }

  load(set: ArrayLike<number>, previous: Context): void {
    this.#simulation.load(set, previous);
    this.#uncachedLeft = 0;
    this.#enter();
  }

  /** True when the set holds a match that needs no further character. */
  get hasMatched(): boolean {
    this.#leave();
    return this.#simulation.hasMatched;
  }

  /** Whether a match ends here if the next thing is `next`. Changes nothing. */
  wouldMatch(next: Context): boolean {
    const saved = this.save();
    this.#simulation.resolve(next);
    const isMatch = this.#simulation.hasMatched;
    this.#simulation.load(saved.set, saved.previous);
    return isMatch;
  }

  /** What the cache takes now, for the limit's test. */
  get cacheBytes(): number {
    return this.#next.byteLength + this.#sets.byteLength + this.#previous.byteLength;
  }

  /** Runs over characters whose steps are known. Returns the index of the first one that `step` has to take. */
  run(text: CodeUnits, from: number): number {
    const next = this.#next;
    const narrow = this.#program.alphabet.narrow;
    const { length } = text;
    let row = this.#row;
    if (row === 0) return from;
    let at = from;
    for (; at < length; at += 1) {
      const code = text.charCodeAt(at);
      if (code >= NARROW) break;
      const target = next[row + (narrow[code] ?? 0)] ?? 0;
      if (target <= 0) break;
      row = target;
    }
    this.#row = row;
    this.#charsSinceEmptied += at - from;
    return at;
  }

  /** Over one character. After a match the state means nothing. */
  step(classId: number): StepOutcome {
    this.#charsSinceEmptied += 1;
    if (this.#row === 0) return this.#stepUncached(classId);
    const cell = this.#row + classId;
    const known = this.#next[cell] ?? 0;
    if (known > 0) {
      this.#row = known;
      return 'none';
    }
    if (known < 0) return known === MATCHED_BEFORE ? 'matchedBefore' : 'matchedAfter';
    this.#leave();
    const outcome = this.#simulation.step(classId);
    if (outcome === 'none') {
      const isSameCache = this.#enter();
      if (isSameCache) this.#next[cell] = this.#row;
    } else {
      this.#next[cell] = outcome === 'matchedBefore' ? MATCHED_BEFORE : MATCHED_AFTER;
    }
    return outcome;
  }

  #stepUncached(classId: number): StepOutcome {
    const outcome = this.#simulation.step(classId);
    this.#uncachedLeft -= 1;
    if (outcome === 'none' && this.#uncachedLeft <= 0) this.#enter();
    return outcome;
  }

  /** Puts the set of the current state into the simulation. */
  #leave(): void {
    if (this.#row === 0) return;
    const { words, alphabet } = this.#program;
    const state = this.#row / alphabet.classCount;
    const { set } = this.#simulation;
    for (let w = 0; w < words; w += 1) set[w] = this.#sets[state * words + w] ?? 0;
    this.#simulation.previous = this.#previous[state] as Context;
  }

  /** Makes the simulation's set the current state. False when the cache was emptied or left for it. */
  #enter(): boolean {
    const { classCount } = this.#program.alphabet;
    let isSameCache = true;
    let slot = this.#findSlot();
    if (this.#index[slot] === 0 && this.#stateCount === this.#maxStates) {
      isSameCache = false;
      const wasWorthIt = this.#charsSinceEmptied >= MIN_CHARS_PER_STATE * this.#maxStates;
      this.#empty();
      if (!wasWorthIt) {
        this.#row = 0;
        this.#uncachedLeft = UNCACHED_CHARS;
        return false;
      }
      slot = this.#findSlot();
    }
    if (this.#index[slot] === 0) this.#add(slot);
    this.#row = (this.#index[slot] ?? 0) * classCount;
    return isSameCache;
  }

  #add(slot: number): void {
    const state = this.#stateCount;
    const capacity = this.#previous.length;
    if (state === capacity) this.#grow(Math.min(2 * capacity, this.#maxStates));
    this.#sets.set(this.#simulation.set, state * this.#program.words);
    this.#previous[state] = this.#simulation.previous;
    this.#index[slot] = state;
    this.#stateCount += 1;
  }

  /** The slot of the state equal to the simulation's set, or the free one where it belongs. */
  #findSlot(): number {
    const { words } = this.#program;
    const { set } = this.#simulation;
    // The previous character only makes a difference where an assertion waits.
    const previous = this.#simulation.needsPrevious ? this.#simulation.previous : Context.unknown;
    this.#simulation.previous = previous;
    let hash: number = previous;
    for (let w = 0; w < words; w += 1) hash = Math.imul(hash ^ (set[w] ?? 0), 0x9e3779b1) ^ (hash >>> 15);
    const mask = this.#index.length - 1;
    for (let slot = (hash ^ (hash >>> 16)) & mask; ; slot = (slot + 1) & mask) {
      const state = this.#index[slot] ?? 0;
      if (state === 0 || (this.#previous[state] === previous && this.#isSet(state))) return slot;
    }
  }

  #isSet(state: number): boolean {
    const { words } = this.#program;
    const { set } = this.#simulation;
    for (let w = 0; w < words; w += 1) {
      if (this.#sets[state * words + w] !== set[w]) return false;
    }
    return true;
  }

  #empty(): void {
    this.#next.fill(0);
    this.#index.fill(0);
    this.#stateCount = 1;
    this.#charsSinceEmptied = 0;
  }

  #grow(states: number): void {
    const { words, alphabet } = this.#program;
    this.#next = grown(this.#next, new Int32Array(states * alphabet.classCount));
    this.#sets = grown(this.#sets, new Int32Array(states * words));
    this.#previous = grown(this.#previous, new Uint8Array(states));
  }
}

function grown<T extends Int32Array | Uint8Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}
