/** Search, log and recording of output that memory has lost: the commands, a daemon with its journal, a far end of a few lines. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../protocol/test/support/folder.ts';
import { readConfig } from '../../src/config.ts';
import { run } from '../../src/ctl/run.ts';
import { startDaemon } from '../../src/daemon.ts';
import { createLog } from '../../src/io/log.ts';

/** More than memory holds, and several blocks of a search. */
const LINES = 14_000;
const RING_BYTES = 65_536;

const said = Array.from(
  { length: LINES },
  (_, index) => `line ${index} of the story, ${index % 7_000 === 5 ? 'needle' : 'hay'}`,
);

test('what memory has lost is found, printed, exported and played by the commands', {
  timeout: 60_000,
}, async () => {
  using folder = temporaryFolder();
  const farEnd = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write(`${said.join('\r\n')}\r\n`);
  }).listen(0, '127.0.0.1');
  await once(farEnd, 'listening');
  const { port } = farEnd.address() as AddressInfo;
  const env = { PIDP10D_SOCKET: join(folder.path, 's'), PIDP10_STATE_DIR: folder.path, PATH: '' };
  const inputs = {
    argv: [],
    env,
    platform: 'linux',
    uid: process.getuid?.(),
    homedir: folder.path,
    version: '0',
  } as const;
  const config = { ...readConfig(inputs), host: '127.0.0.1', port, telnet: 'off', profile: 'plain' } as const;
  const daemon = await startDaemon({ ...config, ringBytes: RING_BYTES }, createLog('silent', 'line'));

  const ctl = async (...argv: string[]) => {
    const out: Uint8Array[] = [];
    let err = '';
    const write = (text: string | Uint8Array) => void out.push(Buffer.from(text));
    const code = await run(argv, {
      ...inputs,
      cwd: '/',
      stdin: Readable.from([]),
      stdout: { write, isTTY: argv[0] === 'play', rows: 24 },
      stderr: { write: (text) => (err += String(text)) },
      signal: new AbortController().signal,
    });
    return { code, out: Buffer.concat(out).toString('utf8'), err };
  };
  try {
    await ctl('open');
    const whole = `${said.join('\n')}\n`;
    await expect
      .poll(async () => (await ctl('log', '-n', '1')).out, { timeout: 20_000 })
      .toBe(`${said.at(-1)}\n`);
    // Output as it came: everything, though memory holds a tenth of it.
    expect((await ctl('log')).out).toBe(whole);

    const found = await ctl('search', 'needle', '--json');
    expect(found.code).toBe(0);
    const { matches, isComplete } = JSON.parse(found.out);
    expect(isComplete).toBe(true);
    expect(matches).toMatchObject([
      { line: said[7_005] },
      { line: said[5], at: expect.stringMatching(/Z$/) },
    ]);
    expect((await ctl('search', '--pattern', '^line 5 .*needle$')).out).toContain(`: ${said[5]}\n`);
    expect(await ctl('search', 'nowhere')).toEqual({ code: 1, out: '', err: '' });
    expect((await ctl('search', 'needle', '--before', '2001-01-01')).code).toBe(1);
    expect((await ctl('search', 'needle', '--since', '1h', '--limit', '1', '--oldest')).out).toContain(
      `${said[5]}\n`,
    );

    const [{ start }] = matches;
    expect((await ctl('log', '--from', String(start))).out).toBe(
      whole.slice(whole.indexOf(said[7_005] ?? '')),
    );
    const file = join(folder.path, 'story.cast');
    expect((await ctl('export', '--format', 'asciicast', '-o', file, '--until', '200000')).code).toBe(0);
    const recorded = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line): string[] => JSON.parse(line));
    const text = recorded
      .filter(([, code]) => code === 'o')
      .map(([, , data]) => data)
      .join('');
    expect(text).toContain(said[5]);
    const played = await ctl('play', file, '--speed', '1000');
    expect(played).toMatchObject({ code: 0, err: '' });
    expect(played.out).toContain(text);
    const raw = join(folder.path, 'raw');
    await ctl('export', '--format', 'raw', '-o', raw);
    expect(readFileSync(raw, 'latin1')).toBe(`${said.join('\r\n')}\r\n`);
  } finally {
    await daemon[Symbol.asyncDispose]();
    farEnd.close();
  }
});
