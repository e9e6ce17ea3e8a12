import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NOTICE_GAP_MS, NOTICE_SILENCE_MS, Notices } from '../../../src/core/its/notice.ts';
import { Scrollback } from '../../../src/core/scrollback.ts';
import { TelnetCodec } from '../../../src/core/telnet.ts';
import { bytesOf, charactersOf, cut, cuts, lineOutput } from '../bytes.ts';
import { loadRecording } from '../recordings.ts';
import { hear, listen, MESSAGE, type Piece } from './noticeRun.ts';

function recorded(name: string): Piece[] {
  const codec = new TelnetCodec('auto');
  return loadRecording(name)
    .filter(({ dir }) => dir === 'in')
    .map(({ atMs, bytes }) => ({ atMs, bytes: codec.decode(bytes) }));
}

describe('15c · messages of another user', () => {
  const pieces = recorded('15c-send-received');
  const whole = listen(pieces);

  test('at the prompt, in the middle of a command, in EMACS, and once more when EMACS is left', () => {
    expect(whole.notices).toEqual([
      '[Message from FOO at KA  8:37pm]\nhello from line 8',
      '[Message from FOO at KA  8:37pm]\nsecond message',
      '[Message from FOO at KA  8:37pm]\nthird message',
      '[Message from FOO at KA  8:37pm]\nthird message',
    ]);
  });

  test('the command that was being typed is in one piece again, and nothing of them is left', () => {
    expect(whole.rest).toContain('\n:listf\n');
    expect(whole.rest).not.toMatch(/Message|second|third|hello/);
    expect(whole.heard).not.toMatch(/Message|second|third|hello/);
    expect(whole.heard).not.toContain('\x07');
    expect(whole.heard).toContain(':list\nf\n'); // the line end before it was told when it came
  });

  test('I3 · byte by byte, under any split, frozen and thawed: the same', () => {
    const bytewise = pieces.flatMap(({ atMs, bytes }) =>
      Array.from(bytes, (byte) => ({ atMs, bytes: Uint8Array.of(byte) })),
    );
    expect(listen(bytewise)).toEqual(whole);
    expect(listen(bytewise, true)).toEqual(whole);
    fc.assert(
      fc.property(cuts, fc.boolean(), (at, isThawed) => {
        const split = pieces.flatMap(({ atMs, bytes }) =>
          cut(bytes, at).map((part) => ({ atMs, bytes: part })),
        );
        expect(listen(split, isThawed)).toEqual(whole);
      }),
      { numRuns: 30 },
    );
  });
});

describe('01 · the system has come up', () => {
  test('is a notice with its name, which stands before the BEL', () => {
    const pieces = recorded('01-connect-wait');
    const whole = listen(pieces);
    expect(whole.notices.map((text) => text.replaceAll('\x07', ''))).toEqual([
      'KA ITS 1652 IN OPERATION AT 19:49:51',
    ]);
    expect(whole.rest).toMatch(/Connected to the KA-10 simulator MTY device, line 9\n+$/);
    const bytewise = pieces.flatMap(({ atMs, bytes }) =>
      Array.from(bytes, (byte) => ({ atMs, bytes: Uint8Array.of(byte) })),
    );
    expect(listen(bytewise, true)).toMatchObject({ notices: whole.notices, rest: whole.rest });
  });
});

describe('where one begins and ends', () => {
  test.each<[title: string, output: string, rest: string]>([
    ['at the start of a line, its ESC K goes along', `a\r\n\x1bK\x1bK${MESSAGE}\x1bKb`, 'a\nb'],
    ['in a line, the line end before it is its own', `:list\r\n\x1bK${MESSAGE}\x1bKf`, ':listf'],
    [
      'at the bottom of the screen that is ESC H',
      `${'\r\n'.repeat(24)}ab\x1bH\x1bK${MESSAGE}\x1bKc`,
      `${'\n'.repeat(24)}abc`,
    ],
    ['on paper there is no ESC K', `a\r\n${MESSAGE.replaceAll('\x1bK', '')}b`, 'a\nb'],
  ])('%s', (_title, output, rest) => {
    const at0 = bytesOf(output.slice(0, output.indexOf(MESSAGE.slice(-6)) + 6));
    const behind = bytesOf(output.slice(at0.length));
    expect(
      listen([
        { atMs: 0, bytes: at0 },
        { atMs: NOTICE_GAP_MS + 1, bytes: behind },
      ]).rest,
    ).toBe(rest);
  });

  test(`a line of it that stops for more than ${NOTICE_GAP_MS} ms is over`, () => {
    const half = (gapMs: number): Piece[] => [
      { atMs: 0, bytes: bytesOf(MESSAGE.slice(0, -6)) },
      { atMs: gapMs, bytes: bytesOf('line 8\r\n') },
    ];
    expect(listen(half(NOTICE_GAP_MS))).toMatchObject({ rest: '', heard: '' });
    expect(listen(half(NOTICE_GAP_MS + 1))).toMatchObject({ rest: 'line 8\n', heard: 'line 8\n' });
  });

  test('two of them in a row leave no text', () => {
    expect(hear(MESSAGE, MESSAGE)).toMatchObject({ rest: '', heard: '' });
  });
});

describe('what is none', () => {
  test.each<[title: string, output: string]>([
    [
      'a printed file with the words and no BEL',
      'ab\r\n\x1bK[Message from FOO at KA  8:37pm]\r\n\x1bKhello\r\n',
    ],
    ['a BEL in a line', 'ab\x07cd\r\n[Message from FOO at KA  8:37pm]\r\n'],
    ['a BEL and other text', '\r\n\x1bK\x07QUIT? \r\nmore'],
    ['a BEL and a very long line', `\r\n\x07${'x'.repeat(500)}`],
    ['lone BELs', 'ab\r\n\x07\x07\x07'],
    ['a BEL behind a name that is none', 'KA ITS 1652 is\x07 here\r\n'],
  ])('%s', (_title, output) => {
    const { notices, heard, rest } = hear(output);
    expect(notices).toEqual([]);
    expect(heard.replaceAll('\x07', '')).toBe(rest);
    expect(heard.split('\x07')).toHaveLength(output.split('\x07').length); // no BEL is lost either
  });

  test('characters that are lost one by one ring one by one, at once', () => {
    const scrollback = new Scrollback({ ringBytes: 65_536, bits: 7 });
    const notices = new Notices(scrollback);
    const rung = [0, 25, 50].map(
      (atMs) =>
        scrollback
          .append(Uint8Array.of(7), true)
          .flatMap((piece) => notices.hear(piece, atMs))
          .flatMap(({ rendered }) => rendered.bells).length,
    );
    expect(rung).toEqual([0, 1, 1]);
  });
});

describe('I16 · what the system says of itself', () => {
  test.each<[title: string, output: string, goingDown: boolean]>([
    [
      'going down',
      '\x07KA ITS 1652 GOING DOWN IN 5:00.  20:00:00\r\nITS BEING BROUGHT DOWN BY SYSTEM\r\n',
      true,
    ],
    ['revived', '\x07KA ITS 1652 REVIVED.  20:00:00\r\n', false],
    ['not in operation', 'KA ITS 1652 \x07NOT IN OPERATION 20:00:00\r\n', true],
    ['the time', '\x07IT IS NOW MONDAY, NOVEMBER 30, 2026  08:24:53 PM\r\n', false],
  ])('%s', (_title, output, goingDown) => {
    const heard = hear(`\r\n\x1bK${output}\x1bK`);
    expect([heard.notices.length, heard.goingDown !== undefined]).toEqual([1, goingDown]);
  });

  test('what it says in two lines is one notice, where the line was silent', () => {
    const two =
      '\x07KA ITS 1652 GOING DOWN IN 5:00.  20:00:00\r\n\x1bKITS BEING BROUGHT DOWN BY SYSTEM\r\n\x1bK';
    expect(hear(two)).toMatchObject({
      rest: '',
      notices: ['KA ITS 1652 GOING DOWN IN 5:00.  20:00:00\nITS BEING BROUGHT DOWN BY SYSTEM'],
    });
    expect(hear(`text\r\n\x1bK\x1bK${two}`)).toMatchObject({
      rest: 'text\nITS BEING BROUGHT DOWN BY SYSTEM\n',
      notices: ['KA ITS 1652 GOING DOWN IN 5:00.  20:00:00'],
    });
  });

  test('what it said about going down stands until it is revived', () => {
    const down = '\r\n\x1bK\x07KA ITS 1652 GOING DOWN IN 5:00.  20:00:00\r\n';
    expect(hear(down).goingDown).toBe('KA ITS 1652 GOING DOWN IN 5:00.  20:00:00');
    expect(hear(`${down}text\r\n${MESSAGE}`).goingDown).toBeDefined();
    expect(hear(`${down}\x1bK\x07KA ITS 1652 REVIVED.  20:01:00\r\n`).goingDown).toBeUndefined();
  });
});

test('I3 · any split of any output, frozen and thawed, is heard the same; what is heard is what is left', () => {
  const unasked = fc.constantFrom(
    MESSAGE,
    `\x1bK${MESSAGE}\x1bKsecond line\r\n\x1bK`,
    `${MESSAGE}\x1bKsecond line\r\n\x1bK\x1bK*`,
    `\r\n\x1bK${MESSAGE}`,
    '\x07KA ITS 1652 REVIVED.\r\n',
    '\r\n\x07',
    'KA ITS 1652 \x07IN OPERATION\x07 AT 1\r\n',
    '',
  );
  const gap = fc.constantFrom(0, 1, NOTICE_GAP_MS, NOTICE_GAP_MS + 1, NOTICE_SILENCE_MS, 99, 100);
  const output = fc.array(fc.tuple(gap, fc.oneof(lineOutput.map(charactersOf), unasked)), { maxLength: 8 });
  fc.assert(
    fc.property(output, cuts, (parts, at) => {
      let atMs = 0;
      const pieces = parts.map(([gapMs, said]) => {
        atMs += gapMs;
        return { atMs, bytes: bytesOf(said) };
      });
      const whole = listen(pieces);
      const split = pieces.flatMap((piece) => cut(piece.bytes, at).map((bytes) => ({ ...piece, bytes })));
      expect(listen(split)).toEqual(whole);
      expect(listen(split, true)).toEqual(whole);
      const bytewise = pieces.flatMap((piece) =>
        Array.from(piece.bytes, (byte) => ({ ...piece, bytes: Uint8Array.of(byte) })),
      );
      expect(listen(bytewise, true)).toEqual(whole);
    }),
    { numRuns: 500 },
  );
});
