/** The daemon's place: one daemon for it, nothing taken from the living, nothing put in the place of something else. */
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { chmod, chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startFakeline } from '@pidp10/fakeline';
import { DaemonClient } from '@pidp10/protocol/node/daemonClient';
import { describe, expect, test } from 'vitest';
import { IS_SOAK, LineRig } from '../support/lineRig.ts';
import { eventually, processState } from '../support/processes.ts';
import { RawClient } from '../support/rawClient.ts';
import { BIN, type Program, Sandbox } from '../support/sandbox.ts';
import { needsTool } from '../support/tools.ts';

/** A socket file that a killed daemon left, in a sandbox that has everything else too. */
async function leaveStale(sandbox: Sandbox): Promise<void> {
  const dead = await sandbox.daemon();
  dead.kill('SIGKILL');
  await dead.exited;
  expect(lstatSync(sandbox.socket()).isSocket()).toBe(true);
}

function inode(path: string): number {
  return lstatSync(path).ino;
}

function isServing({ stderr }: Program): boolean {
  return stderr.includes('"msg":"serving"');
}

/** Every connect of the program ends in this error. `-D`: strace watches from aside, and our child is the program itself. */
function failingConnect(error: string): readonly string[] {
  return [
    'strace',
    '-D',
    '-f',
    '-qq',
    '-o',
    '/dev/null',
    '-e',
    'trace=connect',
    '-e',
    `inject=connect:error=${error}`,
  ];
}

describe('the living', () => {
  test('D01 · a stopped daemon keeps its socket and stays the only one; clients hear that it does not answer', async () => {
    await using sandbox = await Sandbox.create();
    const daemon = await sandbox.daemon();
    const socket = inode(sandbox.socket());
    daemon.kill('SIGSTOP');
    await eventually('a stopped daemon', () => processState(daemon.pid) === 'T');
    const clients = Array.from({ length: 20 }, () =>
      DaemonClient.connect({
        socket: sandbox.socket(),
        client: { name: 'test', version: '0' },
        helloTimeoutMs: 1_000,
      }),
    );
    const daemons = Array.from({ length: 5 }, () => sandbox.run(BIN.daemon));
    for (const client of await Promise.allSettled(clients)) {
      expect(client).toMatchObject({ status: 'rejected', reason: { code: 'daemon_not_answering' } });
    }
    for (const other of daemons) {
      expect(await other.exited).toEqual({ code: 0, signal: null });
      expect(other.stderr).toContain(`runs already (pid ${daemon.pid})`);
    }
    expect(inode(sandbox.socket())).toBe(socket);
    daemon.kill('SIGCONT');
    await using client = await sandbox.connect();
    expect(client.hello.daemon.pid).toBe(daemon.pid);
  });

  test('D02 · a daemon with another state folder does not take the socket of a living one', async () => {
    await using sandbox = await Sandbox.create();
    const first = await sandbox.daemon();
    const socket = inode(sandbox.socket());
    const second = sandbox.run(BIN.daemon, { args: ['--state-dir', join(sandbox.folder, 'other')] });
    expect(await second.exited).toEqual({ code: 1, signal: null });
    expect(second.stderr).toContain('in use');
    expect(inode(sandbox.socket())).toBe(socket);
    await using client = await sandbox.connect();
    expect(client.hello.daemon.pid).toBe(first.pid);
  });

  describe('under strace', needsTool('strace'), () => {
    test.each(['EACCES', 'EPERM', 'EAGAIN', 'ETIMEDOUT', 'ENOTSOCK', 'EPROTOTYPE', 'ENOMEM', 'ENOBUFS'])(
      'D02 · %s on connecting proves nothing: the socket stays where it is',
      async (error) => {
        await using sandbox = await Sandbox.create();
        await leaveStale(sandbox);
        const stale = inode(sandbox.socket());
        const daemon = sandbox.run(BIN.daemon, {
          launcher: failingConnect(error),
        });
        expect(await daemon.exited).toEqual({ code: 1, signal: null });
        expect(daemon.stderr).toContain(error);
        expect(inode(sandbox.socket())).toBe(stale);
      },
    );

    test('D02 · a refused connection proves that the socket is stale', async () => {
      await using sandbox = await Sandbox.create();
      await leaveStale(sandbox);
      const daemon = await sandbox.daemon({ launcher: failingConnect('ECONNREFUSED') });
      await using client = await sandbox.connect();
      expect(client.hello.daemon.pid).toBe(daemon.pid);
    });
  });

  test(
    'D03 · of many starters over a stale socket exactly one serves, all clients reach it, the others exit 0',
    async () => {
      const [rounds, starters] = IS_SOAK ? [500, 20] : [3, 8];
      await using sandbox = await Sandbox.create();
      for (let round = 0; round < rounds; round += 1) {
        await leaveStale(sandbox);
        const daemons = Array.from({ length: starters }, () => sandbox.run(BIN.daemon));
        await eventually(
          'one survivor',
          () => daemons.filter(({ hasExited }) => hasExited).length === starters - 1,
        );
        const survivor = daemons.find(({ hasExited }) => !hasExited);
        const exits = await Promise.all(
          daemons.filter((one) => one !== survivor).map(({ exited }) => exited),
        );
        expect(new Set(exits.map(({ code }) => code))).toEqual(new Set([0]));
        await survivor?.until('service', isServing);
        const clients = await Promise.all(Array.from({ length: starters }, () => sandbox.connect()));
        expect(new Set(clients.map(({ hello }) => hello.daemon.pid))).toEqual(new Set([survivor?.pid]));
        await Promise.all(clients.map((client) => client.close()));
        survivor?.kill('SIGTERM');
        expect(await survivor?.exited).toEqual({ code: 0, signal: null });
      }
    },
    IS_SOAK ? 3_600_000 : 60_000,
  );
});

describe('what is in the way', () => {
  test('D04 · a socket that a killed daemon left is replaced', async () => {
    await using sandbox = await Sandbox.create();
    await leaveStale(sandbox);
    await sandbox.daemon();
    await using client = await sandbox.connect();
    expect(await client.request('daemon.status', {})).toMatchObject({ socket: sandbox.socket() });
  });

  test.each([
    { what: 'a regular file', put: (path: string) => writeFileSync(path, 'precious') },
    { what: 'a folder', put: (path: string) => mkdirSync(path) },
    { what: 'a link to a file', put: (path: string) => symlinkSync('/etc/passwd', path) },
    { what: 'a link to nothing', put: (path: string) => symlinkSync('/nowhere', path) },
  ])('D04 · $what at the path of the socket is refused as a wrong place, and stays', async ({ put }) => {
    await using sandbox = await Sandbox.create();
    await mkdir(join(sandbox.folder, 'run', 'pidp10d'), { recursive: true, mode: 0o700 });
    put(sandbox.socket());
    const before = lstatSync(sandbox.socket());
    const daemon = sandbox.run(BIN.daemon);
    expect(await daemon.exited).toEqual({ code: 78, signal: null });
    expect(daemon.stderr).toContain(`${sandbox.socket()} exists and is no socket`);
    const after = lstatSync(sandbox.socket());
    expect([after.ino, after.mode, after.mtimeMs]).toEqual([before.ino, before.mode, before.mtimeMs]);
  });

  test('D04 · a link to the socket of another daemon is refused, and that daemon keeps it', async () => {
    await using other = await Sandbox.create();
    await other.daemon();
    await using sandbox = await Sandbox.create();
    await mkdir(join(sandbox.folder, 'run', 'pidp10d'), { recursive: true, mode: 0o700 });
    symlinkSync(other.socket(), sandbox.socket());
    const daemon = sandbox.run(BIN.daemon);
    expect((await daemon.exited).code).toBe(78);
    await using client = await other.connect();
    expect(client.isClosed).toBe(false);
  });
});

describe('where', () => {
  /** A path of exactly so many bytes inside the sandbox. */
  function pathOf(sandbox: Sandbox, bytes: number): string {
    const folder = join(sandbox.folder, 'f'.repeat(Math.max(bytes - sandbox.folder.length - 22, 1)));
    const rest = bytes - Buffer.byteLength(folder) - 1;
    return join(folder, 's'.repeat(rest));
  }

  test('D07 · a path of 103 bytes serves', async () => {
    await using sandbox = await Sandbox.create();
    const socket = pathOf(sandbox, 103);
    expect(Buffer.byteLength(socket)).toBe(103);
    await sandbox.daemon({ args: ['--socket', socket] });
    using client = await RawClient.greet(socket);
    expect((await client.call('daemon.status')).result).toMatchObject({ socket });
  });

  test.each([104, 107, 108, 200])(
    'D07 · a path of %i bytes is refused on both sides before anything is created',
    async (bytes) => {
      await using sandbox = await Sandbox.create();
      const socket = pathOf(sandbox, bytes);
      const daemon = sandbox.run(BIN.daemon, { args: ['--socket', socket] });
      expect(await daemon.exited).toEqual({ code: 78, signal: null });
      expect(daemon.stderr).toContain(`${bytes} bytes, 103 are possible`);
      expect(daemon.stderr).toContain('Choose a shorter');
      expect(readdirSync(sandbox.folder)).toEqual([]);
      const client = DaemonClient.connect({ socket, client: { name: 'test', version: '0' } });
      await expect(client).rejects.toMatchObject({
        code: 'socket_path_too_long',
        message: expect.stringContaining(`${bytes} bytes`),
      });
    },
  );

  test('D07 · bytes count, not characters', async () => {
    await using sandbox = await Sandbox.create();
    const daemon = sandbox.run(BIN.daemon, { args: ['--socket', join(sandbox.folder, 'ä'.repeat(50))] });
    expect((await daemon.exited).code).toBe(78);
    expect(readdirSync(sandbox.folder)).toEqual([]);
  });

  test('D08 · with umask 000 folder and socket are never open to others, from their first moment on', async () => {
    const rounds = IS_SOAK ? 200 : 5;
    const seen = new Set<string>();
    for (let round = 0; round < rounds; round += 1) {
      await using sandbox = await Sandbox.create();
      const folder = join(sandbox.folder, 'run', 'pidp10d');
      const look = (path: string) => {
        const stat = statSync(path, { throwIfNoEntry: false });
        if (stat !== undefined)
          seen.add(`${stat.isSocket() ? 'socket' : 'folder'} ${(stat.mode & 0o777).toString(8)}`);
      };
      const daemon = sandbox.run(BIN.daemon, { launcher: ['sh', '-c', 'umask 000; exec "$@"', 'sh'] });
      while (!isServing(daemon)) {
        for (let n = 0; n < 200; n += 1) [folder, sandbox.socket(), sandbox.stateDir].forEach(look);
        await new Promise(setImmediate);
        expect(daemon.hasExited).toBe(false);
      }
      const lock = statSync(join(sandbox.stateDir, 'line.lock'));
      expect((lock.mode & 0o777).toString(8)).toBe('600');
    }
    expect(seen).toEqual(new Set(['folder 700', 'socket 600']));
  });

  test.each(['socket', 'state'])('D08 · a %s folder that others may write to is refused', async (which) => {
    await using sandbox = await Sandbox.create();
    const folder = which === 'socket' ? join(sandbox.folder, 'run', 'pidp10d') : sandbox.stateDir;
    await mkdir(folder, { recursive: true });
    for (const mode of [0o770, 0o702, 0o1777]) {
      await chmod(folder, mode);
      const daemon = sandbox.run(BIN.daemon);
      expect((await daemon.exited).code).toBe(78);
      expect(daemon.stderr).toContain(`${folder} can be written to by others (mode ${mode.toString(8)})`);
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  test.skipIf(process.getuid?.() !== 0)(
    'D08 · a folder that belongs to somebody else is refused',
    async () => {
      await using sandbox = await Sandbox.create();
      const folder = join(sandbox.folder, 'run', 'pidp10d');
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await chown(folder, 65_534, 65_534);
      const daemon = sandbox.run(BIN.daemon);
      expect((await daemon.exited).code).toBe(78);
      expect(daemon.stderr).toContain(`${folder} belongs to user 65534`);
    },
  );

  test('the lock names its holder, and is taken over from a killed one at once', async () => {
    await using line = await startFakeline();
    await using rig = await LineRig.start({ port: line.port });
    const lock = join(rig.sandbox.stateDir, 'line.lock');
    expect(readFileSync(lock, 'utf8')).toBe(`${rig.daemon.pid}\n`);
    rig.daemon.kill('SIGKILL');
    await rig.daemon.exited;
    const next = await rig.sandbox.daemon();
    expect(readFileSync(lock, 'utf8')).toBe(`${next.pid}\n`);
  });
});
