/**
 * Numbers the positions of a tree and finds what may follow each (first and follow sets of Glushkov's construction).
 * The tree's copies of repeats are never built: a position is an offset into them.
 */

import { addAll, addBit } from './bits.ts';
import { type PatternNode, repeatCopies } from './tree.ts';

export type Leaf = Extract<PatternNode, { kind: 'set' | 'assertion' }>;

/** Finds what follows each position. Sets handed out are shared and never changed, but for the loops' own while it is built. */
export class Linker {
  readonly words: number;
  readonly leaves: { position: number; node: Leaf }[] = [];
  readonly follow: Int32Array[] = [];
  readonly accept: number;
  entry: Int32Array;
  readonly #none: Int32Array;

  constructor(size: number) {
    this.words = (size >> 5) + 1;
    this.accept = size;
    this.#none = new Int32Array(this.words);
    this.entry = this.#none;
  }

  link(tree: PatternNode): void {
    const accept = new Int32Array(this.words);
    addBit(accept, this.accept);
    const first = this.#link(tree, 0, accept);
    this.entry = tree.isNullable ? this.#union(first, accept) : first;
  }

  /** Positions of `node` start at `base`, then comes `next`. Returns the positions that `node` may start with. */
  #link(node: PatternNode, base: number, next: Int32Array): Int32Array {
    switch (node.kind) {
      case 'empty':
        return this.#none;
      case 'set':
      case 'assertion':
        this.leaves.push({ position: base, node });
        this.follow[base] = next;
        return this.#firstOf(node, base);
      case 'choice':
        return this.#linkChoice(node.parts, base, next);
      case 'sequence':
        return this.#linkSequence(node.parts, base, next);
      case 'repeat':
        return this.#linkRepeat(node, base, next);
      default:
        return node satisfies never;
    }
  }

  #linkChoice(parts: readonly PatternNode[], base: number, next: Int32Array): Int32Array {
    const first = new Int32Array(this.words);
    let at = base;
    for (const part of parts) {
      addAll(first, this.#link(part, at, next));
      at += part.size;
    }
    return first;
  }

  #linkSequence(parts: readonly PatternNode[], base: number, next: Int32Array): Int32Array {
    let at = base + parts.reduce((sum, part) => sum + part.size, 0);
    let following = next;
    let first = this.#none;
    for (const part of parts.toReversed()) {
      at -= part.size;
      const own = this.#link(part, at, following);
      following = part.isNullable ? this.#union(own, following) : own;
      first = part.isNullable ? this.#union(own, first) : own;
    }
    return first;
  }

  /** From the last copy to the first. A copy behind the minimum may be left out, the last of an endless repeat loops. */
  #linkRepeat(node: Extract<PatternNode, { kind: 'repeat' }>, base: number, next: Int32Array): Int32Array {
    const { body, min, max } = node;
    let first = this.#none;
    let following = next;
    for (let copy = repeatCopies(min, max); copy >= 1; copy -= 1) {
      const at = base + (copy - 1) * body.size;
      const isLoop = max === Infinity && following === next;
      first = this.#link(body, at, isLoop ? this.#union(next, this.#firstOf(body, at)) : following);
      following = copy > min ? this.#union(first, next) : first;
    }
    return first;
  }

  #firstOf(node: PatternNode, base: number, into = new Int32Array(this.words)): Int32Array {
    switch (node.kind) {
      case 'empty':
        return into;
      case 'set':
      case 'assertion':
        addBit(into, base);
        return into;
      case 'repeat':
        return this.#firstOf(node.body, base, into);
      case 'choice':
      case 'sequence': {
        let at = base;
        for (const part of node.parts) {
          this.#firstOf(part, at, into);
          if (node.kind === 'sequence' && !part.isNullable) break;
          at += part.size;
        }
        return into;
      }
      default:
        return node satisfies never;
    }
  }

  #union(one: Int32Array, other: Int32Array): Int32Array {
    const both = one.slice();
    addAll(both, other);
    return both;
  }
}
