/** Waits on an open line: what ends them, what they answer with. */
import { describe, expect, test } from 'vitest';
import { MAX_PAGES } from '../../src/core/its/pager.ts';
import { MAX_QUEUED_BYTES, STALL_MS, WINDOW_BYTES } from '../../src/core/pacer.ts';
import { GREETED, LineRun } from './lineRun.ts';

const MORE = '--More-- (Space=yes, Rubout=no)';

/** Only the socket limits what goes out. */
const UNPACED = { windowChars: 100_000 } as const;

function spacesOf(run: LineRun): number[] {
  return run.written.filter(({ text }) => text === ' ').map(({ atMs }) => atMs);
}

describe('what ends a wait', () => {
  test('a match, after settleMs of silence, and the rest of the line is in the answer (T2)', () => {
    const run = new LineRun().opened().send('s', ':who\r', { pattern: String.raw`\(\d+%` });
    run.after(20).hear(':who\r\n(52').after(10).hear('%').after(140).hear(' used').after(140);
    expect(run.end('s').reason).toBeUndefined();
    run.after(9).hear(')\r\n').after(5_000);
    expect(run.end('s')).toEqual({ reason: 'matched', text: ':who\n(52% used)\n', atMs: 1_319 + 150 });
    const { match } = run.endings.get('s')?.settlement ?? {};
    expect(run.text(match ?? { start: 0, end: 0 })).toBe('(52%');
  });

  test('T11 · a prompt, once it was the last thing for 100 ms, after settleMs', () => {
    const run = new LineRun().opened().send('s', ':vk\r').after(10).hear(':vk\r\n\x1bK\x1bK*').after(5_000);
    expect(run.end('s')).toEqual({ reason: 'prompt', text: ':vk\n*', atMs: 1_160 });
  });

  test('a * with output behind it is no prompt', () => {
    const run = new LineRun()
      .opened()
      .send('s', ':vk\r')
      .hear(':vk\r\n\x1bK*')
      .after(90)
      .hear('delete')
      .after(5_000);
    expect(run.end('s')).toMatchObject({ reason: 'quiet', atMs: 1_790 });
  });

  test('a prompt that stood there before the send is none', () => {
    const run = new LineRun()
      .opened()
      .hear('\r\n\x1bK*')
      .after(500)
      .send('s', '\x07', { timeoutMs: 3_000 })
      .after(5_000);
    expect(run.end('s')).toMatchObject({ reason: 'timeout', text: '' });
  });

  test('with a pattern the prompt is no end', () => {
    const run = new LineRun()
      .opened()
      .send('s', ':vk\r', { pattern: 'never' })
      .hear(':vk\r\n\x1bK*')
      .after(5_000);
    expect(run.end('s')).toMatchObject({ reason: 'quiet', atMs: 1_700 });
  });

  test('silence: the quiet time begins with the first byte', () => {
    const run = new LineRun().opened().send('s', 'x\r').after(9_000).hear('y').after(5_000);
    expect(run.end('s')).toEqual({ reason: 'quiet', text: 'y', atMs: 10_700 });
  });

  test('time: a line that says nothing runs into the timeout, and so does one that never pauses', () => {
    const silent = new LineRun().opened().read('r', { timeoutMs: 2_000 }).after(60_000);
    expect(silent.end('r')).toEqual({ reason: 'timeout', text: '', atMs: 3_000 });
    const flood = new LineRun().opened().read('r', { timeoutMs: 2_000 });
    for (let n = 0; n < 100; n += 1) flood.after(50).hear('x');
    expect(flood.end('r')).toMatchObject({ reason: 'timeout', atMs: 3_000 });
  });

  test('maxChars: the first of them are given, the rest is next', () => {
    const run = new LineRun().opened().read('a', { maxChars: 5 }).hear('abc\r\n\x1bKdefgh').after(1);
    run.read('b', { maxChars: 5 }).after(5_000);
    expect([run.end('a'), run.end('b')]).toEqual([
      { reason: 'limit', text: 'abc\nd', atMs: 1_000 },
      { reason: 'quiet', text: 'efgh', atMs: 1_700 },
    ]);
  });

  test('maxChars: as many characters as there is room for are no limit', () => {
    const run = new LineRun().opened().read('a', { maxChars: 5 }).hear('abcde').after(5_000);
    expect(run.end('a')).toMatchObject({ reason: 'quiet', text: 'abcde' });
  });

  test('maxChars: a match or prompt behind the last character that fits is not the cause', () => {
    const behind = new LineRun()
      .opened()
      .read('a', { maxChars: 5, pattern: 'ef' })
      .hear('abcdefgh\r\n*')
      .after(5_000);
    expect(behind.end('a')).toMatchObject({ reason: 'limit', text: 'abcde' });
    const within = new LineRun()
      .opened()
      .read('a', { maxChars: 5, pattern: 'de' })
      .hear('abcdefgh')
      .after(5_000);
    expect(within.end('a')).toMatchObject({ reason: 'matched', text: 'abcde' });
    const unread = new LineRun().opened().hear('abcdefgh\r\n\x1bK*').after(500).read('a', { maxChars: 5 });
    expect(unread.end('a')).toMatchObject({ reason: 'limit', text: 'abcde' });
  });

  test('returnAfterMs: the wait ends, its input goes on, and the answer tells how much is out', () => {
    const run = new LineRun({ isStuck: true, channel: UNPACED }).opened();
    run
      .send('s', 'x'.repeat(2_000), { returnAfterMs: 500 })
      .feed({ kind: 'written', bytes: 300 })
      .after(5_000);
    expect(run.end('s')).toMatchObject({ reason: 'still_waiting', atMs: 1_500 });
    expect(run.endings.get('s')?.settlement).toMatchObject({ accepted: 2_000, sent: 300 });
    run.feed({ kind: 'cancel', waitId: 's' }).feed({ kind: 'written', bytes: 1_024 });
    expect(run.written.map(({ text }) => text.length)).toEqual([1_024, 300, 676]);
    expect(run.endCount).toBe(2);
  });

  test('I9 · returnAfterMs after a match: the match came first', () => {
    const run = new LineRun()
      .opened()
      .read('r', { pattern: 'ab', returnAfterMs: 100 })
      .after(90)
      .hear('ab')
      .after(5_000);
    expect(run.end('r')).toMatchObject({ reason: 'matched', atMs: 1_100 });
  });

  test('cancel: a result with what had come; a second one does nothing', () => {
    const run = new LineRun()
      .opened()
      .send('s', 'x\r')
      .hear('part')
      .after(50)
      .feed({ kind: 'cancel', waitId: 's' });
    run.feed({ kind: 'cancel', waitId: 's' }).feed({ kind: 'cancel', waitId: 'unknown' });
    expect(run.end('s')).toEqual({ reason: 'cancelled', text: 'part', atMs: 1_050 });
    expect(run.endCount).toBe(2);
  });

  test('cancel stops the input where it is', () => {
    const run = new LineRun({ isStuck: true, channel: UNPACED })
      .opened()
      .send('s', 'x'.repeat(5_000))
      .feed({ kind: 'cancel', waitId: 's' });
    run.feed({ kind: 'written', bytes: 1_024 }).after(60_000);
    expect(run.endings.get('s')?.settlement).toMatchObject({ accepted: 5_000, sent: WINDOW_BYTES });
    expect(run.written).toHaveLength(1);
    expect(run.channel.conversation.typist.pendingBytes).toBe(0);
  });

  test('an empty input is out at once', () => {
    const run = new LineRun().opened().send('s', '', { timeoutMs: 50 }).after(1_000);
    expect(run.end('s')).toMatchObject({ reason: 'timeout', atMs: 1_050 });
    expect(run.endings.get('s')?.settlement).toMatchObject({ accepted: 0, sent: 0 });
  });
});

describe('input on its way', () => {
  test('the clock of a send starts when the last byte of its input was written', () => {
    const run = new LineRun({ isStuck: true, channel: UNPACED })
      .opened()
      .send('s', 'x'.repeat(1_500), { timeoutMs: 1_000 });
    run
      .after(5_000)
      .feed({ kind: 'written', bytes: 1_024 })
      .after(4_000)
      .feed({ kind: 'written', bytes: 476 })
      .after(9_000);
    expect(run.end('s')).toMatchObject({ reason: 'timeout', atMs: 11_000 });
    expect(run.endings.get('s')?.settlement).toMatchObject({ accepted: 1_500, sent: 1_500 });
  });

  test('a prompt that stands while input is still going out does not end the send', () => {
    const run = new LineRun({ isStuck: true })
      .opened()
      .send('s', ':a\r:b\r')
      .after(50)
      .hear('junk\r\n\x1bK*')
      .after(1_000);
    run.feed({ kind: 'written', bytes: 6 }).after(20).hear('more\r\n\x1bK*').after(5_000);
    expect(run.end('s')).toMatchObject({ reason: 'prompt', text: 'junk\n*more\n*' });
  });

  test('stall: after 30 s without credit the rest is dropped, and the send waits on for what comes', () => {
    const run = new LineRun({ isStuck: true, channel: UNPACED })
      .opened()
      .send('s', 'x'.repeat(5_000), { timeoutMs: 2_000 });
    run
      .after(1_000)
      .feed({ kind: 'written', bytes: 500 })
      .after(STALL_MS - 1);
    expect(run.channel.conversation.typist.sentBytes('s')).toBe(500);
    run.after(1).feed({ kind: 'tick' });
    expect([run.channel.conversation.typist.sentBytes('s'), run.end('s').reason]).toEqual([
      undefined,
      undefined,
    ]);
    run.after(60_000);
    expect(run.end('s')).toMatchObject({ reason: 'timeout', atMs: 2_000 + STALL_MS + 2_000 });
    expect(run.endings.get('s')?.settlement).toMatchObject({ accepted: 5_000, sent: 1_524 });
  });

  test('I6 · input beyond the queue is refused before its first byte', () => {
    const run = new LineRun({ isStuck: true })
      .opened()
      .send('a', 'x'.repeat(MAX_QUEUED_BYTES - 2))
      .send('b', 'abc');
    expect(run.endings.get('b')?.error).toEqual({
      name: 'input_queue_full',
      detail: `${MAX_QUEUED_BYTES - 2} bytes of input wait already, so none of these 3 was sent.`,
    });
    run.send('c', 'ab');
    expect(run.end('c').reason).toBeUndefined();
  });

  test('I8 · sends of two callers go out one after the other', () => {
    const run = new LineRun({ isStuck: true, channel: UNPACED }).opened();
    run.send('a', 'a'.repeat(1_500)).send('b', 'b'.repeat(10), {}, 'other');
    run.feed({ kind: 'written', bytes: 1_024 });
    expect(run.written.map(({ text }) => text).join('')).toBe('a'.repeat(1_500) + 'b'.repeat(10));
  });
});

describe('the echo', () => {
  test('I08 · X05 · a pattern is never found in the echo, and the offset of the match is told', () => {
    const run = new LineRun().opened().send('s', 'echo DONE_1\r', { pattern: 'DONE_1' });
    run.hear('echo DONE_1\r\n').after(300);
    expect(run.end('s').reason).toBeUndefined();
    run.hear('\x1bKand: DONE_1\r\n').after(5_000);
    const start = GREETED + 'echo DONE_1\r\n\x1bKand: '.length;
    expect(run.end('s').reason).toBe('matched');
    expect(run.endings.get('s')?.settlement).toMatchObject({
      echoEnd: GREETED + 'echo DONE_1\r'.length,
      isEchoExact: true,
      match: { start, end: start + 6 },
    });
  });

  test('I08 · expect "\\*" after ":print *" ends on the output', () => {
    const run = new LineRun().opened().send('s', ':print *\r', { pattern: String.raw`\*` });
    for (const byte of ':print *\r\n\x1bK') run.hear(byte).after(16);
    run.after(300).hear('text *').after(5_000);
    expect(run.end('s')).toMatchObject({ reason: 'matched', text: ':print *\ntext *' });
  });

  test('X05 · an echo that is not one is output', () => {
    const run = new LineRun().opened().send('s', 'abc\r', { pattern: 'abd' }).hear('abd').after(5_000);
    expect(run.end('s').reason).toBe('quiet'); // "ab" was taken for echo
    const other = new LineRun().opened().send('s', 'abc\r', { pattern: 'xyz' }).hear('xyz').after(5_000);
    expect(other.end('s').reason).toBe('matched');
    expect(other.endings.get('s')?.settlement).not.toHaveProperty('echoEnd');
  });
});

describe('patterns', () => {
  test.each(['*\0\0', '*\r\n', '*\r', '*'])(String.raw`X06 · ^\*$ is found in %j`, (prompt) => {
    const run = new LineRun().opened().send('s', 'x\r', { pattern: String.raw`^\*$` });
    run.hear(`x\r\nab*\r\n\x1bK${prompt}`).after(5_000);
    const { match } = run.endings.get('s')?.settlement ?? {};
    const start = GREETED + 'x\r\nab*\r\n\x1bK'.length;
    expect([run.end('s').reason, match]).toEqual(['matched', { start, end: start + 1 }]);
  });

  test('$ holds at the end only when the output has paused', () => {
    const run = new LineRun()
      .opened()
      .read('r', { pattern: 'ab$' })
      .hear('ab')
      .after(90)
      .hear('c')
      .after(5_000);
    expect(run.end('r').reason).toBe('quiet');
    const paused = new LineRun().opened().read('r', { pattern: 'ab$' }).hear('ab').after(5_000);
    expect(paused.end('r')).toMatchObject({ reason: 'matched', atMs: 1_150 });
  });

  test('X03 · a match over the border of old and new bytes is found under all splits, and told at the same offsets', () => {
    const output = 'one two\x1bK\r\n\x1bKthree four\r\n';
    const read = (at: number) => {
      const run = new LineRun().opened().read('r', { pattern: String.raw`two$\n^three four` });
      run.hear(output.slice(0, at)).hear(output.slice(at)).after(5_000);
      return run.endings.get('r')?.settlement;
    };
    const whole = read(0);
    expect(whole).toMatchObject({ reason: 'matched', match: { start: GREETED + 4, end: GREETED + 23 } });
    for (let at = 1; at <= output.length; at += 1) expect(read(at)).toEqual(whole);
  });

  test('I3 · $ decided by the next chunk ends at the same offset as in one chunk', () => {
    const read = (...chunks: string[]) => {
      const run = new LineRun().opened().read('r', { pattern: 'abc$' });
      for (const chunk of chunks) run.hear(chunk);
      return run.after(5_000).endings.get('r')?.settlement?.match;
    };
    const whole = { start: GREETED, end: GREETED + 3 };
    expect([read('abc\x1bK\r\n'), read('abc\x1bK', '\r\n'), read('abc', '\x1bK', '\r\n')]).toEqual([
      whole,
      whole,
      whole,
    ]);
  });

  test('X11 · T1 · what was left over is before, and is never matched', () => {
    const run = new LineRun().opened().send('a', ':a\r', { pattern: 'A' }).hear(':a\r\nA').after(200);
    run.after(300).hear(' rest of A\r\n').after(100).send('b', ':b\r', { pattern: 'A' }).after(200);
    expect(run.end('b').reason).toBeUndefined();
    run.hear(':b\r\nno\r\nA').after(5_000);
    expect([run.end('a').text, run.endings.get('b')?.before, run.end('b').text]).toEqual([
      ':a\nA',
      ' rest of A\n',
      ':b\nno\nA',
    ]);
  });
});

describe('fragments', () => {
  test('X07 · an answer never ends inside a sequence or CR LF; a lone ESC is released after 200 ms', () => {
    const run = new LineRun()
      .opened()
      .read('a', { quietMs: 150 })
      .hear('abc\x1b')
      .after(190)
      .read('b', { timeoutMs: 5 });
    run.after(300);
    const ends = ['a', 'b'].map((id) => run.endings.get(id)?.settlement?.output.end);
    expect(ends).toEqual([GREETED + 3, GREETED + 3]);
    run.read('c', { timeoutMs: 5 }).after(10);
    expect(run.endings.get('c')?.settlement).toMatchObject({
      output: { start: GREETED + 3, end: GREETED + 4 },
    });
    run.hear('Kdef').after(5_000).read('d');
    expect(run.end('d').text).toBe('def');
  });

  test('a match that ends with a fragment is told as far as the answer goes', () => {
    const run = new LineRun().opened().read('r', { pattern: String.raw`ab\n` }).hear('ab\r').after(5_000);
    expect(run.endings.get('r')?.settlement).toMatchObject({
      reason: 'matched',
      output: { end: GREETED + 2 },
      match: { start: GREETED, end: GREETED + 2 },
    });
  });

  test('a CR is read with the LF that follows it, or alone when none does', () => {
    const run = new LineRun()
      .opened()
      .read('a', { quietMs: 150 })
      .hear('abc\r')
      .after(160)
      .hear('\ndef')
      .after(50);
    run.read('b').after(5_000);
    expect([run.end('a').text, run.end('b').text]).toEqual(['abc', '\ndef']);
    const alone = new LineRun().opened().read('a').hear('abc\r').after(5_000);
    expect(alone.end('a').text).toBe('abc\n');
  });
});

describe('the pager', () => {
  test('one space is typed after 100 ms of silence, once, and the answer goes on', () => {
    const run = new LineRun()
      .opened()
      .send('s', ':listf\r')
      .hear(`:listf\r\n\x1bKpage 1\r\n\x1bK${MORE}`)
      .after(2_000);
    expect(spacesOf(run)).toEqual([1_100]);
    run.hear(' \x1bH\x1bKpage 2\r\n\x1bK\x1bK*').after(5_000);
    expect(run.end('s')).toEqual({ reason: 'prompt', text: ':listf\npage 1\npage 2\n*', atMs: 3_150 });
    expect(run.endings.get('s')?.settlement?.pages).toBe(1);
    expect(spacesOf(run)).toHaveLength(1);
  });

  test.each([
    ['more output follows', `${MORE} and more`, 'quiet'],
    ['CR LF follows', `${MORE}\r\n`, 'quiet'],
    ['it stands in a line, and looks like a question', `see ${MORE}`, 'question'],
  ])('I04 · its words inside output are none: %s', (_title, output, reason) => {
    const run = new LineRun().opened().send('s', ':p\r').hear(`:p\r\n\x1bK${output}`).after(5_000);
    expect([run.end('s').reason, run.written.length]).toEqual([reason, 1]);
    const slow = new LineRun()
      .opened()
      .send('s', ':p\r')
      .hear(`:p\r\n\x1bK${MORE}`)
      .after(99)
      .hear('\r\n')
      .after(5_000);
    expect([slow.end('s').reason, slow.written.length]).toEqual(['quiet', 1]);
  });

  test.each([
    ['--MORE--', 'pager'],
    ['  --More--', 'pager'],
    ['--Kill-- (Space=yes, Rubout=no)', 'question'],
    ['--Attach Your Detached Tree-- (Space=yes, Rubout=no)', 'question'],
  ])('I05 · %s is not answered: the caller decides, 100 ms after it', (words, reason) => {
    const run = new LineRun().opened().send('s', ':x\r').hear(`:x\r\n\x1bK${words}`).after(5_000);
    expect([run.end('s').reason, run.end('s').atMs, run.written.length]).toEqual([reason, 1_100, 1]);
  });

  test('autoMore off: the send ends with pager, and nothing is typed', () => {
    const run = new LineRun()
      .opened()
      .send('s', ':x\r', { autoMore: false })
      .hear(`:x\r\n\x1bK${MORE}`)
      .after(5_000);
    expect(run.end('s')).toEqual({ reason: 'pager', text: `:x\n${MORE}`, atMs: 1_100 });
    expect(spacesOf(run)).toEqual([]);
  });

  test('a bystander’s read gets pager and nothing is typed for it; the owner’s read goes on', () => {
    const run = new LineRun().opened().send('s', ':x\r', { timeoutMs: 50 }).hear(':x\r\n').after(100);
    run.hear(`page\r\n\x1bK${MORE}`).after(10).read('other', {}, 'other').after(5_000);
    expect([run.end('other').reason, run.end('other').text?.endsWith(MORE), spacesOf(run)]).toEqual([
      'pager',
      true,
      [],
    ]);
    run.read('mine').after(50);
    expect(spacesOf(run)).toHaveLength(1);
    run.hear(' \x1bH\x1bKpage 2').after(5_000);
    expect(run.end('mine').text).toBe('page\npage 2');
  });

  test('a bystander waits on while the owner’s wait turns pages', () => {
    const run = new LineRun()
      .opened()
      .read('other', {}, 'other')
      .send('s', ':x\r')
      .hear(`:x\r\n\x1bK${MORE}`)
      .after(200);
    run.hear(' \x1bH\x1bKpage 2\r\n\x1bK*').after(5_000);
    expect([run.end('other').text, run.end('s').text, spacesOf(run).length]).toEqual([
      ':x\npage 2\n*',
      ':x\npage 2\n*',
      1,
    ]);
  });

  test('a pager that stood there before the send is answered by the send alone', () => {
    const run = new LineRun()
      .opened()
      .send('a', ':x\r', { autoMore: false })
      .hear(`:x\r\n\x1bK${MORE}`)
      .after(1_000);
    run.send('b', ' ').after(300);
    expect(run.written.map(({ text }) => text)).toEqual([':x\r', ' ']);
    run.hear(` \x1bH\x1bKpage 2\r\n\x1bK${MORE}`).after(150);
    expect(run.written.map(({ text }) => text)).toEqual([':x\r', ' ', ' ']);
  });

  test(`more_limit after ${MAX_PAGES} pages, and read goes on`, () => {
    const run = new LineRun().opened().send('s', ':x\r', { timeoutMs: 60_000 }).hear(`:x\r\n\x1bK${MORE}`);
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      run.after(150);
      expect(spacesOf(run)).toHaveLength(page);
      run.hear(` \x1bH\x1bK${`page ${page}\r\n\x1bK`.repeat(23)}${MORE}`); // DDT asks at the bottom
    }
    run.after(5_000);
    expect([run.end('s').reason, run.endings.get('s')?.settlement?.pages]).toEqual(['more_limit', MAX_PAGES]);
    expect(run.end('s').text?.split('\n').at(-1)).toBe(MORE);
    run.read('r').after(1);
    expect(spacesOf(run)).toHaveLength(MAX_PAGES + 1);
    run.hear(' \x1bH\x1bKlast\r\n\x1bK*').after(5_000);
    expect(run.end('r')).toMatchObject({ reason: 'prompt', text: 'last\n*' });
  });

  test('no space is typed in the middle of a send; the pager is looked at again when it is out', () => {
    const run = new LineRun({ isStuck: true }).opened().send('a', ':x\r').feed({ kind: 'written', bytes: 3 });
    run.send('b', 'typed ahead', {}, 'me').hear(`:x\r\n\x1bK${MORE}`).after(5_000);
    expect(spacesOf(run)).toEqual([]);
    run.feed({ kind: 'written', bytes: 11 });
    expect(spacesOf(run)).toHaveLength(1);
  });

  test('a pager that waited for the rest of a cancelled send is answered when that is out', () => {
    const run = new LineRun({ isStuck: true }).opened().send('a', ':x\r', { quietMs: 9_000 });
    run.feed({ kind: 'written', bytes: 3 }).send('b', 'ahead').feed({ kind: 'cancel', waitId: 'b' });
    run.hear(`:x\r\n\x1bK${MORE}`).after(5_000);
    expect(spacesOf(run)).toEqual([]);
    run.feed({ kind: 'written', bytes: 5 });
    expect(spacesOf(run)).toHaveLength(1);
  });

  test('an answer that is full turns no page', () => {
    const run = new LineRun().opened().send('s', ':x\r', { timeoutMs: 10 }).after(20);
    run
      .hear(`${'x'.repeat(100)}\r\n\x1bK${MORE}`)
      .after(500)
      .read('r', { maxChars: 50 })
      .after(500);
    expect([run.end('r').reason, spacesOf(run)]).toEqual(['limit', []]);
  });
});

describe('readers', () => {
  test('I5 · reading takes nothing: each reader gets all of it', () => {
    const run = new LineRun().opened().hear('abc').read('a').read('b', {}, 'other').after(5_000);
    expect([run.end('a').text, run.end('b').text]).toEqual(['abc', 'abc']);
    run.hear('def').read('c').after(5_000).read('d', {}, 'other').after(5_000);
    expect([run.end('c').text, run.end('d').text]).toEqual(['def', 'def']);
  });

  test('what is unread is as old as it is: a read of it may end at once', () => {
    const run = new LineRun().opened().hear('abc').after(700).read('r');
    expect(run.end('r')).toEqual({ reason: 'quiet', text: 'abc', atMs: 1_700 });
  });

  test('a reader without a place reads from the end', () => {
    const run = new LineRun().opened().hear('old').read('r', {}, 'stranger').hear('new').after(5_000);
    expect(run.end('r').text).toBe('new');
  });
});
