import { describe, expect, test } from 'vitest';
import { RenderedText } from '../../src/core/renderedText.ts';
import { Screen } from '../../src/core/screen.ts';
import { MAX_SCREEN, MIN_SCREEN } from '../../src/core/screenSize.ts';
import type { TextRenderer, TextRendererFactory } from '../../src/core/textRenderer.ts';
import { Transcript } from '../../src/core/transcript.ts';
import { bytesOf, charactersOf, thawed } from './bytes.ts';

const OPTIONS = { ringBytes: 65_536, bits: 7, profile: 'its' } as const;

function all(transcript: Transcript): string {
  return transcript.text({ start: 0, end: transcript.scrollback.end }).text;
}

describe('the screen', () => {
  test('however much comes at once, it is exact', () => {
    const bytes = bytesOf(
      Array.from({ length: 9_000 }, (_, n) => `${n % 50 === 0 ? '\x1bH' : ''}line ${n}\r\n\x1bK`).join(''),
    );
    const transcript = new Transcript({ ...OPTIONS, ringBytes: 32_768 });
    transcript.append(bytes, 0);
    const { oldest, end } = transcript.scrollback;
    for (const offset of [oldest, oldest + 1, oldest + 12_345, end]) {
      const screen = new Screen(7);
      screen.apply(bytes.subarray(0, offset));
      expect(transcript.screens.at(offset)).toEqual(screen.snapshot());
    }
  });

  test.each([MIN_SCREEN, MAX_SCREEN, { rows: 132, columns: 20 }])('may be of %j', ({ rows, columns }) => {
    const shown = new Transcript({ ...OPTIONS, screen: { rows, columns } }).screens.at(0).rows;
    expect([shown.length, shown[0]?.length]).toEqual([rows, columns]);
  });

  test.each([
    { rows: MIN_SCREEN.rows - 1, columns: 80 },
    { rows: MAX_SCREEN.rows + 1, columns: 80 },
    { rows: 24, columns: MIN_SCREEN.columns - 1 },
    { rows: 24, columns: MAX_SCREEN.columns + 1 },
    { rows: 24.5, columns: 80 },
    { rows: 24, columns: Number.NaN },
  ])('I6 · may not be of %j', (screen) => {
    expect(() => new Transcript({ ...OPTIONS, screen })).toThrow(RangeError);
  });

  test('of another size wraps and folds where it ends', () => {
    const screen = { rows: 4, columns: 40 };
    const transcript = new Transcript({ ...OPTIONS, screen });
    const line = 'x'.repeat(39);
    transcript.append(bytesOf(`\x1bH\x1bJ\r\n\r\n\r\n${line}!\x1bH\x1bKyz\x1bHa`), 0);
    expect([all(transcript), transcript.motions]).toEqual([`\n\n\n${line}yz\na`, 1]);
    expect(transcript.screens.at(1e9).rows[0]).toBe('az'.padEnd(40));
  });
});

/** A text view of a made-up terminal: each byte is a letter of another alphabet, LF and BEL are what they are. */
function otherText(context?: unknown): TextRenderer {
  let column = typeof context === 'number' ? context : 0;
  let bells = 0;
  const render = (bytes: Uint8Array) => {
    const [codes, ends, heard]: [number[], number[], { index: number; at: number }[]] = [[], [], []];
    for (const [at, byte] of bytes.entries()) {
      if (byte === 7) {
        bells += 1;
        heard.push({ index: codes.length, at });
        continue;
      }
      column = byte === 10 ? 0 : column + 1;
      codes.push(byte === 10 ? 10 : 0x400 + byte);
      ends.push(at + 1);
    }
    const toEnds = () => Uint32Array.from(ends);
    return new RenderedText({ codes: Uint16Array.from(codes), bells: heard, motions: 0, toEnds });
  };
  return {
    context: () => column,
    get column() {
      return column;
    },
    fragmentBytes: 0,
    sequenceBytes: 0,
    get bells() {
      return bells;
    },
    folds: 0,
    motions: 0,
    render,
    skip: render,
  };
}

describe('another text view', () => {
  const view: TextRendererFactory = otherText;
  const options = { ringBytes: 65_536, bits: 8, profile: 'plain', view, screen: 'none' } as const;
  const letters = (text: string) =>
    Array.from(text, (letter) =>
      letter === '\n' ? letter : String.fromCharCode(0x400 + letter.charCodeAt(0)),
    ).join('');

  test('makes the text of all that is asked of a transcript, without notices, endings or a screen', () => {
    const transcript = new Transcript(options);
    const output = `${'\x1bH'.repeat(3_000)}abc\n\x07\x07[Message from FOO at KA  8:37pm]\nx\n*`;
    const heard = transcript.append(bytesOf(output), 0);
    const text = letters(output.replaceAll('\x07', ''));
    expect(heard.map(({ rendered }) => rendered.text).join('')).toBe(text);
    const { end } = transcript.scrollback;
    expect(transcript.text({ start: 0, end })).toEqual({ text, bells: 2, folds: 0 });
    expect(transcript.endOf({ start: 0, end }, 6_002)).toBe(6_002);
    expect(transcript.scrollback.lastLine()).toEqual({ line: letters('*'), start: end - 1 });
    expect([transcript.notices({ start: 0, end }), transcript.pause(), transcript.ending(0)]).toEqual([
      [],
      [],
      undefined,
    ]);
    expect([transcript.hasScreen, transcript.screens.at(end).rows.join('').trim()]).toEqual([false, '']);
    expect(new Transcript(OPTIONS).hasScreen).toBe(true);
  });

  test('I3 · is frozen, thawed, and gone back to by checkpoints like the VT52’s', () => {
    const bytes = bytesOf('one two\nthree'.repeat(1_000));
    let transcript = new Transcript(options);
    transcript.append(bytes.subarray(0, 5_005), 0);
    const checkpoint = transcript.checkpointState();
    transcript = new Transcript(options, thawed(transcript.snapshot()));
    transcript.append(bytes.subarray(5_005), 0);
    const span = { start: 5_005, end: bytes.length };
    expect(transcript.text(span).text).toBe(letters(charactersOf(bytes.subarray(5_005))));
    const old = transcript.renderFrom(thawed(checkpoint), 5_005, bytes.subarray(5_005));
    expect(old.text(span.start, span.end).text).toBe(transcript.text(span).text);
    expect(transcript.scrollback.columnAt(12)).toBe(4);
  });
});
