/** pidp10ctl as people use it: the real program, the real daemon, a fake line. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Fakeline, startFakeline, startScripted } from '@pidp10/fakeline';
import { METHODS, type MethodName } from '@pidp10/protocol/methods';
import { describe, expect, test } from 'vitest';
import { HELLO, type Script, startServer } from '../../packages/protocol/test/support/scriptedServer.ts';
import { BIN, Sandbox } from '../support/sandbox.ts';

/** Above every pid that Linux gives: nobody has it. */
const NO_PID = 4_194_305;

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface CtlOptions {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
}

async function ctl(sandbox: Sandbox, args: readonly string[], options: CtlOptions = {}): Promise<Ran> {
  const { stdin = '', env = {} } = options;
  const program = sandbox.run(BIN.ctl, { args, env });
  program.child.stdin.end(stdin);
  const { code } = await program.exited;
  return { code, stdout: program.stdout, stderr: program.stderr };
}

/** One command with `--json`: one line on standard output, parsed. */
async function json(sandbox: Sandbox, args: readonly string[], options: CtlOptions = {}) {
  const { code, stdout, stderr } = await ctl(sandbox, ['--json', ...args], options);
  expect(stdout).toMatch(/^[^\n]+\n$/);
  return { code, stderr, document: JSON.parse(stdout) };
}

function toTarget(line: { readonly host: string; readonly port: number }) {
  return { PIDP10_HOST: line.host, PIDP10_PORT: String(line.port) };
}

/** Ends a daemon that a command started and that the sandbox does not know of. */
function stopAtEnd(sandbox: Sandbox): AsyncDisposable {
  return { [Symbol.asyncDispose]: async () => void (await ctl(sandbox, ['shutdown'])) };
}

/** A sandbox with a daemon whose line is open. */
async function startOpen(line: Fakeline): Promise<Sandbox> {
  const sandbox = await Sandbox.create();
  await sandbox.daemon({ env: toTarget(line) });
  expect((await ctl(sandbox, ['open'])).code).toBe(0);
  return sandbox;
}

function callDdt(sandbox: Sandbox): Promise<Ran> {
  return ctl(sandbox, ['send', '~z', '-e', 'Happy hacking!']);
}

function received(line: Fakeline, text: string): Promise<void> {
  return line.waitFor(() => line.receivedBytes().includes(text), { what: `input ${JSON.stringify(text)}` });
}

describe('a session in the shell', () => {
  test('from the first open to the last shutdown', async () => {
    await using line = await startFakeline();
    await using sandbox = await Sandbox.create();
    await using _stop = stopAtEnd(sandbox);
    const env = toTarget(line);

    const open = await ctl(sandbox, ['open'], { env });
    expect(open).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Connected to the KA-10 simulator'),
    });
    const started = /^pidp10ctl: started pidp10d, pid (\d+), log (.+)$/m.exec(open.stderr);
    expect(started?.[2]).toBe(`${sandbox.stateDir}/line.log`);
    expect(open.stderr).toContain(`the line is open to 127.0.0.1:${line.port} (telnet)`);

    const again = await ctl(sandbox, ['open']);
    expect([again.code, again.stderr]).toEqual([0, expect.not.stringContaining('started')]);
    expect(line.connectionCount).toBe(1);

    const banner = await ctl(sandbox, ['send', '~z']);
    expect([banner.code, banner.stdout]).toEqual([0, expect.stringContaining('Happy hacking!')]);
    const login = await ctl(sandbox, ['send', ':login', 'rms']);
    expect([login.code, login.stdout]).toEqual([0, expect.stringContaining('To see system messages')]);
    const listing = await ctl(sandbox, ['send', ':listf']);
    expect(listing).toMatchObject({ code: 0, stdout: expect.stringMatching(/NOTES {2}TEXT[^]*\*$/) });
    expect(listing.stderr).toBe('pidp10ctl: prompt\n');

    expect((await ctl(sandbox, ['peek', '20'])).stdout).toBe(listing.stdout.slice(-20));
    const read = await ctl(sandbox, ['read', '--timeout-ms', '50']);
    expect([read.code, read.stdout]).toEqual([3, '']);
    const status = await ctl(sandbox, ['status']);
    expect(status.stdout).toMatch(/^line {4}open to 127\.0\.0\.1/);
    expect(status.stdout).toMatch(/^reader {2}ctl at \d+, 0 bytes unread$/m);

    const close = await ctl(sandbox, ['close']);
    expect(close).toEqual({ code: 0, stdout: 'the line is closed\n', stderr: '' });
    await line.waitFor((events) => events.some(({ how }) => how === 'reset'), { what: 'the reset' });

    const shutdown = await ctl(sandbox, ['shutdown']);
    expect(shutdown).toEqual({ code: 0, stdout: `pidp10d, pid ${started?.[1]}, has ended\n`, stderr: '' });
    expect((await ctl(sandbox, ['shutdown'])).code).toBe(5);
  });

  test('after shutdown has come back, the next daemon can start at once', async () => {
    await using line = await startFakeline();
    await using sandbox = await Sandbox.create();
    await using _stop = stopAtEnd(sandbox);
    const pids = new Set<string | undefined>();
    for (let round = 0; round < 3; round += 1) {
      const { code, stderr } = await ctl(sandbox, ['open'], { env: toTarget(line) });
      expect([code, stderr]).toEqual([0, expect.stringContaining('started pidp10d')]);
      pids.add(/pid (\d+)/.exec(stderr)?.[1]);
      expect((await ctl(sandbox, ['shutdown'])).code).toBe(0);
    }
    expect(pids.size).toBe(3);
  });

  test('host and port on the command line win over the environment', async () => {
    await using line = await startFakeline();
    await using sandbox = await Sandbox.create();
    await using _stop = stopAtEnd(sandbox);
    const env = { PIDP10_HOST: 'nowhere.invalid', PIDP10_PORT: '1' };
    const { code } = await ctl(sandbox, ['open', '127.0.0.1', String(line.port)], { env });
    expect(code).toBe(0);
  });

  test('T1: output from before the input is told apart from its answer', async () => {
    await using line = await startFakeline();
    await using sandbox = await startOpen(line);
    await callDdt(sandbox);
    await using watcher = await sandbox.connect({ reader: 'watcher' });
    const seen = watcher.request('line.read', { expect: 'a late word', timeoutMs: 20_000 });
    line.send('a late word\r\n');
    expect(await seen).toMatchObject({ reason: 'matched' });
    const { stdout, stderr } = await ctl(sandbox, ['send', ':vk']);
    expect(stdout).not.toContain('a late word');
    expect(stderr).toMatch(/earlier output[^]*a late word[^]*end of the earlier output/);
  });

  test('successive commands go on where the last one stopped, each reader for itself', async () => {
    await using line = await startFakeline();
    await using sandbox = await startOpen(line);
    expect((await ctl(sandbox, ['read', '--reader', 'other', '--timeout-ms', '50'])).stdout).toBe('');
    const banner = await callDdt(sandbox);
    expect((await ctl(sandbox, ['read', '--timeout-ms', '50'])).stdout).toBe('');
    const other = await ctl(sandbox, ['read', '--quiet-ms', '0'], { env: { PIDP10_READER: 'other' } });
    expect(other.stdout).toContain(banner.stdout.trim().split('\n')[0]);
    const status = await ctl(sandbox, ['status', '--reader', 'other']);
    expect(status.stdout).toMatch(/^reader {2}other at \d+, 0 bytes unread$/m);
  });
});

describe('input', () => {
  test('L09: from standard input: a line end is one Enter, nothing is added', async () => {
    await using line = await startFakeline();
    await using sandbox = await startOpen(line);
    await callDdt(sandbox);
    const { code, stdout } = await ctl(sandbox, ['send', '-'], { stdin: ':time\n' });
    expect([code, stdout]).toEqual([0, expect.stringContaining('The time is')]);
    expect(line.receivedBytes().toString('latin1')).toMatch(/:time\r$/);
  });

  test('--raw sends the bytes as they are, --dry-run sends none', async () => {
    await using line = await startFakeline();
    await using sandbox = await startOpen(line);
    const dry = await ctl(sandbox, ['send', '--dry-run', '~z']);
    expect(dry).toMatchObject({ code: 0, stdout: '^Z CR\n' });
    expect(dry.stderr).toContain('2 bytes not sent');
    await ctl(sandbox, ['send', '--raw', '--timeout-ms', '100', '~z']);
    expect(line.receivedBytes().includes('\r')).toBe(false);
  });

  test('--echo keep leaves the echo in the output', async () => {
    await using line = await startFakeline();
    await using sandbox = await startOpen(line);
    await callDdt(sandbox);
    expect((await ctl(sandbox, ['send', ':vk'])).stdout).not.toContain(':vk');
    expect((await ctl(sandbox, ['send', ':vk', '--echo', 'keep'])).stdout).toContain(':vk');
  });
});

describe('exit codes', () => {
  test('0 and 3, 6: matched, timeout, limit, a pager that nobody answers', async () => {
    await using line = await startFakeline();
    await using sandbox = await startOpen(line);
    await callDdt(sandbox);
    const matched = await ctl(sandbox, ['send', ':time', '-e', 'The time is']);
    expect([matched.code, matched.stderr]).toEqual([0, expect.stringMatching(/^pidp10ctl: matched/)]);
    const timeout = await ctl(sandbox, ['read', '-e', 'never', '--timeout-ms', '100']);
    expect([timeout.code, timeout.stderr]).toEqual([3, expect.stringMatching(/^pidp10ctl: timeout/)]);
    const limit = await ctl(sandbox, ['send', ':?', '--max-chars', '100']);
    expect([limit.code, limit.stderr]).toEqual([6, expect.stringMatching(/^pidp10ctl: limit/)]);
    expect(limit.stdout.length).toBeLessThanOrEqual(100);
    await ctl(sandbox, ['read']);
    const pager = await ctl(sandbox, ['send', ':print info;pages text', '--no-auto-more']);
    expect([pager.code, pager.stdout]).toEqual([6, expect.stringContaining('--More--')]);
  });

  test('1: the simulator refuses, the daemon refuses', async () => {
    await using line = await startFakeline();
    line.faults.set('refuse', 'busy');
    await using sandbox = await Sandbox.create();
    await sandbox.daemon({ env: toTarget(line) });
    const busy = await json(sandbox, ['open']);
    expect(busy).toMatchObject({ code: 1, document: { error: { code: 1101, name: 'line_busy' } } });
    const escape = await ctl(sandbox, ['send', 'x~q']);
    expect(escape).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('~q at position 1'),
    });
  });

  test('4: the line is not open, or dies while somebody waits', async () => {
    await using line = await startFakeline();
    await using sandbox = await startOpen(line);
    const waiting = ctl(sandbox, ['send', 'x', '-e', 'never', '--timeout-ms', '20000']);
    await received(line, 'x\r');
    line.dropConnection('fin');
    const dead = await waiting;
    expect([dead.code, dead.stderr]).toEqual([4, expect.stringMatching(/^pidp10ctl: dead/)]);
    expect(dead.stderr).toContain('closed_by_peer');
    expect(await json(sandbox, ['send', 'x'])).toMatchObject({
      code: 4,
      document: { error: { name: 'line_not_open' } },
    });
  });

  test('5: only open, send and run may start a daemon, and not with --no-spawn', async () => {
    await using sandbox = await Sandbox.create();
    for (const args of [
      ['read'],
      ['peek'],
      ['screen'],
      ['get', 'rms;x'],
      ['put', '-', 'rms;x'],
      ['unstick'],
      ['status'],
      ['close'],
      ['shutdown'],
      ['open', '--no-spawn'],
      ['send', 'x', '--no-spawn'],
      ['run', '--no-spawn', 'true'],
      ['send', '-s', 's1', 'x'],
      ['ps'],
      ['logs', 's1'],
      ['stop', 's1'],
    ]) {
      const { code, stderr } = await ctl(sandbox, args);
      expect([args[0], code, stderr]).toEqual([args[0], 5, expect.stringContaining('No daemon answers')]);
    }
    expect(await readdir(sandbox.folder)).toEqual([]);
  });

  test('5: a daemon that cannot be started', async () => {
    await using sandbox = await Sandbox.create();
    const { code, stderr } = await ctl(sandbox, ['open'], { env: { PIDP10D_BIN: '/nonexistent/pidp10d' } });
    expect([code, stderr]).toEqual([5, expect.stringContaining('PIDP10D_BIN names /nonexistent/pidp10d')]);
  });
});

describe('--json', () => {
  test('every command prints one document, the result of the wire', async () => {
    await using line = await startFakeline();
    await using sandbox = await Sandbox.create();
    await sandbox.daemon({ env: toTarget(line) });
    const isResult = (method: MethodName, document: unknown) =>
      METHODS[method].result.safeParse(document).success;
    const calls = [
      ['line.open', ['open']],
      ['line.send', ['send', '~z']],
      ['line.send', ['send', '--dry-run', 'x']],
      ['line.read', ['read', '--from', '0', '--quiet-ms', '0']],
      ['line.peek', ['peek']],
      ['line.close', ['close']],
    ] as const;
    for (const [method, args] of calls) {
      const { code, stderr, document } = await json(sandbox, args);
      expect([args, code, stderr, isResult(method, document)]).toEqual([args, 0, '', true]);
    }
    const { document } = await json(sandbox, ['status']);
    expect(isResult('daemon.status', document.daemon) && isResult('line.status', document.line)).toBe(true);
    expect(await json(sandbox, ['shutdown'])).toMatchObject({ code: 0, document: {} });
  });
});

describe('^C', () => {
  test('I11: cancels the request, prints what had come, and exits 130', async () => {
    await using line = await startFakeline();
    await using sandbox = await startOpen(line);
    await callDdt(sandbox);
    await using watcher = await sandbox.connect();
    const answered = watcher.request('line.read', { expect: 'JOB\\?', timeoutMs: 20_000, autoMore: false });
    const program = sandbox.run(BIN.ctl, { args: ['send', '1/', '-e', 'never', '--timeout-ms', '60000'] });
    expect(await answered).toMatchObject({ reason: 'matched' });
    program.kill('SIGINT');
    expect(await program.exited).toEqual({ code: 130, signal: null });
    expect(program.stdout).toContain('JOB?');
    expect(program.stderr).toMatch(/^pidp10ctl: cancelled/);
    expect((await ctl(sandbox, ['status'])).stdout).toMatch(/^line {4}open/);
  });

  test('while standard input is awaited: exit code 130, nothing was sent', async () => {
    await using line = await startFakeline();
    await using sandbox = await startOpen(line);
    const program = sandbox.run(BIN.ctl, { args: ['send', '-'] });
    program.child.stdin.write('half a line');
    await once(program.child, 'spawn');
    // Before its handler is there, the signal itself ends it; a shell shows 130 either way.
    program.kill('SIGINT');
    const { code, signal } = await program.exited;
    expect(signal === 'SIGINT' || code === 130).toBe(true);
    expect(line.receivedBytes().includes('half')).toBe(false);
  });
});

describe('W06: nothing that comes over the line acts on the terminal of whoever looks', () => {
  const HOSTILE = '\x1b]0;owned\x07\x1b]52;c;ZXZpbA==\x1b\\\x1b[6n\x9b6n\x05safe\rword\x7f';

  test('the real daemon, output of the line', async () => {
    await using line = await startScripted({
      onConnect: (connection) =>
        connection.write(
          Buffer.from(
            `\n\r\nConnected to the KA-10 simulator MTY device, line 9\r\n\n${HOSTILE}\r\n`,
            'latin1',
          ),
        ),
    });
    await using sandbox = await Sandbox.create();
    await sandbox.daemon({ env: { ...toTarget(line), PIDP10_TELNET: 'off' } });
    await ctl(sandbox, ['open']);
    const peek = await ctl(sandbox, ['peek']);
    const peekJson = await ctl(sandbox, ['peek', '--json']);
    for (const { stdout, stderr } of [peek, peekJson]) {
      expect(stdout).toContain('Connected to the KA-10');
      expect((stdout + stderr).replaceAll(/[\n\t]/g, '')).not.toMatch(/\p{Cc}/u);
    }
  });

  test('a daemon that lets everything through: text, hints, errors', async () => {
    await using sandbox = await Sandbox.create();
    const slice = { start: 0, end: 1, text: HOSTILE, truncated: false, lines: 0 };
    const facts = {
      lineState: { state: 'dead', detail: HOSTILE, codec: 'raw' },
      activity: { kind: 'ddt' },
      echo: 'on',
      epoch: 'e',
    };
    await using _server = await serve(sandbox, ({ method }) => {
      switch (method) {
        case 'line.read':
          return { result: { reason: 'dead', output: slice, before: slice, hint: HOSTILE, ...facts } };
        case 'line.peek':
          return {
            error: {
              code: 1101,
              message: `The far end said "${HOSTILE}".`,
              data: { name: 'line_busy', said: HOSTILE },
            },
          };
        default:
          return undefined;
      }
    });
    for (const args of [['read'], ['peek'], ['--json', 'read'], ['--json', 'peek']]) {
      const { stdout, stderr } = await ctl(sandbox, args);
      expect(stdout + stderr).toMatch(/owned/);
      expect((stdout + stderr).replaceAll(/[\n\t]/g, '')).not.toMatch(/\p{Cc}/u);
    }
  });
});

/** A daemon of a few lines at the place where ctl looks for one. */
async function serve(sandbox: Sandbox, script: Script) {
  mkdirSync(dirname(sandbox.socket()), { recursive: true });
  return await startServer(sandbox.socket(), script);
}

describe('D14: a daemon of another major version', () => {
  const status = {
    pid: NO_PID,
    version: '9.0.0',
    protocol: { major: 9, minor: 3 },
    name: 'line',
    startedAt: '2031-01-01T00:00:00.000Z',
    uptimeMs: 1,
    clients: 1,
    socket: '/s',
    stateDir: '/d',
    line: { state: 'open', host: 'pi', port: 10_018, codec: 'telnet' },
    somethingNew: [1],
  };
  const script: Script = ({ method }, socket) => {
    switch (method) {
      case 'hello':
        return {
          result: {
            ...HELLO,
            protocol: { major: 9, minor: 3 },
            daemon: { ...HELLO.daemon, version: '9.0.0' },
          },
        };
      case 'daemon.status':
        return { result: status };
      case 'daemon.shutdown':
        setImmediate(() => socket.end());
        return { result: {} };
      default:
        return { error: { code: 1001, message: 'no' } };
    }
  };

  test('I14: commands fail with one error that names both versions; status and shutdown work', async () => {
    await using sandbox = await Sandbox.create();
    await using server = await serve(sandbox, script);
    const peek = await json(sandbox, ['peek']);
    expect(peek).toMatchObject({ code: 1, document: { error: { name: 'protocol_mismatch' } } });
    expect(peek.document.error.message).toMatch(/1\.3.*9\.0\.0.*9\.3/);

    const shown = await ctl(sandbox, ['status']);
    expect(shown).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('only status and shutdown work'),
    });
    expect(shown.stdout).toMatch(/^line {4}open to pi:10018[^]*pidp10d 9\.0\.0 "line" \(protocol 9\.3\)/);
    expect((await json(sandbox, ['status'])).document).toMatchObject({ daemon: { version: '9.0.0' } });

    const shutdown = await ctl(sandbox, ['shutdown']);
    expect(shutdown).toEqual({ code: 0, stdout: `pidp10d, pid ${NO_PID}, has ended\n`, stderr: '' });
    expect(server.received.at(-1)?.method).toBe('daemon.shutdown');
  });

  test('a daemon that ends before its answer is out has ended all the same', async () => {
    await using sandbox = await Sandbox.create();
    await using _server = await serve(sandbox, (message, socket) => {
      if (message.method === 'daemon.shutdown') socket.destroy();
      return message.method === 'daemon.shutdown' ? undefined : script(message, socket);
    });
    expect((await ctl(sandbox, ['shutdown'])).code).toBe(0);
  });

  test.runIf(process.platform === 'linux')(
    'a daemon that has ended and that nobody collects has ended',
    async () => {
      await using sandbox = await Sandbox.create();
      const keeper = spawn('sh', ['-c', 'true & echo $!; exec sleep 60'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      try {
        const pid = Number((await once(keeper.stdout, 'data'))[0]);
        await using _server = await serve(sandbox, (message, socket) =>
          message.method === 'daemon.status' ? { result: { ...status, pid } } : script(message, socket),
        );
        expect(await ctl(sandbox, ['shutdown'])).toMatchObject({
          code: 0,
          stdout: `pidp10d, pid ${pid}, has ended\n`,
        });
      } finally {
        keeper.kill('SIGKILL');
      }
    },
  );

  test('one that agrees to end and does not is an error', async () => {
    await using sandbox = await Sandbox.create();
    await using _server = await serve(sandbox, (message, socket) =>
      message.method === 'daemon.status'
        ? { result: { ...status, pid: process.pid } }
        : script(message, socket),
    );
    const { code, stderr } = await ctl(sandbox, ['shutdown']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('still runs after 5000 ms')]);
  });

  test('I14: a newer minor version is no obstacle, unknown fields are ignored', async () => {
    await using sandbox = await Sandbox.create();
    const text = { start: 0, end: 2, text: 'hi', truncated: false, lines: 0, colour: 'green' };
    await using _server = await serve(sandbox, ({ method }) => {
      if (method === 'hello') return { result: { ...HELLO, protocol: { major: 1, minor: 7 } } };
      const lineState = { state: 'open', codec: 'telnet' };
      return {
        result: { output: text, lineState, activity: { kind: 'ddt' }, echo: 'on', epoch: 'e', news: true },
      };
    });
    expect(await ctl(sandbox, ['peek'])).toEqual({ code: 0, stdout: 'hi', stderr: '' });
  });
});

test('a reader of the output that has seen enough is no fault', async () => {
  await using line = await startFakeline();
  await using sandbox = await startOpen(line);
  const program = sandbox.run(BIN.ctl, { args: ['peek'] });
  program.child.stdout.destroy();
  expect(await program.exited).toEqual({ code: 0, signal: null });
  expect(program.stderr).toBe('');
});
