import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ProgramOutput } from '../../../src/ctl/attach/programOutput.ts';

const push = (text: string) => new ProgramOutput().push(Buffer.from(text));
const passed = (text: string) => push(text).text;

describe('what a program may do to the terminal', () => {
  test.each([
    'plain é 日本 👩‍👩‍👧\r\n\t\b\x07\x0e\x0f',
    '\x1b[1;31;48;2;255;255;255;4:3mcolours\x1b[m',
    '\x1b[2J\x1b[H\x1b[10;20H\x1b[K\x1b[3A\x1b[?25l\x1b[?25h',
    '\x1b[5L\x1b[5M\x1b[2@\x1b[3P\x1b[4X\x1b[2S\x1b[2T\x1b[1;24r\x1b[9b\x1b[5d\x1b[7G',
    '\x1b7\x1b8\x1bD\x1bE\x1bM\x1bH\x1b=\x1b>\x1b(0\x1b(B\x1b#8',
    '\x1b[?1h\x1b[?7l\x1b[?1000;1006h\x1b[?2004h\x1b[4h\x1b[2 q\x1b[!p',
  ])('passes: %j', (text) => expect(passed(text)).toBe(text));

  test.each([
    ['titles', '\x1b]0;owned\x07'],
    ['titles in eight bits', '\u009d0;owned\u009c'],
    ['the clipboard', '\x1b]52;c;eA==\x1b\\'],
    ['graphics and status strings', '\x1bP$qm\x1b\\\x1b_Gx\x1b\\\x1b^x\x1b\\\x1bXx\x1b\\'],
    ['questions', '\x1b[6n\x1b[5n\x1b[?6n\x1b[c\x1b[>c\x1b[=c\x1bZ\x1b[?2026$p\x1b[0x\x1b[?u\x05'],
    ['the window', '\x1b[8;99;99t\x1b[21t'],
    ['printing', '\x1b[5i\x1b[?5i'],
    ['other keyboards', '\x1b[>4;2m\x1b[>1u\x1b[=5u'],
    ['modes that nobody takes back', '\x1b[?69h\x1b[?9999h\x1b[20h'],
    ['counts without end', '\x1b[99999b'],
    ['eight-bit controls', '\u0084\u0085\u0090x\u009c'],
    ['what is too long', `\x1b[${'1;'.repeat(200)}m`],
  ])('leaves out %s', (_what, text) => expect(passed(`<${text}>`)).toBe('<>'));

  test('the alternate screen is ours: going there clears, coming back is told', () => {
    expect(push('\x1b[?1049h')).toEqual({ text: '\x1b[2J', hasLeft: false });
    expect(push('\x1b[?1049;25l')).toEqual({ text: '\x1b[?25l', hasLeft: true });
    expect(push('\x1b[?47l')).toEqual({ text: '', hasLeft: true });
  });

  test('a reset stays on our screen', () => expect(passed('\x1bc')).toBe('\x1b[!p\x1b[m\x1b[2J\x1b[H'));

  test('P03: bytes that are no UTF-8 are shown as such; a character may be split', () => {
    const output = new ProgramOutput();
    expect(output.push(Uint8Array.of(0xff, 0xc3)).text).toBe('\ufffd');
    expect(output.push(Uint8Array.of(0xa9)).text).toBe('é');
  });

  test('any split of the bytes gives the same', () => {
    const piece = fc.constantFrom(
      '\x1b',
      '[',
      ']',
      'P',
      '\\',
      '?',
      '1049',
      ';',
      'h',
      'l',
      'm',
      '31',
      '\x07',
      'é',
      '\u009b',
      '(',
      '0',
      'x',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.nat(), (pieces, where) => {
        const bytes = Buffer.from(pieces.join(''));
        const at = where % (bytes.length + 1);
        const output = new ProgramOutput();
        const parts = [bytes.subarray(0, at), bytes.subarray(at)].map((part) => output.push(part));
        const whole = push(pieces.join(''));
        expect(parts.map(({ text }) => text).join('')).toBe(whole.text);
        expect(parts.some(({ hasLeft }) => hasLeft)).toBe(whole.hasLeft);
      }),
    );
  });
});
