/** Screens of a real line, as they stood when the client typed next: read once, and found to be what was painted. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Screen } from '../../src/core/screen.ts';
import { TelnetCodec } from '../../src/core/telnet.ts';
import { cut } from './bytes.ts';
import { loadRecording } from './recordings.ts';

const NAMES = ['07b-emacs', '07c-peek', '07f-teco', '14f-emacs-paste-2048', '15c-send-received'];

/** The screen in front of each input and at the end, as text; `size`: bytes that are applied at once. */
function screensOf(name: string, size: number): string {
  const codec = new TelnetCodec('auto');
  const screen = new Screen(7);
  const shown: string[] = [];
  const show = (atMs: number) => {
    const { rows, row, column, unknown } = screen.snapshot();
    const lines = rows.map((line) => `|${line}`.trimEnd());
    while (lines.at(-1) === '|') lines.pop();
    shown.push(`--- ${Math.round(atMs)} ms, cursor ${row},${column}, ${unknown} unknown`, ...lines);
  };
  for (const { atMs, dir, bytes } of loadRecording(name)) {
    if (dir !== 'in') {
      show(atMs);
      continue;
    }
    const data = codec.decode(bytes);
    const cuts = Array.from({ length: Math.ceil(data.length / size) }, (_, index) => index * size);
    for (const piece of cut(data, cuts)) screen.apply(piece);
  }
  return `${shown.join('\n')}\n`;
}

describe.each(NAMES)('%s', (name) => {
  const golden = readFileSync(new URL(`../fixtures/screens/${name}.txt`, import.meta.url), 'utf8');

  test('shows what was read and found right', () => {
    expect(screensOf(name, 1_000_000)).toBe(golden);
  });

  test('I3 · shows the same byte by byte', () => {
    expect(screensOf(name, 1)).toBe(golden);
  });
});
