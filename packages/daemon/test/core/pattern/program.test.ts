import { expect, test } from 'vitest';
import { createAlphabet } from '../../../src/core/pattern/alphabet.ts';
import { MAX_STEP_COST, tryCreateProgram } from '../../../src/core/pattern/program.ts';
import {
  charNode,
  choiceNode,
  type PatternNode,
  repeatNode,
  sequenceNode,
} from '../../../src/core/pattern/tree.ts';

const [a, b, c] = [charNode([97, 97]), charNode([98, 98]), charNode([99, 99])];
const alphabet = createAlphabet([
  [97, 97],
  [98, 98],
  [99, 99],
]);

/** The largest repeat of `(?:ab|c)` that fits, found by trying. */
const LARGEST = 44;

function fits(tree: PatternNode): boolean {
  return tryCreateProgram(tree, alphabet) !== undefined;
}

test('chains cost a shift: no wires however long they are', () => {
  const program = tryCreateProgram(repeatNode(a, 1000, 1000), alphabet);
  expect(program).toMatchObject({ words: 32, wires: new Int32Array(0) });
});

test('optional tails share their wires', () => {
  const program = tryCreateProgram(sequenceNode([repeatNode(a, 0, 1000), b]), alphabet);
  expect(program?.wires.length).toBe(32 * 4);
});

test('I6 · programs fit up to MAX_STEP_COST and not beyond', () => {
  // Each copy of (?:ab|c) is three positions and, in the middle, two or three wires.
  const repeated = (times: number) => repeatNode(choiceNode([sequenceNode([a, b]), c]), times, times);
  expect(MAX_STEP_COST).toBe(300);
  expect(fits(repeated(LARGEST))).toBe(true);
  expect(fits(repeated(LARGEST + 1))).toBe(false);
});
