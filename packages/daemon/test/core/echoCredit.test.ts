import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EchoCredit } from '../../src/core/echoCredit.ts';
import { TextView } from '../../src/core/text.ts';
import { bytesOf, charactersOf, cut, cuts, lineOutput, thawed } from './bytes.ts';

/** What is outstanding after `input` was written and `output` came, as the text view tells it. */
function left(input: string, output: string, isPainting = false): number {
  const credit = new EchoCredit();
  credit.wrote(bytesOf(input), 0);
  credit.hear(new TextView(7, undefined, { joinsFolds: true }).render(bytesOf(output)).text, isPainting, 1);
  return credit.outstanding;
}

describe('what proves a character read', () => {
  test.each<[title: string, input: string, output: string, left: number]>([
    ['itself, together with its neighbour', 'abc', 'abc', 0],
    ['not alone, in front of others', 'abc', 'a', 3],
    ['the next ones one by one, once it runs', 'abcdef', 'abcd', 2],
    ['the last one alone', 'a', 'a', 0],
    ['CR by a line end', ':vk\r', ':vk\r\n\x1bK', 0],
    ['CR by ESC H at the bottom of the screen', ':vk\r', `${'\r\n'.repeat(23)}:vk\x1bH\x1bK`, 0],
    ['a control character by ^X', 'a\x03b', 'a^Cb', 0],
    ['half of a ^X is none of it', 'ab\x03', 'ab^', 1],
    ['ESC by $', 'foo\x1bj', 'foo$j', 0],
    ['a rubout by BS SP BS', 'ab\x7fc', 'ab\b \bc', 0],
    ['TAB by TAB', 'a\tb', 'a\tb', 0],
    ['keys that show nothing by what comes behind them', '\x01\x05ab', 'ab', 0],
    ['I12 · upper case', 'Hello there', 'HELLO THERE', 0],
    [
      'I14 · a fold between two characters',
      'x'.repeat(100),
      `${'x'.repeat(79)}!\r\n\x1bK${'x'.repeat(21)}`,
      0,
    ],
    ['characters on both sides of a message', 'abcdef', 'abc\r\n[Message from FOO]\r\nhi\r\ndef', 0],
    ['nothing of other text', 'abcdef', 'The time is 19:51', 6],
    ['nothing of a neighbour that comes later', 'abcdef', 'a - b - c', 6],
  ])('%s', (_title, input, output, outstanding) => {
    expect(left(input, output)).toBe(outstanding);
  });

  test('EMACS · on a painted screen each character counts in the midst of what is repainted', () => {
    const output = '\x1bA\x1bKH\r\n\n\n\n\n\x1bKEMACS  (Fundamental)  Main:   *\x1bH\x1bCel\x1bH\x1bKlo';
    expect(left('Hello', output, true)).toBe(0);
    expect(left('Hello', 'H\r\n* \r\ne', true)).toBe(3);
  });

  test('a key that shows nothing counts in silence, unless one that should show stands behind it', () => {
    const silent = new EchoCredit();
    silent.wrote(bytesOf('\x01\x05\x1b'), 0);
    expect([silent.pause(), silent.outstanding]).toEqual([3, 0]);
    const waiting = new EchoCredit();
    waiting.wrote(bytesOf('\x01a'), 0);
    expect([waiting.pause(), waiting.outstanding]).toEqual([0, 2]);
  });

  test('what comes at the moment of the writing is no echo of it', () => {
    const credit = new EchoCredit();
    credit.wrote(bytesOf('abc'), 5);
    expect([credit.hear('abc', false, 5), credit.hear('abc', false, 5.1)]).toEqual([0, 3]);
  });

  test('what nobody waits for any longer is forgotten', () => {
    const credit = new EchoCredit();
    credit.wrote(bytesOf('abc'), 0);
    expect([credit.forget(), credit.outstanding, credit.forget()]).toEqual([3, 0, 0]);
  });
});

describe('output that looks like the input', () => {
  test('14e · the more of it has come, the longer a run has to be', () => {
    const noise = 'SYS  TS  FIND 12/3/1979 20:05:11 and so on and on; '.repeat(20);
    expect(left('0123456789', `${noise}012`)).toBe(10);
    expect(left('0123456789', `${noise}01234`)).toBe(10);
    expect(left('0123456789', `${noise}0123456789`)).toBe(0);
    expect(left('0123456789', '20:05:11\r\n012')).toBe(7);
  });

  test('a character that never comes back is passed over when many behind it have come', () => {
    expect(left('one two three four five', 'one two\r\nthree four five')).toBe(0); // filled by an editor: no blank
    expect(left('one two three four five', 'one two\r\nthree four')).toBe(16);
    expect(left('abcdefghijklmnop', 'cdefghijklmn')).toBe(2);
    expect(left('abcdefghijklmnop', 'cdefghijklm')).toBe(16);
  });

  test('echo makes up for it again', () => {
    const noise = 'other words come here, some of them long. '.repeat(3);
    const [first, second] = ['0123456789'.repeat(4), 'abcdefgh'];
    expect(left(first + second, `${noise}${first}, abcdef`)).toBe(2);
  });
});

describe('whether the last words are what was typed', () => {
  test.each<[title: string, input: string, output: string, endsInEcho: boolean]>([
    ['T8 · a * typed into an editor', 'a\r*', 'a\r\n\x1bK*', true],
    ['a prompt behind the echo', ':vk\r', ':vk\r\n\x1bK*', false],
    ['nothing came', 'abc', '', false],
    ['a key that prints nothing', '\x7f', '?? ', false],
    ['other text', 'abc', 'xyz', false],
  ])('%s', (_title, input, output, endsInEcho) => {
    const credit = new EchoCredit();
    credit.wrote(bytesOf(input), 0);
    credit.hear(new TextView(7).render(bytesOf(output)).text, false, 1);
    expect(credit.endsInEcho).toBe(endsInEcho);
    if (endsInEcho) credit.passOver();
    expect(credit.endsInEcho).toBe(false);
  });
});

test('never more is proved than was written, and never less outstanding than nothing', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 60 }), lineOutput, fc.boolean(), (input, output, isPainting) => {
      const credit = new EchoCredit();
      const bytes = bytesOf(input).map((byte) => byte & 0x7f);
      credit.wrote(bytes, 0);
      const proved = credit.hear(charactersOf(output), isPainting, 1);
      expect(proved + credit.outstanding).toBe(bytes.length);
      expect(credit.snapshot().unechoed).toEqual([...bytes.subarray(proved)]);
    }),
  );
});

test('I3 · any split, frozen and thawed between the pieces, proves the same', () => {
  const typed = fc
    .constantFrom('abc', '*', ':vk\r', '^G$', '\x1b\x01', 'abc abc\x7f!', 'a b\tc\x03')
    .chain((word) => fc.integer({ min: 1, max: 4 }).map((times) => word.repeat(times)));
  fc.assert(
    fc.property(typed, lineOutput, cuts, fc.boolean(), (input, output, at, isPainting) => {
      const whole = new EchoCredit();
      let pieces = new EchoCredit();
      for (const credit of [whole, pieces]) credit.wrote(bytesOf(input), 0);
      whole.hear(charactersOf(output), isPainting, 1);
      for (const piece of cut(output, at)) {
        pieces.hear(charactersOf(piece), isPainting, 1);
        pieces = new EchoCredit(thawed(pieces.snapshot()));
      }
      expect(pieces.snapshot()).toEqual(thawed(whole.snapshot()));
    }),
  );
});
