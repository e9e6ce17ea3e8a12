import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TELNET_MODES, TelnetCodec, type TelnetMode } from '../../src/core/telnet.ts';
import { bytesOf, charactersOf, cut, cuts, lineOutput, thawed } from './bytes.ts';

const NEGOTIATIONS = '\xff\xfb\x22\xff\xfb\x03\xff\xfb\x01\xff\xfb\x00\xff\xfd\x00';
const GREETING = '\n\r\nConnected to the KA-10 simulator MTY device, line 9\r\n\n';

function decode(mode: TelnetMode, chunks: readonly Uint8Array[]) {
  const codec = new TelnetCodec(mode);
  const data = chunks.map((chunk) => charactersOf(codec.decode(chunk))).join('');
  return { data, codec: codec.codec, negotiations: codec.negotiations };
}

describe('decoding', () => {
  test.each<[title: string, mode: TelnetMode, input: string, data: string]>([
    ['passes data', 'on', 'abc\0\r\n\x1bK', 'abc\0\r\n\x1bK'],
    ['takes IAC IAC for one data byte', 'on', 'a\xff\xffb', 'a\xffb'],
    [
      'leaves out WILL, WONT, DO and DONT with their option',
      'on',
      'a\xff\xfb\x01\xff\xfc\x02\xff\xfd\x03\xff\xfe\x04b',
      'ab',
    ],
    ['takes an option of 0xFF for an option', 'on', 'a\xff\xfb\xffb', 'ab'],
    ['leaves out commands without an option', 'on', 'a\xff\xf1\xff\xf9b', 'ab'],
    [
      'leaves out a subnegotiation, a doubled IAC in it too',
      'on',
      'a\xff\xfa\x18\x00x\xff\xffy\xff\xf0b',
      'ab',
    ],
    ['passes everything on a raw line', 'off', '\xff\xfb\x01\xff\xff', '\xff\xfb\x01\xff\xff'],
    ['takes a line that begins with IAC for telnet', 'auto', '\xff\xfb\x01a', 'a'],
    ['takes a line that begins otherwise for raw', 'auto', 'a\xff\xfb\x01', 'a\xff\xfb\x01'],
  ])('%s', (_title, mode, input, data) => {
    expect(decode(mode, [bytesOf(input)]).data).toBe(data);
  });

  test('an auto line is undecided until its first byte', () => {
    expect(decode('auto', [new Uint8Array(0)]).codec).toBe('unknown');
    expect(decode('auto', [new Uint8Array(0), bytesOf('\xff')]).codec).toBe('telnet');
    expect(decode('auto', [new Uint8Array(0), bytesOf('L')]).codec).toBe('raw');
  });

  test('counts the five negotiations of the greeting', () => {
    const expected = { data: GREETING, codec: 'telnet', negotiations: 5 };
    expect(decode('auto', [bytesOf(NEGOTIATIONS + GREETING)])).toEqual(expected);
  });

  test('L11 · I3 · greeting and text are the same under all two-way splits and byte by byte', () => {
    const bytes = bytesOf(`${NEGOTIATIONS}${GREETING}\x1bH\x1bJ\xff\xffKA ITS\xff\xf1.1652.\r\n`);
    const whole = decode('auto', [bytes]);
    expect(whole.data).toBe(`${GREETING}\x1bH\x1bJ\xffKA ITS.1652.\r\n`);
    for (let at = 0; at <= bytes.length; at += 1) {
      expect(decode('auto', [bytes.subarray(0, at), bytes.subarray(at)])).toEqual(whole);
    }
    expect(
      decode(
        'auto',
        Array.from(bytes, (byte) => Uint8Array.of(byte)),
      ),
    ).toEqual(whole);
  });

  test('I3 · any split of any bytes, with the codec frozen and thawed between the pieces, gives the same data', () => {
    const telnetBytes = fc
      .array(fc.oneof(lineOutput, fc.constantFrom('\xff', '\xff\xfa', '\xff\xf0', '\xff\xfb').map(bytesOf)), {
        maxLength: 8,
      })
      .map((pieces) => bytesOf(pieces.map(charactersOf).join('')));
    fc.assert(
      fc.property(fc.constantFrom(...TELNET_MODES), telnetBytes, cuts, (mode, bytes, at) => {
        const whole = new TelnetCodec(mode);
        const data = charactersOf(whole.decode(bytes));
        let split = new TelnetCodec(mode);
        let heard = '';
        for (const piece of cut(bytes, at)) {
          heard += charactersOf(split.decode(piece));
          split = new TelnetCodec(mode, thawed(split.snapshot()));
        }
        expect([heard, split.snapshot()]).toEqual([data, whole.snapshot()]);
      }),
    );
  });
});

describe('encoding', () => {
  test.each<[title: string, mode: TelnetMode, first: string, sent: string]>([
    ['L12 · doubles 0xFF on a telnet line', 'on', '', '\xff\xff\xfa'],
    ['L12 · doubles 0xFF on a line that turned out to be telnet', 'auto', NEGOTIATIONS, '\xff\xff\xfa'],
    ['L12 · leaves 0xFF alone on a line that turned out to be raw', 'auto', 'hello', '\xff\xfa'],
    ['L12 · leaves 0xFF alone on a raw line', 'off', '', '\xff\xfa'],
  ])('%s', (_title, mode, first, sent) => {
    const codec = new TelnetCodec(mode);
    codec.decode(bytesOf(first));
    expect(charactersOf(codec.encode(bytesOf('\xff\xfa')))).toBe(sent);
  });

  test('what is encoded is decoded to itself, and 7-bit text is not touched', () => {
    fc.assert(
      fc.property(lineOutput, (bytes) => {
        const codec = new TelnetCodec('on');
        expect(new TelnetCodec('on').decode(codec.encode(bytes))).toEqual(bytes);
        const text = bytes.filter((byte) => byte < 0x80);
        expect(codec.encode(text)).toEqual(text);
      }),
    );
  });
});
