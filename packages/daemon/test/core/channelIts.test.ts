/** The channel in front of ITS: pagers, notices, questions, endings, pacing, as callers meet them. */
import { describe, expect, test } from 'vitest';
import { NO_ECHO_MS, SILENT_MS } from '../../src/core/pacer.ts';
import { bytesOf, charactersOf } from './bytes.ts';
import { MORE, TURNED } from './itsPrinter.ts';
import { EXPECTATION, GREETED, LineRun, replay } from './lineRun.ts';

const MESSAGE = '\x07\x07\x07\x07\x07[Message from FOO at KA  8:37pm]\r\n\x1bKhello\r\n';
const PROMPT = '\x1bK\x1bK*';

/** Logged in, at DDT's prompt, the cursor's row known. */
function atDdt(options: ConstructorParameters<typeof LineRun>[0] = {}): LineRun {
  return new LineRun(options)
    .opened()
    .send('vk', ':vk\r')
    .after(10)
    .hear(`:vk\r\n\x1bH\x1bJ${PROMPT}`)
    .after(990);
}

function spaces(run: LineRun): number {
  return run.written.filter(({ text }) => text === ' ').length;
}

describe('pagers', () => {
  test.each([
    ['I01 · DDT’s', MORE],
    ['I01 · ITS’s own', '**MORE**'],
    ['I02 · without its tail, as after an altmode login', '--More--'],
    ['of :MSGS', '--More-- (Space=yes, CR=no)'],
  ])('%s is answered with one space, and leaves the text but not the scrollback', (_title, pager) => {
    const run = atDdt().send('s', ':x\r').hear(`:x\r\n\x1bKpage 1\r\n\x1bK${pager}`).after(150);
    expect(spaces(run)).toBe(1);
    run.hear(`${TURNED}page 2\r\n${PROMPT}`).after(5_000);
    expect(run.end('s')).toMatchObject({ reason: 'prompt', text: ':x\npage 1\npage 2\n*' });
    const { scrollback } = run.channel.conversation;
    expect(scrollback.text(GREETED, scrollback.end).text).toContain(`\n${pager} \npage 2\n`);
    expect(spaces(run)).toBe(1);
  });

  test('07a · ITS’s **MORE** of :tctyp is turned with one space', () => {
    const run = replay('07a-tctyp', { omit: ({ atMs }) => atMs > 15_400 && atMs < 15_600 });
    const listing = [...run.endings.values()].find(({ text }) => text?.startsWith(':tctyp ?'));
    expect(listing?.settlement).toMatchObject({ reason: 'prompt', pages: 1 });
    expect(listing?.text).toContain('"PADDED MEMOWRECK".\n');
    expect(listing?.text).not.toContain('MORE**');
    expect(spaces(run)).toBe(1);
  });

  test('PEEK’s own is not answered, and the caller is told', () => {
    const run = atDdt()
      .send('s', ':peek\r')
      .hear(':peek\r\n\x1bK\x1bH\x1bJ\x1bKUname\r\n\x1bK  RMS --More--')
      .after(5_000);
    expect([run.end('s').reason, spaces(run)]).toEqual(['pager', 0]);
    expect(run.channel.conversation.activity).toEqual({ kind: 'pager', pager: 'other' });
  });

  test('maxPages: after so many the caller decides, and none is turned with 0', () => {
    for (const maxPages of [0, 1, 2]) {
      const run = atDdt().send('s', ':x\r', { maxPages }).hear(`:x\r\n\x1bK${MORE}`);
      for (let page = 0; page < 4; page += 1)
        run.after(150).hear(spaces(run) > page ? `${TURNED}${`p\r\n\x1bK`.repeat(23)}${MORE}` : '');
      expect([run.after(1_000).end('s').reason, spaces(run)]).toEqual(['more_limit', maxPages]);
    }
  });

  test('in the middle of a folded line the line is one again', () => {
    const run = atDdt()
      .send('s', ':x\r')
      .hear(`:x\r\n\x1bK${'a'.repeat(79)}!\r\n\x1bK${MORE}`)
      .after(150);
    run.hear(`${TURNED}bbb\r\n${PROMPT}`).after(5_000);
    expect(run.end('s').text).toBe(`:x\n${'a'.repeat(79)}bbb\n*`);
  });
});

describe('I07 · a notice in the middle of a reply', () => {
  test.each<[title: string, output: string]>([
    ['between echo and answer', `:time\r\n\x1bK\x1bK${MESSAGE}\x1bKThe time is 1\r\n\x1bK:KILL \r\n\x1bK*`],
    ['in the echo', `:ti\r\n\x1bK${MESSAGE}\x1bKme\r\n\x1bKThe time is 1\r\n\x1bK:KILL \r\n\x1bK*`],
    ['in the answer', `:time\r\n\x1bKThe ti\r\n\x1bK${MESSAGE}\x1bKme is 1\r\n\x1bK:KILL \r\n\x1bK*`],
    ['behind the prompt', `:time\r\n\x1bKThe time is 1\r\n\x1bK:KILL \r\n\x1bK*\r\n\x1bK${MESSAGE}`],
  ])('%s: the text has none of it, the end is the prompt, the notice is kept', (_title, output) => {
    const run = atDdt().send('s', ':time\r').hear(output).after(5_000);
    expect(run.end('s')).toMatchObject({
      reason: 'prompt',
      text: ':time\nThe time is 1\n:KILL \n*',
      atMs: 2_150,
    });
    const { settlement } = run.endings.get('s') ?? {};
    expect(settlement?.isEchoExact).toBe(true);
    const notices = run.channel.conversation.transcript.notices(settlement?.output ?? { start: 0, end: 0 });
    expect(notices.map(({ text }) => text)).toEqual(['[Message from FOO at KA  8:37pm]\nhello']);
  });

  test.each([0, 1, 11, 12, 13, 49])(
    'between a page that was turned and the next one, %d ms apart: that page is no further line of the message',
    (ms) => {
      const run = atDdt().send('s', ':x\r').hear(`:x\r\n\x1bKpage 1\r\n\x1bK${MORE}`).after(102);
      expect(spaces(run)).toBe(1);
      run.hear(`\r\n\x1bK${MESSAGE}`).after(ms);
      run.hear(`\x1bK${TURNED}page 2\r\n\x1bKline 2\r\n${PROMPT}`).after(5_000);
      expect(run.end('s').reason).toBe('prompt');
      expect(run.end('s').text).toMatch(/^:x\npage 1\n[ \n]*page 2\nline 2\n\*$/);
      const { output } = run.endings.get('s')?.settlement ?? {};
      const notices = run.channel.conversation.transcript.notices(output ?? { start: 0, end: 0 });
      expect(notices.map(({ text }) => text)).toEqual(['[Message from FOO at KA  8:37pm]\nhello']);
    },
  );

  test('a pattern is not found in it, and quiet does not wait for it', () => {
    const run = atDdt()
      .send('s', ':x\r', { pattern: 'hello', timeoutMs: 3_000 })
      .hear(':x\r\n\x1bKtext\r\n\x1bK');
    run.after(500).hear(`\x1bK${MESSAGE}`).after(5_000);
    expect(run.end('s')).toMatchObject({ reason: 'quiet', atMs: 2_700 });
  });
});

describe('endings', () => {
  test('T3 · :KILL  EMACS$J and the prompt are the end, a * with text behind it is none', () => {
    const run = atDdt()
      .send('s', ':x\r')
      .hear(':x\r\n\x1bK:KILL  EMACS$J\r\n\x1bK*')
      .after(50)
      .hear('Hello again')
      .after(90);
    expect(run.end('s').reason).toBeUndefined();
    run.hear('\r\n\x1bK:KILL \r\n\x1bK*').after(1_000);
    expect(run.end('s')).toMatchObject({
      reason: 'prompt',
      text: ':x\n:KILL  EMACS$J\n*Hello again\n:KILL \n*',
    });
  });

  test('T10 · after an open nobody knows who is there; then the activity follows', () => {
    const run = new LineRun().opened();
    const kinds = () => run.channel.conversation.activity.kind;
    expect(kinds()).toBe('unknown');
    run.send('a', '\x1a').hear('^Z?? ').after(1_000);
    expect([kinds(), run.end('a').reason]).toEqual(['ddt', 'prompt']);
  });

  test('L18 · nothing is typed by itself, and an old job’s words belong to the open', () => {
    const run = new LineRun().open().feed({ kind: 'connected' });
    run
      .hear('\xff\xfb\x01\n\r\nConnected to the KA-10 simulator MTY device, line 9\r\n\nold text')
      .after(60_000);
    expect([run.written, run.channel.conversation.activity.kind]).toEqual([[], 'unknown']);
    expect(run.end('open').text).toContain('old text');
    expect(run.channel.hasSpoken).toBe(true);
  });

  test('15b · until: prompt goes through silences of seconds, up to MIDAS’s end', () => {
    const slow = atDdt()
      .send('s', ':midas its\r', { until: 'prompt', timeoutMs: 60_000 })
      .hear(':midas its\r\n\x1bKITS\r\n\x1bK');
    slow.after(9_000).hear('Run time = 10.18\r\n\x1bK').after(9_000);
    expect(slow.end('s').reason).toBeUndefined();
    slow.hear(':KILL \r\n\x1bK*').after(1_000);
    expect(slow.end('s')).toMatchObject({ reason: 'prompt', atMs: 2_000 + 18_000 + 150 });
    const real = replay('15b-midas-silent', { expectation: { until: 'prompt', timeoutMs: 60_000 } });
    const midas = [...real.endings.values()].find(({ text }) =>
      text?.startsWith(':midas rms;tmp bin_sysen1'),
    );
    expect([midas?.settlement?.reason, midas?.text?.slice(-8)]).toEqual(['prompt', '\n:KILL\n*']);
  });

  test('until: prompt still ends by its pattern and its timeout', () => {
    const run = atDdt()
      .send('s', ':x\r', { until: 'prompt', pattern: 'NAME =', timeoutMs: 5_000 })
      .hear(':x\r\nNAME = ')
      .after(500);
    expect(run.end('s').reason).toBe('matched');
    run.send('t', ':x\r', { until: 'prompt', timeoutMs: 5_000 }).hear(':x\r\nNAME = ').after(9_000);
    expect(run.end('t').reason).toBe('timeout');
  });

  test('I16 · the line stays, whatever the system says, and going down is kept until it is revived', () => {
    const run = atDdt().hear('\r\n\x1bK\x07KA ITS 1652 GOING DOWN IN 5:00.  20:00:00\r\n\x1bK').after(500);
    const { transcript } = run.channel.conversation;
    expect([run.channel.facts.state, transcript.goingDown]).toEqual([
      'open',
      'KA ITS 1652 GOING DOWN IN 5:00.  20:00:00',
    ]);
    run.hear('\x1bK\x07KA ITS 1652 REVIVED.  20:01:00\r\n\x1bK').after(500);
    expect([run.channel.facts.state, run.channel.conversation.transcript.goingDown]).toEqual([
      'open',
      undefined,
    ]);
  });
});

describe('input', () => {
  /** Echoes what is written as ITS does, folded at column 79, a character every 17 ms. */
  function echoing(run: LineRun, from = run.written.length): string {
    let [index, column, typed] = [from, 1, ''];
    for (; index < run.written.length; index += 1) {
      for (const character of run.written[index]?.text ?? '') {
        typed += character;
        run.after(17);
        if (character === '\r') {
          run.hear('\r\n\x1bK');
          column = 0;
          continue;
        }
        if (column === 79) {
          run.hear('!\r\n\x1bK');
          column = 0;
        }
        run.hear(character);
        column += 1;
      }
    }
    return typed;
  }

  test('I14 · a command of 200 characters: counted right, its echo exact, a pattern found across the break', () => {
    const input = `:print ${'0123456789'.repeat(19)}abc`;
    const run = atDdt().send('s', `${input}\r`, { pattern: '9X9', timeoutMs: 60_000 });
    expect(echoing(run, 1)).toBe(`${input}\r`);
    run.hear(`${'x'.repeat(78)}9!\r\n\x1bKX9\r\n${PROMPT}`).after(1_000);
    const { settlement, text } = run.endings.get('s') ?? {};
    expect(settlement).toMatchObject({
      reason: 'matched',
      isEchoExact: true,
      accepted: 201,
      sent: 201,
      echoed: 201,
    });
    expect(text).toBe(`${input}\n${'x'.repeat(78)}9X9\n*`);
  });

  test('L14 · what is accepted, what is written and what was echoed are three figures, and it can be cancelled', () => {
    const run = atDdt({ isStuck: true });
    run.feed({ kind: 'written', bytes: 4 }).send('s', 'x'.repeat(10_000));
    run.feed({ kind: 'written', bytes: 32 }).after(20).hear('xxxxx').after(5_000);
    expect(charactersOf(Uint8Array.of(...run.written.map(({ text }) => text.length)))).toBe('\x04\x20\x05');
    run.feed({ kind: 'cancel', waitId: 's' }).after(100);
    expect(run.endings.get('s')?.settlement).toMatchObject({
      reason: 'cancelled',
      accepted: 10_000,
      sent: 37,
      echoed: 5,
    });
    expect(run.channel.conversation.typist.pendingBytes).toBe(5);
  });

  test('L15 · a key goes out at once when the paste before it is cancelled, on the wire as one character', () => {
    const run = atDdt().send('paste', 'y'.repeat(20_000)).after(200);
    run.feed({ kind: 'cancel', waitId: 'paste' }).send('g', '\x07', {}, 'other');
    expect(run.written.at(-1)).toEqual({ atMs: run.nowMs, text: '\x07' });
    expect(run.endings.get('paste')?.settlement).toMatchObject({ reason: 'cancelled', sent: 32 });
  });

  test('L15 · something urgent ends the paste before it as interrupted, and goes out in the same moment', () => {
    const run = atDdt().send('paste', 'y'.repeat(20_000)).send('next', 'z', {}, 'other').after(200);
    const request = { waitId: 'g', reader: 'other', bytes: Uint8Array.of(7), isUrgent: true } as const;
    run.feed({ kind: 'send', ...request, expectation: { ...EXPECTATION, timeoutMs: 1_000 } });
    expect(run.written.at(-1)).toEqual({ atMs: run.nowMs, text: '\x07' });
    expect(run.endings.get('paste')?.settlement).toMatchObject({
      reason: 'interrupted',
      accepted: 20_000,
      sent: 32,
    });
    expect(run.endings.get('next')?.settlement).toMatchObject({ reason: 'interrupted', sent: 0 });
    run.after(10).hear('\x07 QUIT? ').after(1_000);
    expect(run.end('g').reason).toBe('prompt');
    expect(run.written.map(({ text }) => text).join('')).toBe(`:vk\r${'y'.repeat(32)}\x07`);
  });

  test('what was queued behind it goes at once, whatever the credit', () => {
    const run = atDdt().send('a', 'a'.repeat(32)).after(50);
    const request = { waitId: 'g', reader: 'other', bytes: Uint8Array.of(0x13), isUrgent: true } as const;
    run.feed({ kind: 'send', ...request, expectation: EXPECTATION });
    expect(run.written.at(-1)?.text).toBe('\x13');
    expect(run.end('a').reason).toBeUndefined(); // all of it was out already
  });

  test('I13 · where nothing echoes, 40 characters a second go out, and a BEL stops them and says where', () => {
    const run = atDdt({}).send('s', 'z'.repeat(200), { timeoutMs: 60_000 });
    run.after(60_000);
    const late = run.written.slice(-3).map(({ atMs }) => atMs);
    expect([(late[1] ?? 0) - (late[0] ?? 0), (late[2] ?? 0) - (late[1] ?? 0)]).toEqual([25, 25]);
    expect(run.channel.conversation.echo).toBe('off');
    // The buffer is full a second after the clock has begun to go beyond what it certainly holds.
    const rung = atDdt()
      .send('s', 'z'.repeat(200), { timeoutMs: 1_000 })
      .after(NO_ECHO_MS + SILENT_MS + 1_000)
      .hear('\x07')
      .after(5_000);
    const { settlement } = rung.endings.get('s') ?? {};
    expect(settlement?.sent).toBeLessThan(100);
    expect(settlement?.overflow).toBe(65);
  });

  test('I3 · a BEL stops it however it comes, with text around it or alone', () => {
    const overflow = (pieces: readonly string[]) => {
      const run = atDdt().send('s', 'z'.repeat(200), { timeoutMs: 1_000 }).after(23_000);
      for (const piece of pieces) run.hear(piece);
      return run.after(5_000).endings.get('s')?.settlement;
    };
    expect(overflow(['ab', '\x07', 'c'])).toEqual(overflow(['ab\x07c']));
    expect(overflow(['ab\x07c'])?.overflow).toBeDefined();
  });
});

describe('L13 · type-ahead that an error throws away', () => {
  /** As on the line: bob is cut off by ^G, and somebody types quickly what DDT refuses, its errors behind later echo. */
  function typedAhead(): LineRun {
    const run = atDdt().send('cut', ':b5 the quick brown fox');
    run
      .hear(':b5 the quick brown fox')
      .after(10)
      .feed({
        kind: 'send',
        waitId: 'quit',
        reader: 'me',
        bytes: Uint8Array.of(0x07),
        isUrgent: true,
        expectation: EXPECTATION,
      });
    run.hear('\x07 QUIT? ').after(5);
    const keys = (id: string, text: string, echo: string) => run.send(id, text).hear(echo).after(5);
    keys('p1', ':p1 abcdefg abcdefg abcdefg\r', ':p1 abcdefg abcdefg abcdefg\r\n\x1bK');
    keys(
      'p2',
      ':p2 abcdefg abcdefg\r',
      ':p2 abcSYS: SYS3; TS P1 - FILE NOT FOUND\r\n\x1bKdefg abcdefg\r\n\x1bK',
    );
    keys('p3', ':p3\r', '?U? :p3\r\n\x1bK');
    keys('p4', ':p4', ':p4SYS: SYS3; TS P3 - FILE NOT FOUND\r\n\x1bK');
    return run;
  }

  test('what is typed next goes as soon as DDT is known to be ready, not after half a minute', () => {
    const run = typedAhead().send('cr', '\r');
    expect(run.after(150).typed.at(-1)?.[1]).toBe('\r');
    expect(run.channel.conversation.activity).toEqual({ kind: 'ddt' });
  });

  test('14c · an error behind the echo of what was typed ahead is an end, as soon as it has stood for a moment', () => {
    const run = atDdt().send('s', ':nosuch\r:').hear(':nosuch\r\n\x1bK').after(20);
    run.hear(':SYS: SYS3; TS NOSUCH - FILE NOT FOUND\r\n\x1bK').after(150);
    expect(run.end('s')).toMatchObject({ reason: 'prompt', atMs: 2_170 });
    expect(run.channel.conversation.activity).toEqual({ kind: 'ddt' });
  });

  test('the same words of a program that prints, with nothing typed ahead, are no end', () => {
    const run = atDdt().send('s', ':print x\r').hear(':print x\r\n\x1bK').after(20);
    run.hear(':SYS: SYS3; TS NOSUCH - FILE NOT FOUND\r\n\x1bK').after(150);
    expect(run.endings.has('s')).toBe(false);
    expect(run.channel.conversation.activity).toEqual({ kind: 'program', name: 'print' });
  });
});

describe('I17 · the guard', () => {
  test('judges input together with what the pacer still holds; of a secret there it knows the length', () => {
    const run = atDdt().send('held', `${'x'.repeat(80)}\r:lo`);
    expect(run.typed.at(-1)?.[1].length).toBeLessThan(80);
    const { typist } = run.channel.conversation;
    expect(typist.dangerOf(bytesOf('ck\r'))).toMatchObject({ line: ':lock', typedChars: 3 });
    expect(typist.dangerOf(bytesOf('ve\r'))).toBeUndefined();
    const secret = atDdt().send('held', 'x'.repeat(80));
    const bytes = bytesOf('\r:lo');
    const request = { waitId: 'secret', reader: 'me', bytes, expectation: EXPECTATION, isMasked: true };
    secret.feed({ kind: 'send', ...request });
    expect(secret.channel.conversation.typist.dangerOf(bytesOf('ck\r'))).toBeUndefined();
  });
});

describe('L06 · a line that says nothing', () => {
  const NOP = '\xff\xf1';

  test('is asked with an IAC NOP now and then, as long as it is silent', () => {
    const run = new LineRun({ channel: { nopAfterMs: 20_000 } }).opened().after(60_000);
    expect(run.written).toEqual([20_000, 40_000, 60_000].map((atMs) => ({ atMs, text: NOP })));
    run.hear('x').after(19_000);
    expect(run.written).toHaveLength(3);
    expect(run.channel.conversation.typist.bytesOut).toBe(0);
  });

  test('not on a raw line, where it would be typed, and not without being told to', () => {
    const raw = new LineRun({ channel: { nopAfterMs: 20_000, telnet: 'off' } });
    raw.open().feed({ kind: 'connected' }).after(90_000);
    expect([raw.written, new LineRun().opened().after(90_000).written]).toEqual([[], []]);
  });

  test('13c · not while something typed is unanswered: a deaf line would take it for a rubout and a q', () => {
    const run = new LineRun({ channel: { nopAfterMs: 20_000 } }).opened().send('s', ':vk\r').after(60_000);
    expect(run.written.map(({ text }) => text)).toEqual([':vk\r']);
    run.hear(':vk\r\n\x1bK\x1bK*').after(20_000);
    expect(run.written.at(-1)?.text).toBe(NOP);
  });

  test('13c · unstick: IAC NOP on a line that answers, its second half to one that went deaf', () => {
    const run = atDdt().feed({ kind: 'unstick' });
    expect(run.written.at(-1)?.text).toBe(NOP);
    run.send('s', ':vk\r').after(1_000).feed({ kind: 'unstick' });
    expect(run.written.at(-1)?.text).toBe('\xf1');
    const closed = new LineRun().feed({ kind: 'unstick' });
    expect(closed.written).toEqual([]);
  });
});
