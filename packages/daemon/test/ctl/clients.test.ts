/** The small commands about the other clients: who, say, mark, history, readers. */
import { describe, expect, test } from 'vitest';
import { renderHistory } from '../../src/ctl/history.ts';
import { toTable } from '../../src/ctl/table.ts';
import { Ctl } from './runCtl.ts';

const AT = '2031-01-01T00:00:00.000Z';
const CLAUDE = { client: 'claude', reader: 'agent' };

const RESULTS: Record<string, unknown> = {
  'daemon.clients': {
    clients: [
      {
        ...CLAUDE,
        version: '1.0',
        access: 'full',
        since: AT,
        watches: 0,
        holdsFloor: true,
        isYou: false,
      },
      {
        client: 'pidp10ctl',
        version: '0.1',
        access: 'read',
        since: AT,
        watches: 2,
        holdsFloor: false,
        isYou: true,
      },
    ],
  },
  'line.say': { clients: 2 },
  'line.mark': { offset: 77 },
  'reader.list': {
    readers: [
      { name: 'ctl', offset: 10, committed: 8, lag: 3 },
      { name: 'agent', owner: 'claude', offset: 13, committed: 13, lag: 0 },
    ],
  },
  'reader.remove': {},
  'reader.rename': {},
  'line.history': {
    entries: [{ seq: 1, offset: 4, at: AT, kind: 'mark', text: 'here', author: CLAUDE }],
    truncated: true,
  },
};

function start(): Promise<Ctl> {
  return Ctl.start(({ method }) =>
    Object.hasOwn(RESULTS, method) ? { result: RESULTS[method] } : undefined,
  );
}

test('toTable: columns as wide as what is shown of them', () => {
  expect(
    toTable(
      ['A', 'B'],
      [
        ['\x1b', 'x'],
        ['yyyy', ''],
      ],
    ),
  ).toBe('A     B\n^[    x\nyyyy\n');
});

test('who: a row for each client', async () => {
  await using ctl = await start();
  expect(await ctl.run(['who'])).toBe(0);
  expect(ctl.stdout.split('\n').map((row) => row.split(/ {2,}/))).toEqual([
    ['', 'CLIENT', 'VERSION', 'READER', 'ACCESS', 'WATCHES', 'FLOOR', 'SINCE'],
    ['', 'claude', '1.0', 'agent', 'types', '0', 'has it', AT],
    ['*', 'pidp10ctl', '0.1', '-', 'spy', '2', '-', AT],
    [''],
  ]);
  expect(ctl.paramsOf('hello')[0]).not.toHaveProperty('reader');
  expect(await ctl.run(['who', '--json'])).toBe(0);
  expect(JSON.parse(ctl.stdout)).toEqual(RESULTS['daemon.clients']);
});

test('say: words are joined, and it is told how many will read them', async () => {
  await using ctl = await start();
  expect(await ctl.run(['say', 'going', 'down'])).toBe(0);
  expect(ctl.paramsOf('line.say')).toEqual([{ text: 'going down' }]);
  expect([ctl.stdout, ctl.stderr]).toEqual(['', 'pidp10ctl: to 2 clients\n']);
});

test('mark: prints the offset', async () => {
  await using ctl = await start();
  expect(await ctl.run(['mark', 'before', 'the', 'build'])).toBe(0);
  expect([ctl.paramsOf('line.mark'), ctl.stdout]).toEqual([[{ text: 'before the build' }], '77\n']);
});

test.each([
  ['say', 500, 0],
  ['say', 501, 2],
  ['mark', 500, 0],
  ['mark', 501, 2],
])('%s with %i characters ends with %i', async (command, chars, code) => {
  await using ctl = await start();
  expect(await ctl.run([command, 'x'.repeat(chars)])).toBe(code);
  expect(ctl.stderr.includes('TEXT: ')).toBe(code === 2);
});

describe('readers', () => {
  test('a row for each', async () => {
    await using ctl = await start();
    expect(await ctl.run(['readers'])).toBe(0);
    expect(ctl.stdout.split('\n').map((row) => row.split(/ {2,}/))).toEqual([
      ['READER', 'HELD BY', 'OFFSET', 'DELIVERED', 'UNREAD'],
      ['ctl', '-', '10', '8', '3'],
      ['agent', 'claude', '13', '13', '0'],
      [''],
    ]);
  });

  test('removes and renames', async () => {
    await using ctl = await start();
    expect(await ctl.run(['readers', 'remove', 'ctl#2'])).toBe(0);
    expect(await ctl.run(['readers', 'rename', 'ctl', 'anna'])).toBe(0);
    expect(ctl.paramsOf('reader.remove')).toEqual([{ name: 'ctl#2' }]);
    expect(ctl.paramsOf('reader.rename')).toEqual([{ name: 'ctl', to: 'anna' }]);
    expect(ctl.stderr).toBe('pidp10ctl: ctl is anna now\n');
  });

  test.each([
    [['readers', 'drop'], 'list, remove or rename, found "drop"'],
    [['readers', 'remove'], 'readers remove takes 1 names, found 0'],
    [['readers', 'rename', 'a'], 'readers rename takes 2 names, found 1'],
    [['readers', 'list', 'a'], 'readers list takes 0 names, found 1'],
    [['readers', 'rename', 'a', 'b c'], 'TO: '],
  ])('%j is refused', async (argv, message) => {
    await using ctl = await start();
    expect(await ctl.run(argv)).toBe(2);
    expect(ctl.stderr).toContain(message);
  });
});

describe('history', () => {
  test('what happened, a row each, with what came back below', () => {
    const input = { author: CLAUDE, text: ':listf~r', bytes: 7, masked: false };
    const entry = { seq: 0, offset: 12, at: AT };
    expect(
      renderHistory([
        { ...entry, kind: 'input', input, output: '\nfile one\n\nfile two\n' },
        { ...entry, kind: 'input', input: { author: CLAUDE, bytes: 6, masked: true } },
        { ...entry, kind: 'input', input: { ...input, text: ' ', isAnswer: true } },
        { ...entry, kind: 'said', text: 'hello', author: { client: 'anna' } },
        { ...entry, kind: 'state', text: 'the line died' },
        { ...entry, kind: 'floor', text: 'anna took the floor' },
      ]),
    ).toBe(
      [
        'claude (agent) typed: :listf~r',
        '\n    file one\n\n    file two',
        'claude (agent) typed: 6 bytes, not shown',
        'claude (agent) had a pager answered:  ',
        'anna says: hello',
        'the line died',
        'anna took the floor',
      ]
        .map((text) => (text.startsWith('\n') ? `${text.slice(1)}\n` : `${AT}        12  ${text}\n`))
        .join('')
        .replace('    file one', '\n    file one'),
    );
  });

  test('asks for the span that was wanted, and says that there is more', async () => {
    await using ctl = await start();
    const argv = ['history', '--from', '1', '--to', '9', '--limit', '5', '--output-chars', '100'];
    expect(await ctl.run(argv)).toBe(0);
    expect(ctl.paramsOf('line.history')).toEqual([{ from: 1, to: 9, limit: 5, outputChars: 100 }]);
    expect(ctl.stdout).toBe(`${AT}         4  claude (agent) notes: here\n`);
    expect(ctl.stderr).toBe('pidp10ctl: there is or was more before that\n');
  });
});

test.each([['--json'], ['--escape=x'], ['--escape=^[']])('attach %s is refused', async (option) => {
  await using ctl = await start();
  expect(await ctl.run(['attach', option])).toBe(2);
  expect(ctl.stdout + ctl.stderr).toMatch(/attach does not go with --json|--escape takes a control key/);
});

test('attach without a terminal says what there is instead', async () => {
  await using ctl = await start();
  expect(await ctl.run(['attach'])).toBe(2);
  expect(ctl.stderr).toContain('without one, watch follows the line and send types');
});
