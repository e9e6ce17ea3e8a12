/** Output of commands for tests: what programs print, and what they never would. */
import fc from 'fast-check';
import { bytesOf } from '../bytes.ts';

/** UTF-8 of `text`. */
export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

const WORDS = [
  'abc',
  ' ',
  '10%',
  '_',
  'e\b',
  '\b \b',
  '_\bx',
  'x\bx',
  '\b\b\b',
  '\t',
  '\r\n',
  '\r',
  '\n',
  '\0',
  '\x07',
  '\x7f',
  'é',
  '€',
  '日本',
  '🙂',
  'e\u0301',
  '\u0085',
  '\ufeff',
  '\x1b',
  '\x1b[',
  '\x1b[3',
  '\x1b[31m',
  '\x1b[0m',
  '\x1b[K',
  '\x1b[2J',
  '\x1b[H',
  '\x1b[5;7H',
  '\x1b[A',
  '\x1b[1G',
  '\x1b[12G',
  '\x1b[3C',
  '\x1b[2D',
  '\x1b[5b',
  '\x1b[?25l',
  '\x1b[?1049h',
  '\x1b[2 q',
  '\x1b[1 ',
  '\x1b[12 Hello',
  '\x1b]0;title\x07',
  '\x1b]8;;http://x/\x1b\\',
  '\x1b]',
  '\x1bPq#0\x1b\\',
  '\x1b_x\x1b\\',
  '\x1b^',
  '\x1bX',
  '\x1b\\',
  '\x1b7',
  '\x1b8',
  '\x1bM',
  '\x1bE',
  '\x1b(B',
  '\x18',
  '\x1a',
  '\x1b[999999999b',
  '\x1b[1;2;3;4;5;6m',
  '\x1b[<1;2M',
];

/** Bytes that are no UTF-8, or no whole character of it. */
const BROKEN = ['\x80', '\xc3', '\xe2\x82', '\xed\xa0\x80', '\xf0\x9f', '\xff', '\xc0\xaf', '\x9b', '\xc2'];

const PIECES: readonly Uint8Array[] = [...WORDS.map(utf8), ...BROKEN.map(bytesOf)];

export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

export const commandOutput: fc.Arbitrary<Uint8Array> = fc
  .array(
    fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(...PIECES) },
      { weight: 1, arbitrary: fc.nat({ max: 255 }).map((code) => Uint8Array.of(code)) },
    ),
    { maxLength: 40 },
  )
  .map(joined);
