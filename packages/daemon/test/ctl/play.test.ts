import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Ctl } from './runCtl.ts';

const HEADER = '{"version":3,"term":{"cols":80,"rows":24}}';
const BEGIN = '\x1b[r\x1b[H\x1b[J';
const END = '\x1b[r\x1b[24;1H\r\n';
const terminal = { isTTY: true, rows: 40 } as const;

function start() {
  return Ctl.start(() => undefined);
}

describe('play', () => {
  test('the output of a recording, and the terminal as it was behind it', async () => {
    await using ctl = await start();
    const file = join(ctl.folder, 'x.cast');
    writeFileSync(
      file,
      `${HEADER}\n# by hand\n[0,"o","a\\u001b["]\n[0,"m","mark"]\n[0.0001,"o","2Cb"]\n[0,"i","typed"]`,
    );
    expect(await ctl.run(['play', file], terminal)).toBe(0);
    expect(ctl.stdout).toBe(`${BEGIN}a\x1b[2Cb${END}`);
  });

  test('I17: what could do something to the terminal is left out', async () => {
    await using ctl = await start();
    const stdin = `${HEADER}\n[0,"o","x\\u001b]52;c;ZXZpbA==\\u0007y\\u001b[6nz\\u0007"]\n`;
    await ctl.run(['play', '-'], { ...terminal, stdin });
    expect(ctl.stdout).toBe(`${BEGIN}xyz${END}`);
  });

  test('pauses: as many times as fast, none longer than --idle-limit', async () => {
    await using ctl = await start();
    // 5,000 s at this speed would be 5 s; the limit makes 1 ms of them.
    const stdin = `${HEADER}\n[5000,"o","a"]\n[5000,"o","b"]\n`;
    const startMs = performance.now();
    await ctl.run(['play', '-', '--speed', '1000', '--idle-limit', '1'], { ...terminal, stdin });
    expect(performance.now() - startMs).toBeLessThan(2_500);
    expect(ctl.stdout).toBe(`${BEGIN}ab${END}`);
  });

  test('v2: times from the beginning; a smaller terminal is told', async () => {
    await using ctl = await start();
    const stdin = '{"version":2,"width":80,"height":24}\n[3600,"o","a"]\n[3600.0001,"o","b"]\n';
    expect(await ctl.run(['play', '-', '--idle-limit', '0.0001'], { stdin, isTTY: true, rows: 10 })).toBe(0);
    expect(ctl.stdout).toBe(`${BEGIN}ab\x1b[r\x1b[10;1H\r\n`);
    expect(ctl.stderr).toContain('the recording has 24 rows, this terminal 10');
  });

  test('I11: ^C ends it with 130, in the middle of a pause, and the terminal is as it was', async () => {
    await using ctl = await start();
    const interrupt = new AbortController();
    const stdin = `${HEADER}\n[0,"o","a"]\n[3600,"o","b"]\n`;
    const ended = ctl.run(['play', '-'], { ...terminal, stdin, signal: interrupt.signal });
    await expect.poll(() => ctl.stdout).toBe(`${BEGIN}a`);
    interrupt.abort();
    expect(await ended).toBe(130);
    expect(ctl.stdout).toBe(`${BEGIN}a${END}`);
  });

  test.each([
    ['', 'there is nothing in it'],
    ['hello\n', 'line 1 of the recording is no JSON'],
    ['{"version":1}\n', 'no header of asciicast'],
    [`${HEADER}\n[1]\n`, 'line 2 of the recording is no event'],
    [`${HEADER}\n[-1,"o","x"]\n`, 'line 2 of the recording is no event'],
    [HEADER.replace('24', '10001'), 'no header of asciicast'],
  ])('%j is no recording', async (stdin, message) => {
    await using ctl = await start();
    expect(await ctl.run(['play', '-'], { ...terminal, stdin })).toBe(2);
    expect(ctl.stderr).toContain(message);
  });

  test.each([
    [['play', '-'], false, 'play needs a terminal'],
    [['play', '-', '--json'], true, 'play does not go with --json'],
    [['play', '-', '--speed', '0'], true, '--speed takes a number above 0'],
    [['play', '-', '--idle-limit', '0'], true, '--idle-limit takes a number above 0'],
  ])('%j is refused', async (argv, isTTY, message) => {
    await using ctl = await start();
    expect(await ctl.run(argv, { isTTY, stdin: HEADER })).toBe(2);
    expect(ctl.stdout + ctl.stderr).toContain(message);
  });

  test('a file that is not there is said', async () => {
    await using ctl = await start();
    expect(await ctl.run(['play', join(ctl.folder, 'none')], terminal)).toBe(1);
    expect(ctl.stderr).toContain('cannot read');
  });
});
