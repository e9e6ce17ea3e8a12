import { describe, expect, test } from 'vitest';
import {
  canonicalLineBytes,
  measureLines,
  parseStty,
  readTtySettings,
} from '../../../src/io/process/ttySettings.ts';
import { onPty } from './recorder.ts';

describe('P05 · lines as the terminal counts them', () => {
  test.each<[input: string, before: number, longest: number, open: number]>([
    ['', 5, 0, 5],
    ['abc', 0, 3, 3],
    ['abc', 10, 13, 13],
    ['abc\rde', 10, 13, 2],
    ['abcd\nde\x04f\x03', 0, 4, 0],
    ['é\r', 0, 2, 0],
  ])('%j behind %i bytes', (input, before, longest, open) => {
    expect(measureLines(new TextEncoder().encode(input), before)).toEqual({ longest, open });
  });

  test('the limit is the platform’s', () => {
    expect([canonicalLineBytes('linux'), canonicalLineBytes('darwin')]).toEqual([4_095, 1_023]);
  });
});

describe('what stty says', () => {
  test.each<[text: string, settings: object | undefined]>([
    ['speed 38400 baud;\nisig icanon iexten echo echoe;', { isCanonical: true, echoes: true }],
    ['lflags: -icanon isig -echo echoe', { isCanonical: false, echoes: false }],
    ['lflags: icanon echoe', undefined],
    ['', undefined],
  ])('%j', (text, settings) => {
    expect(parseStty(text)).toEqual(settings);
  });

  test('of a real terminal, and of none', async () => {
    const child = await onPty(['sh', '-c', 'stty -icanon; tty; exec sleep 60']);
    await child.said('/dev/');
    const path = /\/dev\/\S+/.exec(child.text())?.[0] ?? '';
    expect(await readTtySettings(path)).toEqual({ isCanonical: false, echoes: true });
    expect(await readTtySettings('/dev/null')).toBeUndefined();
    expect(await readTtySettings('/no/such/terminal')).toBeUndefined();
  });
});
