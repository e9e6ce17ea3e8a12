import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compilePattern, MAX_PATTERN_CHARS } from '../../../src/core/pattern/pattern.ts';
import { MAX_POSITIONS } from '../../../src/core/pattern/program.ts';

describe('compilePattern', () => {
  test('never throws, whatever the source, and says where it went wrong', () => {
    const piece = fc.constantFrom(
      ...'()[]{}|*+?^$.\\-:<>=!,abdnxupPQE019'.split(''),
      '(?',
      '(?P<',
      '[[:',
      '\\x{',
      '{2,',
      '😀',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece, { maxLength: 20 }).map((p) => p.join('')),
        ),
        (source) => {
          const result = compilePattern(source);
          if (result.kind === 'pattern') return;
          expect(result.message).not.toBe('');
          expect(result.position).toBeGreaterThanOrEqual(0);
          expect(result.position).toBeLessThanOrEqual(source.length);
        },
      ),
      { numRuns: 5000 },
    );
  });

  test('survives the deepest nesting that fits', () => {
    const half = MAX_PATTERN_CHARS / 2;
    expect(compilePattern('('.repeat(half) + ')'.repeat(half)).kind).toBe('pattern');
    expect(compilePattern('('.repeat(MAX_PATTERN_CHARS)).kind).toBe('invalid');
    expect(compilePattern(`${'(a|'.repeat(249)}b${')*'.repeat(126)}`).kind).toBe('invalid');
  });

  test('I6 · takes MAX_PATTERN_CHARS characters and not one more', () => {
    expect(compilePattern('a'.repeat(MAX_PATTERN_CHARS)).kind).toBe('pattern');
    expect(compilePattern('a'.repeat(MAX_PATTERN_CHARS + 1))).toMatchObject({
      kind: 'invalid',
      position: MAX_PATTERN_CHARS,
      message: expect.stringContaining('1001 characters, 1000 are allowed'),
    });
  });

  test('I6 · takes MAX_POSITIONS positions and not one more', () => {
    expect(compilePattern(`a{1000}b{${MAX_POSITIONS - 1000}}`).kind).toBe('pattern');
    expect(compilePattern(`a{1000}b{${MAX_POSITIONS - 1000}}c`)).toMatchObject({
      kind: 'invalid',
      message: expect.stringContaining('take 1501 places, 1500 are allowed'),
    });
  });
});
