/**
 * A pattern as a position automaton (Glushkov 1961; bit-parallel as in Navarro & Raffinot, "Flexible Pattern Matching in
 * Strings", ch. 5). Each character set and assertion of the tree is a position, numbered from left to right; the last one is
 * `accept`. A set of positions is a bitset. Following it costs a shift for all edges p → p+1, and a test for each **wire**: the
 * other edges, bundled where positions share them. So a step costs a number of word operations that is known at compile time.
 */

import { type Alphabet, classesOf } from './alphabet.ts';
import { addAll, addBit, hasBit } from './bits.ts';
import type { CharSet } from './charSet.ts';
import { CONTEXT_COUNT, holds, isContext, looksAhead } from './context.ts';
import { Linker } from './linker.ts';
import type { Literal } from './literal.ts';
import type { Assertion, PatternNode } from './tree.ts';

/** Positions of one program, without `accept`: 47 words a set. The sets of a snapshot and the time to link them stay small. */
export const MAX_POSITIONS = 1500;

/**
 * Cost of one step in the worst case; the unit is about a nanosecond on the bench machine. It keeps 64 KiB of text, one read of
 * a socket, under 50 ms even when no step is cached. Patterns beyond it are refused.
 */
export const MAX_STEP_COST = 300;

/** Parts of that cost, measured (docs/adr/0003-matching-engine.md): a word of a set, and a wire between two words. */
const WORD_COST = 6;
const WIRE_COST = 3;
const MAX_WIRES = MAX_STEP_COST / WIRE_COST;

interface Edges {
  /** Positions with an edge to their right neighbour. */
  readonly shift: Int32Array;
  /** The other edges, flat, by four: source word, source mask, target word, target mask. */
  readonly wires: Int32Array;
}

export interface Program extends Edges {
  readonly alphabet: Alphabet;
  /** 32-bit words of a set. */
  readonly words: number;
  readonly accept: number;
  /** Positions entered at the start; assertions among them not yet resolved. */
  readonly entry: Int32Array;
  /** By class: the positions that take a character of it; `classCount * words`. */
  readonly takers: Int32Array;
  readonly assertions: Int32Array;
  /** Words of a set that have assertions in them, and the wires that start there. */
  readonly assertionWords: Int32Array;
  readonly assertionWires: Int32Array;
  /** Assertions that ask for the next character. */
  readonly ahead: Int32Array;
  /** Assertions that hold; by `(previous * CONTEXT_COUNT + next) * words`. */
  readonly holding: Int32Array;
}

/** Immutable; any number of matchers may share it. */
export interface Pattern {
  readonly source: string;
  readonly forward: Program;
  /** For text read from its end: finds where a match began. */
  readonly backward: Program;
  /** In every match; undefined when none is known. */
  readonly literal: Literal | undefined;
}

/** Undefined when a step would cost over MAX_STEP_COST. The caller has checked `tree.size` against MAX_POSITIONS. */
export function tryCreateProgram(tree: PatternNode, alphabet: Alphabet): Program | undefined {
  const linker = new Linker(tree.size);
  linker.link(tree);
  const { words } = linker;
  const edges = joinEdges(linker);
  if (edges === undefined) return undefined;
  const takers = new Int32Array(alphabet.classCount * words);
  const assertions = new Int32Array(words);
  const ahead = new Int32Array(words);
  const holding = new Int32Array(CONTEXT_COUNT * CONTEXT_COUNT * words);
  const classesBySet = new Map<CharSet, ReadonlySet<number>>();
  for (const { position, node } of linker.leaves) {
    if (node.kind === 'set') {
      const classes = classesBySet.get(node.set) ?? classesOf(alphabet, node.set);
      classesBySet.set(node.set, classes);
      for (const classId of classes) addBit(takers, position, classId * words);
    } else {
      addBit(assertions, position);
      if (looksAhead(node.assertion)) addBit(ahead, position);
      addHolding({ holding, words }, position, node.assertion);
    }
  }
  const assertionWords = Int32Array.from(toPairs(assertions), ([word]) => word);
  const assertionWires = edges.wires.filter((_, at) => {
    const from = at - (at % 4);
    return ((assertions[edges.wires[from] ?? 0] ?? 0) & (edges.wires[from + 1] ?? 0)) !== 0;
  });
  const stepCost = words * WORD_COST + (edges.wires.length / 4) * WIRE_COST;
  const roundCost = assertionWords.length * WORD_COST + (assertionWires.length / 4) * WIRE_COST;
  if (stepCost + roundCost * assertionRounds(linker) > MAX_STEP_COST) return undefined;
  const { accept, entry } = linker;
  return {
    alphabet,
    words,
    accept,
    entry,
    takers,
    ...edges,
    assertions,
    assertionWords,
    assertionWires,
    ahead,
    holding,
  };
}

/** Splits the edges into the shift and the wires; undefined as soon as the wires alone cost too much. */
function joinEdges(linker: Linker): Edges | undefined {
  const shift = new Int32Array(linker.words);
  const found = new Map<string, { sources: Int32Array; targets: Int32Array }>();
  for (const [position, follow] of linker.follow.entries()) {
    const targets = follow.slice();
    const right = position + 1;
    if (hasBit(targets, right)) {
      addBit(shift, position);
      targets[right >> 5] = (targets[right >> 5] ?? 0) & ~(1 << (right & 31));
    }
    if (targets.every((word) => word === 0)) continue;
    const key = targets.join();
    const shared = found.get(key) ?? { sources: new Int32Array(linker.words), targets };
    addBit(shared.sources, position);
    found.set(key, shared);
    if (found.size > MAX_WIRES) return undefined;
  }
  const wires: number[] = [];
  for (const { sources, targets } of found.values()) {
    const targetPairs = toPairs(targets);
    for (const source of toPairs(sources)) for (const target of targetPairs) wires.push(...source, ...target);
    if (wires.length > MAX_WIRES * 4) return undefined;
  }
  return { shift, wires: Int32Array.from(wires) };
}

function toPairs(set: Int32Array): [word: number, mask: number][] {
  const pairs: [number, number][] = [];
  set.forEach((word, at) => {
    if (word !== 0) pairs.push([at, word]);
  });
  return pairs;
}

function addHolding(
  program: Pick<Program, 'words' | 'holding'>,
  position: number,
  assertion: Assertion,
): void {
  for (let index = 0; index < CONTEXT_COUNT * CONTEXT_COUNT; index += 1) {
    const previous = Math.floor(index / CONTEXT_COUNT);
    const next = index % CONTEXT_COUNT;
    if (isContext(previous) && isContext(next) && holds(assertion, previous, next)) {
      addBit(program.holding, position, index * program.words);
    }
  }
}

/** How often a step has to resolve assertions, at most: `\b$` takes two rounds. None where there are none to wait for. */
function assertionRounds(linker: Linker): number {
  const behindAny = new Int32Array(linker.words);
  const behindAssertion = new Int32Array(linker.words);
  for (const { position, node } of linker.leaves) {
    const follow = linker.follow[position];
    if (follow === undefined) continue;
    addAll(behindAny, follow);
    if (node.kind === 'assertion') addAll(behindAssertion, follow);
  }
  let chain = 1;
  let waitsBehind = 0;
  let waitsAhead = 0;
  for (const { position, node } of linker.leaves) {
    if (node.kind !== 'assertion') continue;
    if (hasBit(behindAssertion, position)) chain += 1;
    // Those at the start of the pattern are resolved before it runs, unless they look ahead.
    if (looksAhead(node.assertion)) waitsAhead = 1;
    else if (hasBit(behindAny, position)) waitsBehind = 1;
  }
  return chain * (waitsBehind + waitsAhead);
}
