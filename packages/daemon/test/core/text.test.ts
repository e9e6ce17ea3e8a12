import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TextView } from '../../src/core/text.ts';
import { bytesOf, cut, cuts, lineOutput, thawed } from './bytes.ts';

interface Reading {
  /** Each character with the number of bytes up to its own. */
  readonly characters: readonly (readonly [character: string, end: number])[];
  readonly bells: number;
  readonly fragmentBytes: number;
}

function read(chunks: readonly Uint8Array[], bits: 7 | 8 = 7): Reading {
  const characters: [string, number][] = [];
  let view = new TextView(bits);
  let offset = 0;
  let bells = 0;
  for (const chunk of chunks) {
    const rendered = view.render(chunk);
    for (let at = 0; at < rendered.text.length; at += 1) {
      characters.push([rendered.text.charAt(at), offset + rendered.byteIndexAfter(at + 1)]);
    }
    offset += chunk.length;
    bells += view.bells;
    view = new TextView(bits, thawed(view.context()));
  }
  return { characters, bells, fragmentBytes: view.fragmentBytes };
}

function textOf(input: string): string {
  return new TextView(7).render(bytesOf(input)).text;
}

describe('line ends', () => {
  test.each<[title: string, input: string, text: string]>([
    ['CR LF is one', 'a\r\nb', 'a\nb'],
    ['a lone CR is one', 'a\rb', 'a\nb'],
    ['a lone LF is one', 'a\nb', 'a\nb'],
    ['CR CR LF is one', 'a\r\r\nb', 'a\nb'],
    ['CR NUL LF is one', 'a\r\0\nb', 'a\nb'],
    ['LF CR is two, as the multiplexer writes them', '\n\r\nConnected\r\n\n', '\n\nConnected\n\n'],
    ['ESC K behind CR LF adds nothing', 'a\r\n\x1bKb', 'a\nb'],
    ['ESC H ESC K in the middle of text is one', 'a\r\n\x1bKEST.\x1bH\x1bKToday', 'a\nEST.\nToday'],
    ['ESC H on the top row is one when something stands there', 'ab\x1bHc', 'ab\nc'],
    ['ESC H on an empty top row is none', '\x1bHa', 'a'],
    ['T9 · a motion to another row is one', 'a\x1bAb\nc\x1bAd\x1bBe', 'ab\nc\nd\ne'],
    ['T9 · a cursor address in another row is one', 'a\x1bY$!b', 'a\nb'],
    ['a cursor address in the same row is none', 'a\x1bY !b', 'ab'],
    ['a row out of range leaves the row alone', 'a\x1bY~!b', 'ab'],
    ['reverse line feed on the top row is none', 'a\x1bIb', 'ab'],
    ['reverse line feed below is one', '\na\x1bIb', '\na\nb'],
    ['down on the bottom row is none', `${'\n'.repeat(23)}a\x1bBb`, `${'\n'.repeat(23)}ab`],
  ])('%s', (_title, input, text) => {
    expect(textOf(input)).toBe(text);
  });
});

describe('what is no text', () => {
  test.each<[title: string, input: string, text: string]>([
    ['NUL vanishes', 'a\0b', 'ab'],
    ['rubout and other controls vanish', 'a\x7f\x05b', 'ab'],
    ['erasing prints nothing', 'a\x1bJ\x1bKb', 'ab'],
    ['TAB stays', 'a\tb', 'a\tb'],
    ['ANSI sequences and strings vanish', 'a\x1b[2Jb\x1b]0;x\x07c', 'abc'],
    ['the eighth bit vanishes on a 7-bit line', '\xe1\x8d\n', 'a\n'],
    ['the column of a cursor address may be out of range', 'a\x1bY ~b', 'ab'],
    [
      'T9 · ITS sends ESC C for a tab of one column',
      ':ASSIGN\x1bC<tape#>\x1bCassign',
      ':ASSIGN\t<tape#>\tassign',
    ],
    ['elsewhere a motion to the right is a blank', 'ab\x1bCc', 'ab c'],
    ['ESC C over what the line says already is none', 'ab\b\x1bC^H', 'ab^H'],
    ['ESC D and BS move back and take nothing', 'ab\x1bD\b\b\bc', 'abc'],
  ])('%s', (_title, input, text) => {
    expect(textOf(input)).toBe(text);
  });

  test('BEL is counted', () => {
    const view = new TextView(7);
    view.render(bytesOf('a\x07\x07b\x1b\x07K'));
    expect(view.bells).toBe(3);
  });
});

test('the cursor is clipped at the margins', () => {
  const view = new TextView(7);
  view.render(bytesOf(`${'x'.repeat(200)}\t\x1bC`));
  expect(view.context()).toMatchObject({ column: 79, extent: 79 });
  view.render(bytesOf('\b'.repeat(200)));
  expect(view.column).toBe(0);
  view.render(bytesOf('\n'.repeat(50)));
  expect(view.context()).toMatchObject({ row: 23, extent: 0 });
});

test('text that is skipped leaves the same context as text that is rendered', () => {
  fc.assert(
    fc.property(lineOutput, (bytes) => {
      const [rendered, skipped] = [new TextView(7), new TextView(7)];
      rendered.render(bytes);
      skipped.skip(bytes);
      expect(skipped.context()).toEqual(rendered.context());
    }),
  );
});

describe('fragments', () => {
  test.each<[input: string, fragmentBytes: number]>([
    ['abc', 0],
    ['abc\r', 1],
    ['abc\r\0\0', 3],
    ['abc\r\n', 0],
    ['abc\rd', 0],
    ['abc\x1b', 1],
    ['abc\x1bY!', 3],
    ['abc\x1b\x1b', 2],
    ['abc\r\x1b', 2],
    ['abc\r\x1bK', 0],
    ['abc\x1bK', 0],
  ])('%j ends with one of %i bytes', (input, fragmentBytes) => {
    expect(read([bytesOf(input)]).fragmentBytes).toBe(fragmentBytes);
    expect(read(Array.from(bytesOf(input), (byte) => Uint8Array.of(byte))).fragmentBytes).toBe(fragmentBytes);
  });
});

test('X06 · a prompt is the same line before NULs, CR LF and CR alone', () => {
  const lines = ['\r\n\x1bK*\0\0', '\r\n\x1bK*\r\n', '\r\n\x1bK*\r', '\r\n\x1bK*'].map(
    (s) => textOf(s).split('\n')[1],
  );
  expect(lines).toEqual(['*', '*', '*', '*']);
});

test('I3 · any split of any bytes, frozen and thawed between the pieces, gives the same text and byte positions', () => {
  fc.assert(
    fc.property(fc.constantFrom<7 | 8>(7, 8), lineOutput, cuts, (bits, bytes, at) => {
      expect(read(cut(bytes, at), bits)).toEqual(read([bytes], bits));
    }),
    { numRuns: 500 },
  );
});

test('a byte position is found for every character of a long text', () => {
  const rendered = new TextView(7).render(bytesOf(`${'x'.repeat(20_000)}\r\n\x1bK\tyz`));
  expect(rendered.text.length).toBe(20_004);
  expect(
    [0, 1, 19_999, 20_000, 20_001, 20_002, 20_003, 20_004].map((n) => rendered.byteIndexAfter(n)),
  ).toEqual([0, 1, 19_999, 20_000, 20_001, 20_005, 20_006, 20_007]);
  expect(new TextView(7).render(new Uint8Array(0)).byteIndexAfter(1)).toBe(0);
});

/** Text as ITS's lines give it, folds taken out; in pieces cut where told. */
function joined(input: string, at: readonly number[] = []): { text: string; folds: number; motions: number } {
  let view = new TextView(7, undefined, { joinsFolds: true });
  let [text, folds, motions] = ['', 0, 0];
  for (const piece of cut(bytesOf(input), at)) {
    text += view.render(piece).text;
    folds += view.folds;
    motions += view.motions;
    view = new TextView(7, thawed(view.context()), { joinsFolds: true });
  }
  return { text, folds, motions };
}

describe('T6 · folds', () => {
  const LINE = 'x'.repeat(79);

  test.each<[title: string, input: string, text: string, folds: number]>([
    ['are joined', `${LINE}!\r\n\x1bKyz\r\n`, `${LINE}yz\n`, 1],
    ['twice in a line', `${LINE}!\r\n\x1bK${LINE}!\r\n\x1bKz`, `${LINE}${LINE}z`, 2],
    [
      'at the bottom of the screen',
      `${'\r\n'.repeat(23)}${LINE}!\x1bH\x1bKz`,
      `${'\n'.repeat(23)}${LINE}z`,
      1,
    ],
    ['behind tabs', `${'\t'.repeat(9)}1234567!\r\n\x1bKz`, `${'\t'.repeat(9)}1234567z`, 1],
    ['a ! in the last column that nothing follows is none', `${LINE}!x`, `${LINE}!x`, 0],
    ['a ! elsewhere is none', 'abc!\r\nd', 'abc!\nd', 0],
    ['a ! behind the right margin is none', `${'x'.repeat(85)}!\r\nd`, `${'x'.repeat(85)}!\nd`, 0],
    ['nor is one over the last character', `${'x'.repeat(80)}!\r\nd`, `${'x'.repeat(80)}!\nd`, 0],
  ])('%s', (_title, input, text, folds) => {
    expect(joined(input)).toMatchObject({ text, folds });
    const bytewise = Array.from({ length: input.length }, (_, index) => index);
    expect(joined(input, bytewise)).toMatchObject({ text, folds });
  });

  test('I3 · any split joins the same', () => {
    const words = fc.constantFrom(
      'x',
      LINE,
      'x'.repeat(78),
      '!',
      '!\r\n\x1bK',
      '\t',
      '\b',
      '\r',
      '\n',
      '\x1bH\x1bK',
      '\x07',
      '\0',
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 12 }), cuts, (parts, at) => {
        expect(joined(parts.join(''), at)).toEqual(joined(parts.join('')));
      }),
      { numRuns: 500 },
    );
  });
});

describe('motions that only painting makes', () => {
  const PLACED = '\x1bH\x1bJ';

  test.each<[title: string, input: string, motions: number]>([
    ['text and its line ends are none', `${PLACED}ab\r\n\x1bKcd\r\n\x1bK\x1bK*`, 0],
    ['nor are tabs, BS, a blank to the right', `${PLACED}a\tb\x1bCc\b`, 0],
    ['ESC H at the bottom is ITS’s line end', `${PLACED}${'a\r\n\x1bK'.repeat(23)}b\x1bH\x1bKc`, 0],
    ['ESC H in front of ESC J clears the screen', `${PLACED}ab\r\n\x1bH\x1bJ`, 0],
    ['ESC H from elsewhere paints', `${PLACED}ab\r\n\x1bH\x1bKc`, 1],
    ['… but not before the row is known', 'ab\r\n\x1bH\x1bKc', 0],
    ['two line feeds without a return are text, three are a way down', `${PLACED}\n\na\n\n\nb`, 1],
    ['up, down, left, reverse line feed and direct address', '\x1bA\x1bB\x1bD\x1bI\x1bY!!', 5],
  ])('%s', (_title, input, motions) => {
    expect(joined(input).motions).toBe(motions);
    expect(
      joined(
        input,
        Array.from({ length: input.length }, (_, index) => index),
      ).motions,
    ).toBe(motions);
  });
});
