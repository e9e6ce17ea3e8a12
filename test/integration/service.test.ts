/** `pidp10ctl service` with the real programs, into a folder of the test; and the daemon as a service manager sees it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseExecWords } from '../../packages/daemon/src/ctl/service/templates.ts';
import { eventually } from '../support/processes.ts';
import { BIN, Program, type RunOptions, Sandbox } from '../support/sandbox.ts';
import { needsTool } from '../support/tools.ts';

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function ctl(sandbox: Sandbox, args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const program = sandbox.run(BIN.ctl, { ...options, args });
  const { code } = await program.exited;
  return { code, stdout: program.stdout, stderr: program.stderr };
}

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));

describe('service install', () => {
  test('below a folder: says it first, writes it, and takes all of it away again', async () => {
    await using sandbox = await Sandbox.create();
    const root = join(sandbox.folder, 'root');
    const words = ['--system', '--run-as', 'games', '--root', root, '--host', 'localhost'];
    const installed = await ctl(sandbox, ['service', 'install', ...words]);
    expect(installed.code).toBe(0);
    const files = filesBelow(root).map((path) => path.slice(root.length));
    expect(files).toEqual(
      expect.arrayContaining([
        '/etc/systemd/system/pidp10d.service',
        '/etc/pidp10d/line.env',
        '/usr/local/share/man/man8/pidp10d.8',
        '/usr/local/share/bash-completion/completions/pidp10ctl',
      ]),
    );
    for (const file of files.filter((path) => !path.endsWith('installed.json'))) {
      expect(installed.stderr).toContain(`will write ${file}\n`);
    }
    expect(installed.stderr).toContain('systemctl enable --now pidp10d.service');
    const removed = await ctl(sandbox, ['service', 'uninstall', ...words]);
    expect(removed.code).toBe(0);
    expect(readdirSync(root)).toEqual([]);
  });

  test('--dry-run prints unit and commands and writes nothing', async () => {
    await using sandbox = await Sandbox.create();
    const { code, stdout } = await ctl(sandbox, ['service', 'install', '--dry-run', '--port', '10017']);
    expect(code).toBe(0);
    expect(stdout).toContain(`ExecStart=`);
    expect(stdout).toContain('PIDP10_PORT="10017"');
    expect(stdout).toContain('would run systemctl --user enable');
    expect(filesBelow(sandbox.folder)).toEqual([]);
  });

  test('never overwrites what is not ours, unless told to, and then keeps it', async () => {
    await using sandbox = await Sandbox.create();
    const folder = join(sandbox.folder, 'xdg-config', 'systemd', 'user');
    const unit = join(folder, 'pidp10d.service');
    const root = ['--root', sandbox.folder];
    const below = join(sandbox.folder, unit);
    await mkdir(join(sandbox.folder, folder), { recursive: true });
    await writeFile(below, 'mine\n');
    const refused = await ctl(sandbox, ['service', 'install', ...root]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`  ${unit}\n`);
    expect(readFileSync(below, 'utf8')).toBe('mine\n');
    const forced = await ctl(sandbox, ['service', 'install', ...root, '--force']);
    expect(forced.code).toBe(0);
    expect(readFileSync(`${below}.before-pidp10d`, 'utf8')).toBe('mine\n');
    expect(readFileSync(below, 'utf8')).toContain('ExecStart=');
  });

  test.skipIf(process.getuid?.() === 0)(
    'of the system without root gives the command that has the right',
    async () => {
      await using sandbox = await Sandbox.create();
      const { code, stderr } = await ctl(sandbox, ['service', 'install', '--system', '--run-as', 'games']);
      expect(code).toBe(1);
      expect(stderr).toMatch(
        /sudo \/\S+ \/\S+\/pidp10ctl\.js service install --system --name line --run-as games\n/,
      );
    },
  );

  test.each([['frobnicate'], ['install', '--user', '--system']])(
    'wrong usage: %s %s %s',
    async (...words) => {
      await using sandbox = await Sandbox.create();
      expect((await ctl(sandbox, ['service', ...words])).code).toBe(2);
      expect(filesBelow(sandbox.folder)).toEqual([]);
    },
  );
});

test('U08: status tells what runs and what is installed', async () => {
  await using sandbox = await Sandbox.create();
  expect((await ctl(sandbox, ['service', 'status'])).code).toBe(5);
  const daemon = await sandbox.daemon();
  const { code, stdout } = await ctl(sandbox, ['service', 'status', '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ running: { pid: daemon.pid, script: BIN.daemon } });
});

test('U09: SIGTERM to what the unit starts reaches the daemon', async () => {
  await using sandbox = await Sandbox.create();
  const root = join(sandbox.folder, 'root');
  await ctl(sandbox, ['service', 'install', '--root', root]);
  const unit = filesBelow(root).find((path) => path.endsWith('pidp10d.service')) ?? '';
  const line = /^ExecStart=(.*)$/m.exec(readFileSync(unit, 'utf8'))?.[1] ?? '';
  const [file = '', ...args] = parseExecWords(line);
  const program = new Program(spawn(file, args, { cwd: '/', env: sandbox.env }));
  await program.until('serving', ({ stderr }) => stderr.includes('"serving"'));
  program.kill('SIGTERM');
  expect(await program.exited).toEqual({ code: 0, signal: null });
});

describe('the daemon under a service manager', () => {
  test.each([
    ['U03: systemd is told by 78', {}, 78],
    ['U05: launchd by 0, or it would try for ever', { PIDP10D_SUPERVISOR: 'launchd' }, 0],
  ])('a wrong configuration: %s', async (_name, env, code) => {
    await using sandbox = await Sandbox.create();
    const program = sandbox.run(BIN.daemon, { env: { ...env, PIDP10_BITS: '9' } });
    expect(await program.exited).toEqual({ code, signal: null });
  });

  test('U05: launchd gets its daemon back after crashes, but not without end', async () => {
    await using sandbox = await Sandbox.create();
    await mkdir(sandbox.stateDir, { mode: 0o700 });
    const starts = join(sandbox.stateDir, 'line.starts');
    const env = { PIDP10D_SUPERVISOR: 'launchd' };
    writeFileSync(starts, `${Date.now()}\n`.repeat(9));
    const last = await sandbox.daemon({ env });
    last.kill('SIGKILL');
    await last.exited;
    const given = sandbox.run(BIN.daemon, { env });
    expect(await given.exited).toEqual({ code: 0, signal: null });
    expect(given.stderr).toContain('too many starts');
    writeFileSync(starts, '');
    const clean = await sandbox.daemon({ env });
    clean.kill('SIGTERM');
    await clean.exited;
    expect(existsSync(starts)).toBe(false);
  });

  /** Receives datagrams at a Unix socket, which Node cannot. */
  const LISTENER = `
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print('bound', flush=True)
while True:
    print(s.recv(4096).decode().replace(chr(10), ' '), flush=True)
`;

  test(
    'U04: says when it is ready, that it lives, and that it stops',
    needsTool('python3', 'systemd-notify'),
    async () => {
      await using sandbox = await Sandbox.create();
      const socket = join(sandbox.folder, 'notify');
      const listener = spawn('python3', ['-c', LISTENER, socket], { stdio: ['ignore', 'pipe', 'inherit'] });
      const heard: string[] = [];
      try {
        listener.stdout.setEncoding('utf8');
        await once(listener.stdout, 'data');
        listener.stdout.on('data', (text: string) =>
          heard.push(...text.split('\n').filter((row) => row !== '')),
        );
        const daemon = await sandbox.daemon({ env: { NOTIFY_SOCKET: socket, WATCHDOG_USEC: '600000' } });
        await eventually('two pings', () => heard.filter((text) => text.includes('WATCHDOG=1')).length >= 2);
        expect(heard).toContain('READY=1');
        daemon.kill('SIGTERM');
        await eventually('a farewell', () => heard.includes('STOPPING=1'));
        expect(await daemon.exited).toEqual({ code: 0, signal: null });
      } finally {
        listener.kill('SIGKILL');
        await once(listener, 'exit');
      }
    },
  );
});
