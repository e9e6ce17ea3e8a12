import { describe, expect, test } from 'vitest';
import { AttachRig, FACTS, FREE, MINE, THEIRS } from './attachRig.ts';

const ALTERNATE = '\x1b[?1049h';
const NORMAL = '\x1b[?1049l';

describe('the terminal', () => {
  test('raw and on its alternate screen, then as it was; nothing is left that listens', async () => {
    await using rig = await AttachRig.start();
    expect(rig.input.modes).toEqual([true]);
    expect(rig.output.text.indexOf(ALTERNATE)).toBe(0);
    await rig.untilShown('<paint 1>');
    rig.type('\x05c.');
    expect(await rig.ended).toEqual({ kind: 'detached' });
    expect(rig.input.modes).toEqual([true, false]);
    expect(rig.output.text.endsWith(NORMAL)).toBe(true);
    expect([rig.signals.eventNames(), rig.output.eventNames(), rig.input.listenerCount('data')]).toEqual([
      [],
      [],
      0,
    ]);
  });

  test.each(['SIGTERM', 'SIGHUP', 'SIGQUIT'])('as it was after %s', async (signal) => {
    await using rig = await AttachRig.start();
    rig.signals.emit(signal);
    expect(await rig.ended).toEqual({ kind: 'signal', signal });
    expect([rig.input.modes.at(-1), rig.output.text.endsWith(NORMAL)]).toEqual([false, true]);
  });

  test('as it was after SIGINT from outside', async () => {
    await using rig = await AttachRig.start();
    rig.interrupt.abort();
    expect(await rig.ended).toEqual({ kind: 'interrupted' });
    expect([rig.input.modes.at(-1), rig.output.text.endsWith(NORMAL)]).toEqual([false, true]);
  });

  test('as it was when the process ends for any other reason', async () => {
    await using rig = await AttachRig.start();
    rig.signals.emit('exit');
    expect([rig.input.modes.at(-1), rig.output.text.endsWith(NORMAL)]).toEqual([false, true]);
  });

  test('a terminal that is gone ends it', async () => {
    await using rig = await AttachRig.start();
    rig.input.end();
    expect(await rig.ended).toEqual({ kind: 'hung_up' });
  });

  test('suspended: as it was, stopped by the signal itself, then attached and painted again', async () => {
    await using rig = await AttachRig.start();
    rig.type('\x05cz');
    await rig.until('SIGTSTP', () => rig.signals.killed.length === 1);
    rig.signals.emit('SIGTSTP');
    expect(rig.output.text.endsWith(NORMAL)).toBe(true);
    expect([rig.signals.killed, rig.signals.listenerCount('SIGTSTP')]).toEqual([['SIGTSTP', 'SIGTSTP'], 0]);
    rig.signals.emit('SIGCONT');
    await rig.untilShown('<paint 2>');
    expect([rig.input.modes.at(-1), rig.signals.listenerCount('SIGTSTP')]).toEqual([true, 1]);
    expect(rig.output.text.split(ALTERNATE)).toHaveLength(3);
  });

  test('after SIGSTOP behind its back it is raw again, and the alternate screen is not entered twice', async () => {
    await using rig = await AttachRig.start();
    rig.signals.emit('SIGCONT');
    await rig.untilShown('<paint 2>');
    expect(rig.input.modes).toEqual([true, false, true]);
    expect(rig.output.text.split(ALTERNATE)).toHaveLength(2);
  });

  test('another size: painted anew', async () => {
    await using rig = await AttachRig.start();
    rig.output.rows = 40;
    rig.output.emit('resize');
    await rig.untilShown('<paint 2>');
    expect(rig.output.text.slice(rig.output.text.indexOf('<paint 2>'))).toContain('\x1b[40;1H');
  });
});

describe('what the line says', () => {
  test('follows the painting, also what came in one packet with it', async () => {
    await using rig = await AttachRig.start({
      script: ({ id, method }, socket) => {
        if (method !== 'line.watch') return undefined;
        const size = { rows: 24, columns: 80 };
        const result = {
          watch: 7,
          offset: 5,
          truncated: false,
          paint: '<paint>',
          size,
          floor: FREE,
          ...FACTS,
        };
        const early = { watch: 7, start: 5, end: 6, at: 'now', text: '<early>' };
        const stale = { ...early, watch: 6, text: '<stale>' };
        const messages = [
          { jsonrpc: '2.0', id, result },
          ...[stale, early].map((params) => ({ jsonrpc: '2.0', method: 'line.output', params })),
        ];
        socket.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
        return 'silence';
      },
    });
    await rig.untilShown('<early>');
    expect(rig.output.text).toMatch(/<paint>[^]*<early>/);
    expect(rig.output.text).not.toContain('<stale>');
  });

  test('I7: lagged: painted anew', async () => {
    await using rig = await AttachRig.start();
    rig.notify('line.lagged', { offset: 3, end: 9 });
    await rig.untilShown('<paint 2>');
    rig.hear('<after>');
    await rig.untilShown('<after>');
    expect(rig.paramsOf('line.watch')).toHaveLength(2);
  });

  test('marks, messages, the end of the line: in the status line, made harmless', async () => {
    await using rig = await AttachRig.start();
    rig.notify('line.said', { text: 'hi\x1b]0;owned\x07', author: { client: 'claude' } });
    await rig.untilShown('claude says: hi^[]0;owned^G');
    expect(rig.output.text).not.toContain('\x1b]0;owned');
    rig.notify('line.mark', { text: 'here', author: { client: 'claude', reader: 'agent' } });
    await rig.untilShown('claude (agent) notes: here');
    rig.notify('line.state', { lineState: { state: 'dead', reason: 'reset', codec: 'telnet' } });
    await rig.untilShown('the line is dead (reset)');
  });

  test('a small terminal shows the part around the cursor', async () => {
    const screen = {
      rows: ['far above', ...Array.from({ length: 23 }, (_, index) => `row ${index + 1}`)],
      changed: [],
      cursor: { row: 20, column: 4 },
      offset: 1,
      unknown: 0,
      ...FACTS,
    };
    await using rig = await AttachRig.start({
      rows: 10,
      columns: 40,
      script: ({ method }) => (method === 'line.screen' ? { result: screen } : undefined),
    });
    await rig.untilShown('row 20');
    expect(rig.output.text).not.toContain('far above');
    expect(rig.output.text).not.toContain('<paint 1>');
    rig.hear('<text>');
    await rig.untilCalled('line.screen', 2);
    expect(rig.output.text).not.toContain('<text>');
  });
});

describe('typing', () => {
  test('I8: takes the free floor once, then sends with its token, raw and without waiting', async () => {
    await using rig = await AttachRig.start();
    rig.type('~\x1a');
    expect(await rig.untilCalled('floor.request')).toMatchObject({
      force: false,
      leaseMs: 60_000,
      waitMs: 0,
    });
    const sent = { input: '~~~z~-', raw: true, timeoutMs: 0, echo: 'keep', autoMore: false };
    expect(await rig.untilCalled('line.send')).toEqual({
      ...sent,
      floor: 'fail',
      token: 5,
      paste: false,
      urgent: false,
    });
    rig.type('x');
    expect(await rig.untilCalled('line.send', 2)).toMatchObject({ input: 'x~-' });
    expect(rig.paramsOf('floor.request')).toHaveLength(1);
  });

  test('a paste goes as one', async () => {
    await using rig = await AttachRig.start();
    rig.type('\x1b[200~one\ntwo\x1b[201~');
    expect(await rig.untilCalled('line.send')).toMatchObject({ input: 'one~rtwo~-', paste: true });
  });

  test('I8: somebody else has the floor: nothing is sent until it is taken by force', async () => {
    await using rig = await AttachRig.start({ floor: THEIRS });
    rig.type('a');
    await rig.untilShown('claude (agent) has the floor; your key was not sent');
    expect(rig.paramsOf('floor.request')).toEqual([]);
    rig.type('\x05cf');
    expect(await rig.untilCalled('floor.request')).toMatchObject({ force: true });
    rig.notify('floor.changed', { floor: MINE, why: 'forced' });
    rig.type('b');
    expect(await rig.untilCalled('line.send')).toMatchObject({ input: 'b~-' });
    expect(rig.paramsOf('line.send')).toHaveLength(1);
  });

  test('somebody was quicker: the daemon is asked who', async () => {
    await using rig = await AttachRig.start({
      script: ({ method }) => {
        if (method === 'floor.request')
          return { error: { code: 1150, message: 'held', data: { name: 'floor_held' } } };
        return method === 'floor.status' ? { result: THEIRS } : undefined;
      },
    });
    rig.type('a');
    await rig.untilShown('claude (agent) has the floor; your key was not sent');
    expect(rig.paramsOf('line.send')).toEqual([]);
  });

  test('released on command, and on the way out by the end of the connection', async () => {
    await using rig = await AttachRig.start();
    rig.type('a');
    await rig.untilCalled('line.send');
    rig.type('\x05cr');
    expect(await rig.untilCalled('floor.release')).toEqual({ token: 5 });
  });

  test('a key that no line has is refused in the status line', async () => {
    await using rig = await AttachRig.start();
    rig.type('é');
    await rig.untilShown('é cannot be sent on a 7-bit line');
    expect(rig.paramsOf('floor.request')).toEqual([]);
  });

  test('what the daemon refuses is said', async () => {
    await using rig = await AttachRig.start({
      script: ({ method }) =>
        method === 'line.send'
          ? { error: { code: 1120, message: 'The line is not open.', data: {} } }
          : undefined,
    });
    rig.type('a');
    await rig.untilShown('The line is not open.');
    expect(rig.paramsOf('line.send')).toHaveLength(1);
  });

  test('W14: a spy says so to the daemon and sends nothing', async () => {
    await using rig = await AttachRig.start({ access: 'read' });
    expect(rig.paramsOf('hello')[0]).toMatchObject({ access: 'read' });
    rig.type('a\x1b[200~b\x1b[201~\x05cbg\x05cf');
    await rig.untilShown('watching only');
    rig.type('\x05c.');
    await rig.ended;
    expect([...rig.paramsOf('line.send'), ...rig.paramsOf('floor.request')]).toEqual([]);
  });
});
