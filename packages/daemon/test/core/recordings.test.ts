/** A real line, as it was recorded: the text that people get of it. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TelnetCodec } from '../../src/core/telnet.ts';
import { TextView } from '../../src/core/text.ts';
import { cut } from './bytes.ts';
import { goldenText, outputOf, RECORDING_NAMES } from './recordings.ts';

function textOf(chunks: readonly Uint8Array[]): string {
  const codec = new TelnetCodec('auto');
  const view = new TextView(7, undefined, { joinsFolds: true });
  return chunks.map((chunk) => view.render(codec.decode(chunk)).text).join('');
}

describe.each(RECORDING_NAMES)('%s', (name) => {
  test('has the text that was read and found right', () => {
    expect(textOf([outputOf(name)])).toBe(goldenText(name));
  });

  test('I3 · has the same text byte by byte and under any split', () => {
    const bytes = outputOf(name);
    expect(textOf(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toBe(goldenText(name));
    fc.assert(
      fc.property(fc.array(fc.nat({ max: bytes.length }), { maxLength: 30 }), (at) => {
        expect(textOf(cut(bytes, at))).toBe(goldenText(name));
      }),
      { numRuns: 20 },
    );
  });

  test('holds no control character but TAB and line end', () => {
    expect(goldenText(name)).toMatch(/^[\t\n\x20-\x7e]*$/);
  });
});
