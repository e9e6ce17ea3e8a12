import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CountClamp } from '../../../src/io/screen/countClamp.ts';
import { commandOutput } from '../../core/ansi/output.ts';
import { bytesOf, charactersOf, cut, cuts, thawed } from '../../core/bytes.ts';

function pass(input: string): string {
  return charactersOf(new CountClamp().pass(bytesOf(input), 24, 80));
}

describe('X12 · counts are clamped to the screen', () => {
  test.each<[input: string, output: string]>([
    ['\x1b[1000000000L\x1b[24M\x1b[25S\x1b[99T', '\x1b[24L\x1b[24M\x1b[24S\x1b[24T'],
    ['\x1b[1000000000@\x1b[80P\x1b[81X', '\x1b[80@\x1b[80P\x1b[80X'],
    ['x\x1b[1000000000b\x1b[81I\x1b[81Z', 'x\x1b[80b\x1b[80I\x1b[80Z'],
    [`\x1b[${'9'.repeat(1_000)}A`, '\x1b[65535A'],
    ['\xc2\x9b1000L', '\xc2\x9b24L'],
    ['\x1b[\n1000\rL', '\x1b[\n\r24L'],
    ['\x1b\n[1000L', '\x1b\n[24L'],
  ])('%j is %j', (input, output) => {
    expect(pass(input)).toBe(output);
  });

  test.each([
    'plain \xc3\xa9 text\r\n',
    '\x1b[38;2;255;128;0mcolour\x1b[0m',
    '\x1b[?1049h\x1b[?2004l\x1b[2 q\x1b[200~\x1b[8;50;132t\x1b[H\x1b[;5H',
    '\x1b]0;[1000L\x07',
    '\x1b[1000\x1b[K',
    '\x1b[1000\x18L',
  ])('%j stays what it is, but for parameters of a sequence given up', (input) => {
    expect(pass(input).replaceAll('1000', '')).toBe(input.replaceAll('1000', '').replaceAll('[L', '[L'));
  });
});

test('any split, with JSON between, gives the same bytes', () => {
  fc.assert(
    fc.property(commandOutput, cuts, (bytes, at) => {
      let clamp = new CountClamp();
      let out = '';
      for (const chunk of cut(bytes, at)) {
        out += charactersOf(clamp.pass(chunk, 24, 80));
        clamp = new CountClamp(thawed(clamp.snapshot()));
      }
      expect(out).toBe(charactersOf(new CountClamp().pass(bytes, 24, 80)));
    }),
  );
});
