/** The daemon as a process: starting, the second one, exit codes, signals, descriptors, a log that cannot be written. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startFakeline } from '@pidp10/fakeline';
import { describe, expect, test } from 'vitest';
import { LineRig } from '../support/lineRig.ts';
import { descriptors, eventually } from '../support/processes.ts';
import { RawClient } from '../support/rawClient.ts';
import { BIN, Sandbox } from '../support/sandbox.ts';
import { needsTool } from '../support/tools.ts';

describe('start', () => {
  test('a second daemon of the same name exits 0 and says who serves', async () => {
    await using sandbox = await Sandbox.create();
    const first = await sandbox.daemon();
    const second = sandbox.run(BIN.daemon);
    expect(await second.exited).toEqual({ code: 0, signal: null });
    expect(second.stderr).toContain(`runs already (pid ${first.pid})`);
    await using client = await sandbox.connect();
    expect(client.hello.daemon.pid).toBe(first.pid);
  });

  test('daemons of different names serve side by side from one state folder', async () => {
    await using sandbox = await Sandbox.create();
    await sandbox.daemon();
    await sandbox.daemon({ args: ['--name', 'vt05', '--socket', sandbox.socket('vt05')] });
    await using client = await sandbox.connect({ name: 'vt05' });
    expect(client.hello.daemon.name).toBe('vt05');
  });

  test.each([
    { args: ['--port', '0'], says: 'port' },
    { args: ['--port', '65536'], says: 'port' },
    { args: ['--port', 'ten'], says: 'port' },
    { args: ['--bits', '9'], says: 'bits' },
    { args: ['--telnet', 'maybe'], says: 'telnet' },
    { args: ['--log-level', 'loud'], says: 'logLevel' },
    { args: ['--ring-bytes', '1'], says: 'ringBytes' },
    { args: ['--name', '../x'], says: '"../x"' },
    { args: ['--no-such-flag'], says: 'such' },
    { args: ['stray'], says: 'stray' },
    { args: ['--config', '/nowhere/at/all.json'], says: '/nowhere/at/all.json' },
  ])(
    'U03 · $args is a configuration error: exit code 78 and one sentence that names it',
    async ({ args, says }) => {
      await using sandbox = await Sandbox.create();
      const program = sandbox.run(BIN.daemon, { args });
      expect(await program.exited).toEqual({ code: 78, signal: null });
      expect(program.stderr).toContain('pidp10d: ');
      expect(program.stderr).toContain(says);
      expect(program.stderr).not.toMatch(/\n\s+at /);
      expect(existsSync(sandbox.socket())).toBe(false);
    },
  );

  test.each([
    { text: '{', says: 'is not JSON' },
    { text: '[]', says: 'it: ' },
    { text: '{"prot": 10018}', says: 'prot' },
    { text: '{"port": "ten"}', says: 'port' },
  ])(
    'U03 · the configuration file $text is a configuration error that names the file',
    async ({ text, says }) => {
      await using sandbox = await Sandbox.create();
      await mkdir(sandbox.stateDir, { mode: 0o700 });
      await writeFile(join(sandbox.stateDir, 'config.json'), text);
      const program = sandbox.run(BIN.daemon);
      expect(await program.exited).toEqual({ code: 78, signal: null });
      expect(program.stderr).toContain(join(sandbox.stateDir, 'config.json'));
      expect(program.stderr).toContain(says);
    },
  );

  test('--help and --version answer on stdout and exit 0', async () => {
    await using sandbox = await Sandbox.create();
    const help = sandbox.run(BIN.daemon, { args: ['--help'] });
    expect(await help.exited).toEqual({ code: 0, signal: null });
    expect(help.stdout).toContain('--ring-bytes');
    const version = sandbox.run(BIN.daemon, { args: ['--version'] });
    await version.exited;
    expect(version.stdout.trim()).toMatch(/^\d+\.\d+\.\d+$/);
  });
});

describe('life', () => {
  test('D21 · SIGHUP does not touch the line', async () => {
    await using line = await startFakeline();
    await using rig = await LineRig.start({ port: line.port });
    await rig.open();
    rig.daemon.kill('SIGHUP');
    await rig.daemon.until('the log of it', ({ stderr }) => stderr.includes('"msg":"configuration"'));
    expect(await rig.send('~z', { expect: 'Happy hacking' })).toMatchObject({ reason: 'matched' });
    expect(line.connectionCount).toBe(1);
    expect(line.events.some(({ kind }) => kind === 'closed')).toBe(false);
  });

  test('I15 · after its clients are gone the daemon has the descriptors that it began with', async () => {
    await using line = await startFakeline();
    await using rig = await LineRig.start({ port: line.port });
    await rig.open();
    await rig.client.request('line.close', {});
    const baseline = descriptors(rig.daemon.pid);
    for (let round = 0; round < 3; round += 1) {
      const clients = await Promise.all(
        Array.from({ length: 20 }, (_, n) => rig.sandbox.connect({ reader: `r${n}` })),
      );
      await Promise.all(clients.map((client) => client.request('line.open', {})));
      for (const client of clients)
        void client.request('line.read', { timeoutMs: 60_000 }).catch(() => undefined);
      await Promise.all(clients.slice(0, 10).map((client) => client.close()));
      await rig.client.request('line.close', {});
      const raw = await RawClient.connect(rig.sandbox.socket());
      raw.write('{"half');
      raw[Symbol.dispose]();
      await Promise.all(clients.slice(10).map((client) => client.close()));
    }
    (await RawClient.greet(rig.sandbox.socket()))[Symbol.dispose]();
    await eventually(
      'the end of the clients',
      async () => (await rig.client.request('daemon.status', {})).clients === 1,
    );
    await eventually('the old descriptors', () => descriptors(rig.daemon.pid).length <= baseline.length);
    expect(descriptors(rig.daemon.pid)).toHaveLength(baseline.length);
  });

  test('I15 · a stopped daemon leaves no socket, and its lock is free', async () => {
    await using sandbox = await Sandbox.create();
    const first = await sandbox.daemon();
    first.kill('SIGTERM');
    expect(await first.exited).toEqual({ code: 0, signal: null });
    expect(existsSync(sandbox.socket())).toBe(false);
    await sandbox.daemon();
  });

  test('S04 · a log that cannot be written ends neither the daemon nor the line', async () => {
    await using line = await startFakeline();
    await using sandbox = await Sandbox.create();
    sandbox.run(BIN.daemon, {
      args: ['--host', '127.0.0.1', '--port', String(line.port), '--log-level', 'trace'],
      launcher: ['sh', '-c', 'exec "$@" 2>/dev/full', 'sh'],
    });
    await eventually('a daemon', () =>
      sandbox.connect().then(
        (client) => client.close().then(() => true),
        () => false,
      ),
    );
    await using client = await sandbox.connect();
    for (let n = 0; n < 5; n += 1) {
      expect((await client.request('line.open', {})).lineState.state).toBe('open');
      await client.request('line.close', {});
    }
    expect(line.connectionCount).toBe(5);
  });

  test('S04 · the end of whoever read the log ends neither the daemon nor the line', async () => {
    await using line = await startFakeline();
    await using rig = await LineRig.start({ port: line.port });
    rig.daemon.child.stderr.destroy();
    for (let n = 0; n < 5; n += 1) {
      await rig.open();
      await rig.client.request('line.close', {});
    }
    expect(line.connectionCount).toBe(5);
  });

  test('D18 · with its descriptors used up the line works on, refused clients are told, and it recovers', async () => {
    await using line = await startFakeline();
    await using rig = await LineRig.start({
      port: line.port,
      launcher: ['sh', '-c', 'ulimit -n 64; exec "$@"', 'sh'],
    });
    await rig.open();
    const crowd = await Promise.all(
      Array.from({ length: 200 }, () => RawClient.connect(rig.sandbox.socket())),
    );
    // The daemon has room for 64 - 32 connections, one of which is the rig's.
    const closed = () => crowd.filter(({ isClosed }) => isClosed);
    await eventually('the refused clients to be closed', () => closed().length === 200 - 31);
    const told = await Promise.all(closed().map((client) => client.next()));
    expect(new Set(told.map((answer) => answer?.error?.data?.['name']))).toEqual(
      new Set(['too_many_clients']),
    );
    expect((await rig.send('~z', { expect: 'Happy hacking' })).reason).toBe('matched');
    await rig.client.request('line.close', {});
    expect((await rig.open()).lineState.state).toBe('open');
    for (const client of crowd) client[Symbol.dispose]();
    await eventually('a served client', () =>
      rig.sandbox.connect().then(
        (client) => client.close().then(() => true),
        () => false,
      ),
    );
  });

  test('D18 · a client of ours beyond the maximum hears too_many_clients', async () => {
    await using line = await startFakeline();
    await using rig = await LineRig.start({
      port: line.port,
      launcher: ['sh', '-c', 'ulimit -n 64; exec "$@"', 'sh'],
    });
    const crowd = await Promise.all(
      Array.from({ length: 40 }, () => RawClient.connect(rig.sandbox.socket())),
    );
    for (let n = 0; n < 10; n += 1) {
      await expect(rig.sandbox.connect()).rejects.toMatchObject({ data: { name: 'too_many_clients' } });
    }
    for (const client of crowd) client[Symbol.dispose]();
  });

  test('U10 · twenty clients that never read do not hold up the end: out within 2 s, the line reset', async () => {
    await using line = await startFakeline();
    await using rig = await LineRig.start({ port: line.port });
    await rig.open();
    line.send('x'.repeat(200_000));
    await eventually('the output', async () => (await rig.client.request('line.status', {})).end > 200_000);
    const stopped = await Promise.all(
      Array.from({ length: 20 }, () => RawClient.greet(rig.sandbox.socket())),
    );
    for (const client of stopped) {
      client.socket.pause();
      for (let id = 0; id < 8; id += 1) client.request(id, 'line.peek', { chars: 200_000 });
      client.request(99, 'line.read', { timeoutMs: 60_000 });
    }
    await rig.client.request('daemon.status', {});
    const startMs = performance.now();
    rig.daemon.kill('SIGTERM');
    expect(await rig.daemon.exited).toEqual({ code: 0, signal: null });
    expect(performance.now() - startMs).toBeLessThan(2_000);
    await line.waitFor((events) => events.some(({ how }) => how === 'reset'), { what: 'a reset' });
    for (const client of stopped) client[Symbol.dispose]();
  });
});

/** The block of docs/protocol.md that is marked `socat-example`, if it is there. */
function socatExample(): string | undefined {
  const path = new URL('../../docs/protocol.md', import.meta.url);
  return existsSync(path)
    ? /^```sh socat-example\n([^]*?)^```$/m.exec(readFileSync(path, 'utf8'))?.[1]
    : undefined;
}

describe('the client of docs/protocol.md', needsTool('socat'), () => {
  test('says hello, gets the status, sends, and prints each answer', async () => {
    await using line = await startFakeline();
    await using rig = await LineRig.start({ port: line.port });
    await rig.open();
    const example = socatExample();
    expect(example).toBeDefined();
    const path = join(rig.sandbox.folder, 'example.sh');
    await writeFile(path, example ?? '', { mode: 0o700 });
    const { stdout } = await promisify(execFile)(path, ['~z'], { env: rig.sandbox.env, timeout: 15_000 });
    const answers = stdout
      .trim()
      .split('\n')
      .map((answer): { result?: object } => JSON.parse(answer));
    expect(answers).toHaveLength(3);
    expect(answers.every(({ result }) => result !== undefined)).toBe(true);
  });
});
