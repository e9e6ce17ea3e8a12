import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeBytes, expandEscapes, toEscapes } from '../../src/common/escapes.ts';

const SEVEN = { bits: 7, raw: false } as const;
const RAW = { bits: 7, raw: true } as const;
const EIGHT = { bits: 8, raw: false } as const;

function expand(text: string, options: { bits: 7 | 8; raw: boolean } = SEVEN): string {
  const result = expandEscapes(text, options);
  if (result.kind === 'refused') return `refused: ${result.message}`;
  return Buffer.from(result.bytes).toString('hex');
}

describe('each escape is one byte', () => {
  test.each([
    ['~z', '1a'],
    ['~e', '1b'],
    ['~c', '03'],
    ['~g', '07'],
    ['~d', '7f'],
    ['~s', '13'],
    ['~o', '0f'],
    ['~r', '0d'],
    ['~n', '0a'],
    ['~t', '09'],
    ['~~', '7e'],
    ['~x00', '00'],
    ['~x1F', '1f'],
    ['~x7f', '7f'],
    ['~xaB', null],
  ])('%s', (text, hex) => {
    expect(expand(`${text}~-`)).toBe(hex ?? 'refused: ~xaB at position 0 does not fit a 7-bit line.');
  });

  test('~xNN above 7F passes on an 8-bit line only', () => {
    expect(expand('~xFF~xfa~-', EIGHT)).toBe('fffa');
    expect(expandEscapes('ab~x80', SEVEN)).toMatchObject({ error: 'input_not_seven_bit', position: 2 });
  });
});

describe('Enter', () => {
  test.each([
    ['L09 · one CR ends a line', 'x', '780d'],
    ['^Z alone is followed by CR, as ever', '~z', '1a0d'],
    ['an empty input is Enter', '', '0d'],
    ['~- at the very end: no CR', 'x~-', '78'],
    ['~- alone is nothing at all', '~-', ''],
    ['a line end in the text is its Enter, not a second one', 'x\n', '780d'],
    ['CR LF is one line end', 'x\r\n', '780d'],
    ['CR alone too', 'x\r', '780d'],
    ['two line ends are two Enters', 'x\n\n', '780d0d'],
    ['LF inside becomes CR', 'a\nb', '610d620d'],
    ['CR LF inside becomes one CR', 'a\r\nb', '610d620d'],
    ['LF CR are two', 'a\n\rb', '610d0d620d'],
    ['~n stays LF and ends no line', 'a~n', '610a0d'],
    ['~r is a byte, and the line still ends', 'a~r', '610d0d'],
    ['CR before ~n is not the first half of a CR LF', 'a\r~n~-', '610d0a'],
    ['a line end before ~- stays', 'x\n~-', '780d'],
    ['~~- is a tilde and a hyphen', '~~-', '7e2d0d'],
    ['~~~- is a tilde without CR', '~~~-', '7e'],
  ])('%s', (_title, text, hex) => {
    expect(expand(text)).toBe(hex);
  });

  test.each([
    ['nothing is appended', 'x', '78'],
    ['LF stays', 'x\n', '780a'],
    ['CR LF stays', 'x\r\n', '780d0a'],
    ['escapes are expanded', '~z~n', '1a0a'],
    ['~- at the end is allowed and nothing', 'x~-', '78'],
  ])('raw: %s', (_title, text, hex) => {
    expect(expand(text, RAW)).toBe(hex);
  });

  test('says whether a CR was to be appended', () => {
    expect(expandEscapes('x', SEVEN)).toMatchObject({ noReturn: false });
    expect(expandEscapes('x\n', SEVEN)).toMatchObject({ noReturn: false });
    expect(expandEscapes('x~-', SEVEN)).toMatchObject({ noReturn: true });
    expect(expandEscapes('x', RAW)).toMatchObject({ noReturn: true });
  });
});

describe('a fault is refused with position and remedy', () => {
  test.each([
    ['~q', 0, 'Unknown escape ~q at position 0.'],
    ['ab~Z', 2, 'Unknown escape ~Z at position 2.'],
    ['ab~', 2, 'Unfinished escape ~ at position 2.'],
    ['~~~', 2, 'Unfinished escape ~ at position 2.'],
    ['~x', 0, 'Unfinished escape ~x at position 0: two hex digits must follow.'],
    ['~x4', 0, 'Unfinished escape ~x4 at position 0: two hex digits must follow.'],
    ['~xg0', 0, 'Unfinished escape ~xg0 at position 0: two hex digits must follow.'],
    ['~x4\n', 0, 'Unfinished escape ~x4<U+000A> at position 0: two hex digits must follow.'],
    ['~-x', 0, '~- at position 0 is not at the very end.'],
    ['x~-~-', 1, '~- at position 1 is not at the very end.'],
    ['~\u{1F600}', 0, 'Unknown escape ~\u{1F600} at position 0.'],
    ['~__proto__', 0, 'Unknown escape ~_ at position 0.'],
  ])('%j', (text, position, message) => {
    const result = expandEscapes(text, SEVEN);
    expect(result).toMatchObject({ kind: 'refused', error: 'bad_escape', position });
    expect(result.kind === 'refused' && result.message).toContain(message);
    expect(result.kind === 'refused' && result.message).toContain('~xNN with two hex digits');
  });

  test.each([
    ['abcé', SEVEN, '"é" (U+00E9) at position 3 cannot be sent on a 7-bit line.'],
    ['\u{1F600}', SEVEN, '"\u{1F600}" (U+1F600) at position 0 cannot be sent on a 7-bit line.'],
    ['a\ud800', SEVEN, 'Half a character (U+D800) at position 1 cannot be sent on a 7-bit line.'],
    ['é', EIGHT, '"é" (U+00E9) at position 0 has no byte of its own; write bytes as ~x80 to ~xFF.'],
    ['\u0080', RAW, '(U+0080) at position 0 cannot be sent on a 7-bit line.'],
  ])('text above U+007F: %j', (text, options, message) => {
    const result = expandEscapes(text, options);
    expect(result).toMatchObject({ kind: 'refused', error: 'input_not_seven_bit' });
    expect(result.kind === 'refused' && result.message).toContain(message);
  });

  test.each([SEVEN, RAW, EIGHT])('I10 · a bare U+001F is refused, ~x1F passes (%j)', (options) => {
    expect(expandEscapes('hi\u001fc', options)).toMatchObject({ kind: 'refused', position: 2 });
    expect(expand('hi~x1Fc~-', options)).toBe('68691f63');
  });
});

test('any bytes survive the way through escape text, raw or not', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.boolean(), (bytes, raw) => {
      const result = expandEscapes(toEscapes(bytes), { bits: 8, raw });
      expect(result).toEqual({ kind: 'bytes', bytes: Uint8Array.from(bytes), noReturn: true });
    }),
  );
});

test('I18 · any text is expanded or refused, never both, never with a byte above 7F on a 7-bit line', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.boolean(), (text, raw) => {
      const result = expandEscapes(text, { bits: 7, raw });
      const holds =
        result.kind === 'refused' ? result.position < text.length : result.bytes.every((byte) => byte < 0x80);
      expect(holds).toBe(true);
    }),
  );
});

test.each([
  [[0x1a, 0x3a, 0x6c, 0x22, 0x0d], '^Z ":l\\"" CR'],
  [[0x1b, 0x0a, 0x09, 0x7f, 0x07, 0x00, 0x1f], 'ESC LF TAB RUBOUT ^G ^@ ^_'],
  [[0xff, 0x41], 'xFF "A"'],
  [[], ''],
])('describes %j for people', (bytes, text) => {
  expect(describeBytes(Uint8Array.from(bytes))).toBe(text);
});
