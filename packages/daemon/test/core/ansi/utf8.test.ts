import fc from 'fast-check';
import { expect, test } from 'vitest';
import { INCOMPLETE, INVALID, REPLACEMENT, Utf8Decoder } from '../../../src/core/ansi/utf8.ts';
import { thawed } from '../bytes.ts';

function decode(bytes: Uint8Array): string {
  let text = '';
  let decoder = new Utf8Decoder();
  for (const byte of bytes) {
    let codePoint = decoder.take(byte);
    if (codePoint === INVALID) {
      text += String.fromCodePoint(REPLACEMENT);
      codePoint = decoder.take(byte);
    }
    if (codePoint !== INCOMPLETE) text += String.fromCodePoint(codePoint);
    decoder = new Utf8Decoder(thawed(decoder.snapshot()));
  }
  return decoder.isPending ? text + String.fromCodePoint(REPLACEMENT) : text;
}

const platform = new TextDecoder('utf-8', { ignoreBOM: true });

test('P03 · every character comes out as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      // A lone surrogate has no bytes of its own: the encoder makes U+FFFD of it.
      expect(decode(new TextEncoder().encode(text))).toBe(platform.decode(new TextEncoder().encode(text)));
    }),
  );
});

test('P03 · invalid bytes are U+FFFD, one for each part that was well-formed so far, as the platform has it', () => {
  const edges = fc.constantFrom(
    0x41,
    0x80,
    0x8f,
    0x90,
    0x9f,
    0xa0,
    0xbf,
    0xc0,
    0xc2,
    0xe0,
    0xed,
    0xef,
    0xf0,
    0xf4,
    0xf5,
  );
  fc.assert(
    fc.property(fc.array(edges, { maxLength: 10 }), (bytes) => {
      expect(decode(Uint8Array.from(bytes))).toBe(platform.decode(Uint8Array.from(bytes)));
    }),
    { numRuns: 1_000 },
  );
});

test('the bytes of an unfinished character are counted', () => {
  const decoder = new Utf8Decoder();
  const counts = [0xf0, 0x9f, 0x99, 0x82, 0x41].map((byte) => {
    decoder.take(byte);
    return decoder.pendingBytes;
  });
  expect(counts).toEqual([1, 2, 3, 0, 0]);
});
