import type { MethodResult } from '@pidp10/protocol/methods';
import { describe, expect, test } from 'vitest';
import { openScreenView, toPainting } from '../../src/ctl/screenView.ts';
import { FACTS } from './runCtl.ts';

const ESC = '\x1b[';

function toScreen(rows: string[], cursor = { row: 0, column: 0 }): MethodResult<'line.screen'> {
  return { rows, changed: [], cursor, offset: 5, unknown: 0, ...FACTS };
}

/** The rows' texts: what is between a motion and the erasing behind it. */
function toTexts(painting: string): string[] {
  return painting
    .split(`${ESC}K`)
    .flatMap((row) => row.split('H').slice(1))
    .filter((text) => text !== '');
}

function collect(isTTY: boolean) {
  const written: string[] = [];
  return { written, output: { write: (text: string) => written.push(text), isTTY, rows: 4 } };
}

describe('toPainting', () => {
  test('each row in its place, what stood behind it erased; what the line is doing; the cursor last', () => {
    expect(toPainting(toScreen(['a', ''], { row: 1, column: 2 }), 3)).toBe(
      `${ESC}1;1Ha${ESC}K${ESC}2;1H${ESC}K${ESC}3;1H${ESC}7mDDT waits for a command; ^C ends${ESC}m${ESC}K${ESC}2;3H`,
    );
  });

  test.each([
    [{ row: 0, column: 0 }, 'ab', 1],
    [{ row: 1, column: 0 }, 'ab', 2],
    [{ row: 2, column: 0 }, 'bc', 2],
    [{ row: 3, column: 0 }, 'cd', 2],
  ])('a lower terminal shows the part with the cursor: %j', (cursor, letters, row) => {
    const painting = toPainting(toScreen(['a', 'b', 'c', 'd'], cursor), 2);
    expect(toTexts(painting)).toEqual(letters.split(''));
    expect(painting.endsWith(`${ESC}${row};1H`)).toBe(true);
  });

  test('W06: no control character of the line reaches the terminal', () => {
    const hostile = {
      ...toScreen(['\x1b]0;owned\x07']),
      activity: { kind: 'program', name: '\x1b[2J' },
    } as const;
    expect(toPainting(hostile, 3)).toContain('^[]0;owned^G');
    expect(toPainting(hostile, 3)).toContain('^[[2J has the line');
  });
});

describe('openScreenView', () => {
  test('a terminal gets its other screen, and the first one back, also when something is thrown', () => {
    const { written, output } = collect(true);
    expect(() => {
      using view = openScreenView(output);
      view.show(toScreen(['x']));
      throw new Error('lost');
    }).toThrow('lost');
    expect(written[0]).toContain(`${ESC}?1049h`);
    expect(written.at(-1)).toBe(`${ESC}?7h${ESC}?1049l`);
    expect(written).toHaveLength(3);
  });

  test('a pipe gets text, one screen below the other', () => {
    const { written, output } = collect(false);
    using view = openScreenView(output);
    view.show(toScreen(['a\x07', '']));
    expect(written.join('')).toBe('a^G\n\n--- cursor in row 0, column 0 (from 0), offset 5\n');
  });
});
