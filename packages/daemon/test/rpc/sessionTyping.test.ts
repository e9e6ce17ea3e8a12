import { MAX_INPUT_CHARS } from '@pidp10/protocol/limits';
import { describe, expect, test } from 'vitest';
import { toInputBytes } from '../../src/rpc/sessionTyping.ts';

const nothing = { input: undefined, bytes: undefined, enter: false, closeInput: false };

describe('what a send types', () => {
  test('P12 · Enter is CR on a terminal, LF on pipes, and nothing unless it is asked for', () => {
    const enter = { ...nothing, input: 'é', enter: true };
    expect([...toInputBytes(enter, true)]).toEqual([0xc3, 0xa9, 0x0d]);
    expect([...toInputBytes(enter, false)]).toEqual([0xc3, 0xa9, 0x0a]);
    expect([...toInputBytes({ ...enter, enter: false }, true)]).toEqual([0xc3, 0xa9]);
  });

  test('the longest input goes whole, at three bytes a character too', () => {
    const input = '日'.repeat(MAX_INPUT_CHARS);
    const bytes = toInputBytes({ ...nothing, input, enter: true }, false);
    expect(bytes.length).toBe(3 * MAX_INPUT_CHARS + 1);
    expect([...bytes.subarray(-4)]).toEqual([0xe6, 0x97, 0xa5, 0x0a]);
  });

  test('bytes go as they are, and the end of input needs none', () => {
    expect([...toInputBytes({ ...nothing, bytes: [0, 255] }, true)]).toEqual([0, 255]);
    expect(toInputBytes({ ...nothing, closeInput: true }, false).length).toBe(0);
  });

  test('neither, and both, are refused', () => {
    expect(() => toInputBytes(nothing, false)).toThrow('input, bytes or closeInput is needed');
    expect(() => toInputBytes({ ...nothing, input: 'x', bytes: [1] }, false)).toThrow(
      'either input or bytes',
    );
  });
});
