import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { VT52_SIZE } from '../../src/core/screenSize.ts';
import { TextView } from '../../src/core/text.ts';
import { bytesOf, cut, cuts, thawed } from './bytes.ts';

/** Text as ITS's lines give it, folds taken out; in pieces cut where told. */
function joined(input: string, at: readonly number[] = [], size = VT52_SIZE) {
  const options = { joinsFolds: true, size };
  let view = new TextView(7, undefined, options);
  let [text, folds, motions, offset] = ['', 0, 0, 0];
  const ends: number[] = [];
  for (const piece of cut(bytesOf(input), at)) {
    const rendered = view.render(piece);
    text += rendered.text;
    for (let n = 1; n <= rendered.length; n += 1) ends.push(offset + rendered.byteIndexAfter(n));
    offset += piece.length;
    folds += view.folds;
    motions += view.motions;
    view = new TextView(7, thawed(view.context()), options);
  }
  return { text, folds, motions, ends, fragmentBytes: view.fragmentBytes };
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
    ['on paper, where no ESC K follows a line end, it is none', `${LINE}!\r\nyz\r\n`, `${LINE}!\nyz\n`, 0],
    ['… nor before a blank line there', `${LINE}!\r\n\r\nyz`, `${LINE}!\n\nyz`, 0],
    ['a CR alone is none of ITS’s line ends', `${LINE}!\r\x1bKyz`, `${LINE}!\nyz`, 0],
    ['nor is an LF alone', `${LINE}!\n\x1bKyz`, `${LINE}!\nyz`, 0],
    ['a motion home with something else behind it is none', `${LINE}!\x1bHyz`, `${LINE}!\nyz`, 0],
    ['padding and a BEL between are nothing', `${LINE}!\x07\r\0\n\0\x1bKyz`, `${LINE}yz`, 1],
    ['nor is one over the last character', `${'x'.repeat(80)}!\r\nd`, `${'x'.repeat(80)}!\nd`, 0],
  ])('%s', (_title, input, text, folds) => {
    expect(joined(input)).toMatchObject({ text, folds });
    const bytewise = Array.from({ length: input.length }, (_, index) => index);
    expect(joined(input, bytewise)).toMatchObject({ text, folds });
  });

  test.each<[input: string, fragmentBytes: number]>([
    [`${LINE}!`, 1],
    [`${LINE}!\r`, 2],
    [`${LINE}!\r\n`, 3],
    [`${LINE}!\r\n\x1b`, 4],
    [`${LINE}!\r\n\x1bK`, 0],
    [`${LINE}!\x1bH`, 3],
    [`${LINE}!x`, 0],
  ])('half of one is not split: %j', (input, fragmentBytes) => {
    expect(joined(input).fragmentBytes).toBe(fragmentBytes);
  });

  test('are where the screen ends, whatever its size', () => {
    const size = { rows: 30, columns: 132 };
    const line = 'x'.repeat(131);
    const input = `${LINE}!\r\n\x1bK${line}!\r\n\x1bKz`;
    expect(joined(input, [], size)).toMatchObject({ text: `${LINE}!\n${line}z`, folds: 1 });
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
      '\x1bK',
      '\x1bH',
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
