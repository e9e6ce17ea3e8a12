import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EchoRecogniser } from '../../src/core/echo.ts';
import { TextView } from '../../src/core/text.ts';
import { bytesOf, cut, cuts, lineOutput, thawed } from './bytes.ts';
import { loadRecording } from './recordings.ts';

function listen(input: string | Uint8Array, texts: readonly string[]) {
  const isUtf8 = typeof input !== 'string';
  let echo = EchoRecogniser.of(isUtf8 ? input : bytesOf(input), isUtf8);
  let taken = 0;
  for (const text of texts) {
    taken += echo.push(text);
    echo = EchoRecogniser.restore(thawed(echo.snapshot()));
  }
  return { taken, state: echo.state, isExact: echo.isExact };
}

describe('what comes back for what was typed', () => {
  test.each<[title: string, input: string, heard: string, taken: number, state: string, isExact: boolean]>([
    ['a line', ':vk\r', ':vk\n*', 4, 'complete', true],
    ['a line in upper case', ':vk\r', ':VK\n*', 4, 'complete', true],
    ['control characters as ^X', '\x1aa\x1f\r', '^Za^_\n', 6, 'complete', true],
    ['ESC as $', 'foo\x1bj', 'foo$j!', 5, 'complete', true],
    ['TAB as TAB', '\ttitle\r', '\ttitle\n', 7, 'complete', true],
    ['LF as a line end', '100/\n', '100/\n101/', 5, 'complete', true],
    ['nothing', '', 'abc', 0, 'complete', true],
    ['not yet all of it', ':time\r', ':ti', 3, 'pending', false],
    ['all but the line end, which is no loss', ':emacs\r', ':emacs', 6, 'pending', true],
    ['another answer instead of the line end', '\x1a\r', '^Z?? ', 2, 'differs', true],
    ['something else', ':vk\r', '\nKA ITS', 0, 'differs', false],
    [
      'a line with a message in the middle, of which the line end is left',
      ':listf\r',
      ':list\nf\n',
      8,
      'complete',
      true,
    ],
    [
      'a line end in the middle that only another answer follows',
      ':listf\r',
      ':list\n*',
      6,
      'differs',
      false,
    ],
    ['something else in the middle', ':vk\r', ':v JOB? k', 2, 'differs', false],
    ['a rubout ends what can be told', 'ab\x7fc\r', 'ab \n', 2, 'complete', true],
    ['an 8-bit byte ends what can be told', 'a\xe9\r', 'ai', 1, 'complete', true],
  ])('%s', (_title, input, heard, taken, state, isExact) => {
    expect(listen(input, [heard])).toEqual({ taken, state, isExact });
  });

  test.each<
    [title: string, input: readonly number[] | string, heard: string, taken: number, isExact: boolean]
  >([
    ['characters of two, three and four bytes', 'print("é日🙂")\r', 'print("é日🙂")\n', 14, true],
    ['another character', 'é\r', 'è\n', 0, false],
    ['a byte that begins no character ends what can be told', [0x61, 0xff, 0x62], 'a\ufffdb', 1, true],
    ['a character that is cut ends what can be told', [0x61, 0xc3, 0x62], 'a\ufffdb', 1, true],
    ['a C1 control, which shows nothing, ends what can be told', [0x61, 0xc2, 0x85, 0x62], 'ab', 1, true],
  ])('P03 · UTF-8: %s', (_title, input, heard, taken, isExact) => {
    const bytes = typeof input === 'string' ? new TextEncoder().encode(input) : Uint8Array.from(input);
    expect(listen(bytes, [heard])).toMatchObject({ taken, isExact });
  });

  test('a fold is not told from other text here: the text view has taken it out', () => {
    const input = `${'x'.repeat(85)}\r`;
    expect(listen(input, [`${'x'.repeat(79)}!\nx`]).state).toBe('differs');
  });

  test('the echo of 300 characters on a real line is recognised exactly [14h]', () => {
    const events = loadRecording('14h-ddt-long-line');
    const at = events.findIndex(({ dir, bytes }) => dir === 'out' && bytes.length > 300);
    const typed = events[at]?.bytes ?? new Uint8Array(0);
    const echo = EchoRecogniser.of(typed);
    const view = new TextView(7, undefined, { joinsFolds: true });
    for (const { dir, bytes } of events.slice(0, at)) if (dir === 'in') view.skip(bytes);
    let taken = 0;
    for (const { dir, bytes } of events.slice(at + 1))
      if (dir === 'in') taken += echo.push(view.render(bytes).text);
    expect({ state: echo.state, isExact: echo.isExact, taken }).toEqual({
      state: 'complete',
      isExact: true,
      taken: typed.length,
    });
  });
});

test('I3 · any split of any text, frozen and thawed between the pieces, is told apart the same', () => {
  const output = lineOutput.map((bytes) => new TextView(7).render(bytes).text);
  const typed = fc.constantFrom(':vk\r', 'a\x1bb\x07\r', '\t\r', 'x'.repeat(100));
  fc.assert(
    fc.property(typed, output, cuts, (input, rest, at) => {
      const echoed = input.replace('\r', '\n').replace('\x1b', '$').replace('\x07', '^G');
      const text = echoed + rest;
      const pieces = cut(bytesOf(text), at).map((piece) => String.fromCharCode(...piece));
      expect(listen(input, pieces)).toEqual(listen(input, [text]));
    }),
  );
});
