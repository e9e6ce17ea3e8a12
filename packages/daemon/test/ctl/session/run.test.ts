import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { END, EXITED, KILLED, output, RUNNING, refusing, SLICE, startSessions } from './sessionDaemon.ts';

const STARTED = { reason: 'timeout', stream: 'out', output: SLICE, ...RUNNING };

/** Starts as told, and has exited like this when it is waited for. */
function starting(exited: object = EXITED) {
  return ({ method }: { readonly method: string }) => {
    if (method === 'session.start') return { result: STARTED };
    return method === 'session.wait' ? { result: { reason: 'exited', ...exited } } : undefined;
  };
}

describe('run', () => {
  test('prints the id; options behind the program are its own', async () => {
    await using ctl = await startSessions({ script: starting() });
    expect(await ctl.run(['run', '-s', 'build', 'make', '-j4', '--json', '-f', '--', '-x'])).toBe(0);
    expect([ctl.stdout, ctl.stderr]).toEqual(['s3\n', '']);
    expect(ctl.paramsOf('session.start')).toEqual([
      {
        command: 'make',
        args: ['-j4', '--json', '-f', '--', '-x'],
        cwd: ctl.folder,
        env: {},
        name: 'build',
        pty: false,
        splitStderr: false,
      },
    ]);
  });

  test.each([
    [['--', './prog', '-x'], { command: 'prog', args: ['-x'] }],
    [['/bin/true'], { command: '/bin/true', args: [] }],
    [['sub/prog'], { command: 'sub/prog', args: [] }],
  ])('what is relative is so to where the shell stands: %j', async (argv, started) => {
    await using ctl = await startSessions({ script: starting() });
    await ctl.run(['run', '--cwd', 'sub', ...argv]);
    const { command, args } = started;
    expect(ctl.paramsOf('session.start')[0]).toMatchObject({
      command: command.startsWith('/') ? command : join(ctl.folder, command),
      args,
      cwd: join(ctl.folder, 'sub'),
    });
  });

  test('variables: as given, or as the shell has them; limits and streams', async () => {
    await using ctl = await startSessions({ script: starting() });
    const env = ['--env', 'A=b=c', '--env', 'EMPTY=', '--env', 'PATH'];
    await ctl.run(['run', ...env, '--split-stderr', '--time-limit-ms', '9', 'x']);
    expect(ctl.paramsOf('session.start')[0]).toMatchObject({
      env: { A: 'b=c', EMPTY: '', PATH: '' },
      splitStderr: true,
      timeLimitMs: 9,
    });
  });

  test('a terminal is as large as this one, unless told otherwise', async () => {
    await using ctl = await startSessions({ script: starting() });
    const size = { isTTY: true, rows: 40, columns: 132 };
    await ctl.run(['run', '--pty', 'vi'], size);
    await ctl.run(['run', '--pty', '--cols', '90', 'vi'], size);
    await ctl.run(['run', '--pty', 'vi'], { ...size, isTTY: false });
    expect(ctl.paramsOf('session.start').map(({ rows, columns }) => [rows, columns])).toEqual([
      [40, 132],
      [40, 90],
      [undefined, undefined],
    ]);
  });

  test('its first output in the same call', async () => {
    const outcome = { ...STARTED, reason: 'matched', output: { ...SLICE, text: '>>> ' } };
    await using ctl = await startSessions({
      script: ({ method }) => (method === 'session.start' ? { result: outcome } : undefined),
    });
    expect(await ctl.run(['run', '-e', '>>> $', '--timeout-ms', '5000', 'python3'])).toBe(0);
    expect(ctl.stdout).toBe('>>> ');
    expect(ctl.stderr).toBe('pidp10ctl: matched\npidp10ctl: s3 (build) is running\n');
    expect(ctl.paramsOf('session.start')[0]).toMatchObject({ expect: '>>> $', timeoutMs: 5000 });
  });

  test('what the daemon refuses is said', async () => {
    await using ctl = await startSessions({ script: refusing('session.start', 1206, 'No commands here.') });
    expect(await ctl.run(['run', 'x'])).toBe(1);
    expect(ctl.stderr).toBe('pidp10ctl: No commands here.\n');
  });

  test.each([
    [['run'], 'run needs COMMAND'],
    [['run', '--env', 'NONE', 'x'], '--env NONE: the shell has no such variable'],
    [['run', '--env', '=x', 'x'], '--env takes NAME=VALUE or NAME'],
    [['run', '-s', 's12', 'x'], '--session: looks like an id'],
    [['run', '--rows', '0', 'x'], '--rows: '],
    [['run', '--cols', '1001', 'x'], '--cols: '],
    [['run', '-f', '-e', 'y', 'x'], '--expect does not go with --follow'],
    [['run', '--raw', 'x'], '--raw does not go without --follow'],
    [['run', '-f', '--raw', '--json', 'x'], '--raw does not go with --json'],
    [['run', '--flush', 'x'], 'run has no option --flush'],
  ])('%j is refused before anything is started', async (argv, message) => {
    await using ctl = await startSessions({ script: starting() });
    expect(await ctl.run(argv)).toBe(2);
    expect(ctl.stdout + ctl.stderr).toContain(message);
    expect(ctl.paramsOf('session.start')).toEqual([]);
  });
});

describe('run --follow', () => {
  test.each([
    [EXITED, 7, 'pidp10ctl: s3 (build) has exited with status 7\n'],
    [KILLED, 143, 'pidp10ctl: s3 (build) was ended by SIGTERM (status 143)\n'],
    [{ ...EXITED, exit: { code: 0, status: 0 } }, 0, ''],
    [
      { ...EXITED, state: 'lost', exit: undefined },
      1,
      'pidp10ctl: s3 (build) is lost: the daemon that ran it ended without a word\n',
    ],
  ])('its output from the beginning, then its status: %j', async (exited, code, note) => {
    await using ctl = await startSessions({
      script: starting(exited),
      out: [[output(0, 'one\x1b[2J\n'), END]],
    });
    expect(await ctl.run(['run', '-f', 'make'])).toBe(code);
    expect(ctl.stdout).toBe('one^[[2J\n');
    expect(ctl.stderr).toBe(note);
    expect(ctl.paramsOf('session.watch')).toEqual([{ session: 's3', stream: 'out', from: 0, form: 'text' }]);
  });

  test('errors that are apart go to standard error; I7: what lagged goes on where it stopped', async () => {
    await using ctl = await startSessions({
      script: starting(),
      out: [
        [output(0, 'one'), ['session.lagged', { offset: 3, end: 9 }]],
        [output(3, 'two'), END],
      ],
      err: [[output(0, 'bad\n'), END]],
    });
    await ctl.run(['run', '-f', '--split-stderr', 'make']);
    expect(ctl.stdout).toBe('onetwo');
    expect(ctl.stderr).toBe('bad\npidp10ctl: s3 (build) has exited with status 7\n');
  });

  test('--raw: the bytes', async () => {
    const bytes = Buffer.from([0, 0xff, 0x1b]).toString('base64');
    await using ctl = await startSessions({
      script: starting(),
      out: [[['session.output', { start: 0, end: 3, bytes }], END]],
    });
    await ctl.run(['run', '-f', '--raw', 'cat']);
    expect([...ctl.stdoutBytes]).toEqual([0, 0xff, 0x1b]);
  });

  test('P13: the program is over, and others hold its output: said once, and followed on', async () => {
    const held = { ...EXITED, outputState: 'held', text: 'it has exited' };
    await using ctl = await startSessions({
      script: starting(),
      out: [[['session.state', held], ['session.state', held], output(0, 'late'), END]],
    });
    expect(await ctl.run(['run', '-f', 'sh'])).toBe(7);
    expect(ctl.stdout).toBe('late');
    expect(ctl.stderr.split('others that it started hold its output open')).toHaveLength(2);
  });

  test('I11: ^C leaves it running and says how to end it', async () => {
    const interrupt = new AbortController();
    await using ctl = await startSessions({ script: starting(), out: [[output(0, 'x')]] });
    const ended = ctl.run(['run', '-f', 'make'], { signal: interrupt.signal });
    await expect.poll(() => ctl.stdout).toBe('x');
    interrupt.abort();
    expect(await ended).toBe(130);
    expect(ctl.stderr).toContain('s3 (build) goes on: pidp10ctl stop s3 ends it');
    expect(ctl.paramsOf('session.stop')).toEqual([]);
  });

  test('--json: one object a line, the last one with how it ended', async () => {
    await using ctl = await startSessions({ script: starting(), out: [[output(0, 'x'), END]] });
    expect(await ctl.run(['--json', 'run', '-f', 'make'])).toBe(7);
    const lines = ctl.stdout
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(lines).toEqual([
      expect.objectContaining({ event: 'session.output', stream: 'out', text: 'x' }),
      expect.objectContaining({ event: 'end', session: 's3', exit: { code: 7, status: 7 } }),
    ]);
  });
});
