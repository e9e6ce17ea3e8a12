import { describe, expect, test } from 'vitest';
import { NOTICE_GAP_MS, NOTICE_SILENCE_MS, Notices } from '../../../src/core/its/notice.ts';
import { Scrollback } from '../../../src/core/scrollback.ts';
import { bytesOf } from '../bytes.ts';
import { BELLS, type Heard, listen, MESSAGE, type Piece } from './noticeRun.ts';

describe('I07 · a message of several lines', () => {
  const LINES = `${MESSAGE}\x1bKsecond line\r\n\x1bK\r\n\x1bK\tthird line\r\n\x1bK`;
  const TEXT = '[Message from FOO at KA  8:37pm]\nhello from line 8\nsecond line\n\n\tthird line';

  /** The message `afterMs` after some output, then `rest`. */
  function told(afterMs: number, message: string, ...rest: readonly Piece[]): Heard {
    return listen([
      { atMs: 0, bytes: bytesOf(':list') },
      { atMs: afterMs, bytes: bytesOf(`\r\n\x1bK${message}`) },
      ...rest,
    ]);
  }

  test('that comes into silence is a notice to its last line', () => {
    const { notices, rest } = told(NOTICE_SILENCE_MS, LINES, { atMs: 500, bytes: bytesOf('f') });
    expect([notices, rest]).toEqual([[TEXT], ':listf']);
  });

  test(`that comes less than ${NOTICE_SILENCE_MS} ms after output is its first line: what follows may be that going on`, () => {
    const { notices, rest, heard } = told(NOTICE_SILENCE_MS - 1, LINES);
    expect(notices).toEqual(['[Message from FOO at KA  8:37pm]\nhello from line 8']);
    expect([rest, heard]).toEqual([
      ':listsecond line\n\n\tthird line\n',
      ':list\nsecond line\n\n\tthird line\n',
    ]);
  });

  test('across the bottom of the screen, where a line end is ESC H, is one too', () => {
    const head = `\r\n\x1bK${BELLS}[Message from FOO at KA  8:37pm]`;
    for (const rows of [20, 21, 22]) {
      const ends = Array.from({ length: 4 }, (_, n) => (rows + 1 + n === 23 ? '\x1bH\x1bK' : '\r\n\x1bK'));
      const { notices, rest } = listen([
        { atMs: 0, bytes: bytesOf(`${'\r\n'.repeat(rows)}ab`) },
        { atMs: 500, bytes: bytesOf(`${head}${ends[0]}hello from line 8${ends[1]}second line${ends[2]}`) },
        { atMs: 502, bytes: bytesOf(`\r\n\x1bK\tthird line\r\n\x1bK`) },
      ]);
      expect([rows, notices, rest.trimStart()]).toEqual([rows, [TEXT], 'ab']);
    }
  });

  test.each<[title: string, behind: string, rest: string]>([
    ['DDT’s fresh line and prompt', '\x1bK*', '*'],
    ['a screen that is cleared', '\x1bH\x1bJpage', 'page'],
    ['a line somewhere else on the screen', '\x1bY$!there', 'there'],
    ['a long way of padding', `${'\0'.repeat(100)}text`, 'text'],
  ])('ends before %s', (_title, behind, rest) => {
    const whole = told(500, LINES + behind);
    expect([whole.notices, whole.rest, whole.heard]).toEqual([[TEXT], `:list${rest}`, `:list\n${rest}`]);
  });

  test('ends where the next one begins, and that is one as well', () => {
    const { notices, rest, heard } = told(500, LINES + MESSAGE, { atMs: 700, bytes: bytesOf('\x1bKf') });
    expect(notices).toEqual([TEXT, '[Message from FOO at KA  8:37pm]\nhello from line 8']);
    expect([rest, heard]).toEqual([':listf', ':list\nf']);
  });

  test(`ends where nothing came for more than ${NOTICE_GAP_MS} ms`, () => {
    const next = (gapMs: number) =>
      told(500, MESSAGE, { atMs: 500 + gapMs, bytes: bytesOf('\x1bKmore\r\n') });
    expect([next(NOTICE_GAP_MS).rest, next(NOTICE_GAP_MS + 1).rest]).toEqual([':list', ':listmore\n']);
  });

  test('ends where somebody types: what comes then is echo', () => {
    const scrollback = new Scrollback({ ringBytes: 65_536, bits: 7 });
    const notices = new Notices(scrollback);
    const hear = (output: string, atMs: number) =>
      scrollback
        .append(bytesOf(output), true)
        .flatMap((piece) => notices.hear(piece, atMs))
        .map(({ rendered }) => rendered.text)
        .join('');
    expect(hear(MESSAGE, 500)).toBe('');
    notices.typed(502);
    expect(hear('\x1bK:ti', 505)).toBe(':ti');
    expect(hear('me\r\n', 560)).toBe('me\n');
    notices.typed(690);
    expect(hear(`${MESSAGE}\x1bKx`, 700)).toBe('x');
  });

  test('is no longer than 4,096 characters', () => {
    const { notices, rest } = told(500, `${MESSAGE}${'\x1bKxxxxxxxxx\r\n'.repeat(500)}`);
    expect(notices[0]?.length).toBeGreaterThan(4_000);
    expect(notices[0]?.length).toBeLessThanOrEqual(4_096 + 10);
    expect(rest).toMatch(/^:list(?:x{9}\n){80,}$/);
  });
});
