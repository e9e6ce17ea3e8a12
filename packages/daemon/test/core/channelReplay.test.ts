/** The channel on a real line, as it was recorded: what each send ended with. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cut } from './bytes.ts';
import { type LineRun, replay } from './lineRun.ts';
import type { RecordedEvent } from './recordings.ts';

const PROMPT = '--More-- (Space=yes, Rubout=no)';

function isSpace({ bytes }: RecordedEvent): boolean {
  return bytes.length === 1 && bytes[0] === 0x20;
}

function reasons(run: LineRun): string[] {
  return [...run.endings.keys()].map((id) => `${id} ${run.end(id).reason}`);
}

test('04a · pages are collected, and nothing but the prompts and their answers is missing', () => {
  const run = replay('04a-login-listf', { omit: isSpace });
  expect(reasons(run)).toEqual([
    'open prompt',
    's0 prompt', // the banner
    's1 prompt', // :login
    's2 prompt', // :listf
    's3 prompt', // :listf sys
    's4 prompt', // :time
    's5 prompt', // :nosuchthing
    's6 prompt', // :logout
  ]);
  const [listing, all] = [run.endings.get('s3')?.settlement, run.end('s3').text ?? ''];
  expect(listing?.pages).toBe(1);
  // The scrollback keeps what the answer leaves out: one prompt, the echo of one space, one line end.
  const { scrollback } = run.channel.conversation;
  const whole = scrollback.text(listing?.output.start ?? 0, listing?.output.end ?? 0).text;
  expect(whole.split(`${PROMPT} \n`)).toHaveLength(2);
  expect(all).toBe(whole.replace(`${PROMPT} \n`, ''));
  expect(all).toContain('L   TS     FIND   SYSBIN FIND BIN\n  3   TS     GAS    4 !');
  expect(all.split('\n').filter((line) => line.includes(' TS '))).toHaveLength(30);
  expect(all.startsWith(':listf sys\nKA   SYS   \n') && all.endsWith('\n*')).toBe(true);
});

test('04a · one space is typed for the one prompt, 100 ms after it, and nothing else by itself', () => {
  const run = replay('04a-login-listf', { omit: isSpace });
  const typed = run.written.map(({ text }) => text);
  expect(typed.filter((text) => text === ' ')).toEqual([' ']);
  expect(typed.filter((text) => text !== ' ')).toEqual([
    '\x1a',
    ':login rms\r',
    ':listf\r',
    ':listf sys\r',
    ':time\r',
    ':nosuchthing\r',
    ':logout\r',
  ]);
  expect(run.orders).toEqual(['connect pidp10:10018', 'disconnect']);
});

test('05a · six pages of DDT help come as one answer', () => {
  const run = replay('05a-ddt-altmode', { omit: isSpace, expectation: { timeoutMs: 60_000 } });
  const id = [...run.endings.keys()].find((key) => run.end(key).text?.includes('CMNDS')) ?? '';
  const { settlement } = run.endings.get(id) ?? {};
  expect([run.end(id).reason, settlement?.pages]).toEqual(['prompt', 6]);
  expect(run.end(id).text).not.toContain('More');
  expect(run.end(id).text).toContain(
    ':DATWRD <date>\tvalue is the disk-date format date word for <date>\n:DDTMODE\t',
  );
  expect(run.written.filter(({ text }) => text === ' ')).toHaveLength(6);
});

describe('04b · a pager whose caller answers himself', () => {
  test.each<[name: string, answer: string, reason: string, text: string]>([
    ['04b-more-rubout', '\x7f', 'prompt', 'Flushed\n*'],
    ['04b-more-cr', '\r', 'prompt', '\nFlushed\n*'],
    ['04b-more-x', 'x', 'prompt', 'xFlushed\n*'],
    ['04b-more-ctrls', '\x13', 'prompt', '^SFlushed\n*'],
    ['04b-more-ctrlg', '\x07', 'prompt', ' QUIT? '],
    ['04b-more-lf', '\n', 'prompt', 'Flushed\n*\n1/    JOB? '],
    ['04b-more-cmd', ':time\r', 'prompt', ':tFlushed\n*ime\nThe time is 19:52:49 EST.\n'],
  ])('%s', (name, answer, reason, text) => {
    const run = replay(name, { expectation: { autoMore: false } });
    expect([run.end('s2').reason, run.end('s2').text?.endsWith(PROMPT)]).toEqual(['pager', true]);
    expect(run.written[3]?.text).toBe(answer);
    expect([run.end('s3').reason, run.end('s3').text?.slice(0, text.length)]).toEqual([reason, text]);
    expect(run.written.map(({ text: typed }) => typed)).not.toContain(' ');
  });

  test.each(['04b-more-rubout', '04b-more-x', '04b-more-lf'])('%s: what he types is not added to', (name) => {
    // The channel is told to answer pagers, but too late: the prompt is older than what is typed at it.
    const run = replay(name, { expectation: { autoMore: true, timeoutMs: 50 } });
    expect(run.written.map(({ text }) => text)).not.toContain(' ');
  });
});

test.each<[name: string, ids: readonly string[], what: string]>([
  ['05a-ddt-altmode', ['s3', 's9', 's11', 's18', 's21'], 'a plain CR, ^C, the two halves behind ?'],
  ['07a-tctyp', ['s3'], 'a plain CR behind a program'],
  ['07g-mail', ['s5'], '^C behind an error'],
  ['13a-bytes', ['s45'], 'a program that is not there, called by ^H'],
])('T11 · %s %j · %s: DDT is ready, and that is the end', (name, ids) => {
  const run = replay(name, { omit: isSpace });
  expect(ids.map((id) => run.end(id).reason)).toEqual(ids.map(() => 'prompt'));
});

test('08a · T11 · a logout ends at once, text on the free line is not heard at all', () => {
  const run = replay('08a-logout-idle', { expectation: { timeoutMs: 2_000 } });
  expect(reasons(run)).toEqual([
    'open prompt',
    's0 prompt',
    's1 prompt',
    's2 prompt',
    's3 timeout',
    's4 prompt',
    's5 prompt',
  ]);
  expect(run.end('s2').text).toBe(':logout\n\nKA ITS 1652  Console 52 Free. 20:15:03\n');
  expect(run.endings.get('s3')?.settlement).toMatchObject({ isEchoExact: false, sent: 6 });
});

test('09b · L02 · a busy line is refused by name and never open', () => {
  const run = replay('09b-second');
  expect(run.endings.get('open')?.error).toEqual({
    name: 'line_busy',
    detail: 'The far end said "Line connection busy".',
  });
  expect(run.orders).toEqual(['connect pidp10:10018', 'disconnect']);
});

test('10b · L18 · the rest of somebody else’s command belongs to the open, and nothing is typed at its pager', () => {
  const run = replay('10b-after-rst');
  expect(run.end('open').reason).toBe('prompt');
  expect(run.end('open').text?.startsWith('\n\nConnected to the KA-10')).toBe(true);
  const first = run.endings.get('s0');
  expect(`${run.end('open').text}${first?.before}`).toContain('KA   SYS');
});

test('11 · L17 · a quitting simulator’s text is kept, and the line dies of it', () => {
  const run = replay('11-emulator-sigterm');
  expect(run.channel.facts).toMatchObject({ state: 'dead', reason: 'closed_by_simulator' });
  const { scrollback } = run.channel.conversation;
  expect(
    scrollback.text(0, scrollback.end).text.endsWith('\nDisconnected from the KA-10 simulator\n\n'),
  ).toBe(true);
});

test('14h · an echo of 300 characters, folded three times, is exact', () => {
  const run = replay('14h-ddt-long-line');
  const { settlement } = run.endings.get('s2') ?? {};
  expect(settlement).toMatchObject({ isEchoExact: true, accepted: 307, sent: 307 });
  expect(settlement?.echoEnd).toBe(settlement?.output.end);
});

test.each([
  ['14f-emacs-paste-2048', 's3', 2_048],
  ['14h-ddt-long-line', 's2', 307],
  ['16-midas-hello', 's9', 36],
  ['15c-send-received', 's2', 5],
])(
  '%s · every character of the input is seen echoed, in EMACS, folded, with a message between',
  (name, id, chars) => {
    const run = replay(name, { expectation: { timeoutMs: 40_000 } });
    expect(run.endings.get(id)?.settlement).toMatchObject({ accepted: chars, sent: chars, echoed: chars });
    const typed = [...run.endings].filter(([key]) => key !== 'open').map(([, { settlement }]) => settlement);
    // Single keys may show nothing; what prints is all there.
    for (const { accepted, echoed } of typed
      .filter((one) => (one?.accepted ?? 0) > 2)
      .map((one) => one ?? { accepted: 0, echoed: 0 }))
      expect(echoed).toBe(accepted);
  },
);

/** All that a run showed to its callers. */
function seen(run: LineRun): unknown {
  return [[...run.endings], run.orders, run.typed];
}

test.each([
  '03-ctrl-z-banner',
  '04a-login-listf',
  '04b-more-x',
  '05a-ddt-altmode',
  '08d-detach',
  '11-emulator-sigterm',
  '15c-send-received',
  '07b-emacs',
  '07c-peek',
  '16-midas-hello',
])(
  'I3 · I4 · %s ends the same byte by byte, under any split, and frozen and thawed at every step',
  (name) => {
    const options = { omit: isSpace, expectation: { pattern: String.raw`^\*$|Free\.` } } as const;
    const whole = seen(replay(name, options));
    expect(seen(replay(name, { ...options, isThawed: true }))).toEqual(whole);
    expect(
      seen(replay(name, { ...options, split: (bytes) => Array.from(bytes, (byte) => Uint8Array.of(byte)) })),
    ).toEqual(whole);
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 600 }), { maxLength: 8 }), (at) => {
        expect(seen(replay(name, { ...options, split: (bytes) => cut(bytes, at) }))).toEqual(whole);
      }),
      { numRuns: 5 },
    );
  },
);
