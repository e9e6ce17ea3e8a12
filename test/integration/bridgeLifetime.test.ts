/** A bridge is disposable: it goes when its client goes, whatever else happens, and takes nothing with it. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type Fakeline, startFakeline } from '@pidp10/fakeline';
import { describe, expect, it } from 'vitest';
import { isGone, RawBridge } from '../support/bridgeClient.ts';
import { IS_SOAK } from '../support/lineRig.ts';
import { cpuSeconds, eventually, processState } from '../support/processes.ts';
import { BIN, type Program, Sandbox } from '../support/sandbox.ts';

/** The cases: gone at most so long after the client, in ms, having used at most so much processor time. */
const END_LIMIT_MS = 1_000;
const END_CPU_MS = 50;

const LONG_WAIT = { input: 'x', expect: 'never', timeout_ms: 300_000, quiet_ms: 300_000 };

function lineArgs(line: Fakeline): string[] {
  return ['--host', '127.0.0.1', '--port', String(line.port)];
}

/** A bridge with an open line and a call that waits, its input on the line already. */
async function startWaiting(
  sandbox: Sandbox,
  line: Fakeline,
  options: { nodeArgs?: string[]; env?: Record<string, string> } = {},
): Promise<RawBridge> {
  const bridge = await RawBridge.start(sandbox, { args: lineArgs(line), ...options });
  await bridge.call('open');
  bridge.beginCall('send', LONG_WAIT);
  await line.waitFor(() => line.receivedBytes().includes('x'), { what: 'the input' });
  return bridge;
}

async function msUntilExit(program: Program, end: () => void): Promise<number> {
  const startMs = performance.now();
  end();
  await program.exited;
  return performance.now() - startMs;
}

describe('M01 · a bridge survives no client', () => {
  it('M01 · ends with 0 within its time when stdin is /dev/null', async () => {
    await using sandbox = await Sandbox.create();
    const child = spawn(process.execPath, [BIN.bridge], {
      env: sandbox.env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
  });

  it('M01 · ends with 0 within a second when stdin ends, at rest or in the middle of a call', async () => {
    await using line = await startFakeline();
    await using sandbox = await Sandbox.create();
    await sandbox.daemon();
    const idle = await RawBridge.start(sandbox);
    expect(await msUntilExit(idle.program, () => idle.program.child.stdin.end())).toBeLessThan(END_LIMIT_MS);
    const busy = await startWaiting(sandbox, line);
    expect(await msUntilExit(busy.program, () => busy.program.child.stdin.end())).toBeLessThan(END_LIMIT_MS);
    expect(await idle.program.exited).toEqual({ code: 0, signal: null });
    expect(await busy.program.exited).toEqual({ code: 0, signal: null });
    expect(busy.program.stderr).toBe('');
    // The line stays, and the one who waited is gone.
    expect(line.openConnections).toBe(1);
    await using client = await sandbox.connect();
    await eventually('the bridges are gone for the daemon too', async () => {
      return (await client.request('daemon.status', {})).clients === 1;
    });
  });

  it('M01 · answers what it has read before stdin ended', async () => {
    await using sandbox = await Sandbox.create();
    const bridge = new RawBridge(sandbox.run(BIN.bridge));
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'pipe', version: '0' },
    };
    const id = bridge.begin('initialize', params);
    const list = bridge.begin('tools/list');
    bridge.program.child.stdin.end();
    expect((await bridge.program.exited).code).toBe(0);
    expect(bridge.find(id)?.result).toBeDefined();
    expect(bridge.find(list)?.result).toBeDefined();
  });

  it.each([
    ['its stdin ends with it', false],
    ['somebody else holds its stdin open', true],
  ])('M01 · is gone within a second after kill -9 of its parent, when %s', async (_how, isHeld) => {
    await using sandbox = await Sandbox.create();
    const fifo = join(sandbox.folder, 'stdin');
    execFileSync('mkfifo', [fifo]);
    // Open both ways, so that it has a writer for as long as the test wants.
    const holder = await open(fifo, 'r+');
    const script = `"${process.execPath}" "${BIN.bridge}" < "${fifo}" & echo "pid $!" >&2; wait`;
    const parent = spawn('bash', ['-c', script], { env: sandbox.env, stdio: ['ignore', 'pipe', 'pipe'] });
    try {
      const bridgePid = await readPid(parent);
      await holder.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`);
      await once(parent.stdout, 'data');
      const startMs = performance.now();
      parent.kill('SIGKILL');
      if (!isHeld) await holder.close();
      await eventually('the bridge is gone', () => isGone(bridgePid));
      expect(performance.now() - startMs).toBeLessThan(END_LIMIT_MS);
    } finally {
      parent.kill('SIGKILL');
      if (isHeld) await holder.close();
    }
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'ends with 0 at %s and leaves the line open',
    async (signal) => {
      await using line = await startFakeline();
      await using sandbox = await Sandbox.create();
      await sandbox.daemon();
      const { program } = await startWaiting(sandbox, line);
      expect(await msUntilExit(program, () => program.kill(signal))).toBeLessThan(END_LIMIT_MS);
      expect(await program.exited).toEqual({ code: 0, signal: null });
      expect(line.openConnections).toBe(1);
    },
  );
});

describe('M02 · a bridge whose daemon is stopped', () => {
  it('M02 · ends within a second of its stdin, with less than 50 ms of processor time', async () => {
    await using line = await startFakeline();
    await using sandbox = await Sandbox.create();
    const daemon = await sandbox.daemon();
    const record = join(sandbox.folder, 'cpu.json');
    const preload = join(sandbox.folder, 'preload.cjs');
    writeFileSync(
      preload,
      `process.on('exit', () => require('fs').writeFileSync(${JSON.stringify(record)}, JSON.stringify(process.cpuUsage())))`,
    );
    const { program } = await startWaiting(sandbox, line, { nodeArgs: ['--require', preload] });
    daemon.kill('SIGSTOP');
    await eventually('the daemon stopped', () => processState(daemon.pid) === 'T');
    const before = cpuSeconds(program.pid) * 1_000;
    expect(await msUntilExit(program, () => program.child.stdin.end())).toBeLessThan(END_LIMIT_MS);
    const { user, system } = JSON.parse(readFileSync(record, 'utf8'));
    // The kernel's count has steps of 10 ms.
    expect((user + system) / 1_000 - before).toBeLessThan(END_CPU_MS + 10);
    expect((await program.exited).code).toBe(0);
  });
});

describe('M03 · a client that stops reading', () => {
  it('M03 · ends the bridge quietly when it closes our stdout with a megabyte under way; line and daemon go on', async () => {
    await using line = await startFakeline();
    await using sandbox = await Sandbox.create();
    await sandbox.daemon();
    const bridge = await RawBridge.start(sandbox, { args: [...lineArgs(line), '--reader', 'agent'] });
    await bridge.call('open');
    line.send(`${'a long line of output, again and again '.repeat(5_000)}\r\nTHE END\r\n`);
    await eventually('the output came', async () => (await bridge.call('peek')).text.includes('THE END'));
    const { child } = bridge.program;
    child.stdout.removeAllListeners('data');
    child.stdout.pause();
    for (let i = 0; i < 20; i += 1) bridge.beginCall('peek', { last_n_chars: 58_000 });
    bridge.beginCall('read', { ...LONG_WAIT, input: undefined });
    await once(child.stdout, 'readable');
    child.stdout.destroy();
    expect(await bridge.program.exited).toEqual({ code: 0, signal: null });
    expect(bridge.program.stderr).toBe('');
    expect(line.openConnections).toBe(1);
    // The waiter is freed: its name can be had.
    await eventually('the reader is free', async () => {
      await using client = await sandbox.connect({ reader: 'agent' });
      return client.hello.reader?.name === 'agent';
    });
  });
});

describe('M17 · a client that kills healthy servers', () => {
  const ROUNDS = IS_SOAK ? 200 : 20;

  it(`M17 · ${ROUNDS} signals at random moments: line and place survive, the next bridge goes on where it was`, async () => {
    await using line = await startFakeline();
    await using sandbox = await Sandbox.create();
    await sandbox.daemon();
    const random = seeded(17);
    const args = [...lineArgs(line), '--reader', 'agent'];
    let bridge = await RawBridge.start(sandbox, { args });
    await bridge.call('open');
    let printed = 0;
    let delivered = '';
    for (let round = 0; round < ROUNDS; round += 1) {
      // Numbered lines come while calls run, and while nobody is there.
      const numbers = Array.from({ length: 5 }, () => `N${String(printed++).padStart(5, '0')}`);
      for (const number of numbers) line.send(`${number}\r\n`);
      const calls = [0, 1, 2].map(() =>
        bridge.beginCall('read', { timeout_ms: 40, quiet_ms: 5, max_chars: 20 }),
      );
      // At random between the start of the first and the answer of the last.
      await Promise.race([pause(random() * 60), bridge.answer(calls[2] ?? 0)]);
      bridge.program.kill((['SIGKILL', 'SIGTERM', 'SIGINT'] as const)[Math.floor(random() * 3)] ?? 'SIGKILL');
      await bridge.program.exited;
      for (const id of calls) {
        if (bridge.find(id) !== undefined) delivered += (await bridge.toolAnswer(id)).output;
      }
      bridge = await RawBridge.start(sandbox, { args });
    }
    for (;;) {
      const { output, reason } = await bridge.call('read', { timeout_ms: 1_000, quiet_ms: 100 });
      delivered += output;
      if (reason !== 'limit') break;
    }
    const numbers = Array.from({ length: printed }, (_, i) => `N${String(i).padStart(5, '0')}`);
    expect(numbers.filter((number) => !delivered.includes(number))).toEqual([]);
    expect(line.connectionCount).toBe(1);
    expect(line.openConnections).toBe(1);
  });

  it('I5 · an answer that a killed bridge had not written yet counts as unread', async () => {
    await using line = await startFakeline();
    await using sandbox = await Sandbox.create();
    await sandbox.daemon();
    const args = [...lineArgs(line), '--reader', 'agent'];
    const first = await RawBridge.start(sandbox, { args });
    await first.call('open');
    line.send(`${'a long line of output, again and again '.repeat(2_000)}\r\nREAD\r\n`);
    await first.call('read', { expect: 'READ', max_chars: 1_000_000 });
    while ((await first.call('read', { timeout_ms: 100 })).reason === 'limit') {
      // all that there is
    }
    // More than pipes take: what follows stays in the bridge.
    const { child } = first.program;
    child.stdout.removeAllListeners('data');
    child.stdout.pause();
    for (let i = 0; i < 20; i += 1) first.beginCall('peek', { last_n_chars: 58_000 });
    line.send('KEPT BACK\r\n');
    first.beginCall('read', { expect: 'KEPT BACK' });
    // In turn behind the read: when the second is on the line, the answer to the read has long reached the bridge.
    for (const input of ['1', '2', '3']) {
      first.beginCall('send', { input: `${input}~-`, timeout_ms: 10 });
      await line.waitFor(() => line.receivedBytes().includes(input), { what: `input ${input}` });
    }
    first.program.kill('SIGKILL');
    child.stdout.destroy();
    await first.program.exited;
    const second = await RawBridge.start(sandbox, { args });
    expect((await second.call('read', { timeout_ms: 1_000 })).output).toContain('KEPT BACK');
  });

  it('a bridge killed in the middle of calls loses no byte: its successor begins at the committed place', async () => {
    await using line = await startFakeline();
    await using sandbox = await Sandbox.create();
    await sandbox.daemon();
    const args = [...lineArgs(line), '--reader', 'agent'];
    const first = await RawBridge.start(sandbox, { args });
    await first.call('open');
    line.send('DELIVERED\r\n');
    const seen = await first.call('read', { expect: 'DELIVERED' });
    await using watcher = await sandbox.connect({ reader: 'watcher' });
    const end = seen.facts?.end ?? -1;
    first.beginCall('read', { expect: 'never', timeout_ms: 300_000, quiet_ms: 300_000 });
    line.send('NOT DELIVERED\r\n');
    await watcher.request('line.read', { expect: 'NOT DELIVERED', from: 0 });
    first.program.kill('SIGKILL');
    await first.program.exited;
    const second = await RawBridge.start(sandbox, { args });
    const next = await second.call('read', { expect: 'NOT DELIVERED' });
    expect(next.facts?.start).toBe(end);
    expect(next.output).toContain('NOT DELIVERED');
    expect(next.output.replace('NOT DELIVERED', '')).not.toContain('DELIVERED');
  });
});

async function readPid(parent: ChildProcess): Promise<number> {
  let text = '';
  for await (const chunk of parent.stderr ?? []) {
    text += String(chunk);
    const pid = /pid (\d+)\n/.exec(text)?.[1];
    if (pid !== undefined) return Number(pid);
  }
  throw new Error(`no pid in ${text}`);
}

/** The moment of a signal is what this case is about: the one place where time itself is the input. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** Numbers from 0 to 1, the same in every run (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
