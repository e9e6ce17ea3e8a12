import { describe, expect, test } from 'vitest';
import { END, marked, output, startPast, typed } from './pastDaemon.ts';

describe('log', () => {
  test('everything that is kept up to now, made harmless, and nothing else', async () => {
    await using ctl = await startPast({
      oldest: 4,
      watches: [[output(4, 'hi\x1b[2J\n'), typed, marked, END]],
    });
    expect(await ctl.run(['log'])).toBe(0);
    expect([ctl.stdout, ctl.stderr]).toEqual(['hi^[[2J\n', '']);
    expect(ctl.paramsOf('line.watch')).toEqual([{ from: 4, until: 100, form: 'text' }]);
    for (const hello of ctl.paramsOf('hello')) expect(hello).toMatchObject({ access: 'read' });
  });

  test('--from: what is no longer kept is said', async () => {
    await using ctl = await startPast({ oldest: 50, watches: [[END]] });
    await ctl.run(['log', '--from', '10']);
    expect(ctl.stderr).toBe('pidp10ctl: output before offset 50 is no longer kept\n');
  });

  test('--since: begins where the daemon knows that it came', async () => {
    await using ctl = await startPast({ oldest: 60, watches: [[END]] });
    await ctl.run(['log', '--since', '2031-01-01T00:00Z']);
    expect(ctl.paramsOf('line.search').map((params) => params['since'])).toEqual(
      Array.from({ length: 2 }, () => '2031-01-01T00:00:00.000Z'),
    );
    expect(ctl.paramsOf('line.watch')).toEqual([{ from: 60, until: 100, form: 'text' }]);
  });

  test('-n: the newest lines; --follow goes on until ^C', async () => {
    const interrupt = new AbortController();
    await using ctl = await startPast({ watches: [[output(86, 'two lines')]] });
    const ended = ctl.run(['log', '-n', '2', '--follow'], { signal: interrupt.signal });
    await expect.poll(() => ctl.stdout).toBe('two lines');
    interrupt.abort();
    expect(await ended).toBe(130);
    expect(ctl.paramsOf('line.watch')).toEqual([{ from: 86, form: 'text' }]);
  });

  test('--raw: the bytes; --json: everything, one object a line', async () => {
    const bytes = Buffer.from('\x1bH\xe9', 'latin1').toString('base64');
    await using raw = await startPast({ watches: [[['line.output', { start: 0, end: 3, bytes }], END]] });
    await raw.run(['log', '--raw']);
    expect(raw.stdoutBytes.toString('latin1')).toBe('\x1bH\xe9');
    await using json = await startPast({ watches: [[output(0, 'x'), typed, marked, END]] });
    await json.run(['log', '--json']);
    const events = json.stdout
      .trimEnd()
      .split('\n')
      .map((line): { event: string } => JSON.parse(line));
    expect(events.map(({ event }) => event)).toEqual(['line.output', 'line.input', 'line.mark', 'end']);
  });

  test('I7: a watch that lagged goes on where it stopped, to the same end', async () => {
    const lagged = ['line.lagged', { offset: 3, end: 99 }] as const;
    await using ctl = await startPast({
      watches: [
        [output(0, 'one'), lagged],
        [output(3, 'two'), END],
      ],
    });
    expect(await ctl.run(['log'])).toBe(0);
    expect(ctl.stdout).toBe('onetwo');
    expect(ctl.paramsOf('line.watch').map(({ from, until }) => [from, until])).toEqual([
      [0, 100],
      [3, 100],
    ]);
  });

  test('a reader of ours that has seen enough is no fault', async () => {
    await using ctl = await startPast({ watches: [[output(0, 'x')]] });
    expect(await ctl.run(['log'], { breaksAfter: 1 })).toBe(0);
    expect(ctl.stderr).toBe('');
  });

  test.each([
    [['log', '--raw', '--json'], '--raw does not go with --json'],
    [['log', '--from', '1', '-n', '1'], 'only one of'],
    [['log', '-n', '0'], '--lines takes a number from 1 to 1000'],
    [['log', '-n', '1001'], '--lines takes a number from 1 to 1000'],
    [['log', '--from=-1'], '--from: '],
  ])('%j is refused', async (argv, message) => {
    await using ctl = await startPast({});
    expect(await ctl.run(argv)).toBe(2);
    expect(ctl.stdout + ctl.stderr).toContain(message);
    expect(ctl.paramsOf('hello')).toEqual([]);
  });
});
