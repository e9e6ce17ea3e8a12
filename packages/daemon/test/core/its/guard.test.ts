import { describe, expect, test } from 'vitest';
import { LineGuard } from '../../../src/core/its/guard.ts';
import { bytesOf, thawed } from '../bytes.ts';

/** What typing these, one after the other, would be stopped at; each but the last is typed. */
function stopped(...inputs: readonly string[]): string | undefined {
  let guard = new LineGuard();
  for (const input of inputs) {
    const danger = guard.check(bytesOf(input));
    if (danger !== undefined) return danger.line;
    guard.typed(bytesOf(input));
    guard = new LineGuard(undefined, thawed(guard.snapshot()));
  }
  return undefined;
}

describe('I17 · what brings ITS down', () => {
  test.each<[title: string, inputs: string[], line: string | undefined]>([
    ['LOCK, whole', [':lock\r'], ':lock'],
    ['in capitals, with blanks', [':  LOCK now\r'], ':  LOCK'],
    ['one character per call', ':lock\r'.split(''), ':lock'],
    ['rubbed out and typed anew', [':lx', '\x7fock', '\r'], ':lock'],
    ['by ^K', ['lock\x0b'], 'lock'],
    ['its shutdown command', ['5kill'], '5kill'],
    ['a name that only begins so', [':locker\r'], undefined],
    ['the word elsewhere in a line', [':print lock\r'], undefined],
    ['a line that was given up', [':lo', '\x04', 'ck\r'], undefined],
    ['two lines', [':lo\r', 'ck\r'], undefined],
  ])('%s', (_title, inputs, line) => {
    expect(stopped(...inputs)).toBe(line);
  });

  test('checking types nothing, and tells how much of it stands already', () => {
    const guard = new LineGuard();
    guard.typed(bytesOf(':lo'));
    expect(guard.check(bytesOf('ck\r'))).toMatchObject({ line: ':lock', typedChars: 3 });
    expect(guard.snapshot()).toEqual({ line: ':lo' });
  });

  test.each<[title: string, standing: string, input: string, typedChars: number]>([
    ['begun on the line and ended here', ':lo', 'ck\r', 3],
    ['a line behind the one that stands', ':vk', '\r:lock\r', 0],
    ['a line behind one that is given up', ':lo', '\x04:lock\r', 0],
    ['all that stands is rubbed out', ':l', '\x7f\x7f:lock\r', 0],
    ['one of what stands is left', ':lx', '\x7fock\r', 3],
    ['nothing stands', '', ':lock\r', 0],
  ])(
    'of what stands on the line it counts only what belongs to the danger: %s',
    (_title, standing, input, typedChars) => {
      const guard = new LineGuard();
      guard.typed(bytesOf(standing));
      expect(guard.check(bytesOf(input))).toMatchObject({ line: ':lock', typedChars });
    },
  );

  test('what is on its way stands in front of the input', () => {
    const guard = new LineGuard();
    guard.typed(bytesOf('x\r:'));
    expect(guard.check(bytesOf('ck\r'), [bytesOf('l'), bytesOf('o')])).toMatchObject({
      line: ':lock',
      typedChars: 3,
    });
    expect(guard.check(bytesOf('ck\r'), [bytesOf('lo\r')])).toBeUndefined();
    expect(guard.snapshot()).toEqual({ line: ':' });
  });

  test('a pattern that does not compile is a broken contract', () => {
    expect(() => new LineGuard(['('])).toThrow(RangeError);
  });
});

test.each([' ', '\u000c', '\u0013', '\u0000 '])(
  'I17 · what stands in front of a line hides nothing: %j',
  (front) => {
    const guard = new LineGuard();
    guard.typed(bytesOf(front));
    expect(guard.check(bytesOf(':lock\r'))).toMatchObject({ line: ':lock', typedChars: 0 });
    expect(new LineGuard().check(bytesOf(`${front}:lock\r`))).toMatchObject({ line: ':lock' });
  },
);
