import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../protocol/test/support/folder.ts';
import { startServer } from '../../../protocol/test/support/scriptedServer.ts';
import { Arguments } from '../../src/ctl/command.ts';
import { toPort, toTarget } from '../../src/ctl/daemonAccess.ts';
import { run } from '../../src/ctl/run.ts';
import { toInput } from '../../src/ctl/toInput.ts';
import { VERSION } from '../../src/version.ts';

/** A run against a socket that nobody listens at. */
async function runAlone(
  argv: readonly string[],
  { stdin = '', env = {}, signal = new AbortController().signal, isTTY = false } = {},
) {
  let stdout = '';
  let stderr = '';
  const code = await run(argv, {
    env: { PIDP10D_SOCKET: '/nonexistent/line.sock', PIDP10_STATE_DIR: '/nonexistent', PATH: '', ...env },
    cwd: '/',
    platform: 'linux',
    homedir: '/nonexistent',
    uid: 1,
    stdin: Readable.from([Buffer.from(stdin)]),
    stdout: { write: (text: string) => (stdout += text), isTTY },
    stderr: { write: (text: string) => (stderr += text) },
    signal,
  });
  return { code, stdout, stderr };
}

describe('run', () => {
  test('--version and --help go to standard output', async () => {
    expect(await runAlone(['--version'])).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: '' });
    expect((await runAlone(['--help'])).stdout).toMatch(/^pidp10ctl COMMAND/);
  });

  test('wrong use: one sentence and where to look, exit code 2', async () => {
    const { code, stdout, stderr } = await runAlone(['send']);
    expect([code, stdout, stderr]).toEqual([2, '', 'pidp10ctl: send needs INPUT\nSee pidp10ctl --help.\n']);
  });

  test.each([
    ['send', '--json'],
    ['--json', 'bogus'],
    ['read', '--json', '--timeout-ms', '-1'],
  ])('--json: wrong use is a document too: %s %s', async (...argv) => {
    const { code, stdout, stderr } = await runAlone(argv);
    expect([code, stderr]).toEqual([2, '']);
    expect(JSON.parse(stdout)).toMatchObject({ error: { name: 'usage' } });
  });

  test('--json behind -- is input', async () => {
    const { stdout, stderr } = await runAlone(['send', '--no-spawn', '--', '--json']);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/No daemon answers/);
  });

  test('no daemon: exit code 5, as text and as JSON', async () => {
    expect(await runAlone(['status'])).toMatchObject({ code: 5, stdout: '' });
    const { code, stdout } = await runAlone(['open', '--no-spawn', '--json']);
    expect(code).toBe(5);
    expect(JSON.parse(stdout)).toMatchObject({ error: { name: 'daemon_not_running' } });
  });

  test('W06: an argument that is quoted in an error does not reach the terminal as it is', async () => {
    const { stderr } = await runAlone(['\x1b]0;owned\x07']);
    expect(stderr).toContain('"^[]0;owned^G"');
  });

  test('standard input beyond the limit of one send is refused before a daemon is looked for', async () => {
    const { code, stderr } = await runAlone(['send', '-'], { stdin: 'x'.repeat(200_001) });
    expect([code, stderr]).toEqual([2, expect.stringContaining('more than 200000 characters')]);
  });

  test('D07: a socket path that is too long is refused with its length, exit code 2', async () => {
    const { code, stderr } = await runAlone(['status', '--socket', `/${'x'.repeat(103)}`]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('has 104 bytes')]);
  });

  test('I11: given up before anything was asked: exit code 130', async () => {
    const { code } = await runAlone(['send', '-'], { signal: AbortSignal.abort() });
    expect(code).toBe(130);
  });
});

describe('a prompt at the end of the output', () => {
  const slice = { start: 0, end: 2, text: 'x\n*', truncated: false, lines: 1 };
  const facts = {
    lineState: { state: 'closed', codec: 'raw' },
    activity: { kind: 'ddt' },
    echo: 'on',
    epoch: 'e',
  };

  test.each([
    [true, '\npidp10ctl: the line is closed\n'],
    [false, 'pidp10ctl: the line is closed\n'],
  ])('on a terminal (%s) the notes begin on a line of their own', async (isTTY, notes) => {
    using folder = temporaryFolder();
    const socket = join(folder.path, 's');
    await using _server = await startServer(socket, ({ method }) =>
      method === 'line.peek' ? { result: { output: slice, ...facts } } : undefined,
    );
    const { stdout, stderr } = await runAlone(['peek', '--socket', socket], { isTTY });
    expect([stdout, stderr]).toEqual(['x\n*', notes]);
  });
});

describe('several commands in one send', () => {
  test('what each printed goes to standard output, whose it is to standard error', async () => {
    using folder = temporaryFolder();
    const socket = join(folder.path, 's');
    const slice = { start: 0, end: 2, text: 'x\n*', truncated: false, lines: 1 };
    const commands = ['a', 'b'].map((input) => ({
      input,
      reason: 'prompt',
      output: { ...slice, text: `${input}\n*` },
    }));
    const facts = {
      lineState: { state: 'open', codec: 'raw' },
      activity: { kind: 'ddt' },
      echo: 'on',
      epoch: 'e',
    };
    await using _server = await startServer(socket, ({ method }) =>
      method === 'line.send'
        ? { result: { reason: 'prompt', output: slice, commands, ...facts } }
        : undefined,
    );
    const { code, stdout, stderr } = await runAlone(['send', 'a\rb', '--socket', socket]);
    expect([code, stdout]).toEqual([0, 'a\n*b\n*']);
    expect(stderr).toBe(
      'pidp10ctl: command 1, a: prompt\npidp10ctl: command 2, b: prompt\npidp10ctl: prompt\n',
    );
  });
});

describe('D17: waits that no timer can hold are refused here already', () => {
  test.each(['2147483648', '1e12', '-1', '1.5', 'Infinity'])('--timeout-ms %s', async (value) => {
    const { code, stderr } = await runAlone(['read', `--timeout-ms=${value}`]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--timeout-ms')]);
  });
});

test('toInput names the option, or the word of the usage line', () => {
  expect(() => toInput('line.read', { maxChars: 0 })).toThrow(/^--max-chars: /);
  expect(() => toInput('line.peek', { chars: 0 })).toThrow(/^CHARS: /);
  expect(() => toInput('line.getFile', { file: '\r' })).toThrow(/^ITSFILE: /);
  expect(() => toInput('line.open', { login: 'toolong' })).toThrow(/^--login: /);
  expect(() => toInput('line.read', { toFile: '../x' })).toThrow(/^--to-file: /);
  expect(toInput('line.peek', { chars: 5 })).toEqual({ chars: 5 });
});

describe('where a started daemon is to connect to', () => {
  const env = { PIDP10_HOST: 'pi', PIDP10_PORT: '10015' };

  test('flag over environment; an empty variable is none', () => {
    expect(toTarget(new Arguments([], { host: 'other', port: 1 }), env)).toEqual({ host: 'other', port: 1 });
    expect(toTarget(new Arguments([], {}), env)).toEqual({ host: 'pi', port: 10_015 });
    expect(toTarget(new Arguments([], {}), { PIDP10_HOST: '', PIDP10_PORT: '' })).toEqual({
      host: undefined,
      port: undefined,
    });
  });

  test.each(['0', '65536', 'x', '-1', '1.5', '1e3', ' 1'])('port %j is refused with its place', (text) => {
    expect(() => toPort(text, 'PIDP10_PORT')).toThrow(/^PIDP10_PORT must be a port/);
  });
});
