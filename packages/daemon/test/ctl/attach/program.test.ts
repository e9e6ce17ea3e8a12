import { describe, expect, test } from 'vitest';
import { SessionTarget, toPaint } from '../../../src/ctl/attach/sessionTarget.ts';
import { AttachRig, PROGRAM, type RigOptions, THEIRS } from './attachRig.ts';

const SIZE = { rows: 30, columns: 90 };

function start(options: RigOptions = {}): Promise<AttachRig> {
  return AttachRig.start({ ...SIZE, target: new SessionTarget(PROGRAM), ...options });
}

function say(rig: AttachRig, bytes: string | Uint8Array): void {
  rig.notify('session.output', { start: 9, end: 10, bytes: Buffer.from(bytes).toString('base64') });
}

const screenOf = (size: typeof SIZE, rows: readonly string[]) => ({
  rows,
  cursor: { row: 0, column: 0 },
  isAlternate: true,
  size,
  offset: 9,
  ...PROGRAM,
});

describe('attached to a program', () => {
  test('it gets the size of the terminal, its screen is painted, and its bytes follow from there', async () => {
    await using rig = await start();
    expect(rig.paramsOf('session.resize')).toEqual([{ session: 's3', ...SIZE }]);
    await rig.untilCalled('session.watch');
    expect(rig.paramsOf('session.watch')).toEqual([{ session: 's3', from: 9, form: 'bytes' }]);
    say(rig, '\x1b[31mred é\x1b[m');
    await rig.untilShown('\x1b[31mred é\x1b[m');
    const places = ['screen 1', '\x1b[1;4H', 'red'].map((text) => rig.output.text.indexOf(text));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places[0]).toBeGreaterThan(0);
  });

  test('I17: nothing of it is asked of the terminal, or reaches its title and clipboard', async () => {
    await using rig = await start();
    say(rig, '\x1b]0;owned\x07\x1b[6n\x1b[c\x1b]52;c;eA==\x07\x1bP$qm\x1b\\seen');
    await rig.untilShown('seen');
    expect(rig.output.text).not.toMatch(/owned|\[6n|\[c|52;|\$q/);
  });

  test('another size: it is told, and painted anew', async () => {
    await using rig = await start();
    rig.output.rows = 40;
    rig.output.emit('resize');
    await rig.untilCalled('session.resize', 2);
    expect(rig.paramsOf('session.resize')[1]).toEqual({ session: 's3', rows: 40, columns: 90 });
    await rig.untilShown('screen 2');
  });

  test('it leaves its alternate screen: painted anew; I7: so it is when the watch lagged', async () => {
    await using rig = await start();
    await rig.untilCalled('session.watch');
    say(rig, '\x1b[?1049l');
    await rig.untilShown('screen 2');
    await rig.untilCalled('session.watch', 2);
    rig.notify('session.lagged', { offset: 9, end: 99 });
    await rig.untilShown('screen 3');
    // What it is now stays our own alternate screen.
    expect(rig.output.text).not.toContain('\x1b[?1049l');
  });

  test('every key goes to it as its bytes: UTF-8, function keys, pastes', async () => {
    await using rig = await start();
    rig.type('é\x1b[A\x1b[200~x\n\x1b[201~');
    const sent = await rig.untilCalled('session.send');
    expect(Buffer.from(sent['bytes'] as number[]).toString()).toBe('é\x1b[A\x1b[200~x\n\x1b[201~');
    expect(sent).toMatchObject({ session: 's3', timeoutMs: 0, floor: 'fail', token: 5, urgent: false });
    expect(rig.paramsOf('floor.request')[0]).toMatchObject({ session: 's3', force: false });
  });

  test('I8: somebody else has its floor: nothing is sent until it is taken by force', async () => {
    await using rig = await start({ floor: THEIRS });
    rig.type('a');
    await rig.untilShown('claude (agent) has the floor; your key was not sent');
    rig.type('\x05cf');
    expect(await rig.untilCalled('floor.request')).toMatchObject({ session: 's3', force: true });
    rig.type('b');
    await rig.untilCalled('session.send');
    rig.type('\x05cr');
    expect(await rig.untilCalled('floor.release')).toMatchObject({ session: 's3' });
  });

  test('W14: a spy changes no size and types nothing; another size than its own is shown in part', async () => {
    const screen = screenOf({ rows: 50, columns: 132 }, ['screen 1', 'second row']);
    await using rig = await start({
      access: 'read',
      script: ({ method }) => (method === 'session.screen' ? { result: screen } : undefined),
    });
    say(rig, 'bytes for another size');
    rig.type('a\x05cf');
    await rig.untilShown('watching only');
    await rig.untilCalled('session.screen', 2);
    expect(rig.output.text).not.toContain('bytes for');
    for (const method of ['session.resize', 'session.send', 'floor.request'])
      expect(rig.paramsOf(method)).toEqual([]);
  });

  test('help has no keys that it has not; facts and what was said before', async () => {
    const status = {
      ...PROGRAM,
      command: 'vi',
      cwd: '/home/anna',
      size: SIZE,
      splitStderr: false,
      startedAt: '2031-01-01T00:00:00.000Z',
      startedBy: 'claude',
      end: 90_000,
      oldest: 7,
      unread: 0,
      pendingBytes: 0,
      echo: 'off',
      processes: [{ pid: 4711, name: 'vi' }],
    };
    const output = { start: 0, end: 9, text: 'old output', truncated: false, lines: 0 };
    await using rig = await start({
      script: ({ method }) => {
        if (method === 'session.status') return { result: status };
        if (method !== 'session.read') return undefined;
        return { result: { reason: 'timeout', stream: 'out', output, ...PROGRAM } };
      },
    });
    rig.type('\x05c?');
    await rig.untilShown('back to s3 (edit)');
    expect(rig.output.text).not.toContain('open the line');
    rig.type('\x05ci');
    await rig.untilShown('4711 vi');
    rig.type('\x05cp');
    await rig.untilShown('old output');
    expect(rig.paramsOf('session.read')).toEqual([
      { session: 's3', from: 40_000, timeoutMs: 0, maxChars: 50_000 },
    ]);
    rig.type('\x05co');
    await rig.untilShown('there is no ^Ec and that key');
  });

  test('its end ends it, and tells how', async () => {
    await using rig = await start();
    const facts = { ...PROGRAM, state: 'exited', outputState: 'ended', exit: { code: 3, status: 3 } };
    rig.notify('session.state', { ...facts, text: 'it has exited' });
    rig.notify('session.watchEnded', {});
    expect(await rig.ended).toEqual({ kind: 'exited', facts });
    expect(rig.input.modes.at(-1)).toBe(false);
  });

  test('its modes are taken back on the way out', async () => {
    await using rig = await start();
    say(rig, '\x1b[?1h\x1b[?1002;1006h\x1b[?2004h\x1b[?25l\x1b[4 qseen');
    await rig.untilShown('seen');
    rig.type('\x05c.');
    expect(await rig.ended).toEqual({ kind: 'detached' });
    const left = rig.output.text.slice(rig.output.text.indexOf('seen'));
    for (const mode of ['?1l', '?1002l', '?1006l', '?2004l', '?25h', '0 q'])
      expect(left).toContain(`\x1b[${mode}`);
    expect(left.endsWith('\x1b[?1049l')).toBe(true);
  });
});

test('I17: a painted row is text, whatever it says', () => {
  expect(toPaint({ rows: ['a\x9b2J', '', 'b'], cursor: { row: 1, column: 2 } })).toBe(
    '\x1b[1Ha<U+009B>2J\x1b[3Hb\x1b[2;3H',
  );
});
