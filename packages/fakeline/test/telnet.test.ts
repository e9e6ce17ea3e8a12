import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TelnetInput } from '../src/telnet.ts';

function decode(bytes: readonly number[]): string {
  const machine = new TelnetInput();
  const actions = bytes.flatMap((byte) => machine.push(byte) ?? []);
  const shown = actions.map((action) =>
    action.kind === 'char'
      ? String.fromCharCode(action.char)
      : `<${Buffer.from(action.bytes).toString('hex')}>`,
  );
  return shown.join('') + (machine.isDeaf ? '...' : '');
}

const A = 0x41;
const B = 0x42;

test.each<[string, readonly number[], string]>([
  ['an ordinary character passes', [A], 'A'],
  ['the eighth bit is cut', [0xe1, 0x9b, 0x80], 'a\x1b\0'],
  ['a lone FF makes the line deaf', [A, 0xff, B, A, 0x07, 0x1a], 'A...'],
  ['NOP makes it hear again', [0xff, B, 0xf1, A], 'A'],
  ['a negotiation makes it hear again', [0xff, B, 0xfd, 3, A], 'A'],
  ['FF FF is rubout', [A, 0xff, 0xff, B], 'A\x7fB'],
  ['FF in the deaf state is rubout', [0xff, A, 0xff, B], '\x7fB'],
  ['BRK is NUL', [A, 0xff, 0xf3, B], 'A\0B'],
  ['AYT is ignored', [A, 0xff, 0xf6, B], 'AB'],
  ['WILL NAWS is answered DONT, once', [0xff, 0xfb, 0x1f, 0xff, 0xfb, 0x1f, A], '<fffe1f>A'],
  ['DO TTYPE is answered WONT, once', [0xff, 0xfd, 0x18, 0xff, 0xfd, 0x18, A], '<fffc18>A'],
  ['ECHO, SGA and BINARY are not answered', [0xff, 0xfd, 1, 0xff, 0xfd, 3, 0xff, 0xfd, 0, A], 'A'],
  ['CR LF and CR NUL pass in binary mode', [0x0d, 0x0a, 0x0d, 0], '\r\n\r\0'],
  ['after WONT BINARY LF and NUL behind CR go', [0xff, 0xfc, 0, 0x0d, 0x0a, 0x0d, 0, 0x0a], '\r\r\n'],
  ['WILL BINARY undoes it', [0xff, 0xfc, 0, 0xff, 0xfb, 0, 0x0d, 0x0a], '\r\n'],
])('%s', (_, bytes, expected) => {
  expect(decode(bytes)).toBe(expected);
});

test('whatever bytes come, characters have seven bits and NOP NOP makes the line hear', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const machine = new TelnetInput();
      for (const byte of bytes) {
        const action = machine.push(byte);
        expect(action?.kind === 'char' ? action.char : 0).toBeLessThan(0x80);
      }
      // The first IAC may end a negotiation, or be doubled into a rubout.
      for (const byte of [0xff, 0xf1, 0xff, 0xf1]) machine.push(byte);
      expect(machine.push(A)).toEqual({ kind: 'char', char: A });
    }),
  );
});
