/** Every way in which a connection to the line ends, and who holds it: the far end must be free at once. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Fakeline, startFakeline, startScripted } from '@pidp10/fakeline';
import { describe, expect, test } from 'vitest';
import { IS_SOAK, LineRig } from '../support/lineRig.ts';
import { eventually, hasTcpSocket } from '../support/processes.ts';
import type { Exit } from '../support/sandbox.ts';

/** The line has to be free for the next one so long after each end, in ms. */
const FREE_MS = 2_000;

async function untilReset(line: Fakeline): Promise<void> {
  await line.waitFor((events) => events.some(({ kind }) => kind === 'closed'), {
    what: 'the end',
    timeoutMs: FREE_MS,
  });
  const closed = line.events.find(({ kind }) => kind === 'closed');
  expect(closed?.how).toBe('reset');
}

async function throwingModule(rig: { readonly folder: string }, body: string): Promise<string> {
  const path = join(rig.folder, 'fault.mjs');
  await writeFile(path, `process.on('SIGUSR2', () => { ${body} });\n`);
  return path;
}

interface Ending {
  readonly how: string;
  readonly end: (rig: LineRig) => Promise<unknown> | void;
  readonly exit?: Exit;
}

const ENDINGS: readonly Ending[] = [
  { how: 'line.close', end: (rig) => rig.client.request('line.close', {}) },
  {
    how: 'daemon.shutdown',
    end: (rig) => rig.client.request('daemon.shutdown', {}),
    exit: { code: 0, signal: null },
  },
  { how: 'SIGTERM', end: (rig) => rig.daemon.kill('SIGTERM'), exit: { code: 0, signal: null } },
  { how: 'SIGINT', end: (rig) => rig.daemon.kill('SIGINT'), exit: { code: 0, signal: null } },
];

describe('leaving the line', () => {
  test.each(ENDINGS)(
    'L20 · the far end sees a reset and can give the line to another after $how',
    async ({ end, exit }) => {
      await using line = await startFakeline();
      await using rig = await LineRig.start({ port: line.port });
      await rig.open();
      await end(rig);
      await untilReset(line);
      expect(exit === undefined ? rig.daemon.hasExited : await rig.daemon.exited).toEqual(exit ?? false);
      await using next = await LineRig.start({ port: line.port });
      expect((await next.open()).lineState.state).toBe('open');
    },
  );

  test.each([
    { what: 'an uncaught exception', body: "throw new Error('provoked');" },
    { what: 'an unhandled rejection', body: "void Promise.reject(new Error('provoked'));" },
  ])(
    'L20 · the far end sees a reset after $what, which ends the daemon with exit code 1 and is in its log',
    async ({ body }) => {
      await using line = await startFakeline();
      await using scratch = await LineRig.start({ port: line.port });
      const fault = await throwingModule(scratch.sandbox, body);
      await using rig = await LineRig.start({ port: line.port, nodeArgs: ['--import', fault] });
      await rig.open();
      rig.daemon.kill('SIGUSR2');
      await untilReset(line);
      expect(await rig.daemon.exited).toEqual({ code: 1, signal: null });
      expect(rig.daemon.stderr).toContain('provoked');
    },
  );

  test.each(ENDINGS)(
    'L20 · the connection is reset after $how, also when the far end takes no more input',
    async ({ end }) => {
      await using far = await startScripted({
        onConnect: (connection) => {
          connection.pause();
        },
      });
      // A plain line is not paced by echo: only what the kernels take stands in the way.
      const args = ['--telnet', 'off', '--profile', 'plain'];
      await using rig = await LineRig.start({ port: far.port, args });
      await rig.open();
      // More than the kernels on both sides take, so that writes are under way when the end comes.
      const sends: Promise<unknown>[] = [];
      for (let n = 0; n < 60; n += 1)
        sends.push(rig.send('x'.repeat(150_000), { returnAfterMs: 1 }).catch(() => undefined));
      await Promise.all(sends);
      const port = far.connections[0]?.remotePort ?? 0;
      expect(hasTcpSocket(port)).toBe(true);
      await end(rig);
      // A paused reader is told nothing; but only after a reset nothing is left of a socket with unsent bytes.
      await eventually('the end of the socket', () => !hasTcpSocket(port), FREE_MS);
    },
  );

  test('L20 · the far end sees a reset while the connection still waits for its greeting', async () => {
    await using line = await startFakeline();
    line.faults.set('never-greet');
    await using rig = await LineRig.start({ port: line.port });
    const opening = rig.failure('line.open', {});
    await line.waitFor((events) => events.some(({ kind }) => kind === 'accepted'), { what: 'a connection' });
    await rig.client.request('line.close', {});
    expect(await opening).toMatchObject({ name: 'open_aborted' });
    line.faults.clear();
    expect((await rig.open()).lineState.state).toBe('open');
    expect(line.events.find(({ kind }) => kind === 'closed')?.connection).toBe(1);
  });

  test('L16 · killed with SIGKILL, the daemon leaves a line that its successor can open', async () => {
    await using line = await startFakeline();
    await using rig = await LineRig.start({ port: line.port });
    await rig.open();
    rig.daemon.kill('SIGKILL');
    await rig.daemon.exited;
    await line.waitFor((events) => events.some(({ kind }) => kind === 'closed'), {
      what: 'the end',
      timeoutMs: FREE_MS,
    });
    await rig.sandbox.daemon({ args: ['--host', '127.0.0.1', '--port', String(line.port)] });
    await using client = await rig.sandbox.connect();
    expect((await client.request('line.open', {})).lineState.state).toBe('open');
  });
});

describe('one line', () => {
  test('L23 · a second daemon is told busy, and the holder of the line notices nothing', async () => {
    await using line = await startFakeline();
    await using first = await LineRig.start({ port: line.port });
    await using second = await LineRig.start({ port: line.port });
    await first.open();
    const failure = await second.failure('line.open', {});
    expect(failure).toMatchObject({ name: 'line_busy' });
    expect(failure.message).not.toContain(String(first.daemon.pid));
    expect(await first.send('~z', { expect: 'Happy hacking' })).toMatchObject({ reason: 'matched' });
    expect((await first.client.request('line.status', {})).lineState.state).toBe('open');
    await first.client.request('line.close', {});
    expect((await second.open()).lineState.state).toBe('open');
  });

  test('I1 · any number of callers share one attempt and one connection', async () => {
    await using line = await startFakeline({ pollMs: 200 });
    await using rig = await LineRig.start({ port: line.port });
    const clients = await Promise.all(Array.from({ length: 10 }, () => rig.sandbox.connect()));
    const opens = await Promise.all(clients.map((client) => client.request('line.open', {})));
    expect(new Set(opens.map(({ lineState }) => lineState.state))).toEqual(new Set(['open']));
    expect(line.connectionCount).toBe(1);
    await Promise.all(clients.map((client) => client.close()));
  });

  test('L04 · impatient callers never cause a second connect: each attempt is finished before the next one begins', async () => {
    await using line = await startFakeline({ pollMs: 500 });
    line.faults.set('refuse', 'busy');
    await using rig = await LineRig.start({ port: line.port });
    const untilMs = performance.now() + (IS_SOAK ? 60_000 : 4_000);
    const impatient = Array.from({ length: 20 }, async () => {
      await using client = await rig.sandbox.connect();
      while (performance.now() < untilMs) {
        await client.request('line.open', {}, { signal: AbortSignal.timeout(100) }).catch(() => undefined);
      }
    });
    await Promise.all(impatient);
    // Whoever comes now joins the attempt under way, if there is one, and hears its end.
    await rig.failure('line.open', {});
    const order = line.events.filter(({ kind }) => kind === 'accepted' || kind === 'refused');
    expect(order.length).toBeGreaterThan(4);
    order.forEach(({ kind, connection }, index) => {
      expect({ kind, connection }).toEqual({
        kind: index % 2 === 0 ? 'accepted' : 'refused',
        connection: (index >> 1) + 1,
      });
    });
    line.faults.clear();
    expect((await rig.open()).lineState.state).toBe('open');
  });
});
