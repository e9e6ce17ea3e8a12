import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { END, marked, output, startPast, typed } from './pastDaemon.ts';

const later = '2031-01-01T00:00:01.250Z';
const told = [output(0, 'a\x1b'), typed, marked, output(2, 'b', later), END];

describe('export', () => {
  test('text into a file: exactly, private, and never over another one unasked', async () => {
    await using ctl = await startPast({ watches: [told, told] });
    const file = join(ctl.folder, 'out');
    expect(await ctl.run(['export', '-o', file])).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe('a\x1bb');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(ctl.stderr).toBe(`pidp10ctl: offsets 0-100 as text, written to ${file}\n`);
    writeFileSync(file, 'precious and long', { mode: 0o644 });
    expect(await ctl.run(['export', '-o', file])).toBe(2);
    expect(ctl.stderr).toContain(`${file} exists; --force replaces it`);
    expect(readFileSync(file, 'utf8')).toBe('precious and long');
    expect(await ctl.run(['export', '-o', file, '--force', '--json'])).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe('a\x1bb');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(ctl.stdout)).toEqual({ format: 'text', from: 0, until: 100, file });
  });

  test('I17: text on standard output is harmless', async () => {
    await using ctl = await startPast({ watches: [told] });
    await ctl.run(['export', '--until', '50', '--from', '7']);
    expect(ctl.stdout).toBe('a^[b');
    expect(ctl.paramsOf('line.watch')).toEqual([{ from: 7, until: 50, form: 'text' }]);
  });

  test('raw: the bytes', async () => {
    const bytes = Buffer.from('\x1bH\xe9\0', 'latin1').toString('base64');
    await using ctl = await startPast({ watches: [[['line.output', { start: 0, end: 4, bytes }], END]] });
    await ctl.run(['export', '--format', 'raw']);
    expect(ctl.stdoutBytes.toString('latin1')).toBe('\x1bH\xe9\0');
  });

  test('jsonl: everything with its times', async () => {
    await using ctl = await startPast({ watches: [told] });
    await ctl.run(['export', '--format', 'jsonl']);
    const events = ctl.stdout
      .trimEnd()
      .split('\n')
      .map((line): object => JSON.parse(line));
    expect(events).toMatchObject([
      { event: 'line.output', text: 'a\x1b' },
      { event: 'line.input', text: '~z' },
      { event: 'line.mark' },
      { event: 'line.output', at: later },
    ]);
  });

  test('asciicast: header, the screen as it was, output with its pauses, markers', async () => {
    await using ctl = await startPast({ watches: [told], paint: '\x1b[H' });
    await ctl.run(['export', '--format', 'asciicast']);
    expect(ctl.stdout).not.toContain('\x1b');
    expect(
      ctl.stdout
        .trimEnd()
        .split('\n')
        .map((line): unknown => JSON.parse(line)),
    ).toEqual([
      { version: 3, term: { cols: 80, rows: 24, type: 'xterm-256color' }, timestamp: 1_924_992_000 },
      [0, 'o', '\x1b[H'],
      [0, 'o', 'a\x1b'],
      [0, 'm', 'claude (agent) typed: ~z'],
      [0, 'm', 'claude notes: here^[[2J'],
      [1.25, 'o', 'b'],
    ]);
    expect(ctl.paramsOf('line.watch')).toEqual([{ from: 0, until: 100, form: 'ansi' }]);
  });

  test('asciicast: a time before the last one is no pause; where nothing happened the screen is shown', async () => {
    const back = output(2, 'b', '2030-01-01T00:00:00.000Z');
    await using ctl = await startPast({ watches: [[output(0, 'a'), back, END], [END]], paint: 'P' });
    await ctl.run(['export', '--format', 'asciicast']);
    expect(ctl.stdout).toContain('[0,"o","a"]\n[0,"o","b"]');
    await ctl.run(['export', '--format', 'asciicast']);
    expect(ctl.stdout.split('\n').slice(1)).toEqual(['[0,"o","P"]', '']);
  });

  test('a file that cannot be written is said', async () => {
    await using ctl = await startPast({ watches: [told] });
    expect(await ctl.run(['export', '-o', join(ctl.folder, 'no', 'such')])).toBe(1);
    expect(ctl.stderr).toContain('cannot write');
  });

  test.each([
    [['export', '--json'], 'export does not go with --json'],
    [['export', '--format', 'gif'], 'Choices: '],
    [['export', '--from', '1', '--since', '2d'], 'only one of'],
    [['export', '--until=-1'], '--until: '],
  ])('%j is refused', async (argv, message) => {
    await using ctl = await startPast({});
    expect(await ctl.run(argv)).toBe(2);
    expect(ctl.stdout + ctl.stderr).toContain(message);
    expect(ctl.paramsOf('hello')).toEqual([]);
  });
});
