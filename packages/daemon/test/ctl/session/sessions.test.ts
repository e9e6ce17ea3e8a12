import { describe, expect, test } from 'vitest';
import { toSignalName } from '../../../src/ctl/session/signal.ts';
import {
  answering,
  END,
  EXITED,
  KILLED,
  output,
  RUNNING,
  refusing,
  SLICE,
  STATUS,
  startSessions,
} from './sessionDaemon.ts';

describe('ps', () => {
  const sessions = [
    STATUS,
    { ...STATUS, ...KILLED, session: 's4', pid: undefined, args: ['a b', "it's", '\x1b[2J'] },
    { ...STATUS, ...EXITED, session: 's5', outputState: 'held', name: undefined },
  ];
  const list = { sessions, policy: 'local', leftovers: [{ session: 's1', pid: 99, name: 'sleep' }] };

  test('a row for each that runs, or whose output others hold; leftovers of an earlier daemon', async () => {
    await using ctl = await startSessions({ script: answering('session.list', list) });
    expect(await ctl.run(['ps'])).toBe(0);
    const [heading, ...rows] = ctl.stdout.trimEnd().split('\n');
    expect(heading).toMatch(/^ID +NAME +STATE +PID +AGE +ON +COMMAND$/);
    expect(rows).toEqual([
      expect.stringMatching(/^s3 +build +running +4711 .* pipes +make$/),
      expect.stringMatching(/^s5 +- +exited 7, output held +4711 .* make$/),
    ]);
    expect(ctl.stderr).toContain('1 more, which have exited, with --all');
    expect(ctl.stderr).toContain('left over from s1 of an earlier daemon');
    expect(ctl.paramsOf('session.list')).toEqual([{ args: false }]);
    expect(ctl.paramsOf('hello')[0]).not.toHaveProperty('reader');
  });

  test('I17: -a --args: the exited ones too, arguments as a shell would read them and made harmless', async () => {
    await using ctl = await startSessions({ script: answering('session.list', list) });
    await ctl.run(['ps', '-a', '--args']);
    expect(ctl.stdout).toContain('by SIGTERM');
    expect(ctl.stdout).toContain(String.raw`make 'a b' 'it'\''s' '^[[2J'`);
    expect(ctl.paramsOf('session.list')).toEqual([{ args: true }]);
  });

  test('--json: as it came', async () => {
    await using ctl = await startSessions({
      script: answering('session.list', { ...list, policy: 'off' }),
    });
    await ctl.run(['ps', '-a', '--json']);
    expect(JSON.parse(ctl.stdout)).toMatchObject({ policy: 'off', sessions: [{}, {}, {}] });
    await ctl.run(['ps']);
    expect(ctl.stderr).toContain('lets nobody start programs');
  });
});

describe('send -s', () => {
  const outcome = { reason: 'quiet', stream: 'out', output: { ...SLICE, text: '2\n' }, ...RUNNING };

  test('text as it stands, without escapes, with the options of a wait', async () => {
    await using ctl = await startSessions({ script: answering('session.send', outcome) });
    expect(await ctl.run(['send', '-s', 'py', '1', '+ ~1', '-e', '>>>', '--timeout-ms', '9'])).toBe(0);
    expect(ctl.stdout).toBe('2\n');
    expect(ctl.paramsOf('session.send')).toEqual([
      {
        session: 'py',
        input: '1 + ~1',
        enter: true,
        closeInput: false,
        echo: 'strip',
        expect: '>>>',
        timeoutMs: 9,
      },
    ]);
  });

  test.each([
    [['x', '--no-enter'], { input: 'x', enter: false, closeInput: false }],
    [['x', '--eof'], { input: 'x', enter: true, closeInput: true }],
    [['--eof'], { enter: false, closeInput: true }],
    [[''], { input: '', enter: true, closeInput: false }],
    [['-'], { input: 'one\ntwo\n', enter: false, closeInput: false }],
  ])('%j', async (argv, params) => {
    await using ctl = await startSessions({ script: answering('session.send', outcome) });
    await ctl.run(['send', '-s', 'py', ...argv], { stdin: 'one\ntwo\n' });
    expect(ctl.paramsOf('session.send')).toEqual([{ session: 'py', echo: 'strip', ...params }]);
  });

  test('the end of the program meanwhile is exit code 4, and said; so is one before', async () => {
    await using ctl = await startSessions({
      script: answering('session.send', { ...outcome, ...EXITED, reason: 'dead' }),
    });
    expect(await ctl.run(['send', '-s', 'py', 'quit()'])).toBe(4);
    expect(ctl.stderr).toBe('pidp10ctl: dead\npidp10ctl: s3 (build) has exited with status 7\n');
    await using late = await startSessions({ script: refusing('session.send', 1201, 'It has exited.') });
    expect(await late.run(['send', '-s', 'py', 'x'])).toBe(4);
  });

  test.each([
    [['send', '-s', 'py'], 'send needs INPUT, or --eof'],
    [['send'], 'send needs INPUT'],
    [['send', 'x', '--no-enter'], '--no-enter does not go without --session'],
    [['send', 'x', '--eof'], '--eof does not go without --session'],
    ...['--raw', '--paste', '--confirm', '--dry-run', '--no-auto-more', '--until-prompt'].map(
      (option): [string[], string] => [
        ['send', '-s', 'py', 'x', option],
        `${option} does not go with --session`,
      ],
    ),
    [['send', '-s', 'a b', 'x'], '--session: the id or name of a session'],
  ])('%j is refused', async (argv, message) => {
    await using ctl = await startSessions();
    expect(await ctl.run(argv)).toBe(2);
    expect(ctl.stdout + ctl.stderr).toContain(message);
    expect(ctl.paramsOf('hello')).toEqual([]);
  });
});

describe('logs', () => {
  test('everything up to now, made harmless; of errors with --stderr', async () => {
    await using ctl = await startSessions({ out: [[output(0, 'a\x1b\n'), END]], err: [[END]] });
    expect(await ctl.run(['logs', 'build'])).toBe(0);
    expect([ctl.stdout, ctl.stderr]).toEqual(['a^[\n', '']);
    await ctl.run(['logs', '--stderr', 'build']);
    expect(ctl.paramsOf('session.watch')).toEqual([
      { session: 'build', stream: 'out', from: 0, until: 100, form: 'text' },
      { session: 'build', stream: 'err', from: 0, until: 100, form: 'text' },
    ]);
    expect(ctl.paramsOf('session.search').at(-1)).toMatchObject({ session: 'build', stream: 'err' });
  });

  test('-f: ends with the output; -n: the newest lines', async () => {
    await using ctl = await startSessions({ out: [[output(86, 'x'), END]] });
    expect(await ctl.run(['logs', '-f', '-n', '2', '--raw', 'build'])).toBe(0);
    expect(ctl.paramsOf('session.watch')).toEqual([
      { session: 'build', stream: 'out', from: 86, form: 'bytes' },
    ]);
  });

  test('no such session: exit code 1', async () => {
    await using ctl = await startSessions({ script: refusing('session.search', 1200, 'No such session.') });
    expect(await ctl.run(['logs', 'none'])).toBe(1);
    expect(ctl.stderr).toBe('pidp10ctl: No such session.\n');
  });
});

describe('wait', () => {
  test.each([
    [{ reason: 'exited', ...EXITED }, 7],
    [{ reason: 'exited', ...KILLED }, 143],
    [{ reason: 'cancelled', ...RUNNING }, 130],
  ])('exits with the status of the program: %j', async (result, code) => {
    await using ctl = await startSessions({ script: answering('session.wait', result) });
    expect(await ctl.run(['wait', 'build'])).toBe(code);
    expect(ctl.paramsOf('session.wait')).toEqual([
      { session: 'build', until: 'exit', timeoutMs: 86_400_000 },
    ]);
  });

  test('for ever is one call after the other; --timeout-ms is one', async () => {
    const results = [
      { reason: 'timeout', ...RUNNING },
      { reason: 'exited', ...EXITED },
      { reason: 'timeout', ...RUNNING },
    ];
    await using ctl = await startSessions({
      script: ({ method }) => (method === 'session.wait' ? { result: results.shift() } : undefined),
    });
    expect(await ctl.run(['wait', '--end', 'build'])).toBe(7);
    expect(ctl.paramsOf('session.wait').map(({ until }) => until)).toEqual(['end', 'end']);
    expect(await ctl.run(['wait', 'build', '--timeout-ms', '5'])).toBe(3);
    expect(ctl.stdout).toBe('s3 (build) is running\n');
  });
});

describe('stop and rm', () => {
  test('stop: says how it ended, and who is alive all the same', async () => {
    const survivors = [{ pid: 12, name: 'dd' }];
    await using ctl = await startSessions({ script: answering('session.stop', { survivors, ...KILLED }) });
    expect(await ctl.run(['stop', '--grace-ms', '0', 'build'])).toBe(1);
    expect(ctl.stdout).toBe('s3 (build) was ended by SIGTERM (status 143)\n');
    expect(ctl.stderr).toBe('pidp10ctl: not even SIGKILL has ended dd, pid 12\n');
    expect(ctl.paramsOf('session.stop')).toEqual([{ session: 'build', graceMs: 0 }]);
  });

  test('several: what fails for one does not keep the others from it', async () => {
    await using ctl = await startSessions({
      script: ({ method, params }) => {
        if (method !== 'session.delete') return undefined;
        if (params['session'] === 'b') return { error: { code: 1202, message: 'It runs.', data: {} } };
        return { result: {} };
      },
    });
    expect(await ctl.run(['rm', 'a', 'b', 'c'])).toBe(1);
    expect([ctl.stdout, ctl.stderr]).toEqual(['a\nc\n', 'pidp10ctl: b: It runs.\n']);
    expect(await ctl.run(['rm', '--stop', '--json', 'a', 'c'])).toBe(0);
    expect(JSON.parse(ctl.stdout)).toEqual({ sessions: [{ session: 'a' }, { session: 'c' }] });
    expect(ctl.paramsOf('session.delete').at(-1)).toEqual({ session: 'c', stop: true });
  });

  test('one: its error is the answer', async () => {
    await using ctl = await startSessions({ script: refusing('session.delete', 1202, 'It runs.') });
    expect(await ctl.run(['rm', 'a', '--json'])).toBe(1);
    expect(JSON.parse(ctl.stdout)).toMatchObject({ error: { name: 'session_running' } });
  });
});

describe('signal, resize, screen, search', () => {
  test.each([
    ['int', 'SIGINT'],
    ['SIGHUP', 'SIGHUP'],
    ['15', 'SIGTERM'],
    ['RTMIN+1', 'SIGRTMIN+1'],
  ])('the signal %s is %s', (word, name) => expect(toSignalName(word)).toBe(name));

  test('signal', async () => {
    await using ctl = await startSessions({ script: answering('session.signal', RUNNING) });
    expect(await ctl.run(['signal', 'build', 'int', '--target', 'leader'])).toBe(0);
    expect(ctl.stdout).toBe('SIGINT sent; s3 (build) is running\n');
    expect(ctl.paramsOf('session.signal')).toEqual([
      { session: 'build', signal: 'SIGINT', target: 'leader' },
    ]);
    expect(await ctl.run(['signal', 'build', '; rm'])).toBe(2);
    expect(await ctl.run(['signal', 'build', 'int', '--target', 'all'])).toBe(2);
  });

  test('resize', async () => {
    await using ctl = await startSessions({ script: answering('session.resize', RUNNING) });
    expect(await ctl.run(['resize', 'build', '40', '132'])).toBe(0);
    expect(ctl.paramsOf('session.resize')).toEqual([{ session: 'build', rows: 40, columns: 132 }]);
    expect(await ctl.run(['resize', 'build', '40', 'wide'])).toBe(2);
    expect(await ctl.run(['resize', 'build', '0', '80'])).toBe(2);
  });

  test('screen -s', async () => {
    const size = { rows: 2, columns: 80 };
    const cursor = { row: 1, column: 0 };
    const screen = { rows: ['~ a', ''], cursor, isAlternate: true, size, offset: 9, ...RUNNING };
    await using ctl = await startSessions({ script: answering('session.screen', screen) });
    expect(await ctl.run(['screen', '-s', 'edit'])).toBe(0);
    expect(ctl.stdout).toBe('~ a\n\n');
    expect(ctl.stderr).toContain('cursor in row 1, column 0 (from 0), offset 9, 2 rows of 80 columns');
    expect(await ctl.run(['screen', '-s', 'edit', '--follow'])).toBe(2);
  });

  test('search -s', async () => {
    await using ctl = await startSessions();
    expect(await ctl.run(['search', '-s', 'build', '--limit', '1', 'error'])).toBe(0);
    expect(ctl.stdout).toBe('      93: x\n');
    expect(ctl.paramsOf('session.search')[0]).toMatchObject({
      session: 'build',
      stream: 'out',
      text: 'error',
    });
  });

  test('upgrade --end-sessions', async () => {
    await using ctl = await startSessions({
      script: refusing('daemon.upgrade', 1212, 'Commands are running.'),
    });
    expect(await ctl.run(['upgrade'])).toBe(1);
    expect(await ctl.run(['upgrade', '--end-sessions'])).toBe(1);
    expect(ctl.paramsOf('daemon.upgrade')).toEqual([{ endSessions: false }, { endSessions: true }]);
  });
});
