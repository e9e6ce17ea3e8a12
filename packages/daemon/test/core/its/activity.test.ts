import { describe, expect, test } from 'vitest';
import { type Activity, ActivityTracker } from '../../../src/core/its/activity.ts';
import type { Ending } from '../../../src/core/its/ending.ts';
import { bytesOf, charactersOf, thawed } from '../bytes.ts';
import { LineRun } from '../lineRun.ts';
import { loadRecording } from '../recordings.ts';

const PROMPT: Ending = { kind: 'prompt' };
const PAGER: Ending = { kind: 'pager', pager: 'ddt' };

/** What the tracker says after these steps: text typed, how the output ended, `painting` and `output` for one that did not. */
function after(steps: readonly (string | Ending)[]): string {
  let tracker = new ActivityTracker();
  tracker.opened();
  for (const step of steps) {
    if (step === 'painting' || step === 'output') tracker.paused(undefined, step === 'painting');
    else if (typeof step === 'string') tracker.typed(bytesOf(step));
    else tracker.paused(step, false);
    tracker = new ActivityTracker(thawed(tracker.snapshot()));
  }
  return short(tracker.activity);
}

function short(activity: Activity): string {
  const name = 'name' in activity ? ` ${activity.name}` : 'pager' in activity ? ` ${activity.pager}` : '';
  return `${activity.kind}${name}`;
}

describe('what evidence makes of it', () => {
  test.each<[title: string, steps: readonly (string | Ending)[], activity: string]>([
    ['a line that has just opened', [], 'unknown'],
    ['a banner, a login, a prompt, an error', [{ kind: 'ready' }], 'ddt'],
    ['a colon command is a program until DDT is back', [PROMPT, ':emacs rms;foo\r'], 'program emacs'],
    ['… and DDT again when it is', [PROMPT, ':time\r', PROMPT], 'ddt'],
    ['typed in pieces, and rubbed out', [PROMPT, ':tx', '\x7fim', 'e', '\r'], 'program time'],
    ['a program that paints', [PROMPT, ':emacs\r', 'painting'], 'screen_program emacs'],
    [
      '… goes on painting, whatever is typed',
      [PROMPT, ':emacs\r', 'painting', 'a:time\r', 'output'],
      'screen_program emacs',
    ],
    ['… and is left by ^Z', [PROMPT, ':emacs\r', 'painting', '\x1a'], 'unknown'],
    ['name ^K starts one', [PROMPT, 'teco\x0b'], 'program teco'],
    ['an altmode command may start one', [PROMPT, 'foo\x1bj'], 'unknown'],
    ['a line feed deposits', [PROMPT, '100/\n'], 'unknown'],
    ['a line without a command changes nothing', [PROMPT, '\r'], 'ddt'],
    ['a logout', [PROMPT, ':logout\r', { kind: 'free' }], 'free'],
    ['typing to a free line changes nothing', [{ kind: 'free' }, ':time\r'], 'free'],
    ['… but ^Z calls DDT', [{ kind: 'free' }, '\x1a'], 'unknown'],
    ['something comes on a free line', [{ kind: 'free' }, 'output'], 'unknown'],
    ['a pager of a program', [PROMPT, ':print x\r', PAGER], 'pager ddt'],
    ['… and its program again when a key is pressed', [PROMPT, ':print x\r', PAGER, ' '], 'program print'],
    ['a pager of nobody known', [PAGER, ' '], 'unknown'],
    [
      'a question',
      [PROMPT, ':login x\r', { kind: 'question', text: 'q', yes: 'Space', no: 'Rubout' }],
      'question',
    ],
    ['painting where nobody is known', ['painting'], 'screen_program'],
  ])('%s', (_title, steps, activity) => {
    expect(after(steps)).toBe(activity);
  });

  test('the line is gone', () => {
    const tracker = new ActivityTracker();
    tracker.paused(PROMPT, false);
    tracker.closed();
    expect(tracker.activity).toEqual({ kind: 'unknown', why: 'the line is not open' });
  });
});

/** What stood there before each input of a recording, and at its end. */
function walk(name: string): string[] {
  const run = new LineRun();
  run.channel.conversation.readers.claim('me', 0);
  run.open().feed({ kind: 'connected' });
  const steps: string[] = [];
  let sends = 0;
  for (const { atMs, dir, bytes } of loadRecording(name)) {
    run.to(atMs);
    if (dir === 'in') run.hear(bytes);
    else {
      const { activity } = run.channel.conversation;
      steps.push(`${JSON.stringify(charactersOf(bytes)).slice(1, -1).slice(0, 40)} <- ${short(activity)}`);
      if (dir === 'out') run.send(`s${sends}`, charactersOf(bytes), { autoMore: false, quietMs: 60_000 });
      sends += 1;
    }
  }
  return steps;
}

const LOGIN = ['\\u001a <- unknown', ':login rms\\r <- ddt'];

/** The recordings that the issue names: the right kind in front of each input, `unknown` where nobody can know. */
describe('walks through recordings', () => {
  test.each<[name: string, steps: readonly string[]]>([
    [
      '04a-login-listf',
      [
        ...LOGIN,
        ':listf\\r <- ddt',
        ':listf sys\\r <- ddt',
        '  <- pager ddt',
        ':time\\r <- ddt',
        ':nosuchthing\\r <- ddt',
        ':logout\\r <- ddt',
        ' <- free',
      ],
    ],
    [
      '05a-ddt-altmode',
      [
        ...LOGIN,
        ...[
          'foo\\u001bj',
          '\\r',
          '100/',
          '123',
          '\\n',
          '\\n',
          '^',
          '\\r',
          '1+2=',
          '\\r',
          'abcdef',
          '\x7f',
          '\x7f\x7f',
          '\\u0004',
          'abc',
          '\\u0007',
          '\\u0003',
          '\\u001b\\u001bv',
          '\\u001bv',
          '?',
          ':?\\r',
        ].map((keys) => `${keys} <- ddt`),
        ...Array.from({ length: 6 }, () => '  <- pager ddt'),
        'foo\\u001b\\u0018. <- ddt',
        ':logout\\r <- ddt',
        ' <- ddt',
      ],
    ],
    [
      '07a-tctyp',
      [
        ...LOGIN,
        ':tctyp\\r <- ddt',
        '\\r <- ddt',
        ':vk\\r <- ddt',
        ':tctyp ?\\r <- ddt',
        ':vk\\r <- pager system',
        ':tctyp vt52\\r <- ddt',
        ':logout\\r <- ddt',
        ' <- free',
      ],
    ],
    [
      '07b-emacs',
      [
        ...LOGIN,
        ':emacs\\r <- ddt',
        ...[
          'Hello world',
          '\\r',
          'second line',
          '\\u0001',
          '\\u0010',
          '\\u0005',
          '\\f',
          '\\u0018\\u0006info;emacs >\\r',
          '\\u0016',
          '\\u0016',
          '\\u001b<',
          '\\u001b>',
          '\\u0018\\u0003',
        ].map((keys) => `${keys} <- screen_program emacs`),
        ':kill\\r <- ddt',
        ':logout\\r <- ddt',
        ' <- free',
      ],
    ],
    [
      '07c-peek',
      [...LOGIN, ':peek\\r <- ddt', ':logout\\r <- screen_program peek', ' <- screen_program peek'],
    ],
    [
      '08a-logout-idle',
      [...LOGIN, ':logout\\r <- ddt', ':time\\r <- free', '\\u001a <- free', ':logout\\r <- ddt', ' <- free'],
    ],
    [
      '08d-detach',
      [
        ...LOGIN,
        ':detach\\r <- ddt',
        '\\u001a <- free',
        ':login rms\\r <- ddt',
        '  <- question',
        ':vk\\r <- ddt',
        '\\u001b\\u001bv <- ddt',
        ':logout\\r <- ddt',
        ' <- free',
      ],
    ],
    [
      '15b-midas-silent',
      [
        ...LOGIN,
        ':tctyp la36\\r <- ddt',
        ':midas rms;tmp bin_sysen1;ddt\\r <- ddt',
        ':midas rms;tmp bin_system;its\\r <- ddt',
        'KA\\r <- program midas',
        ':delete rms;tmp bin\\r <- ddt',
        ':delete rms;tmp bin\\r <- ddt',
        ':tctyp vt52\\r <- ddt',
        ':logout\\r <- ddt',
        ' <- free',
      ],
    ],
    [
      '15c-send-received',
      [
        ...LOGIN,
        ':list <- ddt',
        'f\\r <- ddt',
        ':emacs\\r <- ddt',
        'abc <- screen_program emacs',
        '\\u0018\\u0003 <- screen_program emacs',
        ':kill\\r <- ddt',
        ':logout\\r <- ddt',
        ' <- free',
      ],
    ],
  ])('%s', (name, steps) => {
    expect(walk(name)).toEqual(steps);
  });

  test('16 · what a program makes of its input is its own', () => {
    const steps = walk('16-midas-hello');
    const inside = steps.slice(
      steps.indexOf(':create rms;hello >\\r <- ddt') + 1,
      steps.indexOf(':midas rms;hello\\r <- ddt'),
    );
    expect(inside).toHaveLength(16); // fourteen lines, an empty one, ^C
    for (const step of inside) expect(step).toMatch(/<- program create$/);
    expect(steps.slice(-5)).toEqual([
      ':hello\\r <- ddt',
      ':listf rms\\r <- ddt',
      ':vk\\r <- ddt',
      ':logout\\r <- ddt',
      ' <- free',
    ]);
  });
});

/** A line on which DDT has prompted. */
function atDdt(): LineRun {
  return new LineRun().opened().send('vk', ':vk\r').after(10).hear(':vk\r\n\x1bK\x1bK*').after(1_000);
}

test('T8 · a * that was typed is no prompt: in an editor, in a text, at the start of a line', () => {
  const run = atDdt().send('a', ':create x\r').hear(':create x\r\n\x1bKType ^C to end input\r\n\x1bK');
  run.after(3_000).send('b', 'first\r').hear('first\r\n\x1bK').after(3_000);
  run.send('c', '* item').after(10).hear('*').after(500);
  expect(short(run.channel.conversation.activity)).toBe('program create');
  expect(run.end('c').reason).toBeUndefined();
  run.hear(' item').after(3_000);
  expect(short(run.channel.conversation.activity)).toBe('program create');
});

test('T8 · a * that EMACS paints in its mode line, or at the top of its screen, is no prompt', () => {
  for (const painted of [
    '\x1bA\x1bA\x1bA\x1bK*',
    '\n\n\n\n\n\n\x1bH\x1bK*',
    '\r\n\n\n\n\x1bKEMACS  (Fundamental)  Main:   *',
  ]) {
    const run = atDdt()
      .send('a', ':emacs\r')
      .hear(':emacs\r\n\x1bK\n\n\n\n\x1bH\x1bJ\x1bKEMACS Editor')
      .after(3_000);
    run.send('b', '\x0c', { quietMs: 500 }).hear(painted).after(3_000);
    expect([run.end('b').reason, short(run.channel.conversation.activity)]).toEqual([
      'quiet',
      'screen_program emacs',
    ]);
  }
});

describe('what DDT says on the line of the echo, or with nothing but a line end', () => {
  const CREATE = ':create x\r\n\x1bKType ^C to end input\r\n\x1bK';
  test.each<[title: string, input: string, output: string, reason: string, activity: string]>([
    ['a plain CR', '\r', '\r\n\x1bK', 'prompt', 'ddt'],
    ['a plain CR at the bottom of the screen', '\r', '\x1bH\x1bK', 'prompt', 'ddt'],
    ['two of them', '\r\r', '\r\n\x1bK\r\n\x1bK', 'prompt', 'ddt'],
    ['^C', '\x03', '^C\r\n\x1bK', 'prompt', 'ddt'],
    ['a value in halves', '?', '?0,,3   ', 'prompt', 'ddt'],
    ['an open location and its CR', '100/\r', '100/   0   \r\n\x1bK', 'prompt', 'ddt'],
    ['an error and its CR', 'x/\r', 'x/    JOB? \r\n\x1bK', 'prompt', 'ddt'],
    ['an error behind its CR', 'rms\r', 'rms\r\n\x1bK?U? ', 'prompt', 'ddt'],
    ['half of what was typed', '\r\r', '\r\n\x1bK', 'quiet', 'ddt'],
    ['a line of text is no plain CR', 'abc\r', 'abc\r\n\x1bK', 'quiet', 'ddt'],
    ['a command that says nothing yet', ':sleep 300\r', ':sleep 300\r\n\x1bK', 'quiet', 'program sleep'],
    ['a program that asks', ':ask\r', ':ask\r\n\x1bKWhat JOB? \r\n\x1bK', 'quiet', 'program ask'],
    [
      'words like DDT’s where it stopped',
      ':ask\r',
      ':ask\r\n\x1bK421574)   .IOT 1,2   ',
      'quiet',
      'program ask',
    ],
  ])('%s', (_title, input, output, reason, activity) => {
    const run = atDdt().send('a', input).after(10).hear(output).after(5_000);
    expect([run.end('a').reason, short(run.channel.conversation.activity)]).toEqual([reason, activity]);
    // 100 ms until it is looked at, and 150 until it is sure that nothing follows; quiet takes 700.
    expect(run.nowMs - (run.end('a').atMs ?? 0)).toBe(reason === 'prompt' ? 4_850 : 4_300);
  });

  test.each<[title: string, input: string, output: string]>([
    ['a CR', '\r', '\r\n\x1bK'],
    ['^C and more', '\x03', '^C\r\n\x1bK'],
  ])('a program has the line: %s tells nothing', (_title, input, output) => {
    const run = atDdt().send('a', ':create x\r').after(10).hear(CREATE).after(3_000);
    run.send('b', input).after(10).hear(output).after(3_000);
    expect([run.end('b').reason, short(run.channel.conversation.activity)]).toEqual([
      'quiet',
      'program create',
    ]);
  });

  test('on a line that has just opened a CR tells nothing', () => {
    const run = new LineRun().opened().send('a', '\r').after(10).hear('\r\n\x1bK').after(3_000);
    expect([run.end('a').reason, run.channel.conversation.activity.kind]).toEqual(['quiet', 'unknown']);
  });

  test.each<[title: string, input: string, output: string]>([
    ['^Z out of TECO', '\x1a', '\n\n\n\t\x1bC\x1bC^Z\r\n\x1bK4463)   .IOT 1,15   '],
    ['^Z and CR out of TECO', '\x1a\r', '\n\n\n\t\x1bC\x1bC^Z\r\n\x1bK4463)   .IOT 1,15   \r\n\x1bK'],
  ])('%s: DDT has the line, whatever was painted on the way', (_title, input, output) => {
    const run = atDdt()
      .send('a', ':teco\r')
      .after(10)
      .hear(':teco\r\n\x1bK\x1bC\n\n\n\x1bH\x1bJTECO.1213')
      .after(3_000);
    expect(short(run.channel.conversation.activity)).toBe('screen_program teco');
    run.send('b', input).after(10).hear(output).after(3_000);
    expect([run.end('b').reason, short(run.channel.conversation.activity)]).toEqual(['prompt', 'ddt']);
  });

  test('a screen painted behind ^Z names nobody', () => {
    const run = atDdt()
      .send('a', ':teco\r')
      .after(10)
      .hear(':teco\r\n\x1bK\x1bC\n\n\x1bH\x1bJTECO')
      .after(3_000);
    run.send('b', '\x1a').after(10).hear('\n\n\n\x1bC\x1bC^Z').after(3_000);
    expect(run.channel.conversation.activity.kind).toBe('unknown');
  });

  test('^Z to a DDT that is there, with its CR', () => {
    const run = new LineRun().opened().send('a', '\x1a\r').after(10).hear('^Z?? \r\n\x1bK').after(3_000);
    expect([run.end('a').reason, short(run.channel.conversation.activity)]).toEqual(['prompt', 'ddt']);
  });
});

test('after the line died its last words say nothing of it', () => {
  const run = new LineRun().opened().send('a', ':vk\r').hear(':vk\r\n\x1bK\x1bK*');
  run.feed({ kind: 'failed', failure: 'reset', detail: 'ECONNRESET' }).after(1_000);
  expect(run.channel.conversation.activity).toEqual({ kind: 'unknown', why: 'the line is not open' });
  expect(run.channel.deadlineMs()).toBeUndefined();
});
