import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { neutralize, toJsonText } from '../../src/ctl/neutralize.ts';

/** What acts on a terminal or hides on it; written as numbers, so that this file itself stays visible. */
const HOSTILE: readonly (readonly [what: string, text: string, shown: string])[] = [
  ['a window title (OSC 0)', '\x1b]0;owned\x07', '^[]0;owned^G'],
  ['the clipboard (OSC 52)', '\x1b]52;c;ZXZpbA==\x1b\\', '^[]52;c;ZXZpbA==^[\\'],
  ['a hyperlink (OSC 8)', '\x1b]8;;http://evil.example\x1b\\here', '^[]8;;http://evil.example^[\\here'],
  ['a question that the terminal types an answer to', '\x1b[6n\x1bZ\x05', '^[[6n^[Z^E'],
  ['the same with an eight-bit introducer', '\u009b6n', '<U+009B>6n'],
  ['a carriage return that overwrites', 'safe\rrm -rf', 'safe^Mrm -rf'],
  ['backspaces', 'abc\b\b\bxyz', 'abc^H^H^Hxyz'],
  ['rubout and NUL', '\x7f\0', '^?^@'],
  ['text that runs backwards', 'a\u202eb\u2066c', 'a<U+202E>b<U+2066>c'],
  ['invisible characters', 'a\u200bb\u{e0041}c\ufe0fd', 'a<U+200B>b<U+E0041>c<U+FE0F>d'],
  ['line ends that only some programs know', 'a\u2028b', 'a<U+2028>b'],
  ['half a character', 'a\ud800b', 'a<U+D800>b'],
];

describe('neutralize', () => {
  test.each(HOSTILE)('W06 I17: shows %s instead of doing it', (_what, text, shown) => {
    expect(neutralize(text)).toBe(shown);
  });

  test('leaves text, TAB and newline as they are', () => {
    expect(neutralize('\tJUMPE 3,DONE\n.IOT 1,3 ~ \u00e9 \u{1f600}\n')).toBe(
      '\tJUMPE 3,DONE\n.IOT 1,3 ~ \u00e9 \u{1f600}\n',
    );
  });

  test('I17: whatever comes in, nothing that a terminal obeys comes out', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(neutralize(text).replaceAll(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
      }),
    );
  });
});

describe('toJsonText', () => {
  test.each(HOSTILE)('W06 I17: holds %s, but not as a terminal would obey it', (_what, text) => {
    const json = toJsonText({ text });
    expect(json).toBe(neutralize(json));
    expect(JSON.parse(json)).toEqual({ text });
  });

  test('is one line, and says what JSON.stringify says', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const json = toJsonText({ text, n: 1 });
        expect(json).not.toContain('\n');
        expect(JSON.parse(json)).toEqual({ text, n: 1 });
      }),
    );
  });
});
