/** The shell among other clients: watch, floor, who, say, mark, history, readers against a real daemon and a fake line. */
import { type Fakeline, startFakeline } from '@pidp10/fakeline';
import { describe, expect, test } from 'vitest';
import { startLoggedIn, typedSince } from '../support/itsRig.ts';
import type { LineRig } from '../support/lineRig.ts';
import { BIN, type Program } from '../support/sandbox.ts';

/** Runs a command to its end. */
async function ctl(rig: LineRig, ...args: readonly string[]) {
  const program = rig.sandbox.run(BIN.ctl, { args });
  const { code } = await program.exited;
  return { code, stdout: program.stdout, stderr: program.stderr };
}

/** Starts a watch and waits until it is told something. */
async function watching(rig: LineRig, line: Fakeline, ...args: readonly string[]): Promise<Program> {
  const program = rig.sandbox.run(BIN.ctl, { args: ['watch', ...args] });
  const hears = async () => {
    const { clients } = await rig.client.request('daemon.clients', {});
    return clients.some(({ client, watches }) => client === 'pidp10ctl' && watches > 0);
  };
  while (!(await hears())) if (program.hasExited) throw new Error(program.stderr);
  line.send('begun ');
  await program.until('the first output', ({ stdout }) => stdout.includes('begun'));
  return program;
}

function eventsOf({ stdout }: Program): Record<string, unknown>[] {
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map((line): Record<string, unknown> => JSON.parse(line));
}

describe('watch', () => {
  test('I2: is told every byte once, in order, with what was typed and by whom; ^C ends it with 130', async () => {
    await using line = await startFakeline();
    await using rig = await startLoggedIn(line);
    const watch = await watching(rig, line, '--json', '--input');
    await rig.send(':listf');
    await rig.client.request('line.mark', { text: 'listed' });
    await watch.until('the mark', ({ stdout }) => stdout.includes('"line.mark"'));
    watch.kill('SIGINT');
    expect((await watch.exited).code).toBe(130);
    const events = eventsOf(watch);
    const output = events.filter(({ event }) => event === 'line.output');
    expect(output.slice(1).map(({ start }) => start)).toEqual(output.slice(0, -1).map(({ end }) => end));
    const inputs = events.filter(({ event }) => event === 'line.input');
    expect(inputs).toEqual([
      expect.objectContaining({ author: expect.objectContaining({ client: 'test' }) }),
    ]);
    expect(inputs[0]?.['text']).toContain(':listf');
    expect(events.find(({ event }) => event === 'line.mark')).toMatchObject({ text: 'listed' });
    expect(events.at(-1)).toEqual({ event: 'end', offset: output.at(-1)?.['end'] });
  });

  test('a span, exactly, as bytes', async () => {
    await using line = await startFakeline();
    await using rig = await startLoggedIn(line);
    const { end: from } = await rig.client.request('line.status', {});
    line.send('\x1bHone\x1bK\r\ntwo');
    for (;;) if ((await rig.client.request('line.status', {})).end >= from + 12) break;
    const args = ['--from', String(from), '--until', String(from + 12), '--raw'];
    expect(await ctl(rig, 'watch', ...args)).toEqual({ code: 0, stdout: '\x1bHone\x1bK\r\ntwo', stderr: '' });
  });

  test('I7: one that was stopped through a flood goes on without a loss', async () => {
    await using line = await startFakeline();
    await using rig = await startLoggedIn(line, { args: ['--ring-bytes', String(4 * 1_048_576)] });
    const watch = await watching(rig, line, '--json');
    watch.kill('SIGSTOP');
    const { end: begin } = await rig.client.request('line.status', {});
    line.faults.set('flood', 2_000_000);
    // More than a watch may lag behind, and less than the daemon keeps.
    for (;;) if ((await rig.client.request('line.status', {})).end >= begin + 2_500_000) break;
    line.faults.clear('flood');
    watch.kill('SIGCONT');
    line.send('\r\nthe end of it');
    await watch.until('the end', ({ stdout }) => stdout.includes('the end of it'));
    const output = eventsOf(watch).filter(({ event }) => event === 'line.output');
    const gaps = output.filter(({ start }, index) => index > 0 && start !== output[index - 1]?.['end']);
    const lost = eventsOf(watch).filter(({ event }) => event === 'truncated');
    expect([gaps, lost]).toEqual([[], []]);
  });

  test('a reader of its output that has seen enough is no fault', async () => {
    await using line = await startFakeline();
    await using rig = await startLoggedIn(line);
    const watch = await watching(rig, line);
    watch.child.stdout.destroy();
    // Only who writes hears of it.
    const noise = setInterval(() => line.send('more '), 20);
    expect(await watch.exited.finally(() => clearInterval(noise))).toEqual({ code: 0, signal: null });
    expect(watch.stderr.replaceAll(/pidp10ctl: .* has the floor .*\n/g, '')).toBe('');
  });
});

describe('floor', () => {
  test('I8: what a shell takes outlives the command, for the reader and for nobody else, until it is released', async () => {
    await using line = await startFakeline();
    await using rig = await startLoggedIn(line);
    await rig.client.request('floor.release', {});
    const before = line.receivedBytes().length;
    expect(await ctl(rig, 'floor', 'take')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^you have the floor/),
    });
    expect(await rig.failure('line.send', { input: 'other', floor: 'fail' })).toMatchObject({
      name: 'floor_held',
    });
    expect((await ctl(rig, 'send', ':time')).code).toBe(0);
    expect(typedSince(line, before)).toBe(':time\r');
    expect((await ctl(rig, 'who')).stdout).toMatch(/test .*types/);
    expect(await ctl(rig, 'floor', 'release')).toMatchObject({ code: 0, stdout: 'nobody has the floor\n' });
    expect((await rig.send(':time')).reason).toBe('prompt');
  });

  test('asked for politely: the holder reads why; by force it is taken at once', async () => {
    await using line = await startFakeline();
    await using rig = await startLoggedIn(line);
    await rig.client.request('floor.request', {});
    const asked = await ctl(rig, 'floor', 'take', '--message', 'need it');
    expect([asked.code, asked.stdout]).toEqual([1, '']);
    expect(asked.stderr).toContain('Nothing was sent.');
    expect((await rig.client.request('floor.status', {})).requests).toEqual([
      expect.objectContaining({ text: 'need it' }),
    ]);
    expect((await ctl(rig, 'floor', 'take', '--force')).code).toBe(0);
    expect(await rig.failure('line.send', { input: 'x', floor: 'fail' })).toMatchObject({
      name: 'floor_held',
    });
  });
});

test('history has what was typed, marked and said, by whom; readers are listed, renamed and removed', async () => {
  await using line = await startFakeline();
  await using rig = await startLoggedIn(line);
  await rig.client.request('floor.release', {});
  expect((await ctl(rig, 'send', ':time', '--reader', 'anna')).code).toBe(0);
  const mark = await ctl(rig, 'mark', 'after', 'the', 'time');
  expect(Number(mark.stdout)).toBeGreaterThan(0);
  expect((await ctl(rig, 'say', 'hello')).stderr).toBe('pidp10ctl: to 1 client\n');
  const { stdout } = await ctl(rig, 'history', '--output-chars', '100');
  expect(stdout).toMatch(/ {2}pidp10ctl \(anna\) typed: .*:time.*\n(?: {4}.*\n)+/);
  expect(stdout).toMatch(/ notes: after the time\n/);
  expect(stdout).toMatch(/ says: hello\n/);
  expect((await ctl(rig, 'readers')).stdout).toMatch(/^anna +- +\d+ +\d+ +\d+$/m);
  expect((await ctl(rig, 'readers', 'rename', 'anna', 'beth')).code).toBe(0);
  expect((await ctl(rig, 'readers', 'remove', 'beth')).code).toBe(0);
  expect((await ctl(rig, 'readers')).stdout).not.toMatch(/anna|beth/);
});
