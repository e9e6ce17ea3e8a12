import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { INITIAL_VT52, Vt52Parser, type Vt52Snapshot, type Vt52State } from '../../src/core/vt52.ts';
import { bytesOf, charactersOf, cut, cuts, lineOutput, thawed } from './bytes.ts';

/** Actions as one line of words: text as it is, `<0d>` for a control, `{K}` for a sequence; each with where it ended. */
function read(chunks: readonly Uint8Array[], bits: 7 | 8 = 7): { words: string[]; pendingBytes: number } {
  let parser = new Vt52Parser(bits);
  const words: string[] = [];
  let offset = 0;
  for (const chunk of chunks) {
    for (const action of parser.parse(chunk)) {
      if (action.kind === 'print') {
        for (let at = action.from; at < action.to; at += 1) {
          words.push(`${charactersOf(chunk.subarray(at, at + 1))}@${offset + at}`);
        }
      } else if (action.kind === 'execute') words.push(`<${action.code.toString(16)}>@${offset + action.at}`);
      else {
        const address = action.row === undefined ? '' : `${action.row},${action.column}`;
        words.push(`{${action.final}${address}}@${offset + action.at}`);
      }
    }
    offset += chunk.length;
    parser = new Vt52Parser(bits, thawed(parser.snapshot()));
  }
  return { words, pendingBytes: parser.pendingBytes };
}

function actionsOf(input: string, bits: 7 | 8 = 7): string {
  return read([bytesOf(input)], bits)
    .words.map((word) => word.slice(0, word.lastIndexOf('@')))
    .join('');
}

describe('actions', () => {
  test.each<[title: string, input: string, actions: string]>([
    ['print runs of printing characters', 'a b~', 'a b~'],
    ['execute control characters', 'a\r\n\x07\0\x7f', 'a<d><a><7><0><7f>'],
    ['dispatch ESC and a letter', '\x1bH\x1bJ\x1bK', '{H}{J}{K}'],
    ['dispatch a cursor address, counted from 0', 'x\x1bY!&y', 'x{Y1,6}y'],
    ['take any byte for an address, ESC too', '\x1bY\x1b\r', '{Y-5,-19}'],
    ['execute a control inside a sequence at once', '\x1b\x07K', '<7>{K}'],
    ['give a sequence up at CR or LF', '\x1b\rK\x1b\nK', '<d>K<a>K'],
    ['give a sequence up at CAN and SUB', '\x1b\x18K\x1b[1\x1aK', 'KK'],
    ['begin anew at ESC', '\x1b\x1bK\x1b[1\x1bK', '{K}{K}'],
    ['leave an ANSI control sequence out whole', 'a\x1b[12;3Hb\x1b[?25lc', 'a{[H}b{[l}c'],
    ['execute a control inside an ANSI sequence', '\x1b[1\x072J', '<7>{[J}'],
    ['leave a string out whole, ended by BEL', 'a\x1b]0;title\x07b', 'a{string}b'],
    ['leave a string out whole, ended by ST', 'a\x1bPq#0\x1b\\b', 'a{string}b'],
    ['leave a string out whole, ended by CAN or SUB', '\x1b]x\x18a\x1b]x\x1ab', '{string}a{string}b'],
    ['end a string at another sequence', '\x1b]x\x1bKa', '{K}a'],
    ['give a string up at a line end', 'a\x1b]lost\r\nb\x1bPlost\nc', 'a<d><a>b<a>c'],
  ])('%s', (_title, input, actions) => {
    expect(actionsOf(input)).toBe(actions);
  });

  test('the eighth bit counts on 8-bit lines only', () => {
    expect(actionsOf('\x9bK', 7)).toBe('{K}');
    expect(actionsOf('\x8d\xe1', 7)).toBe('<d>\xe1');
    expect(actionsOf('\x9b\xa0\xff', 8)).toBe('<9b>\xa0\xff');
  });
});

test('every state takes every byte, and only ground has nothing pending', () => {
  const prefixes: Record<Vt52State, string> = {
    ground: '',
    escape: '\x1b',
    addressRow: '\x1bY',
    addressColumn: '\x1bY!',
    control: '\x1b[1',
    string: '\x1b]x',
    stringEscape: '\x1b]x\x1b',
  };
  for (const [state, prefix] of Object.entries(prefixes)) {
    for (let byte = 0; byte < 256; byte += 1) {
      const parser = new Vt52Parser(8);
      parser.parse(bytesOf(prefix));
      expect(parser.snapshot()).toMatchObject({ state, pendingBytes: prefix.length });
      parser.parse(Uint8Array.of(byte));
      const after: Vt52Snapshot = parser.snapshot();
      expect(after.pendingBytes).toBe(after.state === 'ground' ? 0 : prefix.length + 1);
    }
  }
});

test('X07 · I3 · every split of a control sequence, a string, ESC letter and a cursor address gives the same', () => {
  for (const sequence of ['\x1b[12;3H', '\x1b]0;title\x07', '\x1bPq\x1b\\', '\x1bK', '\x1bY!&']) {
    const bytes = bytesOf(`a${sequence}b\r\n`);
    const whole = read([bytes]);
    for (let i = 0; i <= bytes.length; i += 1) {
      for (let j = i; j <= bytes.length; j += 1) expect(read(cut(bytes, [i, j]))).toEqual(whole);
    }
  }
});

test('I3 · any split of any bytes, frozen and thawed between the pieces, gives the same actions', () => {
  fc.assert(
    fc.property(fc.constantFrom<7 | 8>(7, 8), lineOutput, cuts, (bits, bytes, at) => {
      expect(read(cut(bytes, at), bits)).toEqual(read([bytes], bits));
    }),
    { numRuns: 500 },
  );
});

test('a parser begins in ground with nothing pending', () => {
  expect(new Vt52Parser(7).snapshot()).toEqual(INITIAL_VT52);
});
