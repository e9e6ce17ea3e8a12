import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  encodeFrame,
  exceedsBytes,
  type Frame,
  FrameDecoder,
  MAX_ANSWER_BYTES,
  MAX_FRAME_BYTES,
} from '../../src/common/framing.ts';

const LIMIT = 64;
const TOO_LONG = { kind: 'too_long', maxFrameBytes: LIMIT } as const;

function frame(text: string): Frame {
  return { kind: 'frame', text };
}

/** Every way to cut the bytes at the given places. */
function decodeInPieces(bytes: Uint8Array, cuts: readonly number[], maxFrameBytes = LIMIT): Frame[] {
  const decoder = new FrameDecoder({ maxFrameBytes });
  const places = [0, ...[...cuts].sort((a, b) => a - b), bytes.length];
  return places.slice(1).flatMap((end, index) => decoder.push(bytes.subarray(places[index], end)));
}

describe('frames', () => {
  test.each([
    ['one', '{"a":1}\n', [frame('{"a":1}')]],
    ['two in one write', 'a\nb\n', [frame('a'), frame('b')]],
    ['CR LF', 'a\r\nb\r\n', [frame('a'), frame('b')]],
    ['empty lines are ignored', '\n\r\na\n\n', [frame('a')]],
    ['a CR inside stays', 'a\rb\n', [frame('a\rb')]],
    ['an unfinished one is not given', 'a\nb', [frame('a')]],
  ])('%s', (_title, text, frames) => {
    expect(new FrameDecoder().push(Buffer.from(text))).toEqual(frames);
  });

  test('hasPartial tells when a frame has begun and not ended', () => {
    const decoder = new FrameDecoder({ maxFrameBytes: 4 });
    expect(decoder.hasPartial).toBe(false);
    decoder.push(Buffer.from('ab'));
    expect([decoder.hasPartial, decoder.pendingBytes]).toEqual([true, 2]);
    decoder.push(Buffer.from('\n'));
    expect([decoder.hasPartial, decoder.pendingBytes]).toEqual([false, 0]);
    decoder.push(Buffer.from('123456'));
    expect([decoder.hasPartial, decoder.pendingBytes]).toEqual([true, 0]);
    decoder.push(Buffer.from('\n'));
    expect(decoder.hasPartial).toBe(false);
  });

  test('a chunk may be reused by its owner after push', () => {
    const decoder = new FrameDecoder();
    const chunk = Buffer.from('abc');
    decoder.push(chunk);
    chunk.fill(0x7a);
    expect(decoder.push(Buffer.from('\n'))).toEqual([frame('abc')]);
  });
});

describe('UTF-8', () => {
  test('D09 · I3 · non-ASCII frames under every split are all parsed, none delayed', () => {
    const bytes = Buffer.from('"é"\n"\u{1F600}€"\r\n\n"ж"\n');
    const whole = [frame('"é"'), frame('"\u{1F600}€"'), frame('"ж"')];
    for (let first = 0; first <= bytes.length; first += 1) {
      for (let second = first; second <= bytes.length; second += 1) {
        expect(decodeInPieces(bytes, [first, second])).toEqual(whole);
      }
    }
    expect(decodeInPieces(bytes, [...bytes.keys()])).toEqual(whole);
  });

  test.each([
    ['a lone continuation byte', [0x80]],
    ['a truncated character', [0xe2, 0x82]],
    ['an overlong form', [0xc0, 0xaf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
  ])('%s is reported, and the next frame is read', (_title, bytes) => {
    const decoder = new FrameDecoder();
    expect(decoder.push(Uint8Array.from([...bytes, 0x0a, 0x61, 0x0a]))).toEqual([
      { kind: 'invalid_utf8' },
      frame('a'),
    ]);
  });
});

describe('M14 · the limit', () => {
  const end = Buffer.from('\nnext\n');
  const cases = [
    ['limit - 1', 'x'.repeat(LIMIT - 1), frame('x'.repeat(LIMIT - 1))],
    ['limit', 'x'.repeat(LIMIT), frame('x'.repeat(LIMIT))],
    ['limit and CR', `${'x'.repeat(LIMIT)}\r`, frame('x'.repeat(LIMIT))],
    ['limit + 1', 'x'.repeat(LIMIT + 1), TOO_LONG],
    ['limit + 1 and CR', `${'x'.repeat(LIMIT + 1)}\r`, TOO_LONG],
    ['limit in bytes, fewer characters', 'é'.repeat(LIMIT / 2), frame('é'.repeat(LIMIT / 2))],
    ['limit in characters, more bytes', 'é'.repeat(LIMIT), TOO_LONG],
    ['three times the limit', 'x'.repeat(3 * LIMIT), TOO_LONG],
  ] as const;

  test.each(cases)('%s in one write', (_title, text, expected) => {
    const bytes = Buffer.concat([Buffer.from(text), end]);
    expect(decodeInPieces(bytes, [])).toEqual([expected, frame('next')]);
  });

  test.each(cases)('%s byte by byte', (_title, text, expected) => {
    const bytes = Buffer.concat([Buffer.from(text), end]);
    expect(decodeInPieces(bytes, [...bytes.keys()])).toEqual([expected, frame('next')]);
  });

  test.each(cases)('%s in all two pieces', (_title, text, expected) => {
    const bytes = Buffer.concat([Buffer.from(text), end]);
    for (const cut of bytes.keys()) {
      expect(decodeInPieces(bytes, [cut])).toEqual([expected, frame('next')]);
    }
  });

  test.each([MAX_FRAME_BYTES - 1, MAX_FRAME_BYTES])('the real limit: %i bytes pass', (length) => {
    const bytes = Buffer.concat([Buffer.alloc(length, 0x78), Buffer.from('\n')]);
    for (const pieceBytes of [bytes.length, 65_536, 1_000]) {
      const frames = pushInPieces(new FrameDecoder(), bytes, pieceBytes).frames;
      expect(frames.map((one) => one.kind === 'frame' && one.text.length)).toEqual([length]);
    }
  });

  test('the real limit plus one is refused, and the next frame is read', () => {
    const bytes = Buffer.concat([Buffer.alloc(MAX_FRAME_BYTES + 1, 0x78), Buffer.from('\n{}\n')]);
    for (const pieceBytes of [bytes.length, 65_536, 1_000]) {
      const { frames } = pushInPieces(new FrameDecoder(), bytes, pieceBytes);
      expect(frames).toEqual([{ kind: 'too_long', maxFrameBytes: MAX_FRAME_BYTES }, frame('{}')]);
    }
  });

  test.each([
    ['one write', 52_428_800],
    ['64 KiB pieces', 65_536],
    ['odd pieces', 77_777],
  ])(
    'I6 · D11 · 50 MB without a line end, in %s, hold at most the limit and 64 KiB',
    (_title, pieceBytes) => {
      const bytes = Buffer.concat([Buffer.alloc(52_428_800, 0x78), Buffer.from('\n{}\n')]);
      const { frames, mostHeldBytes } = pushInPieces(new FrameDecoder(), bytes, pieceBytes);
      expect(frames).toEqual([{ kind: 'too_long', maxFrameBytes: MAX_FRAME_BYTES }, frame('{}')]);
      expect(mostHeldBytes).toBeLessThanOrEqual(MAX_FRAME_BYTES + 65_536);
    },
  );

  test('I6 · a frame that trickles in byte by byte costs no more than its blocks', () => {
    const decoder = new FrameDecoder();
    const byte = Buffer.from('x');
    for (let count = 0; count < MAX_FRAME_BYTES; count += 1) decoder.push(byte);
    expect(decoder.pendingBytes).toBe(MAX_FRAME_BYTES);
    expect(decoder.heldBytes).toBeLessThanOrEqual(MAX_FRAME_BYTES + 65_536);
    expect(decoder.push(Buffer.from('\n'))).toHaveLength(1);
    expect(decoder.heldBytes).toBe(0);
  });
});

function pushInPieces(decoder: FrameDecoder, bytes: Uint8Array, pieceBytes: number) {
  const frames: Frame[] = [];
  let mostHeldBytes = 0;
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    frames.push(...decoder.push(bytes.subarray(at, at + pieceBytes)));
    mostHeldBytes = Math.max(mostHeldBytes, decoder.heldBytes);
  }
  return { frames, mostHeldBytes };
}

test('I3 · splitting any bytes anywhere changes no result', () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 100 }),
    fc
      .constantFrom('\n', '\r\n', '\r', 'é', '\u{1F600}', 'x'.repeat(LIMIT), '{"a":1}\n')
      .map((text) => Buffer.from(text)),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), fc.array(fc.nat(), { maxLength: 8 }), (pieces, cuts) => {
      const bytes = Buffer.concat(pieces);
      const places = cuts.map((cut) => cut % (bytes.length + 1));
      expect(decodeInPieces(bytes, places)).toEqual(decodeInPieces(bytes, []));
    }),
    { numRuns: 1_000 },
  );
});

test('any JSON value comes back through a frame', () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: 'binary' }), (json) => {
      const text = encodeFrame(JSON.parse(json));
      const frames = new FrameDecoder().push(Buffer.from(text));
      const values = frames.map((one) => (one.kind === 'frame' ? JSON.parse(one.text) : one));
      expect(values).toEqual([JSON.parse(json)]);
    }),
  );
});

test('half a character is written as an escape, so that the frame is valid UTF-8', () => {
  expect(encodeFrame('\ud800')).toBe('"\\ud800"\n');
});

test.each([
  ['abc', 3, false],
  ['abcd', 3, true],
  ['é', 2, false],
  ['éé', 3, true],
  ['€', 2, true],
  ['\u{1F600}', 4, false],
  ['', 0, false],
])('exceedsBytes(%j, %i) is %s', (text, maxBytes, expected) => {
  expect(exceedsBytes(text, maxBytes)).toBe(expected);
});

test('an answer may be larger than a request', () => {
  expect([MAX_FRAME_BYTES, MAX_ANSWER_BYTES]).toEqual([1_048_576, 16_777_216]);
});
