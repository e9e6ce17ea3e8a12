import type { LineState, Outcome } from '@pidp10/protocol/schemas';
import { describe, expect, test } from 'vitest';
import { describeLine, describeRows, renderDryRun, renderOutcome } from '../../src/ctl/render.ts';
import { renderStatus, toDuration } from '../../src/ctl/status.ts';

const OPEN: LineState = { state: 'open', host: 'pidp10.local', port: 10_018, codec: 'telnet' };

function toSlice(text: string, truncated = false) {
  return { start: 0, end: text.length, text, truncated, lines: text.split('\n').length - 1 };
}

function toOutcome(fields: Partial<Outcome>): Outcome {
  return {
    reason: 'quiet',
    output: toSlice('hello\n'),
    lineState: OPEN,
    activity: { kind: 'unknown' },
    echo: 'unknown',
    epoch: 'e1',
    ...fields,
  };
}

describe('renderOutcome', () => {
  test('gives the output as it is, and the reason alone when nothing is out of the ordinary', () => {
    const outcome = toOutcome({ accepted: 4, sent: 4, pages: 0, bells: 0, remaining: 0 });
    expect(renderOutcome(outcome)).toEqual({
      wire: outcome,
      output: 'hello\n',
      notes: ['quiet'],
      exitCode: 0,
    });
  });

  test.each<[string, Partial<Outcome>, readonly string[]]>([
    ['pages', { reason: 'prompt', pages: 1 }, ['prompt (1 page turned)']],
    [
      'bells and what is left',
      { pages: 3, bells: 1, remaining: 20 },
      ['quiet (3 pages turned, 1 bell, 20 bytes of output not given yet)'],
    ],
    [
      'the hint instead of what it says',
      { reason: 'limit', remaining: 20, hint: 'read on' },
      ['limit', 'read on'],
    ],
    [
      'I12: input that did not go out',
      { reason: 'timeout', accepted: 10, sent: 3 },
      ['timeout (sent 3 of 10 bytes)'],
    ],
    [
      'a line that died',
      { reason: 'dead', lineState: { ...OPEN, state: 'dead', reason: 'reset', detail: 'read ECONNRESET' } },
      ['dead', 'the line is dead, it was open to pidp10.local:10018 (reset): read ECONNRESET'],
    ],
    ['T6: folded lines', { folds: 9 }, ['quiet (9 folded lines joined)']],
    [
      'T10: who has the line now',
      { activity: { kind: 'program', name: 'midas' } },
      ['quiet (midas has the line)'],
    ],
    [
      'L14: what went out, and what is known to have arrived',
      { reason: 'timeout', accepted: 100, sent: 60, echoed: 40 },
      ['timeout (sent 60 of 100 bytes, echo of 40 came)'],
    ],
    ['nothing of echo while all is well', { accepted: 5, sent: 5, echoed: 3 }, ['quiet']],
    [
      'L13: input that was lost, and where to go on',
      { accepted: 100, sent: 66, echoed: 65, overflow: { offset: 65 } },
      [
        'quiet (sent 66 of 100 bytes, echo of 65 came)',
        'input was lost: ITS was not reading and its buffer was full; go on from byte 65 of the input (from 0)',
      ],
    ],
    [
      'I07: notices, apart from the output',
      {
        notices: [
          { offset: 7, text: '[Message from FOO at KA  8:37pm]\nhello\n' },
          { offset: 90, text: 'KA ITS 1652 REVIVED.' },
        ],
      },
      ['quiet', 'notice: [Message from FOO at KA  8:37pm]\n  hello', 'notice: KA ITS 1652 REVIVED.'],
    ],
    [
      'I16: that ITS is going down',
      { goingDown: 'KA ITS 1652 GOING DOWN IN 5:00.' },
      ['quiet', 'ITS is going down: "KA ITS 1652 GOING DOWN IN 5:00."'],
    ],
    [
      'T7: which rows of a screen these are',
      { screen: { rows: [0, 1, 2, 22], cursor: { row: 1, column: 5 } } },
      ['quiet', 'the screen changed in rows 0-2, 22; cursor in row 1, column 5 (from 0)'],
    ],
    [
      'T12: where the whole text is',
      { file: '/state/files/sys' },
      ['quiet', 'the whole text is in /state/files/sys; this is its beginning'],
    ],
    [
      'T4: what stands there and which keys answer it, if the daemon has no better words',
      { reason: 'question', activity: { kind: 'question', text: '--Kill--', yes: 'Space', no: 'Rubout' } },
      ['question', 'a question waits: "--Kill--", Space is yes, Rubout is no'],
    ],
    [
      'its words where it has them',
      { reason: 'pager', activity: { kind: 'pager', pager: 'ddt' }, hint: 'press space' },
      ['pager', 'press space'],
    ],
    [
      'lost output',
      { output: toSlice('x', true) },
      ['quiet', 'older output that was not read yet is no longer held'],
    ],
  ])('says: %s', (_what, fields, notes) => {
    expect(renderOutcome(toOutcome(fields)).notes).toEqual(notes);
  });

  test('T1: unread older output stays apart from the answer', () => {
    const { output, earlier } = renderOutcome(toOutcome({ before: toSlice('old*') }));
    expect([output, earlier]).toEqual(['hello\n', 'old*']);
    expect(renderOutcome(toOutcome({ before: toSlice('') }))).not.toHaveProperty('earlier');
  });
});

describe('several commands', () => {
  const commands: NonNullable<Outcome['commands']> = [
    { input: '":time" CR', reason: 'prompt', output: toSlice('The time is\n*') },
    { input: '":nosuch" CR', reason: 'quiet', output: toSlice('NOT FOUND\n') },
  ];

  test('each one is labelled, with how it ended', () => {
    expect(renderOutcome(toOutcome({ commands })).sections).toEqual([
      { label: 'command 1, ":time" CR: prompt', output: 'The time is\n*' },
      { label: 'command 2, ":nosuch" CR: quiet', output: 'NOT FOUND\n' },
    ]);
  });

  test('one alone has no parts', () => {
    expect(renderOutcome(toOutcome({}))).not.toHaveProperty('sections');
  });
});

test.each<[number[], string]>([
  [[], 'no row'],
  [[3], 'row 3'],
  [[0, 1], 'rows 0-1'],
  [[0, 2, 3, 4, 23], 'rows 0, 2-4, 23'],
])('rows %j are %s', (rows, text) => {
  expect(describeRows(rows)).toBe(text);
});

describe('renderDryRun', () => {
  test('names the bytes and passes warnings on', () => {
    const result = { dryRun: { hex: '1a3a6c0d', bytes: 4, warnings: ['careful'] } };
    expect(renderDryRun(result)).toEqual({
      wire: result,
      output: '^Z ":l" CR\n',
      notes: ['dry run: 4 bytes not sent', 'careful'],
      exitCode: 0,
    });
  });
});

describe('describeLine', () => {
  test.each<[LineState, string]>([
    [OPEN, 'the line is open to pidp10.local:10018 (telnet)'],
    [{ ...OPEN, codec: 'unknown' }, 'the line is open to pidp10.local:10018'],
    [{ state: 'closed', codec: 'unknown' }, 'the line is closed'],
    [
      { ...OPEN, state: 'connecting', phase: 'tcp' },
      'the line is connecting to pidp10.local:10018, no TCP connection yet',
    ],
    [
      { ...OPEN, state: 'connecting', phase: 'greeting' },
      'the line is connecting to pidp10.local:10018, waiting for the greeting',
    ],
    [{ state: 'dead', codec: 'unknown' }, 'the line is dead'],
  ])('%j', (state, text) => {
    expect(describeLine(state)).toBe(text);
  });
});

const DAEMON = {
  pid: 42,
  version: '0.1.0',
  protocol: { major: 1, minor: 0 },
  name: 'line',
  startedAt: '2026-01-01T00:00:00.000Z',
  uptimeMs: 61_000,
  clients: 1,
  socket: '/run/x.sock',
  stateDir: '/var/x',
  line: OPEN,
};

describe('renderStatus', () => {
  test('one fact a row', () => {
    const text = renderStatus(DAEMON, {
      lineState: OPEN,
      activity: { kind: 'ddt' },
      echo: 'on',
      goingDown: 'ITS GOING DOWN IN 5:00',
      epoch: 'e1',
      end: 100,
      oldest: 10,
      reader: { name: 'ctl', offset: 99, unread: 1 },
      uptimeMs: 5_000,
      msSinceLastByte: 900,
      bytesIn: 120,
      bytesOut: 7,
      pendingBytes: 3,
      advice: 'look out',
    });
    expect(text).toBe(
      [
        'line    open to pidp10.local:10018 (telnet) for 5 s, last byte 0 s ago',
        'bytes   120 in, 7 out, 3 bytes waiting to go out; held are 10 to 100',
        'reader  ctl at 99, 1 byte unread',
        'down    ITS is going down: "ITS GOING DOWN IN 5:00"',
        'doing   DDT waits for a command',
        'echo    on',
        'advice  look out',
        'daemon  pidp10d 0.1.0 "line" (protocol 1.0), pid 42, up 1 min 1 s, 1 client',
        'socket  /run/x.sock',
        'state   /var/x',
        '',
      ].join('\n'),
    );
  });

  test('D14: of a daemon of another version, what it says about itself', () => {
    const text = renderStatus({ ...DAEMON, protocol: { major: 7, minor: 2 } });
    expect(text).toMatch(/^line {4}open to pidp10.local:10018 \(telnet\)\ndaemon .*protocol 7\.2/);
  });
});

test.each([
  [0, '0 s'],
  [999, '0 s'],
  [61_000, '1 min 1 s'],
  [3_600_000, '1 h'],
  [90_061_000, '1 d 1 h'],
])('%i ms is %s', (ms, text) => {
  expect(toDuration(ms)).toBe(text);
});
