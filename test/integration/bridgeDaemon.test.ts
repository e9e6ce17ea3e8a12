/** A bridge and its daemon: none there, one to start, one that dies, one that is stopped. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startFakeline } from '@pidp10/fakeline';
import { describe, expect, it } from 'vitest';
import { endDaemonAfter, RawBridge } from '../support/bridgeClient.ts';
import { IS_SOAK } from '../support/lineRig.ts';
import { eventually, processState } from '../support/processes.ts';
import { type Program, Sandbox } from '../support/sandbox.ts';

/** The cases' limits, in ms. */
const LIST_LIMIT_MS = 1_000;
const ANSWER_GRACE_MS = 5_000;

describe('M16 · one session lives through restarts of the daemon', () => {
  const RESTARTS = IS_SOAK ? 100 : 5;

  it(`M16 · ${RESTARTS} restarts: initialize and tools/list always answer, calls fail with the remedy, then work again`, async () => {
    await using line = await startFakeline();
    await using sandbox = await Sandbox.create();
    const bridge = await RawBridge.start(sandbox, { args: ['--no-spawn'] });
    const args = ['--host', '127.0.0.1', '--port', String(line.port)];
    for (let round = 0; round < RESTARTS; round += 1) {
      const without = await bridge.call('status');
      expect(without.isError).toBe(true);
      expect(without.text).toMatch(/^daemon_not_running: .*--no-spawn.*pidp10d --name line/);
      const forbidden = await bridge.call('open');
      expect(forbidden.text).toMatch(/^daemon_not_running: .*--no-spawn.*pidp10d --name line/);
      await expectList(bridge);

      const daemon = await sandbox.daemon({ args });
      // The daemon before it was killed or stopped with the line in its hands; the first has never had one.
      const state = round === 0 ? /^line closed/ : /^line (closed|dead \(daemon_ended\))/;
      expect((await bridge.call('status')).text).toMatch(state);
      const opened = await bridge.call('open');
      expect(opened.isError).toBe(false);
      const banner = await bridge.call('send', { input: '~z', quiet_ms: 100 });
      expect(banner.isError).toBe(false);

      // One call is in flight when it goes: a kill, then a stop in good order.
      const flying = bridge.beginCall('send', {
        input: 'x',
        expect: 'never',
        timeout_ms: 300_000,
        quiet_ms: 300_000,
      });
      const inputs = line.receivedBytes().length;
      await line.waitFor(() => line.receivedBytes().length > inputs || line.receivedBytes().at(-2) === 0x78, {
        what: 'the input',
      });
      await end(daemon, round % 2 === 0 ? 'SIGKILL' : 'SIGTERM');
      const lost = await bridge.toolAnswer(flying);
      // A daemon that stops in good order may still say that the line is gone.
      expect(lost.text).toMatch(
        /^(connection_lost: .*may or may not have reached the line|shutting_down)|\[(dead|cancelled|interrupted)/,
      );
      await line.waitFor(() => line.openConnections === 0, { what: 'a free line' });
      await expectList(bridge);
      expect(bridge.program.hasExited).toBe(false);
    }
  });

  async function expectList(bridge: RawBridge): Promise<void> {
    const startMs = performance.now();
    expect((await bridge.request('tools/list')).result).toBeDefined();
    expect(performance.now() - startMs).toBeLessThan(LIST_LIMIT_MS);
  }

  async function end(daemon: Program, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    daemon.kill(signal);
    await daemon.exited;
  }
});

describe('starting a daemon', () => {
  it('open starts one, says so once, and gives it host and port; the others start none', async () => {
    await using line = await startFakeline();
    await using sandbox = await Sandbox.create();
    await using _daemon = endDaemonAfter(sandbox);
    const port = String(line.port);
    const bridge = await RawBridge.start(sandbox, {
      args: ['--port', port],
      env: { PIDP10_HOST: '127.0.0.1' },
    });
    for (const tool of ['read', 'peek', 'status', 'close']) {
      const answer = await bridge.call(tool);
      expect(answer.isError).toBe(true);
      expect(answer.text).toMatch(/daemon_not_running.*call open, which starts one/);
    }
    const opened = await bridge.call('open');
    expect(opened.output).toContain('Connected to the KA-10 simulator');
    const pid = Number(/one was started: .* pid (\d+), log/.exec(opened.text)?.[1]);
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    expect(command.join(' ')).toContain(`--host 127.0.0.1 --port ${port}`);
    expect((await bridge.call('open')).text).not.toContain('was started');
    // It is not ours: the bridge goes, the daemon and the line stay.
    bridge.program.child.stdin.end();
    await bridge.program.exited;
    const next = await RawBridge.start(sandbox);
    expect((await next.call('status')).text).toMatch(/^line open/);
    expect(line.connectionCount).toBe(1);
  });

  it('ten calls at once start one daemon', async () => {
    await using line = await startFakeline();
    await using sandbox = await Sandbox.create();
    await using _daemon = endDaemonAfter(sandbox);
    const bridge = await RawBridge.start(sandbox, {
      args: ['--host', '127.0.0.1', '--port', String(line.port)],
    });
    const calls = Array.from({ length: 10 }, () => bridge.beginCall('open'));
    const answers = await Promise.all(calls.map((id) => bridge.toolAnswer(id)));
    expect(answers.filter(({ isError }) => isError)).toEqual([]);
    expect(answers.filter(({ text }) => text.includes('was started'))).toHaveLength(1);
    expect(line.connectionCount).toBe(1);
  });

  it('an installed service unit forbids it, and the error has the command', async () => {
    await using sandbox = await Sandbox.create();
    const folder = join(sandbox.folder, 'xdg-config', 'systemd', 'user');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'pidp10d.service'), '');
    const bridge = await RawBridge.start(sandbox);
    const answer = await bridge.call('open');
    expect(answer.isError).toBe(true);
    expect(answer.text).toMatch(/daemon_not_running: .*systemctl --user start pidp10d\.service/);
  });

  it('a daemon that cannot be started is an error that says what was tried', async () => {
    await using sandbox = await Sandbox.create();
    const bridge = await RawBridge.start(sandbox, { env: { PIDP10D_BIN: '/nowhere/pidp10d' } });
    const answer = await bridge.call('open');
    expect(answer.text).toMatch(/^spawn_failed: .*\/nowhere\/pidp10d/);
    expect((await bridge.call('status')).isError).toBe(true);
  });
});

describe('M18 · a daemon that is stopped', () => {
  it('M18 · every call answers within 5 s past its own limit, names the process and since when; afterwards all is well', async () => {
    await using line = await startFakeline();
    await using sandbox = await Sandbox.create();
    const daemon = await sandbox.daemon({ args: ['--host', '127.0.0.1', '--port', String(line.port)] });
    const bridge = await RawBridge.start(sandbox);
    const fresh = await RawBridge.start(sandbox);
    await bridge.call('open');
    daemon.kill('SIGSTOP');
    await eventually('the daemon stopped', () => processState(daemon.pid) === 'T');
    const calls: [string, Record<string, unknown>, number][] = [
      ['status', {}, 0],
      ['peek', {}, 0],
      ['read', { timeout_ms: 500 }, 500],
      ['send', { input: 'x', timeout_ms: 1_000 }, 1_000],
      ['open', { timeout_ms: 500 }, 500],
      ['close', {}, 0],
    ];
    const startMs = performance.now();
    await Promise.all([
      ...calls.map(async ([tool, args, ownMs]) => {
        const answer = await bridge.call(tool, args);
        // A second for the machine, which runs other tests beside this one.
        expect(performance.now() - startMs).toBeLessThan(ownMs + ANSWER_GRACE_MS + 1_000);
        expect(answer.isError).toBe(true);
        expect(answer.text).toMatch(new RegExp(`^daemon_not_answering: .*pid ${daemon.pid}.* since \\d{4}-`));
      }),
      (async () => {
        // One that has no connection yet does not even know the process.
        expect((await fresh.call('status')).text).toMatch(/^daemon_not_answering: .* since \d{4}-/);
      })(),
    ]);
    daemon.kill('SIGCONT');
    await eventually('the daemon goes on', async () => !(await bridge.call('status')).isError);
    expect((await bridge.call('open')).isError).toBe(false);
  });
});
