/** Programs that paint the screen: what the daemon shows of them is what stands on the screen, and a line made deaf hears again. */
import { connect, createServer, type Socket } from 'node:net';
import { type Fakeline, startFakeline } from '@pidp10/fakeline';
import { describe, expect, test } from 'vitest';
import { startLoggedIn, typedSince } from '../support/itsRig.ts';
import { LineRig } from '../support/lineRig.ts';
import { BIN } from '../support/sandbox.ts';

const MODE_ROW = 20;
const LINES = Array.from({ length: 30 }, (_, index) => `line ${index + 1} of the file`);
const FILES = [{ directory: 'RMS', name1: 'SOME', name2: 'TEXT', text: LINES.join('\n') }];

async function editing(line: Fakeline): Promise<LineRig> {
  const rig = await startLoggedIn(line);
  await rig.send(':emacs');
  await rig.send('~x18~x06rms;some text');
  return rig;
}

describe('the screen', () => {
  test('T7 · EMACS shows the file as it is, with mode line and cursor', async () => {
    await using line = await startFakeline({ files: FILES });
    await using rig = await editing(line);
    const screen = await rig.client.request('line.screen', {});
    expect(screen.rows).toHaveLength(24);
    expect(screen.rows.slice(0, MODE_ROW)).toEqual(LINES.slice(0, MODE_ROW));
    expect(screen.rows[MODE_ROW]).toMatch(/^EMACS {2}\(Fundamental\) {2}DSK: RMS; SOME TEXT/);
    expect(screen).toMatchObject({
      cursor: { row: 0, column: 0 },
      unknown: 0,
      activity: { kind: 'screen_program', name: 'emacs' },
    });
    expect(screen.changed).toHaveLength(24);
  });

  test('T7 · T8 · an edit is answered with the rows that changed, whole, and the * of the mode line is no prompt', async () => {
    await using line = await startFakeline({ files: FILES });
    await using rig = await editing(line);
    const moved = await rig.send('~x0E~x0E~-');
    expect(moved.screen?.cursor).toEqual({ row: 2, column: 0 });
    const outcome = await rig.send('NEW ~-');
    expect(outcome.reason).toBe('quiet');
    expect(outcome.activity).toEqual({ kind: 'screen_program', name: 'emacs' });
    expect(outcome.screen).toEqual({ rows: [2, MODE_ROW], cursor: { row: 2, column: 4 } });
    expect(outcome.output.text.split('\n')[0]).toBe('NEW line 3 of the file');
    expect(outcome.output.text).toMatch(/\n.*\*$/);
    expect(await rig.failure('line.getFile', { file: 'rms;some text' })).toMatchObject({
      name: 'not_at_ddt',
    });
  });

  test('T7 · a search shows the search, and the screen the place', async () => {
    await using line = await startFakeline({ files: FILES });
    await using rig = await editing(line);
    const outcome = await rig.send('~sline 7~e~-');
    expect(outcome.output.text).toContain('I-Search: line 7 $');
    expect((await rig.client.request('line.screen', {})).cursor).toEqual({ row: 6, column: 6 });
  });

  test('T8 · leaving EMACS ends with the prompt, and activity is DDT again', async () => {
    await using line = await startFakeline({ files: FILES });
    await using rig = await editing(line);
    await rig.send('X~-');
    expect(await rig.send('~x18~c~-')).toMatchObject({ reason: 'prompt', activity: { kind: 'ddt' } });
    expect((await rig.send(':kill')).reason).toBe('prompt');
  });

  test('changedSince gives only rows that changed behind an offset', async () => {
    await using line = await startFakeline({ files: FILES });
    await using rig = await editing(line);
    const { offset } = await rig.client.request('line.screen', {});
    expect((await rig.client.request('line.screen', { changedSince: offset })).changed).toEqual([]);
    await rig.send('~x0EX~-');
    const { rows, changed } = await rig.client.request('line.screen', { changedSince: offset });
    expect(changed).toEqual([1, MODE_ROW]);
    expect(rows[1]).toBe('Xline 2 of the file');
  });

  test('at an older offset it is the screen of that moment', async () => {
    await using line = await startFakeline({ files: FILES });
    await using rig = await editing(line);
    const before = await rig.client.request('line.screen', {});
    await rig.send('~x16~-');
    const after = await rig.client.request('line.screen', {});
    expect(after.rows).not.toEqual(before.rows);
    const again = await rig.client.request('line.screen', { at: before.offset });
    expect(again).toMatchObject({ rows: before.rows, cursor: before.cursor, offset: before.offset });
    expect(await rig.failure('line.screen', { at: after.offset + 1 })).toMatchObject({
      name: 'offset_out_of_range',
    });
  });

  test('T7 · PEEK repaints by itself: read gives the screen, not the repaint’s fragments', async () => {
    let minute = 0;
    await using line = await startFakeline({
      peekMs: 400,
      bootedAt: new Date(2026, 0, 1, 12, 0),
      clock: () => new Date(2026, 0, 1, 12, (minute += 1)),
    });
    await using rig = await startLoggedIn(line);
    await rig.send(':peek', { quietMs: 200 });
    const { offset } = await rig.client.request('line.screen', {});
    const read = await rig.client.request('line.read', { quietMs: 150, timeoutMs: 5_000 });
    expect(read.activity).toEqual({ kind: 'screen_program', name: 'peek' });
    expect(read.screen?.rows).toContain(0);
    const screen = await rig.client.request('line.screen', { changedSince: offset });
    expect(screen.rows[0]).toMatch(/^KA ITS 1652 {2}Peek 632/);
    expect(screen.rows.filter((row) => row.includes('Peek 632'))).toHaveLength(1);
    const quit = await rig.send('q~-');
    expect(quit).toMatchObject({ reason: 'prompt', activity: { kind: 'ddt' } });
  });

  test('I07 · a message on the screen of EMACS is a notice, and ^L shows the text again', async () => {
    await using line = await startFakeline({ files: FILES });
    await using rig = await editing(line);
    line.message('FOO', 'hello');
    const outcome = await rig.send('~x0C~-');
    expect(outcome.notices?.[0]?.text).toContain('hello');
    const { rows } = await rig.client.request('line.screen', {});
    expect(rows.slice(0, MODE_ROW)).toEqual(LINES.slice(0, MODE_ROW));
  });
});

test('a terminal of another size is configured, told by line.screen, and kept as far as it fits when it changes', async () => {
  await using line = await startFakeline();
  const args = ['--host', '127.0.0.1', '--port', String(line.port)];
  await using rig = await LineRig.start({ port: line.port, args: ['--screen', '30x100'] });
  await rig.open({ login: 'rms' });
  await rig.send(':listf');
  const screen = await rig.client.request('line.screen', {});
  expect([screen.size, screen.rows.length]).toEqual([{ rows: 30, columns: 100 }, 30]);
  expect(screen.rows[0]).toMatch(/^KA {3}RMS/);
  await rig.client.request('daemon.shutdown', {});
  await rig.daemon.exited;
  await rig.sandbox.daemon({ args: [...args, '--screen', '2x20'] });
  await using client = await rig.sandbox.connect();
  const smaller = await client.request('line.screen', {});
  expect([smaller.size, smaller.rows.length]).toEqual([{ rows: 2, columns: 20 }, 2]);
  expect(smaller.rows.every((row) => row.length <= 20)).toBe(true);
});

/** A cable on which somebody can put bytes of his own: what a program that writes telnet badly would send. */
async function tap(
  port: number,
): Promise<{ port: number; inject: (bytes: Uint8Array) => void } & AsyncDisposable> {
  const sockets: Socket[] = [];
  let far: Socket | undefined;
  const server = createServer((near) => {
    const remote = connect(port, '127.0.0.1');
    far = remote;
    sockets.push(near, remote);
    for (const socket of [near, remote]) socket.on('error', () => undefined);
    near.pipe(remote).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    inject: (bytes) => void far?.write(bytes),
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe('a deaf line', () => {
  test('line.unstick cures a line that a stray FF has made deaf, and does no harm to one that hears', async () => {
    await using line = await startFakeline();
    await using cable = await tap(line.port);
    await using rig = await LineRig.start({ port: cable.port });
    await rig.open({ login: 'rms' });
    cable.inject(Uint8Array.of(0xff));
    await line.waitFor(() => line.receivedBytes().includes(0xff), { what: 'the FF' });
    const deaf = await rig.send(':vk', { timeoutMs: 300 });
    expect(deaf).toMatchObject({ reason: 'timeout', sent: 4, echoed: 0, output: { text: '' } });
    expect(deaf.hint).toContain('unstick');
    await rig.client.request('line.unstick', {});
    expect(await rig.send(':vk')).toMatchObject({ reason: 'prompt', echoed: 4, output: { text: ':vk\n*' } });
    await rig.client.request('line.unstick', {});
    expect(await rig.send(':vk')).toMatchObject({ reason: 'prompt', output: { text: ':vk\n*' } });
    expect(line.receivedBytes().toString('latin1')).toMatch(/\xff:vk\r\xf1:vk\r\xff\xf1:vk\r$/);
  });

  test('13c · pidp10ctl line unstick cures it, and no probe is typed into it meanwhile', async () => {
    await using line = await startFakeline();
    await using cable = await tap(line.port);
    await using rig = await LineRig.start({ port: cable.port, args: ['--nop-after-ms', '1000'] });
    await rig.open({ login: 'rms' });
    await line.waitFor(() => line.receivedBytes().includes(0xf1), { what: 'a probe of the silent line' });
    expect(await rig.send(':vk')).toMatchObject({ reason: 'prompt', output: { text: ':vk\n*' } });
    const before = line.receivedBytes().length;
    cable.inject(Uint8Array.of(0xff));
    // Longer than the silence behind which a line that hears is probed.
    const deaf = await rig.send(':vk', { timeoutMs: 2_500 });
    expect(deaf).toMatchObject({ reason: 'timeout', hint: expect.stringContaining('pidp10ctl unstick') });
    expect(line.receivedBytes().subarray(before).toString('latin1')).toBe('\xff:vk\r');
    const ctl = rig.sandbox.run(BIN.ctl, { args: ['line', 'unstick'] });
    expect(await ctl.exited).toEqual({ code: 0, signal: null });
    expect(ctl.stdout).toContain('IAC NOP is sent');
    expect(await rig.send(':vk')).toMatchObject({ reason: 'prompt', echoed: 4, output: { text: ':vk\n*' } });
    expect(typedSince(line, before).replaceAll('\xff\xf1', '')).toBe('\xff:vk\r\xf1:vk\r');
  });

  test('line.unstick is refused on a raw line and on a closed one: the bytes would be typed', async () => {
    await using line = await startFakeline({ noTelnet: true });
    await using rig = await LineRig.start({ port: line.port, args: ['--telnet', 'off'] });
    expect(await rig.failure('line.unstick', {})).toMatchObject({ name: 'line_not_open' });
    await rig.open();
    expect(await rig.failure('line.unstick', {})).toMatchObject({ name: 'codec_not_telnet' });
    expect(line.receivedBytes()).toHaveLength(0);
  });
});
