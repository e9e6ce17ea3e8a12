import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ESCAPE_HOLD_MS,
  type KeyEvent,
  Keys,
  MAX_HELD_BYTES,
  MAX_PASTE_BYTES,
  PASTE_SILENCE_MS,
} from '../../../src/ctl/attach/keys.ts';
import { cut, cuts } from '../../core/bytes.ts';

/** Events of one burst and of the silence behind it. */
function eventsOf(...bursts: readonly (string | Uint8Array)[]): KeyEvent[] {
  const keys = new Keys();
  const events: KeyEvent[] = [];
  let nowMs = 0;
  for (const burst of bursts) {
    events.push(...keys.push(typeof burst === 'string' ? Buffer.from(burst) : burst, nowMs));
    nowMs += ESCAPE_HOLD_MS;
    events.push(...keys.tick(nowMs));
  }
  return events;
}

const type = (text: string): KeyEvent => ({ kind: 'type', text });
const refused = (why: unknown) => ({ kind: 'refused', why });
const command = (key: string): KeyEvent => ({ kind: 'command', key });
const AWAITS: KeyEvent = { kind: 'awaits', what: 'command' };
const NO_KEY = refused(expect.stringContaining('none of an ITS terminal'));

describe('what is typed', () => {
  test.each<[title: string, bursts: string[], events: unknown[]]>([
    ['characters, as they are', [':listf\r'], [type(':listf\r')]],
    ['control characters, ^C and ^Z too', ['\x03\x1a\x07\0\x7f'], [type('\x03\x1a\x07\0\x7f')]],
    ['ESC alone, after a pause', ['\x1b'], [type('\x1b')]],
    ['ESC and a letter', ['\x1bx'], [type('\x1bx')]],
    ['ESC and [ typed by hand, with a pause between', ['\x1b', '[A'], [type('\x1b'), type('[A')]],
    ['ESC [ and nothing more', ['\x1b['], [type('\x1b[')]],
    ['two ESC', ['\x1b\x1b'], [type('\x1b'), type('\x1b')]],
    ['the escape key and another than c', ['\x05x'], [type('\x05x')]],
    ['the escape key twice, then a letter', ['\x05\x05x'], [type('\x05\x05x')]],
    ['the escape key as a command', ['\x05c\x05x'], [AWAITS, type('\x05x')]],
  ])('%s', (_title, bursts, events) => {
    expect(eventsOf(...bursts)).toEqual(events);
  });
});

describe('commands', () => {
  test.each<[title: string, burst: string, events: unknown[]]>([
    ['detach', '\x05c.', [AWAITS, command('.')]],
    ['anything else is a command too', 'a\x05cqb', [type('a'), AWAITS, command('q'), type('b')]],
    [
      'b and a letter: the control key, urgent',
      '\x05cbg\x05cbG',
      [
        AWAITS,
        { kind: 'awaits', what: 'control' },
        { kind: 'urgent', text: '\x07' },
        AWAITS,
        { kind: 'awaits', what: 'control' },
        { kind: 'urgent', text: '\x07' },
      ],
    ],
    [
      'b and a digit',
      '\x05cb1',
      [AWAITS, { kind: 'awaits', what: 'control' }, refused(expect.stringContaining('letter'))],
    ],
  ])('%s', (_title, burst, events) => {
    expect(eventsOf(burst)).toEqual(events);
  });

  test('another escape key', () => {
    const keys = new Keys(0x1d);
    expect(keys.push(Buffer.from('\x05c.\x1dc.'), 0)).toEqual([type('\x05c.'), AWAITS, command('.')]);
  });
});

describe('W14: what the terminal says is never typed', () => {
  test.each([
    ['device attributes', '\x1b[?64;1;2c\x1b[>41;0;0c'],
    ['a cursor position', '\x1b[?12;5R'],
    ['a mode report', '\x1b[?2004;1$y'],
    ['focus', '\x1b[I\x1b[O'],
    ['the mouse', '\x1b[<0;12;5M\x1b[<0;12;5m'],
    ['a colour, ended by ST', '\x1b]11;rgb:0000/0000/0000\x1b\\'],
    ['a colour, ended by BEL', '\x1b]11;rgb:0000/0000/0000\x07'],
    ['a device control string', '\x1bP1$r0m\x1b\\'],
  ])('%s', (_what, answer) => {
    expect(eventsOf(`a${answer}b`)).toEqual([type('ab')]);
  });

  test.each(['\x1b[A', '\x1b[1;5C', '\x1bOP', '\x1b[15~', '\x1b[H'])('the function key %j is told', (key) => {
    expect(eventsOf(key)).toEqual([NO_KEY]);
  });

  test(`I6: a string may have ${MAX_HELD_BYTES - 1} bytes to be typed after a pause, more is dropped`, () => {
    const short = `\x1b]${'x'.repeat(MAX_HELD_BYTES - 3)}`;
    expect(eventsOf(short)).toEqual([type(short)]);
    expect(eventsOf(`${short}x`)).toEqual([]);
  });
});

describe('above 0x7F', () => {
  test.each([
    ['two bytes', 'aéb', 'é'],
    ['three bytes', 'a€b', '€'],
    ['four bytes', 'a😀b', '😀'],
  ])('%s: one refusal that names the character', (_title, burst, character) => {
    expect(eventsOf(burst)).toEqual([
      type('a'),
      refused(`${character} cannot be sent on a 7-bit line`),
      type('b'),
    ]);
  });

  test('half a character is refused, what follows is not', () => {
    expect(eventsOf(Uint8Array.of(0xc3, 0x61))).toEqual([
      refused(expect.stringContaining('7-bit')),
      type('a'),
    ]);
    expect(eventsOf(Uint8Array.of(0xc3))).toEqual([refused(expect.stringContaining('7-bit'))]);
    expect(eventsOf(Uint8Array.of(0x9b, 0x41))).toEqual([
      refused(expect.stringContaining('7-bit')),
      type('A'),
    ]);
  });
});

describe('a paste', () => {
  const paste = (text: string) => `\x1b[200~${text}\x1b[201~`;

  test('is one event, with CR for each line end', () => {
    expect(eventsOf(`a${paste('one\r\ntwo\nthree\rf\tour')}b`)).toEqual([
      type('a'),
      { kind: 'paste', text: 'one\rtwo\rthree\rf\tour' },
      type('b'),
    ]);
  });

  test('holds no command: the escape key in it is no escape key', () => {
    expect(eventsOf(paste('\x05c.'))).toEqual([
      refused('line 1 of the paste has ^E; nothing of it was sent'),
    ]);
  });

  test.each([
    ['one\ntw\x1bo', '^['],
    ['one\ntwö', 'ö'],
    ['one\ntw\u202eo', '<U+202E>'],
  ])('%j is refused whole, and says where', (text, found) => {
    expect(eventsOf(paste(text))).toEqual([
      refused(`line 2 of the paste has ${found}; nothing of it was sent`),
    ]);
  });

  test(`I6: ${MAX_PASTE_BYTES} bytes pass, one more is refused`, () => {
    const longest = 'x'.repeat(MAX_PASTE_BYTES);
    expect(eventsOf(paste(longest))).toEqual([{ kind: 'paste', text: longest }]);
    const tooLong = refused(expect.stringContaining(`more than ${MAX_PASTE_BYTES} bytes`));
    expect(eventsOf(`${paste(`${longest}x`)}b`)).toEqual([tooLong, type('b')]);
    expect(eventsOf(`${paste(longest.repeat(3))}b`)).toEqual([tooLong, type('b')]);
  });

  test('whose end was lost is given up after a silence', () => {
    const keys = new Keys();
    expect(keys.push(Buffer.from('\x1b[200~abc'), 0)).toEqual([]);
    expect(keys.push(Buffer.from('def'), PASTE_SILENCE_MS - 1)).toEqual([]);
    expect(keys.tick(2 * PASTE_SILENCE_MS - 2)).toEqual([]);
    expect(keys.tick(2 * PASTE_SILENCE_MS - 1)).toEqual([refused(expect.stringContaining('did not come'))]);
    expect(keys.push(Buffer.from('x'), 3 * PASTE_SILENCE_MS)).toEqual([type('x')]);
  });
});

const WORDS = [
  'a',
  'c',
  '.',
  '\x05',
  '\x05c',
  '\x05c.',
  '\x05cb',
  '\x1b',
  '\x1b[',
  '\x1b[A',
  '\x1bO',
  '\x1b]',
  '\x07',
  '\x1b\\',
  '\x1b[200~',
  '\x1b[201~',
  'é',
  '😀',
  '\xff',
  '\r',
  '\x1b[?6c',
  'x'.repeat(30),
];

test('I3: any split of one burst gives the same events', () => {
  const burst = fc
    .array(
      fc.oneof(fc.constantFrom(...WORDS.map((word) => Buffer.from(word))), fc.uint8Array({ maxLength: 3 })),
      {
        maxLength: 30,
      },
    )
    .map((pieces) => new Uint8Array(Buffer.concat(pieces)));
  const joined = (events: readonly KeyEvent[]) =>
    events.reduce<KeyEvent[]>((all, event) => {
      const last = all.at(-1);
      if (event.kind !== 'type' || last?.kind !== 'type') return [...all, event];
      return [...all.slice(0, -1), { kind: 'type', text: last.text + event.text }];
    }, []);
  fc.assert(
    fc.property(burst, cuts, (bytes, at) => {
      const [whole, split] = [new Keys(), new Keys()];
      const events = [...whole.push(bytes, 7), ...whole.tick(7 + PASTE_SILENCE_MS)];
      const pieces = cut(bytes, at).flatMap((piece) => [...split.push(piece, 7)]);
      expect(joined([...pieces, ...split.tick(7 + PASTE_SILENCE_MS)])).toEqual(joined(events));
      expect(split.deadlineMs).toBe(undefined);
    }),
  );
});

test('I4: an early tick changes nothing', () => {
  const keys = new Keys();
  keys.push(Buffer.from('\x1b'), 100);
  expect(keys.deadlineMs).toBe(100 + ESCAPE_HOLD_MS);
  expect(keys.tick(99 + ESCAPE_HOLD_MS)).toEqual([]);
  expect(keys.push(Buffer.from('[A'), 99 + ESCAPE_HOLD_MS)).toEqual([NO_KEY]);
});
