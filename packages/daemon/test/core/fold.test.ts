import { describe, expect, test } from 'vitest';
import { Fold } from '../../src/core/fold.ts';

type Step = 'mark' | 'return' | 'feed' | 'home' | 'K';

/** What a fold makes of the steps: each either taken or not, and the text that is left of them. */
function after(...steps: readonly Step[]): { taken: boolean[]; left: string; stage: string } {
  let fold = new Fold({ fold: 'none', foldBytes: 0 });
  const taken = steps.map((step) => {
    if (step === 'mark') fold.begin(1);
    const isTaken = step === 'mark' || (step === 'K' ? fold.isProven() : fold.takes(step));
    fold = new Fold({ fold: fold.stage, foldBytes: fold.bytes });
    return isTaken;
  });
  const { stage } = fold;
  return { taken, left: fold.release(), stage };
}

describe('T6 · a fold', () => {
  test.each<[steps: Step[], taken: boolean[], left: string]>([
    [['mark', 'return', 'feed', 'K'], [true, true, true, true], ''],
    [['mark', 'home', 'K'], [true, true, true], ''],
    [['mark', 'return', 'return', 'feed', 'K'], [true, true, true, true, true], ''],
    [['mark'], [true], '!'],
    [['mark', 'return'], [true, true], '!\n'],
    [['mark', 'return', 'feed'], [true, true, true], '!\n'],
    [['mark', 'K'], [true, false], '!'],
    [['mark', 'feed'], [true, false], '!'],
    [['mark', 'return', 'home'], [true, true, false], '!\n'],
    [['mark', 'return', 'feed', 'return'], [true, true, true, false], '!\n'],
    [['return', 'feed', 'K'], [false, false, false], ''],
  ])('of %j takes %j and leaves %j', (steps, taken, left) => {
    expect(after(...steps)).toMatchObject({ taken, left });
  });
});

test('its bytes are counted while it is open, and released once', () => {
  const fold = new Fold({ fold: 'none', foldBytes: 0 });
  fold.pass(5);
  expect(fold.bytes).toBe(0);
  fold.begin(2);
  fold.pass(3);
  expect([fold.bytes, fold.release(), fold.bytes, fold.release()]).toEqual([5, '!', 0, '']);
});
