import { describe, expect, test } from 'vitest';
import { LineOfText } from '../../../src/core/ansi/lineOfText.ts';
import { bytesOf, thawed } from '../bytes.ts';

/** What is new of `input`, where `<` goes back one column and `>` forward one. */
function write(input: string): string {
  let text = '';
  let line = new LineOfText();
  for (const character of input) {
    if (character === '<') line.backward(1);
    else if (character === '>') line.forward(1);
    else if (line.print(character.codePointAt(0) ?? 0)) text += character;
    line = new LineOfText(thawed(line.snapshot()));
  }
  return text;
}

describe('what is new text', () => {
  test.each<[what: string, input: string, text: string]>([
    ['what is printed at the end', 'abc', 'abc'],
    ['not the same over itself', 'a<ab<b', 'ab'],
    ['not an underscore over or under it', 'a<__<b', 'a_b'],
    ['another character over one', 'a<b', 'ab'],
    ['not a blank that rubs out', 'ab< <c', 'abc'],
    ['what is written anew, though parts are the same', '10%<<<20%', '10%20%'],
    ['behind what was gone back over', 'ab<<>>c', 'abc'],
    ['not before the first column', '<<<a', 'a'],
  ])('%s', (_what, input, text) => {
    expect(write(input)).toBe(text);
  });
});

test('columns are those behind the last character and the cursor', () => {
  const line = new LineOfText();
  line.appendAscii(bytesOf('x'.repeat(30)), 0, 30);
  line.backward(10);
  expect([line.column, line.isAtEnd, line.last, line.tabColumns]).toEqual([20, false, undefined, 4]);
  expect([line.forward(10), line.forward(1), line.column]).toEqual([false, true, 31]);
  line.begin(5);
  expect([line.column, line.hasText, line.last]).toEqual([5, false, undefined]);
  line.backward(1_000_000);
  line.forward(1_000_000);
  expect(line.column).toBeLessThan(10_000);
});
