import { describe, expect, test } from 'vitest';
import {
  AnsiParser,
  PARAMETER_BYTES_LIMIT,
  PARAMETER_LIMIT,
  toNumbers,
} from '../../../src/core/ansi/parser.ts';
import { bytesOf } from '../bytes.ts';

function parse(input: string) {
  return new AnsiParser().parse(bytesOf(input));
}

describe('actions', () => {
  test.each<[input: string, actions: object[]]>([
    ['ab', [{ kind: 'print', from: 0, to: 2 }]],
    ['\r', [{ kind: 'execute', code: 13, at: 0 }]],
    ['\x1bM', [{ kind: 'escape', final: 'M', at: 1 }]],
    ['\x1b(B', []],
    ['\x1b[?1;2h', [{ kind: 'control', parameters: '?1;2', intermediate: '', final: 'h', at: 6 }]],
    ['\x1b[2 q', [{ kind: 'control', parameters: '2', intermediate: ' ', final: 'q', at: 4 }]],
    ['\x1b]0;t\x1b\\', [{ kind: 'escape', final: '\\', at: 6 }]],
    ['\x1b]0;t\x07\x1bPx\x1a', [{ kind: 'execute', code: 26, at: 9 }]],
    [
      '\x1b[3 é',
      [
        { kind: 'released', character: ' ', at: 4 },
        { kind: 'print', from: 4, to: 5 },
      ],
    ],
    [
      '\x1b[\n1',
      [
        { kind: 'execute', code: 10, at: 2 },
        { kind: 'print', from: 3, to: 4 },
      ],
    ],
  ])('%j', (input, actions) => {
    expect(parse(input)).toEqual(actions);
  });
});

test('parameters are kept up to their limit, and none behind it', () => {
  for (const length of [PARAMETER_BYTES_LIMIT, PARAMETER_BYTES_LIMIT + 1]) {
    const [action] = parse(`\x1b[${'1'.repeat(length)}A`);
    expect(action).toMatchObject({ parameters: '1'.repeat(PARAMETER_BYTES_LIMIT) });
  }
});

test('X12 · parameters as numbers are clamped', () => {
  expect(toNumbers(`;0;${PARAMETER_LIMIT};${PARAMETER_LIMIT + 1};4:3;${'9'.repeat(500)}`)).toEqual([
    undefined,
    0,
    PARAMETER_LIMIT,
    PARAMETER_LIMIT,
    4,
    PARAMETER_LIMIT,
  ]);
});

test('bytes of an unfinished sequence are counted, those it began anew behind included', () => {
  const parser = new AnsiParser();
  for (const [input, pendingBytes] of [
    ['a\x1b', 1],
    ['[3', 3],
    ['\x1b', 4],
    ['M', 0],
  ] as const) {
    parser.parse(bytesOf(input));
    expect(parser.pendingBytes).toBe(pendingBytes);
  }
});
