import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blankScreen, Screen } from '../../src/core/screen.ts';
import { TextView, vt52Text } from '../../src/core/text.ts';
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

test('tabs move the cursor as they do on the screen, behind the last stop too', () => {
  for (const columns of [20, 80, 132]) {
    const size = { rows: 24, columns };
    for (let column = 0; column < columns; column += 1) {
      const bytes = bytesOf(`${'x'.repeat(column)}\t`);
      const [view, screen] = [new TextView(7, undefined, { size }), new Screen(7, blankScreen(0, size))];
      view.render(bytes);
      screen.apply(bytes);
      expect([column, view.column]).toEqual([column, screen.snapshot().column]);
    }
  }
});

describe('a context', () => {
  test('is taken from JSON, and anything else is refused', () => {
    const view = vt52Text(7)();
    view.render(bytesOf('abc\x1b'));
    const next = vt52Text(7)(thawed(view.context()));
    expect([next.column, next.sequenceBytes, next.render(bytesOf('Kd')).text]).toEqual([3, 1, 'd']);
    for (const context of [null, 'abc', 7, {}, { vt52: {} }]) {
      expect(() => vt52Text(7)(context)).toThrow(RangeError);
    }
  });

  test('on a smaller screen has its cursor on it', () => {
    const view = new TextView(
      7,
      { ...new TextView(7).context(), row: 23, column: 79, extent: 79 },
      {
        size: { rows: 10, columns: 40 },
      },
    );
    expect(view.context()).toMatchObject({ row: 9, column: 39, extent: 39 });
  });
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
