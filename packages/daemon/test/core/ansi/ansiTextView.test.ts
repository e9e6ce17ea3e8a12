import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AnsiTextView, ansiText } from '../../../src/core/ansi/ansiTextView.ts';
import { REPEAT_LIMIT } from '../../../src/core/ansi/ansiWriter.ts';
import { STRING_BYTES_LIMIT } from '../../../src/core/ansi/parser.ts';
import { Scrollback } from '../../../src/core/scrollback.ts';
import { bytesOf, cut, cuts, thawed } from '../bytes.ts';
import { commandOutput, joined, utf8 } from './output.ts';

function textOf(input: string | Uint8Array): string {
  return new AnsiTextView().render(typeof input === 'string' ? utf8(input) : input).text;
}

interface Reading {
  /** Each code unit with the number of bytes up to its own. */
  readonly units: readonly (readonly [unit: number, end: number])[];
  readonly bells: readonly number[];
  readonly motions: number;
  readonly fragmentBytes: number;
  readonly context: unknown;
  readonly rest: string;
}

/** Reads with a new view for each chunk, made of what is left of the one before after JSON. */
function read(chunks: readonly Uint8Array[]): Reading {
  const units: [number, number][] = [];
  const bells: number[] = [];
  let motions = 0;
  let offset = 0;
  let view = new AnsiTextView();
  for (const chunk of chunks) {
    const rendered = view.render(chunk);
    for (let at = 0; at < rendered.length; at += 1)
      units.push([rendered.charCodeAt(at), offset + rendered.byteIndexAfter(at + 1)]);
    bells.push(...rendered.bells.map(({ at }) => offset + at));
    motions += rendered.motions;
    offset += chunk.length;
    view = new AnsiTextView(thawed(view.context()));
  }
  const { fragmentBytes } = view;
  return { units, bells, motions, fragmentBytes, context: view.context(), rest: view.finish() };
}

describe('line ends', () => {
  test.each<[title: string, input: string, text: string]>([
    ['CR LF is one', 'a\r\nb', 'a\nb'],
    ['a lone LF is one', 'a\nb', 'a\nb'],
    ['P15 · a lone CR begins a new line and deletes nothing', 'A\rB\n', 'A\nB\n'],
    ['P15 · a progress bar keeps its steps', '\r10%\r50%\r100%\r\ndone\n', '10%\n50%\n100%\ndone\n'],
    ['P15 · a progress bar that erases its line too', '10%\r\x1b[K50%\x1b[0m\r\x1b[K\n', '10%\n50%\n'],
    [
      'P15 · a progress bar that goes back by column address',
      '10%\x1b[1G50%\x1b[G100%\n',
      '10%\n50%\n100%\n',
    ],
    ['P15 · a progress bar that goes back by backspaces', '10%\b\b\b20%\n', '10%20%\n'],
    ['CR CR LF is one', 'a\r\r\nb', 'a\nb'],
    ['CR NUL LF is one', 'a\r\0\nb', 'a\nb'],
    ['CR, a colour, LF is one', 'a\r\x1b[0m\nb', 'a\nb'],
    ['an empty line stays', 'a\r\n\r\nb', 'a\n\nb'],
    ['a CR on an empty line is none', '\r\ra', 'a'],
    ['a motion to another row is one', 'a\x1b[5;1Hb\x1b[6;1Hc\x1b[A\x1b[Bd', 'a\nb\nc\nd'],
    ['a cursor address in the same row is none', '\x1b[5;1Ha\x1b[5;9Hb', 'a b'],
    ['a cursor address on an empty line is none', '\x1b[H\x1b[2J\x1b[3Ha', 'a'],
    ['next line and index are one', 'a\x1bEb\x1bDc', 'a\nb\nc'],
    ['the alternate screen is one', 'a\x1b[?1049hb\x1b[?1049lc', 'a\nb\nc'],
    ['form feed is one behind text', 'a\fb\r\n\fc', 'a\nb\nc'],
  ])('%s', (_title, input, text) => {
    expect(textOf(input)).toBe(text);
  });
});

describe('what is no text', () => {
  test.each<[title: string, input: string, text: string]>([
    ['colours', '\x1b[1;31mred\x1b[m \x1b[38;2;1;2;3mrgb\x1b[38:5:9m!', 'red rgb!'],
    ['modes, cursor styles, reports', 'a\x1b[?25l\x1b[?2004h\x1b[2 q\x1b[6n\x1b[>c\x1b[!p\x1b[?1$pb', 'ab'],
    [
      'X09 · OSC with BEL and with ST',
      'a\x1b]0;title\x07b\x1b]8;;http://h/\x1b\\link\x1b]8;;\x1b\\c',
      'ablinkc',
    ],
    [
      'X09 · DCS, APC, PM, SOS',
      'a\x1bPq#0~\nx\x1b\\b\x1b_Gf=1;AA\x07\x1b\\c\x1b^pm\x1b\\d\x1bXsos\x1b\\e',
      'abcde',
    ],
    ['character sets and keypad modes', 'a\x1b(B\x1b)0\x1b=\x1b>b', 'ab'],
    ['NUL, rubout and other controls', 'a\0\x7f\x05\x0eb', 'ab'],
    ['C1 controls, which UTF-8 spells in two bytes', 'a\u009b\u0085b', 'ab'],
    ['CAN ends a sequence', 'a\x1b[3\x18b\x1b]x\x18c', 'abc'],
    ['a sequence inside a sequence', 'a\x1b[3\x1b[31mb', 'ab'],
    ['TAB stays', 'a\tb', 'a\tb'],
    ['a motion to the right is a blank', 'a\x1b[20Cb\x1b[60Gc', 'a b c'],
    ['an indentation is none', '\x1b[20Ca', 'a'],
    ['REP is the character so often', '=\x1b[4b|', '=====|'],
    ['typewriter bold and underline', 'N\bNA\bA _\bx y\b_', 'NA _x y'],
    ['rubout takes nothing and adds nothing', 'ab\b \bc', 'abc'],
  ])('%s', (_title, input, text) => {
    expect(textOf(input)).toBe(text);
  });

  test('BEL is counted, the one that ends a title is not', () => {
    const view = new AnsiTextView();
    const { bells } = view.render(utf8('a\x07b\x1b]0;t\x07\x1b[\x07m'));
    expect(view.bells).toBe(2);
    expect(bells).toEqual([
      { index: 1, at: 1 },
      { index: 2, at: 11 },
    ]);
  });
});

describe('X09 · what is left of a sequence that was cut off', () => {
  test.each<[input: string, text: string]>([
    ['before \x1b[this has words after', 'before this has words after'],
    ['\x1b[prose, then more', 'prose, then more'],
    ['\x1b[12 Hello', ' Hello'],
    ['\x1b[31été', 'été'],
    ['\x1b[31\nnext line', '\nnext line'],
    ['\x1b[31;\r\nnext line', '\nnext line'],
    ['\x1b[ (three) ', ' (three) '],
    ['\x1b[1;2?x', '?x'],
    ['\x1b]0;title cut off\nnext line', '\nnext line'],
    ['\x1bé', 'é'],
    ['\x1b[~', '~'],
    ['\x1b[3~', ''],
  ])('%j is %j', (input, text) => {
    expect(textOf(input)).toBe(text);
  });

  test('a string without an end is given up at its limit, and not a byte before', () => {
    const string = `\x1bP${'x'.repeat(STRING_BYTES_LIMIT - 3)}`;
    expect(textOf(`${string}yz`)).toBe('z');
    expect(new AnsiTextView().render(utf8(string)).text).toBe('');
  });
});

describe('P03 · characters', () => {
  test('invalid bytes are U+FFFD as the decoder of the platform has it', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
        const high = bytes.map((byte) => byte | 0x80);
        const view = new AnsiTextView();
        const text = view.render(high).text + view.finish();
        const visible = new TextDecoder().decode(high).replace(/[\u0080-\u009f]/g, '');
        expect(text).toBe(visible.startsWith('\ufeff') ? visible.slice(1) : visible);
      }),
    );
  });

  test.each<[bytes: string, text: string]>([
    ['\xc3\x1b[m\xa9', '\ufffd\ufffd'],
    ['\xc3\x7f\xa9', '\ufffd\ufffd'],
    ['\xc3\r\n\xa9', '\ufffd\n\ufffd'],
    ['\x1b[31\xc3\xa9', 'é'],
    ['\xe2\x82A', '\ufffdA'],
  ])('%j is %j', (bytes, text) => {
    expect(textOf(bytesOf(bytes))).toBe(text);
  });

  test('every split of mixed text gives the same, without a U+FFFD that is not in the bytes', () => {
    const bytes = utf8('é€日本🙂e\u0301\x1b[31mü\x1b]0;ñ\x07ß\r\n');
    for (let at = 0; at <= bytes.length; at += 1) {
      const { units } = read([bytes.subarray(0, at), bytes.subarray(at)]);
      expect(String.fromCharCode(...units.map(([unit]) => unit))).toBe('é€日本🙂e\u0301üß\n');
    }
  });
});

describe('fragments', () => {
  test.each<[input: string, fragmentBytes: number]>([
    ['abc', 0],
    ['abc\r', 1],
    ['abc\r\0', 2],
    ['abc\r\n', 0],
    ['abc\r\x1b', 2],
    ['abc\r\x1b[K', 0],
    ['\r', 0],
    ['abc\x1b[3', 3],
    ['abc\x1b]0;', 4],
    ['abc\xc3', 1],
    ['abc\xf0\x9f\x99', 3],
    ['abc\xc3\xa9', 0],
    ['abc\xff', 0],
  ])('%j ends with one of %i bytes', (input, fragmentBytes) => {
    const view = new AnsiTextView();
    view.skip(bytesOf(input));
    expect(view.fragmentBytes).toBe(fragmentBytes);
  });

  test('what the end of the stream says of an unfinished character', () => {
    const view = new AnsiTextView();
    view.skip(bytesOf('a\xe2\x82'));
    expect([view.finish(), view.finish(), view.fragmentBytes]).toEqual(['\ufffd', '', 0]);
  });
});

test('X07 P03 · any split of the input, with JSON between, gives the same text, places, bells and context', () => {
  fc.assert(
    fc.property(commandOutput, cuts, (bytes, at) => {
      expect(read(cut(bytes, at))).toEqual(read([bytes]));
    }),
    { numRuns: 300 },
  );
});

test('I3 · text that is skipped leaves the same context as text that is rendered', () => {
  fc.assert(
    fc.property(commandOutput, (bytes) => {
      const [rendered, skipped] = [new AnsiTextView(), new AnsiTextView()];
      rendered.render(bytes);
      skipped.skip(bytes);
      expect(skipped.context()).toEqual(rendered.context());
    }),
  );
});

test('in the scrollback the texts of two parts are the text of the whole', () => {
  fc.assert(
    fc.property(commandOutput, fc.nat(), (bytes, cutAt) => {
      const scrollback = new Scrollback({ ringBytes: 65_536, bits: 8, view: ansiText });
      scrollback.append(bytes, false);
      const middle = cutAt % (bytes.length + 1);
      const whole = scrollback.text(0, bytes.length).text;
      expect(scrollback.text(0, middle).text + scrollback.text(middle, bytes.length).text).toBe(whole);
    }),
  );
});

describe('X12 · enormous counts', () => {
  test('are clamped in each control sequence', () => {
    for (let final = 0x40; final < 0x7f; final += 1) {
      const input = `ab\x1b[1000000000;1000000000${String.fromCharCode(final)}c`;
      expect([input, Math.min(textOf(input).length, REPEAT_LIMIT + 5)]).not.toEqual([
        input,
        REPEAT_LIMIT + 5,
      ]);
    }
    expect(textOf(`a\x1b[${'9'.repeat(400)}b`)).toBe('a'.repeat(REPEAT_LIMIT + 1));
    expect(textOf(`a\x1b[${REPEAT_LIMIT}b`)).toHaveLength(REPEAT_LIMIT + 1);
    expect(textOf(`a\x1b[${REPEAT_LIMIT + 1}b`)).toHaveLength(REPEAT_LIMIT + 1);
  });

  test('the context of a long line stays small', () => {
    const view = new AnsiTextView();
    for (let count = 0; count < 100; count += 1)
      view.skip(joined([utf8('x'.repeat(5_000)), utf8('é'.repeat(500))]));
    expect(JSON.stringify(view.context()).length).toBeLessThan(600);
  });
});

test('a context that is none is refused', () => {
  expect(() => ansiText({ vt52: {} })).toThrow(RangeError);
});
