/**
 * Steps a set of positions over characters. This is the engine itself; lazyDfa only remembers its steps.
 *
 * Between two characters a set holds the positions that may come next, and the assertions among them that wait for the next
 * character (`$`, `\b`). Those that ask for the previous one (`^`) are resolved at once, so that a match that needs nothing more
 * is known with its last character.
 */

import { hasBit } from './bits.ts';
import { CONTEXT_COUNT, Context } from './context.ts';
import type { Program } from './program.ts';

/** `matchedBefore`: the character decided an assertion, the match ended before it. */
export type StepOutcome = 'none' | 'matchedBefore' | 'matchedAfter';

export class Simulation {
  readonly program: Program;
  previous: Context = Context.unknown;
  /** The current set. */
  #set: Int32Array;
  /** The set that the next step makes; the two take turns. */
  #scratch: Int32Array;
  readonly #pending: Int32Array;
  readonly #resolved: Int32Array;
  /** By context of the last character: what a match that starts behind it starts with. */
  readonly #seeds: Int32Array;
  /** Assertions that ask for the previous character only. */
  readonly #behind: Int32Array;

  constructor(program: Program) {
    const { words } = program;
    this.program = program;
    this.#set = new Int32Array(words);
    this.#scratch = new Int32Array(words);
    this.#pending = new Int32Array(words);
    this.#resolved = new Int32Array(words);
    this.#behind = program.assertions.map((word, w) => word & ~(program.ahead[w] ?? 0));
    this.#seeds = new Int32Array(CONTEXT_COUNT * words);
    for (const context of [Context.newline, Context.word, Context.other]) {
      this.start(context);
      this.#seeds.set(this.#set, context * words);
    }
  }

  /** Valid until the next step. */
  get set(): Int32Array {
    return this.#set;
  }

  load(set: ArrayLike<number>, previous: Context): void {
    this.#set.set(set);
    this.previous = previous;
  }

  /** Sets the positions that a match may start with, behind `previous`. */
  start(previous: Context): void {
    this.load(this.program.entry, previous);
    this.#resolveBehind();
  }

  get hasMatched(): boolean {
    return hasBit(this.#set, this.program.accept);
  }

  get isDead(): boolean {
    const set = this.#set;
    let any = 0;
    for (let w = 0; w < set.length; w += 1) any |= set[w] ?? 0;
    return any === 0;
  }

  /** Whether assertions in the set make the previous character matter. */
  get needsPrevious(): boolean {
    return this.#meets(this.program.ahead);
  }

  /** Over one character of the class; a match may also start behind it. After a match the set means nothing. */
  step(classId: number): StepOutcome {
    const { alphabet, words } = this.program;
    const next = alphabet.contexts[classId] as Context;
    if (this.needsPrevious) {
      this.resolve(next);
      if (this.hasMatched) return 'matchedBefore';
    }
    this.advance(classId);
    const seeds = this.#seeds;
    const set = this.#set;
    const from = next * words;
    for (let w = 0; w < words; w += 1) set[w] = (set[w] ?? 0) | (seeds[from + w] ?? 0);
    this.previous = next;
    this.#resolveBehind();
    return this.hasMatched ? 'matchedAfter' : 'none';
  }

  /** Adds what is reached through the assertions that hold here, between `previous` and `next`. */
  resolve(next: Context): void {
    const { assertionWords, assertionWires, holding, shift, words } = this.program;
    if (assertionWords.length === 0) return;
    const row = (this.previous * CONTEXT_COUNT + next) * words;
    const set = this.#set;
    const pending = this.#pending;
    const resolved = this.#resolved;
    for (const w of assertionWords) resolved[w] = 0;
    for (;;) {
      let waiting = 0;
      for (const w of assertionWords) {
        const fresh = (set[w] ?? 0) & (holding[row + w] ?? 0) & ~(resolved[w] ?? 0);
        pending[w] = fresh;
        resolved[w] = (resolved[w] ?? 0) | fresh;
        waiting |= fresh;
      }
      if (waiting === 0) return;
      for (const w of assertionWords) {
        const moving = (pending[w] ?? 0) & (shift[w] ?? 0);
        set[w] = (set[w] ?? 0) | (moving << 1);
        if (moving < 0) set[w + 1] = (set[w + 1] ?? 0) | 1;
      }
      followWires(assertionWires, pending, set);
    }
  }

  /** Over one character of the class and nothing else. */
  advance(classId: number): void {
    const { takers, shift, wires, words } = this.program;
    const set = this.#set;
    const into = this.#scratch;
    const row = classId * words;
    let carry = 0;
    for (let w = 0; w < words; w += 1) {
      const taking = (set[w] ?? 0) & (takers[row + w] ?? 0);
      set[w] = taking;
      const moving = taking & (shift[w] ?? 0);
      into[w] = (moving << 1) | carry;
      carry = moving >>> 31;
    }
    followWires(wires, set, into);
    this.#set = into;
    this.#scratch = set;
  }

  #resolveBehind(): void {
    if (!this.#meets(this.#behind)) return;
    this.resolve(Context.unknown);
    // What did not hold never will: without it equal sets look equal.
    for (const w of this.program.assertionWords) {
      this.#set[w] = (this.#set[w] ?? 0) & ~(this.#behind[w] ?? 0);
    }
  }

  /** Whether one of these assertions is in the set. */
  #meets(assertions: Int32Array): boolean {
    const words = this.program.assertionWords;
    for (let i = 0; i < words.length; i += 1) {
      const w = words[i] ?? 0;
      if (((this.#set[w] ?? 0) & (assertions[w] ?? 0)) !== 0) return true;
    }
    return false;
  }
}

/** Adds to `into` what the wires from `from` lead to. */
function followWires(wires: Int32Array, from: Int32Array, into: Int32Array): void {
  for (let at = 0; at < wires.length; at += 4) {
    if (((from[wires[at] ?? 0] ?? 0) & (wires[at + 1] ?? 0)) !== 0) {
      const word = wires[at + 2] ?? 0;
      into[word] = (into[word] ?? 0) | (wires[at + 3] ?? 0);
    }
  }
}
