/** Command sessions from the shell: the real pidp10ctl, the real daemon, programs of the system. */
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { METHODS, type MethodName } from '@pidp10/protocol/methods';
import { describe, expect, test } from 'vitest';
import { BIN, type RunOptions, Sandbox } from '../support/sandbox.ts';
import { SessionRig } from './sessionRig.ts';

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function ctl(rig: SessionRig, args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const program = rig.sandbox.run(BIN.ctl, { ...options, args });
  program.child.stdin.end();
  const { code } = await program.exited;
  return { code, stdout: program.stdout, stderr: program.stderr };
}

describe('-s names a program instead of the line', () => {
  test('read, floor and history: its output, who may type into it, what was typed', async () => {
    await using rig = await SessionRig.start();
    expect((await ctl(rig, ['run', '-s', 'cat', 'cat'])).code).toBe(0);
    const taken = await ctl(rig, ['floor', 'take', '-s', 'cat']);
    expect([taken.code, taken.stdout]).toEqual([0, expect.stringContaining('you have the floor')]);
    expect((await ctl(rig, ['floor'])).stdout).toContain('nobody has the floor');
    const others = await ctl(rig, ['--reader', 'other', 'floor', 'take', '-s', 'cat']);
    expect(others.code).not.toBe(0);
    expect(others.stderr).toMatch(/pidp10ctl floor take .*--force/);
    expect((await ctl(rig, ['send', '-s', 'cat', 'hello'])).stdout).toContain('hello');
    expect((await ctl(rig, ['read', '-s', 'cat', '--from', '0', '--quiet-ms', '50'])).stdout).toBe('hello\n');
    expect((await ctl(rig, ['history', '-s', 'cat'])).stdout).toMatch(/typed: hello/);
    expect((await ctl(rig, ['floor', 'release', '-s', 'cat'])).stdout).toContain('nobody has the floor');
  });

  test.each<[args: string[], stderr: RegExp]>([
    [['read', '-s', 'none'], /pidp10ctl ps names/],
    [['rm', 'nap'], /pidp10ctl stop ends it/],
    [['resize', 'nap', '10', '20'], /pidp10ctl run --pty/],
  ])('%j: what to do next is said in words of the shell', async (args, stderr) => {
    await using rig = await SessionRig.start();
    await ctl(rig, ['run', '-s', 'nap', 'sleep', '60']);
    const ran = await ctl(rig, args);
    expect([ran.code === 0, ran.stderr]).toEqual([false, expect.stringMatching(stderr)]);
    expect(ran.stderr).not.toMatch(/\b(session|line|floor|reader|secret)\.[a-z]/);
  });
});

describe('run --follow is the program itself', () => {
  test.each<[script: string, code: number, stdout: string]>([
    ['echo one; echo two; exit 3', 3, 'one\ntwo\n'],
    ['exit 0', 0, ''],
    ['kill -TERM $$', 143, ''],
    ['printf "no line end"', 0, 'no line end'],
    ['echo out; echo err >&2; exit 1', 1, 'out\nerr\n'],
  ])('%s: output and status', async (script, code, stdout) => {
    await using rig = await SessionRig.start();
    const ran = await ctl(rig, ['run', '-f', 'sh', '-c', script]);
    expect([ran.code, ran.stdout]).toEqual([code, stdout]);
  });

  test('errors of their own stream; bytes as they are', async () => {
    await using rig = await SessionRig.start();
    const split = await ctl(rig, ['run', '-f', '--split-stderr', 'sh', '-c', 'echo out; echo err >&2']);
    expect([split.stdout, split.stderr]).toEqual(['out\n', 'err\n']);
    const escape = await ctl(rig, ['run', '-f', 'printf', '\\033[31mred\\033[m\\n']);
    expect(escape.stdout).toBe('red\n');
    const raw = await ctl(rig, ['run', '-f', '--raw', 'printf', '\\033[31mred\\033[m\\n']);
    expect(raw.stdout).toBe('\x1b[31mred\x1b[m\n');
  });

  test('P01: a MiB arrives whole', async () => {
    await using rig = await SessionRig.start();
    const { code, stdout } = await ctl(rig, [
      'run',
      '-f',
      '--raw',
      'sh',
      '-c',
      'yes 1234567 | head -n 131072',
    ]);
    expect([code, stdout.length]).toEqual([0, 1_048_576]);
  });

  test('^C leaves it running; stop ends it', async () => {
    await using rig = await SessionRig.start();
    const program = rig.sandbox.run(BIN.ctl, {
      args: ['run', '-s', 'long', '-f', 'sh', '-c', 'echo up; exec sleep 600'],
    });
    await program.until('its output', ({ stdout }) => stdout === 'up\n');
    program.kill('SIGINT');
    expect((await program.exited).code).toBe(130);
    expect(program.stderr).toContain('(long) goes on: pidp10ctl stop');
    expect((await ctl(rig, ['ps'])).stdout).toMatch(/long +running/);
    const stopped = await ctl(rig, ['stop', 'long']);
    expect([stopped.code, stopped.stdout]).toEqual([
      0,
      expect.stringContaining('was ended by SIGTERM (status 143)'),
    ]);
    expect((await ctl(rig, ['wait', 'long'])).code).toBe(143);
    expect((await ctl(rig, ['logs', 'long'])).stdout).toBe('up\n');
    expect((await ctl(rig, ['rm', 'long'])).code).toBe(0);
    expect((await ctl(rig, ['logs', 'long'])).code).toBe(1);
  });
});

describe('where and with what a program runs', () => {
  test('in the folder of the shell, with relative paths from there, and in a clean environment', async () => {
    await using rig = await SessionRig.start();
    const cwd = join(realpathSync(rig.sandbox.folder), 'work');
    mkdirSync(join(cwd, 'sub'), { recursive: true });
    const env = { SECRET_OF_SHELL: 'x', WANTED: 'y' };
    const script = 'pwd; echo "$SECRET_OF_SHELL,$WANTED,$GIVEN"';
    const args = ['run', '-f', '--env', 'WANTED', '--env', 'GIVEN=a b', '--cwd', 'sub', 'sh', '-c', script];
    const { stdout } = await ctl(rig, args, { cwd, env });
    expect(stdout).toBe(`${join(cwd, 'sub')}\n,y,a b\n`);
    expect((await ctl(rig, ['run', '-f', 'pwd'], { cwd })).stdout).toBe(`${cwd}\n`);
  });

  test('a program that is not there: why, and nothing is left', async () => {
    await using rig = await SessionRig.start();
    const { code, stdout, stderr } = await ctl(rig, ['run', './none']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(join(rig.sandbox.folder, 'none'));
    expect(JSON.parse((await ctl(rig, ['ps', '-a', '--json'])).stdout)).toMatchObject({ sessions: [] });
  });
});

test('send, logs -f, search: a dialogue on pipes, up to the end of input', async () => {
  await using rig = await SessionRig.start();
  expect((await ctl(rig, ['run', '-s', 'c', 'cat'])).stdout).toMatch(/^s\d+\n$/);
  const follower = rig.sandbox.run(BIN.ctl, { args: ['logs', '-f', 'c'] });
  const sent = await ctl(rig, ['send', '-s', 'c', 'hello ~1', '-e', 'hello', '--settle-ms', '0']);
  expect([sent.code, sent.stdout]).toEqual([0, 'hello ~1\n']);
  await follower.until('what was sent', ({ stdout }) => stdout === 'hello ~1\n');
  expect((await ctl(rig, ['search', '-s', 'c', 'hell'])).stdout).toMatch(/: hello ~1\n$/);
  const last = await ctl(rig, ['send', '-s', 'c', '--eof', '--no-enter', 'last']);
  expect([last.code, last.stdout]).toEqual([4, 'last']);
  expect((await follower.exited).code).toBe(0);
  expect(follower.stdout).toBe('hello ~1\nlast');
  expect((await ctl(rig, ['send', '-s', 'c', 'late'])).code).toBe(4);
});

test('signal: to the group; wait sees how it ended', async () => {
  await using rig = await SessionRig.start();
  await ctl(rig, ['run', '-s', 'nap', 'sleep', '600']);
  expect((await ctl(rig, ['signal', 'nap', 'hup'])).code).toBe(0);
  expect((await ctl(rig, ['wait', '--end', 'nap'])).code).toBe(129);
});

test('attach: a program on pipes is refused, with what to do instead', async () => {
  await using rig = await SessionRig.start();
  await ctl(rig, ['run', '-s', 'nap', 'sleep', '600']);
  const { code, stderr } = await ctl(rig, ['attach', '-s', 'nap']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('logs -f nap follows it, send -s nap types')]);
});

test('--json: one document each, the result of the wire', async () => {
  await using rig = await SessionRig.start();
  const calls: readonly (readonly [MethodName, readonly string[]])[] = [
    ['session.start', ['run', '-s', 'c', '--pty', 'cat']],
    ['session.send', ['send', '-s', 'c', 'x']],
    ['session.screen', ['screen', '-s', 'c']],
    ['session.resize', ['resize', 'c', '10', '20']],
    ['session.search', ['search', '-s', 'c', 'x']],
    ['session.list', ['ps', '--args']],
    ['session.signal', ['signal', 'c', 'WINCH']],
    ['session.stop', ['stop', 'c']],
    ['session.delete', ['rm', 'c']],
  ];
  for (const [method, args] of calls) {
    const { code, stdout, stderr } = await ctl(rig, ['--json', ...args]);
    expect(stdout).toMatch(/^[^\n]+\n$/);
    const isResult = METHODS[method].result.safeParse(JSON.parse(stdout)).success;
    expect([args, code, stderr, isResult]).toEqual([args, 0, '', true]);
  }
});

test('5: run starts a daemon where there is none', async () => {
  await using sandbox = await Sandbox.create();
  const run = async (...args: readonly string[]) => {
    const program = sandbox.run(BIN.ctl, { args });
    program.child.stdin.end();
    const { code } = await program.exited;
    return { code, stdout: program.stdout };
  };
  try {
    expect(await run('run', '-f', 'echo', 'hello')).toEqual({ code: 0, stdout: 'hello\n' });
  } finally {
    expect((await run('shutdown')).code).toBe(0);
  }
});
