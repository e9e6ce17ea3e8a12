/** Bytes for tests: readable literals, interesting random ones, ways to cut them. */
import fc from 'fast-check';

/** Bytes of `text`, one a character. */
export function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

export function charactersOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
}

/** Pieces of `bytes`, cut at each of `cuts` that lies inside. */
export function cut(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const at = [...new Set(cuts.filter((index) => index > 0 && index < bytes.length)), 0, bytes.length];
  at.sort((a, b) => a - b);
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
}

/** What is left of a snapshot that went to disk and back. */
export function thawed<T>(snapshot: T): T {
  return JSON.parse(JSON.stringify(snapshot));
}

const WORDS = [
  'abc',
  ' ',
  '*',
  '!',
  '^G',
  '$',
  '\r\n',
  '\r\n\x1bK',
  '\r\n\x1bK*',
  '\x1bH\x1bK',
  '\r',
  '\n',
  '\0',
  '\x07',
  '\b',
  '\t',
  '\x1b',
  '\x1bA',
  '\x1bY!!',
  '\x1bY',
  '\x1b[12;3H',
  '\x1b]0;title\x07',
  '\x1bPq\x1b\\',
  '\x18',
  '\x7f',
  '--More--',
  '--More-- (Space=yes, Rubout=no)',
  '**MORE**',
  '--Kill-- (Space=yes, Rubout=no)',
  '\x07\x07\x07\x07\x07[Message from FOO at KA  8:37pm]\r\n\x1bKhello\r\n',
  '\r\n\x1bK\x07\x07\x07\x07\x07[Message from FOO at KA  8:37pm]\r\n\x1bKhello\r\n',
  'KA ITS 1652 \x07IN OPERATION\x07 AT 19:49:51\r\n',
  '\x07KA ITS 1652 GOING DOWN IN 5:00.\r\n',
  'KA ITS 1652  Console 52 Free. 20:15:03\r\n',
  `${'x'.repeat(79)}!\r\n\x1bKx`,
  'x'.repeat(40),
  '\n\n\n',
  '\x1bH\x1bJ',
  ' JOB? ',
  '^Z?? ',
];

/** What a line might say, and what it never would. */
export const lineOutput: fc.Arbitrary<Uint8Array> = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...WORDS) },
      { weight: 1, arbitrary: fc.nat({ max: 255 }).map((code) => String.fromCharCode(code)) },
    ),
    { maxLength: 40 },
  )
  .map((words) => bytesOf(words.join('')));

export const cuts: fc.Arbitrary<number[]> = fc.array(fc.nat({ max: 200 }), { maxLength: 12 });
