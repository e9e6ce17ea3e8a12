import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { Ctl, FACTS } from './runCtl.ts';

const FLOOR = { state: 'free', waiting: 0 };
const AT = '2031-01-01T00:00:00.000Z';

type Note = readonly [method: string, params: object];

/** A daemon whose watches tell these notifications, the first watch the first ones and so on. */
function startWatches(...watches: readonly (readonly Note[])[]): Promise<Ctl> {
  let number = 0;
  return Ctl.start(({ id, method, params }, socket) => {
    if (method === 'line.unwatch') return { result: {} };
    if (method !== 'line.watch') return undefined;
    const notes = watches[number] ?? [];
    number += 1;
    const size = { rows: 24, columns: 80 };
    const offset = params['from'] ?? 10;
    const result = { watch: number, offset, truncated: params['from'] === 1, size, floor: FLOOR, ...FACTS };
    write(socket, { id, result });
    for (const [name, facts] of notes) {
      write(socket, { method: name, params: { watch: number, offset: 10, at: AT, ...facts } });
    }
    return 'silence';
  });
}

function write(socket: Socket, message: object): void {
  socket.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

const output = (start: number, text: string): Note => [
  'line.output',
  { start, end: start + text.length, text },
];
const typed: Note = [
  'line.input',
  { author: { client: 'claude', reader: 'agent' }, text: '~z', bytes: 1, masked: false },
];
const secret: Note = ['line.input', { author: { client: 'anna' }, bytes: 8, masked: true }];
const END: Note = ['line.watchEnded', {}];

describe('watch', () => {
  test('output on standard output, all else on standard error, made harmless', async () => {
    await using ctl = await startWatches([
      output(10, 'hello\x1b]0;owned\x07\n'),
      ['line.state', { lineState: { state: 'dead', reason: 'reset', codec: 'telnet' } }],
      ['line.said', { text: 'hi\x1b[2J', author: { client: 'claude' } }],
      ['line.mark', { text: 'here', author: { client: 'claude' } }],
      ['floor.changed', { floor: FLOOR, why: 'released' }],
      typed,
      END,
    ]);
    expect(await ctl.run(['watch'])).toBe(0);
    expect(ctl.stdout).toBe('hello^[]0;owned^G\n');
    expect(ctl.stderr.split('\n').map((line) => line.replace('pidp10ctl: ', ''))).toEqual([
      'the line is dead (reset)',
      'claude says: hi^[[2J',
      'claude notes: here',
      'nobody has the floor (released)',
      '',
    ]);
    expect(ctl.paramsOf('hello')[0]).toMatchObject({ access: 'read' });
    expect(ctl.paramsOf('hello')[0]).not.toHaveProperty('reader');
  });

  test('I19: --input tells who typed what, of a secret only its length', async () => {
    await using ctl = await startWatches([typed, secret, END]);
    await ctl.run(['watch', '--input']);
    expect(ctl.stderr).toBe(
      'pidp10ctl: claude (agent) typed: ~z\npidp10ctl: anna typed: 8 bytes, not shown\n',
    );
  });

  test('--json: one object a line, in order, without the number of the watch', async () => {
    await using ctl = await startWatches([output(10, 'a\x1b'), typed, END]);
    expect(await ctl.run(['watch', '--json', '--input', '--from', '10', '--until', '12'])).toBe(0);
    const lines = ctl.stdout.trimEnd().split('\n');
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
      { event: 'line.output', start: 10, end: 12, at: AT, text: 'a\x1b' },
      expect.objectContaining({ event: 'line.input', text: '~z', offset: 10 }),
      { event: 'end', offset: 12 },
    ]);
    expect(ctl.stdout).not.toContain('\x1b');
    expect(ctl.paramsOf('line.watch')).toEqual([{ from: 10, until: 12, form: 'text' }]);
  });

  test('--raw: the bytes as they are', async () => {
    const bytes = Buffer.from('\x1bH\x1bJ\xe9', 'latin1').toString('base64');
    await using ctl = await startWatches([['line.output', { start: 0, end: 5, bytes }], END]);
    await ctl.run(['watch', '--raw']);
    expect(ctl.stdoutBytes.toString('latin1')).toBe('\x1bH\x1bJ\xe9');
    expect(ctl.paramsOf('line.watch')).toEqual([{ form: 'bytes' }]);
  });

  test('I7: lagged: goes on where it stopped, to the same end', async () => {
    const lagged: Note = ['line.lagged', { offset: 13, end: 99 }];
    await using ctl = await startWatches([output(10, 'one'), lagged], [output(13, 'two'), END]);
    expect(await ctl.run(['watch', '--until', '16'])).toBe(0);
    expect(ctl.stdout).toBe('onetwo');
    expect(ctl.paramsOf('line.watch')).toEqual([
      { until: 16, form: 'text' },
      { from: 13, until: 16, form: 'text' },
    ]);
    expect(ctl.paramsOf('line.unwatch')).toEqual([{ watch: 1 }]);
  });

  test('what is no longer kept is said', async () => {
    await using ctl = await startWatches([END]);
    await ctl.run(['watch', '--from', '1']);
    expect(ctl.stderr).toBe('pidp10ctl: output before offset 1 is no longer kept\n');
  });

  test('I11: ^C ends it with 130', async () => {
    const interrupt = new AbortController();
    await using ctl = await startWatches([output(0, 'x')]);
    const ended = ctl.run(['watch'], { signal: interrupt.signal });
    setTimeout(() => interrupt.abort(), 0);
    expect(await ended).toBe(130);
  });

  test('a reader of ours that has seen enough is no fault', async () => {
    await using ctl = await startWatches([output(0, 'x')]);
    expect(await ctl.run(['watch'], { breaksAfter: 1 })).toBe(0);
    expect(ctl.stderr).toBe('');
  });

  test('the daemon goes away: exit code 5', async () => {
    await using ctl = await Ctl.start(({ method }, socket) => {
      if (method === 'line.watch') socket.destroy();
      return undefined;
    });
    expect(await ctl.run(['watch'])).toBe(5);
  });

  test.each([
    [['watch', '--from=-1'], '--from: '],
    [['watch', '--until=-1'], '--until: '],
    [['watch', '--raw', '--json'], '--raw does not go with --json'],
  ])('%j is refused', async (argv, message) => {
    await using ctl = await Ctl.start(() => undefined);
    expect(await ctl.run(argv)).toBe(2);
    expect(ctl.stdout + ctl.stderr).toContain(message);
    expect(ctl.paramsOf('hello')).toEqual([]);
  });
});
