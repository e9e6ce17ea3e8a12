/** Upgrading without hanging up, and what a daemon knows of the one before it. */
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Fakeline, startFakeline } from '@pidp10/fakeline';
import type { DaemonClient } from '@pidp10/protocol/node/daemonClient';
import { describe, expect, test } from 'vitest';
import { IS_SOAK, LineRig } from '../support/lineRig.ts';
import { eventually } from '../support/processes.ts';
import { Sandbox } from '../support/sandbox.ts';
import { readRecord } from '../support/soak/record.ts';
import { holesOf, storedOutput } from '../support/storedOutput.ts';

/** Upgrades in a row. */
const UPGRADES = IS_SOAK ? 100 : 5;
/** An upgrade takes one to three seconds of a machine that has other things to do; in ms. */
const UPGRADE_MS = 10_000;
const TRAFFIC_MS = 30_000 + UPGRADES * UPGRADE_MS;

/** Clients that call without a pause. */
const CLIENTS = 12;

/** A module that ends a successor in the moment in which it would say this to its predecessor; ours is started with it, too. */
function dyingAt(message: string): string {
  const code = `
    if (process.env.PIDP10D_HANDOVER) {
      const { Socket } = await import('node:net');
      const write = Socket.prototype.write;
      Socket.prototype.write = function (data, ...rest) {
        const isIt = typeof data === 'string' && data.startsWith('{"${message}":');
        if (!isIt) return write.call(this, data, ...rest);
        return write.call(this, data, () => process.kill(process.pid, 'SIGKILL'));
      };
    }`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

function connects(line: Fakeline): number {
  return line.events.filter(({ kind }) => kind === 'accepted').length;
}

async function upgraded(rig: LineRig): Promise<{ client: DaemonClient; pid: number; end: number }> {
  const before = await rig.sandbox.connect();
  const { pid, end } = await before.request('daemon.upgrade', {});
  rig.sandbox.adopt(pid);
  await before.closed;
  return { client: await rig.sandbox.connect({ reader: 'reader' }), pid, end };
}

describe('an upgrade', () => {
  test('C1 · the far end sees one connection, and nothing is lost or doubled', async () => {
    await using line = await startFakeline({ pollMs: 5, ctrlZMs: 5 });
    await using rig = await LineRig.start({ port: line.port });
    await rig.open({ login: 'rms' });
    const first = await rig.client.request('line.status', {});
    const connections = connects(line);
    let pid = rig.daemon.pid;
    for (let round = 0; round < UPGRADES; round += 1) {
      const next = await upgraded(rig);
      expect(next.pid).not.toBe(pid);
      pid = next.pid;
      await using client = next.client;
      expect(client.hello.epoch).toBe(first.epoch);
      const status = await client.request('line.status', {});
      expect(status.lineState).toEqual(first.lineState);
      expect(status.end).toBeGreaterThanOrEqual(next.end);
      const answer = await client.request('line.send', { input: ':vk' });
      expect(answer).toMatchObject({ reason: 'prompt', output: { text: expect.stringContaining('*') } });
    }
    expect(connects(line)).toBe(connections);
    // What the daemons kept, one after the other, is what the line has said: no byte lost, none twice.
    const { end } = await (await rig.sandbox.connect()).request('line.status', {});
    const kept = await (await rig.sandbox.connect()).request('line.read', {
      from: 0,
      tidy: false,
      maxChars: 1_000_000,
    });
    expect(kept.output.end).toBe(end);
  });

  test(
    'I2 · under traffic there is neither a hole nor a repetition',
    async () => {
      await using line = await startFakeline({ pollMs: 5, ctrlZMs: 5 });
      await using rig = await LineRig.start({ port: line.port });
      await rig.open();
      const { end: start } = await rig.client.request('line.status', {});
      line.faults.set('flood', 100_000);
      for (let round = 0; round < UPGRADES; round += 1) await (await upgraded(rig)).client.close();
      await using client = await rig.sandbox.connect();
      const { end } = await client.request('line.status', {});
      expect(end - start).toBeGreaterThan(100_000);
      // The filler is the same line again and again: a hole or a repetition anywhere would show.
      const tail = await client.request('line.read', { from: start, tidy: false, maxChars: 1_000_000 });
      const [first, ...lines] = tail.output.text.split('\n').slice(1, -1);
      expect(lines.length).toBeGreaterThan(1_000);
      expect(new Set(lines)).toEqual(new Set([first]));
    },
    TRAFFIC_MS,
  );

  test('waits under way end with a reason, readers and the floor that was asked for stay', async () => {
    await using line = await startFakeline({ pollMs: 5, ctrlZMs: 5 });
    await using rig = await LineRig.start({ port: line.port });
    await rig.open({ login: 'rms' });
    await using agent = await rig.sandbox.connect({ reader: 'agent' });
    await using person = await rig.sandbox.connect({ reader: 'person' });
    const waiting = agent.request('line.read', { timeoutMs: 60_000, until: 'prompt' });
    const { token } = await person.request('floor.request', { leaseMs: 600_000, waitMs: 10_000 });
    const next = await upgraded(rig);
    await using _client = next.client;
    expect(await waiting).toMatchObject({ reason: 'still_waiting' });
    await using again = await rig.sandbox.connect({ reader: 'person' });
    const floor = await again.request('floor.status', {});
    expect(floor).toMatchObject({ state: 'held', holder: { reader: 'person', isYou: true, kind: 'asked' } });
    expect(await again.request('line.send', { input: ':vk', token })).toMatchObject({ reason: 'prompt' });
    const { readers } = await again.request('reader.list', {});
    expect(readers.map(({ name }) => name)).toEqual(expect.arrayContaining(['agent', 'person']));
  });

  test('a successor that does not come up changes nothing', async () => {
    await using line = await startFakeline({ pollMs: 5, ctrlZMs: 5 });
    await using rig = await LineRig.start({
      port: line.port,
      // What is installed now ends at once: the daemon's own program is started with this file in front.
      nodeArgs: ['--import', 'data:text/javascript,if(process.env.PIDP10D_HANDOVER)process.exit(1)'],
    });
    await rig.open({ login: 'rms' });
    const refused = await rig.failure('daemon.upgrade', {});
    expect(refused.name).toBe('upgrade_failed');
    expect(await rig.send(':vk')).toMatchObject({ reason: 'prompt' });
    expect(rig.daemon.hasExited).toBe(false);
  });

  test.each([
    ['after it has taken over', 'taken'],
    ['while it comes up', 'ready'],
  ])('a successor that dies %s leaves the old daemon with line, lock and journal', async (_when, message) => {
    await using line = await startFakeline({ pollMs: 5, ctrlZMs: 5 });
    await using rig = await LineRig.start({ port: line.port, nodeArgs: ['--import', dyingAt(message)] });
    await rig.open({ login: 'rms' });
    const connections = connects(line);
    const before = await rig.client.request('line.status', {});
    expect((await rig.failure('daemon.upgrade', {})).name).toBe('upgrade_failed');
    expect(await rig.send(':vk')).toMatchObject({ reason: 'prompt' });
    expect(connects(line)).toBe(connections);
    const { epoch, end, lineState } = await rig.client.request('line.status', {});
    expect({ epoch, lineState }).toEqual({ epoch: before.epoch, lineState: before.lineState });
    // The journal goes on as well: all of it is on the disk when the daemon has ended.
    await rig.client.request('daemon.shutdown', {});
    await rig.daemon.exited;
    const files = storedOutput(join(rig.sandbox.stateDir, 'journal', 'line'));
    expect(holesOf(files, end)).toEqual([]);
  });

  test(
    'under traffic with many clients no call fails that was not told why, and what types is typed once',
    async () => {
      await using line = await startFakeline({ pollMs: 5, ctrlZMs: 5 });
      await using rig = await LineRig.start({ port: line.port });
      await rig.open({ login: 'rms' });
      const clients = await Promise.all(
        Array.from({ length: CLIENTS }, (_, index) => rig.sandbox.connect({ reader: `client-${index}` })),
      );
      let isOver = false;
      const failures: unknown[] = [];
      const noted: string[] = [];
      const busy = clients.map(async (client, index) => {
        for (let call = 0; !isOver; call += 1) {
          const text = `note ${index}/${call}`;
          try {
            if (index % 4 === 0) {
              await client.request('line.mark', { text });
              noted.push(text);
            } else if (index % 4 === 1) await client.request('line.status', {});
            else if (index % 4 === 2) await client.request('line.history', { limit: 5 });
            else await client.request('line.peek', { chars: 100 });
          } catch (error) {
            failures.push(error);
            if (client.isClosed) return;
          }
        }
      });
      const typed: string[] = [];
      for (let round = 0; round < UPGRADES; round += 1) {
        const { pid } = await rig.client.request('daemon.upgrade', {});
        rig.sandbox.adopt(pid);
        await rig.client.closed;
        await using client = await rig.sandbox.connect({ reader: 'typist' });
        const input = `:; round ${String(round).padStart(3, '0')}`;
        typed.push(input);
        await client.request('line.send', { input });
        await rig.reconnect();
      }
      isOver = true;
      await Promise.all(busy);
      // An act whose connection broke is the one thing that may fail, and says so.
      for (const failure of failures) expect(failure).toMatchObject({ code: 'connection_lost' });
      const entries = await readRecord(rig.client, -1);
      const marks = entries.filter(({ kind }) => kind === 'mark').map(({ text }) => text);
      expect(new Set(marks).size).toBe(marks.length);
      const inputs = entries.flatMap(({ input }) => input?.text ?? []);
      for (const input of typed) expect(inputs.filter((text) => text.startsWith(input))).toHaveLength(1);
      const newest = noted.filter((text) => marks.includes(text));
      expect(newest.length).toBeGreaterThan(0);
      await Promise.all(clients.map((client) => client.close()));
    },
    TRAFFIC_MS,
  );

  test('SIGUSR2 does the same; the successor ends as any daemon does and leaves nothing', async () => {
    await using line = await startFakeline({ pollMs: 5, ctrlZMs: 5 });
    await using rig = await LineRig.start({ port: line.port });
    await rig.open({ login: 'rms' });
    rig.daemon.kill('SIGUSR2');
    await rig.client.closed;
    await using client = await rig.sandbox.connect();
    const { pid } = client.hello.daemon;
    rig.sandbox.adopt(pid);
    expect(pid).not.toBe(rig.daemon.pid);
    expect(readFileSync(join(rig.sandbox.stateDir, 'line.lock'), 'utf8').trim()).toBe(String(pid));
    await client.request('daemon.shutdown', {});
    await eventually('the socket is removed', () => !existsSync(rig.sandbox.socket()));
    await line.waitFor((events) => events.some(({ kind }) => kind === 'closed'), {
      what: 'the end of the connection',
      timeoutMs: 10_000,
    });
  });
});

describe('SIGHUP', () => {
  test('D21 · reads the configuration again; the line stays, and what it opens next is the new place', async () => {
    await using line = await startFakeline({ pollMs: 5, ctrlZMs: 5 });
    await using other = await startFakeline({ pollMs: 5, ctrlZMs: 5 });
    await using sandbox = await Sandbox.create();
    const config = join(sandbox.folder, 'config.json');
    const settings = (port: number) => JSON.stringify({ host: '127.0.0.1', port });
    await writeFile(config, settings(line.port));
    const daemon = await sandbox.daemon({ args: ['--config', config] });
    await using client = await sandbox.connect();
    const opened = await client.request('line.open', {});
    await writeFile(config, settings(other.port));
    daemon.kill('SIGHUP');
    await daemon.until('the new configuration', ({ stderr }) => stderr.includes('"msg":"configuration"'));
    expect((await client.request('line.status', {})).lineState).toEqual(opened.lineState);
    expect(line.events.some(({ kind }) => kind === 'closed')).toBe(false);
    await writeFile(config, '{');
    daemon.kill('SIGHUP');
    await daemon.until('the refusal', ({ stderr }) => stderr.includes('the old one stands'));
    await client.request('line.close', {});
    expect((await client.request('line.open', {})).lineState).toMatchObject({
      state: 'open',
      port: other.port,
    });
  });
});
