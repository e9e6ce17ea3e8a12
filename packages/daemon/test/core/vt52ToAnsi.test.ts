import headless from '@xterm/headless';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blankScreen, Screen } from '../../src/core/screen.ts';
import { TelnetCodec } from '../../src/core/telnet.ts';
import { paint, Vt52ToAnsi } from '../../src/core/vt52ToAnsi.ts';
import { bytesOf, charactersOf, cut, cuts, lineOutput, thawed } from './bytes.ts';
import { outputOf, RECORDING_NAMES } from './recordings.ts';

interface Size {
  readonly rows: number;
  readonly cols: number;
}

const SAME: Size = { rows: 24, cols: 80 };
const LARGER: Size = { rows: 31, cols: 97 };
/** What stands in each row below the grid. */
const BELOW = 'status';

/** A terminal with the grid in its upper left corner, and all that it answered. */
class Viewer implements Disposable {
  readonly #terminal: InstanceType<typeof headless.Terminal>;
  answers = '';

  constructor({ rows, cols }: Size) {
    this.#terminal = new headless.Terminal({ rows, cols, allowProposedApi: true, scrollback: 0 });
    this.#terminal.onData((text) => {
      this.answers += text;
    });
  }

  write(text: string): Promise<void> {
    return new Promise((resolve) => this.#terminal.write(text, resolve));
  }

  /** All rows, blanks included, and the cursor. */
  get shown() {
    const { active } = this.#terminal.buffer;
    const rows = Array.from({ length: this.#terminal.rows }, (_, row) =>
      (active.getLine(row)?.translateToString(false) ?? '').padEnd(this.#terminal.cols),
    );
    return { rows, row: active.cursorY, column: Math.min(active.cursorX, this.#terminal.cols - 1) };
  }

  [Symbol.dispose](): void {
    this.#terminal.dispose();
  }
}

/** What a terminal of that size has to show of a grid. */
function expected({ rows, row, column }: ReturnType<Screen['snapshot']>, size: Size) {
  const shown = Array.from({ length: size.rows }, (_, index) => (rows[index] ?? BELOW).padEnd(size.cols));
  return { rows: shown, row, column };
}

/** Paints what `before` left, follows `pieces`, compares; returns what the terminal answered. */
async function compare(bits: 7 | 8, size: Size, before: Uint8Array, pieces: readonly Uint8Array[]) {
  using viewer = new Viewer(size);
  const screen = new Screen(bits);
  screen.apply(before);
  const translator = Vt52ToAnsi.at(bits, screen.snapshot());
  for (let row = screen.snapshot().rows.length; row < size.rows; row += 1) {
    await viewer.write(`\x1b[${row + 1};1H${BELOW}`);
  }
  await viewer.write(paint(screen.snapshot()));
  expect(viewer.shown).toEqual(expected(screen.snapshot(), size));
  for (const piece of pieces) {
    screen.apply(piece);
    await viewer.write(translator.push(piece));
  }
  expect(viewer.shown).toEqual(expected(screen.snapshot(), size));
  return viewer.answers;
}

/** Much of what moves, scrolls, overflows and erases. */
const motions: fc.Arbitrary<Uint8Array> = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\x1bA',
        '\x1bB',
        '\x1bC',
        '\x1bD',
        '\x1bH',
        '\x1bI',
        '\x1bJ',
        '\x1bK',
        '\b',
        '\t',
        '\n',
        '\r',
        '\r\n',
        '\n\n\n\n\n\n\n\n',
        '\x1bI\x1bI',
        '\x1bF',
        '\x1bG',
        '\x1bZ',
        '\x1b=',
        '\0',
        '\x7f',
        'abc',
        'x'.repeat(79),
        'y'.repeat(80),
        'z'.repeat(85),
        '\x1b[6n',
        '\x1b[c',
        '\x1b]52;c;?\x07',
      ),
      fc
        .tuple(fc.nat({ max: 26 }), fc.nat({ max: 90 }))
        .map(([row, column]) => `\x1bY${String.fromCharCode(row + 31, column + 31)}`),
    ),
    { maxLength: 60 },
  )
  .map((words) => bytesOf(words.join('')));

const traffic = fc.oneof(lineOutput, motions);

describe('I3: a terminal that follows the translation shows the grid', () => {
  test.each([
    ['of the same size', SAME],
    ['larger, with nothing below and beside the grid touched', LARGER],
  ])('random traffic, whole and split, on a terminal %s', async (_what, size) => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom<7 | 8>(7, 8),
        traffic,
        traffic,
        cuts,
        async (bits, before, bytes, at) => {
          // The soft hyphen is the one character that is shown as another.
          const shown = bytes.map((byte) => (byte === 0xad ? 0x2d : byte));
          const old = before.map((byte) => (byte === 0xad ? 0x2d : byte));
          expect(await compare(bits, size, old, [shown])).toBe('');
          expect(await compare(bits, size, old, cut(shown, at))).toBe('');
        },
      ),
      { numRuns: 150 },
    );
  });

  test.each(RECORDING_NAMES)('the recording %s', async (name) => {
    const bytes = new TelnetCodec('auto').decode(outputOf(name));
    const thirds = cut(bytes, [Math.floor(bytes.length / 3), Math.floor((bytes.length * 2) / 3)]);
    expect(await compare(7, SAME, new Uint8Array(0), [bytes])).toBe('');
    expect(await compare(7, LARGER, thirds[0] ?? bytes, thirds.slice(1))).toBe('');
  });
});

describe('the translation as text', () => {
  const start = () => Vt52ToAnsi.at(7, blankScreen());

  test('I3: any split gives the same text, and so does a restore anywhere', () => {
    fc.assert(
      fc.property(fc.constantFrom<7 | 8>(7, 8), traffic, cuts, (bits, bytes, at) => {
        const whole = Vt52ToAnsi.at(bits, blankScreen());
        const text = whole.push(bytes);
        let split = Vt52ToAnsi.at(bits, blankScreen());
        let joined = '';
        for (const piece of cut(bytes, at)) {
          split = new Vt52ToAnsi(bits, thawed(split.snapshot()));
          joined += split.push(piece);
        }
        expect(joined).toBe(text);
        expect(split.snapshot()).toEqual(whole.snapshot());
      }),
    );
  });

  test('I17: nothing comes out but characters and the functions of the list', () => {
    const allowed = /^(?:[\x20-\x7e\xa0-\xff\r\b]|<ESC>(?:[DM]|\[(?:[ABCHK]|\d+[GM]|\d+;\d+H)))*$/;
    fc.assert(
      fc.property(
        fc.constantFrom<7 | 8>(7, 8),
        traffic,
        fc.uint8Array({ maxLength: 300 }),
        (bits, ...all) => {
          const translator = Vt52ToAnsi.at(bits, blankScreen());
          for (const bytes of all)
            expect(translator.push(bytes).replaceAll('<', '-').replaceAll('\x1b', '<ESC>')).toMatch(allowed);
        },
      ),
    );
  });

  test.each([
    ['the identification of a VT52', '\x1bZ'],
    ['DA', '\x1b[c\x1b[>c'],
    ['DSR', '\x1b[6n\x1b[5n'],
    ['DECRQM', '\x1b[?2004$p'],
    ['focus and mouse modes', '\x1b[?1004h\x1b[?1000h\x1b[?1006h'],
    ['title, clipboard, hyperlink', '\x1b]0;owned\x07\x1b]52;c;b3duZWQ=\x1b\\\x1b]8;;http://x\x07'],
    ['BEL and NUL', '\x07\0\x07'],
    ['keypad modes and graphics', '\x1b=\x1b>\x1bF\x1bG'],
  ])('W14 · W06: %s comes to nothing', (_what, input) => {
    expect(start().push(bytesOf(input))).toBe('');
  });

  test('LF is an index, so that a driver adds no CR', () => {
    expect(start().push(bytesOf('a\nb'))).toBe('a\x1bDb');
  });

  test('what is printed at the margin is followed by its address, so that no terminal wraps', () => {
    const text = start().push(bytesOf(`${'a'.repeat(79)}bc`));
    expect(text).toBe(`${'a'.repeat(79)}b\x1b[80Gc\x1b[80G`);
  });

  test('erasing to the end of the screen stays inside the scroll region', () => {
    expect(start().push(bytesOf('\x1bY" \x1bJ'))).toBe('\x1b[3;1H\x1b[K\x1b[4;1H\x1b[21M\x1b[3;1H');
    expect(start().push(bytesOf('\x1bY7 \x1bJ'))).toBe('\x1b[24;1H\x1b[K');
  });

  test('eight bits: Latin-1 as it is, but for the soft hyphen, which has no certain width', () => {
    const translator = Vt52ToAnsi.at(8, blankScreen());
    expect(charactersOf(bytesOf(translator.push(Uint8Array.of(0xe9, 0xad, 0x9b))))).toBe('é-');
  });

  test('I17: a painting holds no control character of a row', () => {
    const { rows } = blankScreen();
    const hostile = { rows: ['\x1b]0;owned\x07'.padEnd(80), ...rows.slice(1)], row: 0, column: 0 };
    expect(paint(hostile)).toContain('\x1b[1;1H-]0;owned-\x1b[K');
  });
});
