import { describe, expect, test } from 'vitest';
import { Ctl } from './runCtl.ts';

const RESULT = {
  matches: [
    {
      start: 120,
      end: 130,
      line: 'some word\x1b',
      at: '2031-01-01T00:00:00.000Z',
      before: ['x'],
      after: ['', 'y'],
    },
    { start: 20, end: 30, line: 'word' },
  ],
  searched: { from: 20, to: 200 },
  isComplete: false,
};

function startSearch(result: object) {
  return Ctl.start(({ method }) => (method === 'line.search' ? { result } : undefined));
}

describe('search', () => {
  test('each line behind its offset and time, made harmless; what to do about the rest on standard error', async () => {
    await using ctl = await startSearch(RESULT);
    expect(await ctl.run(['search', 'some', 'word', '-C', '2'])).toBe(0);
    const blank = ' '.repeat('2031-01-01T00:00:00.000Z  '.length + 8);
    expect(ctl.stdout.split('\n')).toEqual([
      `${blank}- x`,
      '2031-01-01T00:00:00.000Z       120: some word^[',
      `${blank}-`,
      `${blank}- y`,
      '--',
      '      20: word',
      '',
    ]);
    expect(ctl.stderr).toContain('2 lines shown, and there may be more: go on with --to 20');
    expect(ctl.paramsOf('line.search')).toEqual([{ text: 'some word', ignoreCase: false, context: 2 }]);
  });

  test('all options reach the daemon', async () => {
    await using ctl = await startSearch(RESULT);
    const options =
      '-i --oldest --limit 5 --from 1 --to 9 --since 2031-01-01T00:00Z --before 2031-01-02T00:00Z';
    await ctl.run(['search', '--pattern', '^a', ...options.split(' ')]);
    expect(ctl.paramsOf('line.search')).toEqual([
      {
        pattern: '^a',
        ignoreCase: true,
        order: 'oldest',
        limit: 5,
        from: 1,
        to: 9,
        since: '2031-01-01T00:00:00.000Z',
        until: '2031-01-02T00:00:00.000Z',
      },
    ]);
    expect(ctl.stderr).toContain('go on with --from 200');
  });

  test('nothing found: exit code 1, as grep', async () => {
    await using ctl = await startSearch({ ...RESULT, matches: [], isComplete: true });
    expect(await ctl.run(['search', 'word'])).toBe(1);
    expect([ctl.stdout, ctl.stderr]).toEqual(['', '']);
  });

  test('--json: the result as it came', async () => {
    await using ctl = await startSearch(RESULT);
    expect(await ctl.run(['search', 'word', '--json'])).toBe(0);
    expect(JSON.parse(ctl.stdout)).toEqual(RESULT);
  });

  test('I11: ^C: what was found by then, and 130', async () => {
    const interrupt = new AbortController();
    let search: string | number | undefined;
    await using ctl = await Ctl.start(({ method, id }, socket) => {
      if (method === 'line.search') {
        search = id;
        setImmediate(() => interrupt.abort());
        return 'silence';
      }
      if (method !== '$/cancelRequest') return undefined;
      socket.write(`${JSON.stringify({ jsonrpc: '2.0', id: search, result: RESULT })}\n`);
      return 'silence';
    });
    expect(await ctl.run(['search', 'word'], { signal: interrupt.signal })).toBe(130);
    expect(ctl.stdout).toContain('20: word');
  });

  test.each([
    [['search'], 'search needs TEXT'],
    [['search', ''], 'TEXT: '],
    [['search', 'x', '--limit', '1001'], '--limit: '],
    [['search', 'x', '--context', '21'], '--context: '],
    [['search', 'x', '--since', 'soon'], '--since takes a time'],
    [['search', 'x', '--before', '31'], '--before takes a time'],
  ])('%j is refused', async (argv, message) => {
    await using ctl = await startSearch(RESULT);
    expect(await ctl.run(argv)).toBe(2);
    expect(ctl.stderr).toContain(message);
  });
});
