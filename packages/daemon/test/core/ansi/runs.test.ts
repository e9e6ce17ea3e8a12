/** Output that is taken in runs says the same as byte by byte. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AnsiTextView } from '../../../src/core/ansi/ansiTextView.ts';
import { REMEMBERED_CHARACTERS, RecentCharacters } from '../../../src/core/ansi/recentCharacters.ts';
import { commandOutput, joined, utf8 } from './output.ts';
import { readSlowly } from './slowReading.ts';

/** What a flood is made of: long runs, short lines, padding, and now and then something else. */
const flood: fc.Arbitrary<Uint8Array> = fc
  .array(
    fc.oneof(
      {
        weight: 3,
        arbitrary: fc.nat({ max: 90 }).map((length) => utf8('a listing '.repeat(9).slice(0, length))),
      },
      {
        weight: 3,
        arbitrary: fc.constantFrom('\n', '\r\n', '\r', '\n\n\n', 'y\ny\n', '\r\0\n', '\r\x7f\n').map(utf8),
      },
      { weight: 1, arbitrary: fc.nat({ max: 40 }).map((length) => new Uint8Array(length)) },
      {
        weight: 1,
        arbitrary: fc.constantFrom('é', 'ÿ', '日', '🙂', '\x7f', '\b', '\b\b \b', '\t', '\x07').map(utf8),
      },
      { weight: 1, arbitrary: commandOutput },
    ),
    { maxLength: 30 },
  )
  .map(joined);

test('I3 · text taken in runs is what it is byte by byte: characters, places, bells, line', () => {
  fc.assert(
    fc.property(flood, (bytes) => {
      const view = new AnsiTextView();
      const rendered = view.render(bytes);
      const length = rendered.length;
      const indices = Array.from({ length }, (_, index) => index);
      const slow = readSlowly(bytes);
      expect({
        codes: indices.map((index) => rendered.charCodeAt(index)),
        ends: indices.map((index) => rendered.byteIndexAfter(index + 1)),
        bells: rendered.bells,
        motions: rendered.motions,
        writer: view.context().writer,
        crBytes: view.context().crBytes,
      }).toEqual(slow);
      expect(rendered.text).toBe(String.fromCharCode(...slow.codes));
    }),
    { numRuns: 500 },
  );
});

test('I3 · bytes whose text nobody wants leave the same behind', () => {
  fc.assert(
    fc.property(flood, (bytes) => {
      const [rendering, skipping] = [new AnsiTextView(), new AnsiTextView()];
      rendering.render(bytes);
      skipping.skip(bytes);
      expect(skipping.context()).toEqual(rendering.context());
    }),
  );
});

test('a character above FF behind a long text of bytes changes none of those', () => {
  const text = `${'ÿ and ASCII '.repeat(100)}日 and more`;
  expect(new AnsiTextView().render(utf8(text)).text).toBe(text);
});

test('the last characters are remembered up to their number, and none before', () => {
  const bytes = utf8('abcdefghijklmnopqrstuvwxyz');
  for (const count of [0, 1, REMEMBERED_CHARACTERS, REMEMBERED_CHARACTERS + 1, bytes.length]) {
    const [one, run] = [new RecentCharacters([120]), new RecentCharacters([120])];
    for (const byte of bytes.subarray(0, count)) one.add(byte);
    run.addRun(bytes, 0, count);
    const wanted = [120, ...bytes.subarray(0, count)].slice(-REMEMBERED_CHARACTERS);
    expect([one.snapshot(), run.snapshot()]).toEqual([wanted, wanted]);
    expect([run.at(1), run.at(REMEMBERED_CHARACTERS + 1)]).toEqual([wanted.at(-1), undefined]);
  }
});
