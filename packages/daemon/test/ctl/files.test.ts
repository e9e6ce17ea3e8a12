/** put and get: what they make of files on this side. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Ctl } from './runCtl.ts';

const PUT = { file: 'RMS; HELLO 1', lines: 2, chars: 12, verified: true };
const GOT = { file: 'rms;hello', text: 'a\tb\n\x0c\nlast', lines: 3, chars: 10 };

function startFiles(results: Record<string, unknown> = {}): Promise<Ctl> {
  const answers: Record<string, unknown> = { 'line.putFile': PUT, 'line.getFile': GOT, ...results };
  return Ctl.start(({ method }) => (method in answers ? { result: answers[method] } : undefined));
}

describe('put', () => {
  test('CR LF becomes LF; from a file and from standard input', async () => {
    await using ctl = await startFiles();
    writeFileSync(join(ctl.folder, 'local'), 'hello\r\nworld\n');
    expect(await ctl.run(['put', join(ctl.folder, 'local'), 'rms;hello >'])).toBe(0);
    expect(ctl.stdout).toBe('RMS; HELLO 1: 2 lines, 12 characters, read back and the same\n');
    expect(await ctl.run(['put', '-', 'rms;hello >'], { stdin: 'a\r\nb' })).toBe(0);
    expect(ctl.paramsOf('line.putFile')).toEqual([
      { file: 'rms;hello >', text: 'hello\nworld\n' },
      { file: 'rms;hello >', text: 'a\nb' },
    ]);
  });

  test('a file that could not be read back is no success', async () => {
    await using ctl = await startFiles({ 'line.putFile': { ...PUT, verified: false } });
    expect(await ctl.run(['put', '-', 'rms;hello'], { stdin: 'x' })).toBe(1);
    expect(ctl.stderr).toContain('whether it arrived whole is not known');
  });

  test.each<[string, string | Uint8Array, string, number, RegExp]>([
    ['a file that is not there', '', 'rms;x', 1, /cannot read .*nothing: ENOENT/],
    ['bytes that are no text', Uint8Array.of(0xff, 0xfe), 'rms;x', 2, /is no text/],
    ['a name that ends the line', 'x', 'rms;x\r:kill', 2, /ITSFILE: /],
    ['more than the limit', 'x'.repeat(100_001), 'rms;x', 2, /LOCALFILE: /],
  ])('refused before anything is asked: %s', async (_what, content, itsFile, code, message) => {
    await using ctl = await startFiles();
    const local = join(ctl.folder, content === '' ? 'nothing' : 'local');
    if (content !== '') writeFileSync(local, content);
    expect(await ctl.run(['put', local, itsFile])).toBe(code);
    expect(ctl.stderr).toMatch(message);
    expect(ctl.paramsOf('line.putFile')).toEqual([]);
  });

  test('progress on a terminal only, and gone at the end', async () => {
    let answer: (() => void) | undefined;
    await using ctl = await Ctl.start(({ id, method }, socket) => {
      if (method === 'line.putFile') {
        answer = () => socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: PUT })}\n`);
      }
      if (method === 'line.status') setTimeout(() => answer?.(), 20);
      return undefined;
    });
    await ctl.run(['put', '-', 'rms;hello'], { stdin: 'x', isTTY: true });
    expect(ctl.stderr.endsWith('\r\x1b[K')).toBe(true);
  });
});

describe('get', () => {
  test('to standard output: as text that a terminal may get; its size is a note', async () => {
    await using ctl = await startFiles();
    expect(await ctl.run(['get', 'rms;hello'])).toBe(0);
    expect([ctl.stdout, ctl.stderr]).toEqual([
      'a\tb\n^L\nlast',
      'pidp10ctl: rms;hello: 3 lines, 10 characters\n',
    ]);
  });

  test('into a file: as it is', async () => {
    await using ctl = await startFiles();
    const local = join(ctl.folder, 'local');
    expect(await ctl.run(['get', 'rms;hello', local])).toBe(0);
    expect(readFileSync(local, 'utf8')).toBe(GOT.text);
    expect([ctl.stdout, ctl.stderr]).toEqual(['', expect.stringContaining(`written to ${local}`)]);
    expect(await ctl.run(['get', 'rms;hello', join(ctl.folder, 'no/such')])).toBe(1);
    expect(ctl.stderr).toMatch(/cannot write .*ENOENT/);
  });

  test('--json: the result of the wire', async () => {
    await using ctl = await startFiles();
    expect(await ctl.run(['get', 'rms;hello', '--json'])).toBe(0);
    expect(JSON.parse(ctl.stdout)).toEqual(GOT);
  });

  test('an error after ^C is the answer to it: exit code 130', async () => {
    const interrupt = new AbortController();
    await using ctl = await Ctl.start(({ method }) => {
      if (method === 'line.getFile') interrupt.abort();
      return method === 'line.getFile' ? { error: { code: 1136, message: 'stopped', data: {} } } : undefined;
    });
    expect(await ctl.run(['get', 'rms;hello'], { signal: interrupt.signal })).toBe(130);
  });
});
