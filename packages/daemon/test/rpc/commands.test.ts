import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitCommands } from '../../src/rpc/commands.ts';
import { bytesOf, charactersOf } from '../core/bytes.ts';

function split(input: string): string[] {
  return splitCommands(bytesOf(input)).map(charactersOf);
}

test.each<[title: string, input: string, pieces: string[]]>([
  ['one command', ':vk\r', [':vk\r']],
  ['several, each with its CR', ':time\r:date\r:vk\r', [':time\r', ':date\r', ':vk\r']],
  ['the last one without', ':time\r:da', [':time\r', ':da']],
  ['I09 · text behind ^Z waits for DDT', '\x1a:login rms\r', ['\x1a', ':login rms\r']],
  ['^Z alone, and with the CR that ~z has', '\x1a', ['\x1a']],
  ['^Z CR is one', '\x1a\r', ['\x1a\r']],
  ['^Z CR and more is not', '\x1a\r:vk\r', ['\x1a', '\r', ':vk\r']],
  ['^Z in the middle', 'abc\x1a:kill\r', ['abc\x1a', ':kill\r']],
  ['empty lines are commands too', '\r\r', ['\r', '\r']],
  ['LF and ESC end nothing', '100/\nfoo\x1bj\r', ['100/\nfoo\x1bj\r']],
  ['nothing', '', ['']],
])('%s', (_title, input, pieces) => {
  expect(split(input)).toEqual(pieces);
});

test('the pieces joined are the input, and none is empty', () => {
  const input = fc
    .array(fc.constantFrom('\r', '\x1a', 'a', ':vk', '\n'), { minLength: 1, maxLength: 30 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(input, (text) => {
      const pieces = split(text);
      expect(pieces.join('')).toBe(text);
      expect(pieces).not.toContain('');
      // A CR inside a piece would be answered by nobody.
      for (const piece of pieces) expect(piece.slice(0, -1)).not.toContain('\r');
    }),
  );
});
