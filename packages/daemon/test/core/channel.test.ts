import { describe, expect, test } from 'vitest';
import { Channel } from '../../src/core/channel.ts';
import { bytesOf } from './bytes.ts';
import { EXPECTATION, GREETED, GREETING, LineRun, WHERE } from './lineRun.ts';

const REFUSALS = [
  ['Line connection busy\r\n', 'line_busy'],
  ['All connections busy\r\n', 'line_all_busy'],
  ['Line connection not available\r\n', 'line_not_available'],
  ['No answer on any connection\r\n', 'line_no_answer'],
  ['Rejecting connection from unexpected source\r\n', 'line_rejected'],
] as const;

describe('opening', () => {
  test('T11 · an open ends 150 ms after the greeting, with the greeting as its output', () => {
    const run = new LineRun().open().feed({ kind: 'connected' });
    run.to(400).hear(GREETING).to(5_000);
    expect(run.end('open')).toEqual({
      reason: 'prompt',
      text: '\n\nConnected to the KA-10 simulator MTY device, line 9\n\n',
      atMs: 550,
    });
    expect(run.channel.facts).toEqual({ state: 'open', ...WHERE, codec: 'telnet' });
    expect([run.channel.stateSinceMs, run.channel.hasSpoken]).toEqual([400, false]);
  });

  test('L24 · what a buffered line replays behind its greeting belongs to the open, not to the first send', () => {
    const run = new LineRun().open().feed({ kind: 'connected' });
    run.hear(`${GREETING}old text\r\n\x1bK*`).to(1_000);
    expect(run.end('open').text).toContain('\nold text\n*');
    run.send('s', ':vk\r', { pattern: String.raw`^\*$|old` }).after(50);
    expect(run.end('s').reason).toBeUndefined();
    run.hear(':vk\r\n\x1bK*').after(1_000);
    expect(run.end('s')).toMatchObject({ reason: 'matched', text: ':vk\n*' });
    expect(run.channel.hasSpoken).toBe(true);
  });

  test('I3 · text right behind the greeting counts as spoken, however it was split', () => {
    for (const chunks of [[`${GREETING}KA`], [GREETING, 'KA'], `${GREETING}KA`.split('')]) {
      const run = new LineRun().open().feed({ kind: 'connected' });
      for (const chunk of chunks) run.hear(chunk);
      expect(run.channel.hasSpoken).toBe(true);
    }
  });

  test('a line that greets otherwise is open after a silence, and a raw one with TCP', () => {
    const other = new LineRun().open().feed({ kind: 'connected' }).hear('hello').to(1_000);
    expect([other.end('open').atMs, other.channel.facts.codec, other.channel.hasSpoken]).toEqual([
      450,
      'raw',
      false,
    ]);
    const raw = new LineRun({ channel: { telnet: 'off' } })
      .open()
      .to(20)
      .feed({ kind: 'connected' })
      .to(1_000);
    expect([raw.end('open').atMs, raw.channel.facts.state]).toEqual([170, 'open']);
  });

  test('an open of an open line is answered at once, with what is unread as before', () => {
    const run = new LineRun().opened().hear('news');
    run.open('again');
    expect(run.end('again')).toMatchObject({ reason: 'prompt', text: '', atMs: 1_000 });
    expect(run.endings.get('again')?.before).toBe('news');
    expect(run.orders).toEqual(['connect pidp10:10018']);
  });

  test('an open to elsewhere is refused while a connection or attempt stands', () => {
    const run = new LineRun().opened();
    run.feed({ kind: 'open', waitId: 'x', reader: 'me', host: 'pidp10', port: 10015, timeoutMs: 1_000 });
    expect(run.endings.get('x')?.error).toEqual({
      name: 'line_open_elsewhere',
      detail: 'The line is open to pidp10:10018, so it was not opened to pidp10:10015.',
    });
    run.feed({ kind: 'close' });
    run.feed({ kind: 'open', waitId: 'y', reader: 'me', host: 'pidp10', port: 10015, timeoutMs: 1_000 });
    expect(run.orders).toEqual(['connect pidp10:10018', 'disconnect', 'connect pidp10:10015']);
  });

  test('a second connection begins in a codec of its own, and its open gives its greeting only', () => {
    const run = new LineRun().opened().hear('half a \xff').feed({ kind: 'close' });
    run.open('second').feed({ kind: 'connected' }).hear(GREETING).after(1_000);
    expect(run.end('second').text).toBe('\n\nConnected to the KA-10 simulator MTY device, line 9\n\n');
  });
});

describe('refusals', () => {
  test.each(REFUSALS)(
    'L02 · L01 · %j is %s, whole and byte by byte, and is never open',
    (sentence, error) => {
      for (const chunks of [[sentence], sentence.split('')]) {
        const run = new LineRun().open().feed({ kind: 'connected' }).to(900);
        for (const chunk of chunks) {
          run.hear(chunk).after(3);
          expect(run.channel.facts.state).toBe('connecting');
        }
        run.feed({ kind: 'ended' }).after(60_000);
        expect(run.endings.get('open')?.error).toEqual({
          name: error,
          detail: `The far end said "${sentence.trim()}".`,
        });
        expect(run.channel.facts).toMatchObject({ state: 'dead', reason: error });
        expect([run.orders, run.channel.deadlineMs()]).toEqual([
          ['connect pidp10:10018', 'disconnect'],
          undefined,
        ]);
      }
    },
  );

  test('L02 · FIN without a word and RST have names of their own', () => {
    const silent = new LineRun().open().feed({ kind: 'connected' }).feed({ kind: 'ended' });
    expect(silent.end('open').reason).toBe('line_closed_silent');
    const reset = new LineRun().open().feed({ kind: 'connected' });
    reset.feed({ kind: 'failed', failure: 'reset', detail: 'ECONNRESET' });
    expect(reset.end('open').reason).toBe('line_reset');
  });

  test('L01 · each open after a refusal is an attempt of its own, and none is made unasked', () => {
    const run = new LineRun();
    for (const id of ['a', 'b', 'c']) {
      run
        .open(id)
        .feed({ kind: 'connected' })
        .hear('Line connection busy\r\n')
        .feed({ kind: 'ended' })
        .after(10_000);
      expect(run.end(id).reason).toBe('line_busy');
    }
    expect(run.orders.filter((order) => order.startsWith('connect'))).toHaveLength(3);
  });

  test('a send to a line that is not open tells why, and nothing is written', () => {
    const run = new LineRun().send('s', 'x\r');
    expect(run.endings.get('s')?.error).toEqual({
      name: 'line_not_open',
      detail: 'The line is closed. Nothing was sent.',
    });
    run
      .open()
      .feed({ kind: 'connected' })
      .hear('Line connection busy\r\n')
      .feed({ kind: 'ended' })
      .send('t', 'x\r');
    expect(run.endings.get('t')?.error?.detail).toBe(
      'The line is dead (pidp10:10018). The far end said "Line connection busy". Nothing was sent.',
    );
    expect(run.written).toEqual([]);
  });
});

describe('a simulator that does not serve the port', () => {
  test('L03 · an open ends with no_greeting at its time; the connection stays, and a second open waits on', () => {
    const run = new LineRun().open('a').to(10).feed({ kind: 'connected' }).to(60_000);
    expect(run.end('a')).toMatchObject({ reason: 'no_greeting', atMs: 5_000 });
    expect(run.endings.get('a')?.error?.detail).toContain(
      'TCP to pidp10:10018 is up, but the simulator is not servicing',
    );
    expect(run.channel.facts).toMatchObject({ state: 'connecting', phase: 'greeting' });
    expect(run.channel.deadlineMs()).toBeUndefined();
    run.open('b', { timeoutMs: 2_000 }).to(100_000);
    expect(run.end('b')).toMatchObject({ reason: 'no_greeting', atMs: 62_000 });
    run.open('c').after(1_000).hear(GREETING).after(1_000);
    expect(run.end('c').reason).toBe('prompt');
    expect(run.orders).toEqual(['connect pidp10:10018']);
  });

  test('L03 · closing resets the connection that waits for a greeting', () => {
    const run = new LineRun().open().feed({ kind: 'connected' }).to(1_000).feed({ kind: 'close' });
    expect(run.end('open').reason).toBe('open_aborted');
    expect([run.orders, run.channel.facts.state]).toEqual([['connect pidp10:10018', 'disconnect'], 'closed']);
  });

  test('TCP that does not stand in time is given up, with what was tried', () => {
    const run = new LineRun().open();
    run.feed({ kind: 'tried', detail: '10.0.0.1: no answer' }).to(20_000);
    expect(run.end('open')).toMatchObject({ reason: 'connect_timeout', atMs: 5_000 });
    expect(run.endings.get('open')?.error?.detail).toContain('10.0.0.1: no answer');
    expect(run.orders).toEqual(['connect pidp10:10018', 'disconnect']);
  });

  test('L05 · a guest that is not booted: a send ends with timeout, nothing came since the greeting, nothing is tried again', () => {
    const run = new LineRun().opened().send('s', '\x1a\r', { timeoutMs: 10_000 }).to(60_000);
    expect(run.end('s')).toEqual({ reason: 'timeout', text: '', atMs: 11_000 });
    expect([run.channel.hasSpoken, run.channel.facts.state]).toEqual([false, 'open']);
    expect([run.written, run.orders]).toEqual([[{ atMs: 1_000, text: '\x1a\r' }], ['connect pidp10:10018']]);
  });
});

describe('callers who share an attempt', () => {
  test('L04 · opens join, each for its own time, and the attempt outlives them', () => {
    const run = new LineRun();
    run
      .open('a', { timeoutMs: 1_000 })
      .to(500)
      .open('b', { timeoutMs: 4_000 })
      .open('c', { timeoutMs: 4_000 });
    run.to(600).feed({ kind: 'cancel', waitId: 'c' }).to(2_000);
    expect([run.end('a').reason, run.end('a').atMs, run.end('b').reason, run.end('c').reason]).toEqual([
      'connect_timeout',
      1_000,
      undefined,
      'cancelled',
    ]);
    run.feed({ kind: 'cancel', waitId: 'b' });
    expect(run.channel.facts).toMatchObject({ state: 'connecting', phase: 'tcp' });
    run.to(3_000).feed({ kind: 'connected' }).open('d').hear(GREETING).after(1_000);
    expect([run.end('d').reason, run.orders]).toEqual(['prompt', ['connect pidp10:10018']]);
  });

  test('L04 · twenty impatient callers and a patient one make one connection', () => {
    const run = new LineRun();
    for (let n = 0; n < 20; n += 1) {
      run
        .open(`o${n}`)
        .after(100)
        .feed({ kind: 'cancel', waitId: `o${n}` });
    }
    run.open('patient').feed({ kind: 'connected' }).hear(GREETING).after(500);
    expect([run.end('patient').reason, run.orders]).toEqual(['prompt', ['connect pidp10:10018']]);
  });

  test('a caller that comes while another settles does not make him wait longer', () => {
    const run = new LineRun().open('a').feed({ kind: 'connected' }).hear(GREETING);
    run.to(100).open('b').to(1_000);
    expect([run.end('a').atMs, run.end('b').atMs]).toEqual([150, 100]);
  });
});

describe('dying', () => {
  test('I9 · every wait ends with dead, what had come and what went out', () => {
    const run = new LineRun({ isStuck: true }).opened();
    run.send('s', 'long text\r').feed({ kind: 'written', bytes: 4 }).read('r', {}, 'other').hear('part\r');
    run.feed({ kind: 'failed', failure: 'reset', detail: 'ECONNRESET' });
    expect([run.end('s'), run.end('r')]).toEqual([
      { reason: 'dead', text: 'part\n', atMs: 1_000 },
      { reason: 'dead', text: 'part\n', atMs: 1_000 },
    ]);
    expect(run.endings.get('s')?.settlement).toMatchObject({ accepted: 10, sent: 4 });
    expect([run.channel.facts.reason, run.channel.deadlineMs()]).toEqual(['reset', undefined]);
  });

  test('I9 · the first cause wins: what was matched before the line died was matched', () => {
    const run = new LineRun()
      .opened()
      .send('s', 'x\r', { pattern: 'done' })
      .hear('x\r\ndone')
      .feed({ kind: 'close' });
    expect(run.end('s').reason).toBe('matched');
  });

  test('a read of a line that is gone gives what is unread, at most maxChars at a time', () => {
    const run = new LineRun().opened().hear('abcdef').feed({ kind: 'ended' });
    const got = ['a', 'b', 'c'].map((id) => {
      run.read(id, { maxChars: 4 });
      return [run.end(id).reason, run.end(id).text];
    });
    expect(got).toEqual([
      ['limit', 'abcd'],
      ['dead', 'ef'],
      ['dead', ''],
    ]);
  });

  test('L17 · text of the farewell is kept', () => {
    const run = new LineRun().opened().read('r').hear('\r\nDisconnected from the KA-10 simulator\r\n\r\n');
    run.feed({ kind: 'ended' });
    expect(run.end('r')).toMatchObject({
      reason: 'dead',
      text: '\nDisconnected from the KA-10 simulator\n\n',
    });
    expect(run.channel.facts.reason).toBe('closed_by_simulator');
  });

  test('I1 · a line that is over is not written to, and late news of it changes nothing', () => {
    const run = new LineRun({ isStuck: true }).opened().send('s', 'x'.repeat(3_000)).feed({ kind: 'close' });
    const before = JSON.stringify(run.channel.snapshot());
    const orders = run.orders.length;
    run.feed({ kind: 'data', bytes: bytesOf('late') });
    run.feed({ kind: 'connected' }).feed({ kind: 'ended' }).feed({ kind: 'written', bytes: 1_024 });
    run
      .feed({ kind: 'failed', failure: 'reset', detail: 'x' })
      .feed({ kind: 'close' })
      .feed({ kind: 'tick' });
    expect([JSON.stringify(run.channel.snapshot()), run.orders.length, run.written.length]).toEqual([
      before,
      orders,
      1,
    ]);
  });
});

describe('bytes on the wire', () => {
  test.each<['auto' | 'off', string]>([
    ['auto', '\xff\xff\xfa'],
    ['off', '\xff\xfa'],
  ])('L12 · FF FA on a line %s is %j, and both count as two', (telnet, wire) => {
    const run = new LineRun({ channel: { telnet } }).opened().send('s', '\xff\xfa').after(20_000);
    expect(run.written.map(({ text }) => text)).toEqual([wire]);
    expect(run.endings.get('s')?.settlement).toMatchObject({ accepted: 2, sent: 2 });
    expect(run.channel.conversation.typist.bytesOut).toBe(2);
  });

  test('L09 · a CR is sent as it is', () => {
    const run = new LineRun().opened().send('s', 'x\r');
    expect(run.written).toEqual([{ atMs: 1_000, text: 'x\r' }]);
  });

  test('L11 · greeting and text give the same text and bytes under all two-way splits', () => {
    const bytes = bytesOf(`${GREETING}\x1bH\x1bJ\x1bKKA ITS.1652. DDT.1549.\r\n\x1bK\xff\xff`);
    const read = (split: (bytes: Uint8Array) => readonly Uint8Array[]) => {
      const run = new LineRun({ split }).open().feed({ kind: 'connected' }).hear(bytes).to(1_000);
      const { scrollback } = run.channel.conversation;
      return [run.end('open'), scrollback.bytes(0, scrollback.end)];
    };
    const whole = read((all) => [all]);
    for (let at = 0; at <= bytes.length; at += 1) {
      expect(read((all) => [all.subarray(0, at), all.subarray(at)])).toEqual(whole);
    }
    expect(read((all) => Array.from(all, (byte) => Uint8Array.of(byte)))).toEqual(whole);
  });
});

test('an offset behind the end is refused, one before it is read without moving the cursor', () => {
  const run = new LineRun().opened().hear('news').read('bad', {}, 'me', 1_000);
  expect(run.endings.get('bad')?.error).toMatchObject({
    name: 'offset_out_of_range',
    data: { end: GREETED + 4 },
  });
  run
    .read('old', {}, 'me', GREETED + 1)
    .after(1_000)
    .read('new')
    .after(1_000);
  expect([run.end('old').text, run.end('new').text]).toEqual(['ews', 'news']);
});

test('a fresh channel has nothing to do', () => {
  const channel = new Channel({ telnet: 'auto', bits: 7, ringBytes: 4_096 });
  expect([
    channel.deadlineMs(),
    channel.facts,
    channel.hasSpoken,
    channel.handle({ kind: 'tick' }, 1e6),
  ]).toEqual([undefined, { state: 'closed', codec: 'unknown' }, undefined, []]);
  channel.handle({ kind: 'read', waitId: 'r', reader: 'x', expectation: EXPECTATION }, 0);
  expect(channel.deadlineMs()).toBeUndefined();
});
