import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type StartOptions, startDaemon } from '../../src/node/spawnDaemon.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/folder.ts';

/** Stands for the daemon: serves the socket it is told to, writes its arguments down, and ends with its first client. */
const FAKE_DAEMON = `
  const { writeFileSync } = require('node:fs');
  const argument = (name) => process.argv[process.argv.indexOf(name) + 1];
  const server = require('node:net').createServer((socket) => {
    socket.on('data', () => process.exit(0));
    socket.on('error', () => {});
  });
  server.on('error', () => process.exit(0));
  writeFileSync(argument('--state-dir') + '/seen-' + process.pid, JSON.stringify(process.argv.slice(2)));
  console.error('fake daemon serves');
  server.listen(argument('--socket'));
`;

function setUp(folder: TemporaryFolder, script: string, options: Partial<StartOptions> = {}) {
  const binary = join(folder.path, 'fake.cjs');
  writeFileSync(binary, script);
  const stateDir = join(folder.path, 'state');
  const socket = join(folder.path, 's');
  const start = () =>
    startDaemon({
      name: 'line',
      socket,
      stateDir,
      env: { PATH: '/nowhere' },
      platform: 'linux',
      homedir: folder.path,
      root: folder.path,
      candidates: [join(folder.path, 'missing.js'), binary],
      ...options,
    });
  return { binary, stateDir, socket, start };
}

/** Asks the fake daemon to end, and waits until it has. */
async function stop(socket: string): Promise<void> {
  const connection = connect(socket);
  connection.write('end\n');
  await once(connection.resume(), 'close');
}

describe('starting', () => {
  test('gives the daemon its places, waits until it answers, and keeps its words in a private log', async () => {
    using folder = temporaryFolder();
    const { binary, stateDir, socket, start } = setUp(folder, FAKE_DAEMON, { args: ['--port', '10018'] });
    const started = await start();
    expect(started.command).toEqual([process.execPath, binary]);
    expect(JSON.parse(readFileSync(join(stateDir, `seen-${started.pid}`), 'utf8'))).toEqual([
      '--name',
      'line',
      '--socket',
      socket,
      '--state-dir',
      stateDir,
      '--port',
      '10018',
    ]);
    expect(readFileSync(started.log, 'utf8')).toBe('fake daemon serves\n');
    expect(statSync(started.log).mode & 0o777).toBe(0o600);
    expect(statSync(stateDir).mode & 0o777).toBe(0o700);
    await stop(socket);
  });

  test('D03 · clients that race all succeed; the losing daemons end with 0', async () => {
    using folder = temporaryFolder();
    const { socket, start } = setUp(folder, FAKE_DAEMON);
    const started = await Promise.all(Array.from({ length: 4 }, start));
    expect(new Set(started.map(({ pid }) => pid)).size).toBe(4);
    await stop(socket);
  });
});

describe('which daemon', () => {
  test('PIDP10D_BIN comes first', async () => {
    using folder = temporaryFolder();
    const named = join(folder.path, 'named.mjs');
    writeFileSync(named, 'process.exit(3)');
    const { start } = setUp(folder, FAKE_DAEMON, { env: { PIDP10D_BIN: named } });
    await expect(start()).rejects.toThrow(`${named} ended with exit code 3`);
  });

  test('PIDP10D_BIN that does not exist is said, and nothing else is tried', async () => {
    using folder = temporaryFolder();
    const { start, stateDir } = setUp(folder, FAKE_DAEMON, { env: { PIDP10D_BIN: '/no/such' } });
    await expect(start()).rejects.toThrow('PIDP10D_BIN names /no/such, which does not exist.');
    expect(existsSync(stateDir)).toBe(false);
  });

  test('last comes PATH', async () => {
    using folder = temporaryFolder();
    const bin = join(folder.path, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'pidp10d'), '#!/bin/sh\necho from PATH >&2\nexit 4\n');
    chmodSync(join(bin, 'pidp10d'), 0o755);
    const { start } = setUp(folder, FAKE_DAEMON, { candidates: [], env: { PATH: `relative:${bin}` } });
    await expect(start()).rejects.toThrow(
      /bin\/pidp10d ended with exit code 4\. The end of .*line\.log: from PATH/,
    );
  });

  test('none at all: the message says what was tried', async () => {
    using folder = temporaryFolder();
    const { start } = setUp(folder, FAKE_DAEMON, { candidates: ['/a/pidp10d.js'] });
    await expect(start()).rejects.toMatchObject({
      code: 'spawn_failed',
      message: expect.stringContaining('Tried: PIDP10D_BIN (not set), /a/pidp10d.js, pidp10d in PATH.'),
    });
  });
});

describe('not starting', () => {
  test('where a service is installed, the error gives its command and nothing is spawned', async () => {
    using folder = temporaryFolder();
    mkdirSync(join(folder.path, 'etc/systemd/system'), { recursive: true });
    writeFileSync(join(folder.path, 'etc/systemd/system/pidp10d.service'), '');
    const { start, stateDir } = setUp(folder, FAKE_DAEMON);
    await expect(start()).rejects.toMatchObject({
      code: 'daemon_not_running',
      message: expect.stringContaining('sudo systemctl start pidp10d.service'),
    });
    expect(existsSync(stateDir)).toBe(false);
  });

  test('a daemon that ends at once is reported with its last words, without waiting', async () => {
    using folder = temporaryFolder();
    const { start } = setUp(folder, 'console.error("no such port"); process.exit(2)', { timeoutMs: 60_000 });
    await expect(start()).rejects.toMatchObject({
      code: 'spawn_failed',
      message: expect.stringMatching(/ended with exit code 2\. The end of .*: no such port/),
    });
  });

  test('a daemon that is killed', async () => {
    using folder = temporaryFolder();
    const { start } = setUp(folder, 'process.kill(process.pid, "SIGKILL")');
    await expect(start()).rejects.toThrow('was killed by SIGKILL');
  });

  test('a daemon that never serves', async () => {
    using folder = temporaryFolder();
    const { start } = setUp(folder, 'process.exit(0)', { timeoutMs: 100 });
    await expect(start()).rejects.toThrow(/nothing answers at .* after 100 ms/);
  });

  test('a file that cannot be run', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'plain');
    writeFileSync(file, '');
    const { start } = setUp(folder, FAKE_DAEMON, { candidates: [file] });
    await expect(start()).rejects.toMatchObject({ code: 'spawn_failed', cause: { code: 'EACCES' } });
  });

  test('an abort', async () => {
    using folder = temporaryFolder();
    const { start } = setUp(folder, 'process.exit(0)', { signal: AbortSignal.abort() });
    await expect(start()).rejects.toMatchObject({ code: 'cancelled' });
  });

  test('a state folder that cannot be made', async () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, 'file'), '');
    const { start } = setUp(folder, FAKE_DAEMON, { stateDir: join(folder.path, 'file', 'state') });
    await expect(start()).rejects.toMatchObject({ code: 'spawn_failed', cause: { code: 'ENOTDIR' } });
  });
});
