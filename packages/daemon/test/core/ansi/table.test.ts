import { describe, expect, test } from 'vitest';
import {
  ANSI_STATES,
  ANSI_STEPS,
  nextOf,
  stateIndex,
  stateName,
  stepOf,
  transition,
} from '../../../src/core/ansi/table.ts';

function at(state: (typeof ANSI_STATES)[number], byte: number): string {
  const entry = transition(stateIndex(state), byte);
  return `${stepOf(entry)} ${stateName(nextOf(entry))}`;
}

describe('the table', () => {
  test('has a known step and state for every byte in every state', () => {
    for (const state of ANSI_STATES) {
      for (let byte = 0; byte < 256; byte += 1) {
        const [step, next] = at(state, byte).split(' ');
        expect(ANSI_STEPS).toContain(step);
        expect(ANSI_STATES).toContain(next);
      }
    }
  });

  test.each(ANSI_STATES)('ESC begins a sequence in %s', (state) => {
    expect(at(state, 0x1b)).toBe('ignore escape');
  });

  test.each(ANSI_STATES)('CAN and SUB lead from %s to ground', (state) => {
    expect([at(state, 0x18), at(state, 0x1a)]).toEqual(['execute ground', 'execute ground']);
  });

  test('a byte that gives a sequence up is read in ground, so that it ends', () => {
    for (const state of ANSI_STATES)
      for (let byte = 0; byte < 256; byte += 1)
        expect(['reconsider ground', undefined]).toContain(
          at(state, byte).startsWith('reconsider') ? at(state, byte) : undefined,
        );
    for (let byte = 0; byte < 256; byte += 1) expect(at('ground', byte)).not.toContain('reconsider');
  });

  test.each([0x0a, 0x0d])('line end %i ends all but a string without meaning', (byte) => {
    for (const state of ANSI_STATES)
      expect(at(state, byte)).toBe(state === 'opaqueString' ? 'ignore opaqueString' : 'execute ground');
  });
});
