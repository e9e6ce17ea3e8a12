import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blankScreen } from '../../../src/core/screen.ts';
import { paint, Vt52ToAnsi } from '../../../src/core/vt52ToAnsi.ts';
import { OutputFilter } from '../../../src/ctl/play/outputFilter.ts';
import { cut, lineOutput } from '../../core/bytes.ts';

const filtered = (text: string) => new OutputFilter().push(text);

test.each([
  ['text, \u00e9\u4e2d\r\n\b', 'text, \u00e9\u4e2d\r\n\b'],
  ['\x1bD\x1bM\x1b[A\x1b[2B\x1b[C\x1b[5G\x1b[1;2H\x1b[K\x1b[3M\x1b[1;24r', undefined],
  ['a\x1b[31mb\x1b[0;1mc', 'abc'],
  ['a\x1b]0;title\x07b\x1b]52;c;eA==\x1b\\c', 'abc'],
  ['a\x1bPq#0\x1b\\b\x1bXx\x1b\\c\x1b^x\x1b\\d\x1b_x\x1b\\e', 'abcde'],
  ['a\x1b[6nb\x1b[cc\x1bZd\x05', 'abcd'],
  ['a\x1b[?1049hb\x1b[?2004hc\x1b[>4;2md', 'abcd'],
  ['a\x1b(0b\x1b#8c\x1bcd\x1b7e', 'abcde'],
  ['a\u009b2Cb\u009d0;x\u009cc\u0085', 'a\x1b[2Cbc'],
  ['a\x1b[!pb\x1b[1$rc', 'abc'],
  ['a\x1b[99999999999999999999Bb', 'ab'],
  ['a\x1b[3\x18b', 'ab'],
  ['a\u202eb\u200bc\ud800d', 'abcd'],
  ['a\x1b]0;x', 'a'],
  ['a\x1b[\x1b[Ab', 'a\x1b[Ab'],
])('I17: %j', (text, passes) => {
  expect(filtered(text)).toBe(passes ?? text);
});

test('whatever of ours is played comes out as it is', () => {
  fc.assert(
    fc.property(lineOutput, (bytes) => {
      const screen = blankScreen(0);
      const text = paint(screen) + Vt52ToAnsi.at(7, screen).push(bytes);
      expect(filtered(text)).toBe(text);
    }),
  );
});

const hostile = fc
  .array(
    fc.constantFrom(
      '\x1b',
      '[',
      ']',
      'P',
      ';',
      '2',
      '?',
      'm',
      'H',
      'J',
      '\x07',
      '\\',
      '\x9b',
      '\x18',
      'a',
      '\x1b[6n',
    ),
  )
  .map((parts) => parts.join(''));

test('I17: of anything at all only the known sequences pass, and any split gives the same', () => {
  fc.assert(
    fc.property(hostile, fc.array(fc.nat(40)), (text, places) => {
      const passed = filtered(text);
      const rest = passed.replaceAll('\x1b', '~').replace(/~(?:[DM]|\[[\d;]{0,9}[ABCGHKMr])/g, '');
      expect(rest).toMatch(/^[ -}\r\n\b]*$/);
      const filter = new OutputFilter();
      const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
      const pieces = cut(bytes, places).map((piece) => filter.push(String.fromCharCode(...piece)));
      expect(pieces.join('')).toBe(passed);
    }),
  );
});
