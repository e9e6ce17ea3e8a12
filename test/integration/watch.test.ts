/** Watching the line over a real socket: every byte to everybody, nothing of a secret, and no cost by those who do not read. */
import { type Fakeline, startFakeline, startScripted } from '@pidp10/fakeline';
import { DaemonClient } from '@pidp10/protocol/node/daemonClient';
import { describe, expect, test } from 'vitest';
import { startLoggedIn } from '../support/itsRig.ts';
import { IS_SOAK, LineRig } from '../support/lineRig.ts';
import { eventually, residentBytes } from '../support/processes.ts';
import { RawClient } from '../support/rawClient.ts';

const MIB = 1_048_576;
const LINE = 'the quick brown fox jumps over a lazy dog and never looks back 0123456789\r\n';

interface Told {
  readonly name: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A client that keeps what it is told. */
async function watcher(rig: LineRig, form: 'text' | 'bytes' | 'ansi' | 'none' = 'text') {
  const told: Told[] = [];
  const client = await DaemonClient.connect({
    socket: rig.sandbox.socket(),
    client: { name: 'watcher', version: '1' },
    access: 'read',
    onNotification: (name, params) => void told.push({ name, params }),
  });
  const { offset, watch } = await client.request('line.watch', { form });
  return { client, told, offset, watch };
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function textOf(told: readonly Told[], name = 'line.output'): string {
  return told.map((one) => (one.name === name ? toText(one.params['text']) : '')).join('');
}

/** Takes output from `start` on up to the notification `last`; returns its offset. Throws where output is missing. */
async function endOf(
  raw: RawClient,
  start: number,
  last: 'line.lagged' | 'line.watchEnded',
): Promise<number> {
  for (let end = start; ; ) {
    const next = await raw.next();
    if (next === undefined) throw new Error('the connection was closed');
    const { method, params = {} } = next;
    if (method !== 'line.output' && method !== last) continue;
    const at = params[method === last ? 'offset' : 'start'];
    if (at !== end) throw new Error(`${method} at ${JSON.stringify(at)}, not at ${end}`);
    if (method === last) return end;
    end = Number(params['end']);
  }
}

async function untilEnd(rig: LineRig, end: number): Promise<void> {
  await eventually(
    `${end} bytes of output`,
    async () => (await rig.client.request('line.status', {})).end >= end,
  );
}

describe('what a watcher sees', () => {
  test('two watches of a connection, each in its form; the one that is ended hears no more', async () => {
    await using line = await startFakeline();
    await using rig = await startLoggedIn(line);
    const { client, told, watch } = await watcher(rig);
    const bytes = await client.request('line.watch', { form: 'bytes' });
    line.send('\x1bJone\x1bK');
    await eventually('both are told', () => told.length >= 2);
    expect(textOf(told)).toBe('one');
    const raw = told.find(({ params }) => params['watch'] === bytes.watch)?.params['bytes'];
    expect(Buffer.from(String(raw), 'base64').toString('latin1')).toBe('\x1bJone\x1bK');
    await client.request('line.unwatch', { watch });
    line.send('two');
    await eventually('the other one is told', () => told.length >= 3);
    expect(textOf(told)).toBe('one');
    await client.close();
  });

  test('C04 · of a password only its length, wherever what is typed can be seen', async () => {
    await using line = await startFakeline();
    await using rig = await startLoggedIn(line);
    const { client, told } = await watcher(rig);
    await rig.client.request('floor.request', {});
    await rig.send(':pword', { expect: 'Password: $' });
    const sent = await rig.send('hunter2', { timeoutMs: 5_000 });
    expect(sent.output.text).toContain('OK');
    await eventually('the input is told', () =>
      told.some(({ name, params }) => name === 'line.input' && params['masked'] === true),
    );
    const { entries } = await client.request('line.history', { outputChars: 1_000 });
    const masked = entries.filter(({ input }) => input?.masked === true);
    expect(masked.map(({ input }) => input?.bytes)).toEqual([8]);
    const refused: unknown = await (await rig.sandbox.connect())
      .request('line.send', { input: 'x', floor: 'fail' })
      .catch((error: unknown) => error);
    const status = await client.request('line.status', {});
    const everything = JSON.stringify([told, entries, status, refused, String(refused)]) + rig.daemon.stderr;
    expect(everything).toContain(':pword');
    expect(everything).not.toContain('hunter');
    await client.close();
  });

  test('C04 · also when the far end is slow to take it, and when two lines of it go at once', async () => {
    await using line = await startFakeline({ inputCps: 20 });
    await using rig = await startLoggedIn(line);
    const { client, told } = await watcher(rig, 'none');
    await rig.send(':pword', { expect: 'Password: $' });
    await rig.send('hunter2\rhunter3\r', { raw: true, timeoutMs: 10_000 });
    const { entries } = await client.request('line.history', {});
    expect(JSON.stringify([told, entries])).not.toContain('hunter');
    await client.close();
  });
});

describe('many who watch', () => {
  test('D20 · I5 · 32 readers each get every byte', async () => {
    await using line = await startFakeline();
    await using rig = await LineRig.start({ port: line.port, args: ['--ring-bytes', String(8 * MIB)] });
    await rig.open();
    const all = await Promise.all(Array.from({ length: 32 }, () => watcher(rig)));
    const text = Array.from({ length: 3_000 }, (_, index) => `${index} ${LINE}`).join('');
    const start = (await rig.client.request('line.status', {})).end;
    line.send(text);
    await untilEnd(rig, start + text.length);
    const wanted = text.replaceAll('\r\n', '\n');
    await eventually('everybody has heard it', () =>
      all.every(({ told }) => told.at(-1)?.params['end'] === start + text.length),
    );
    expect(all.filter(({ told }) => textOf(told) !== wanted)).toEqual([]);
    for (const { client } of all) await client.close();
  }, 60_000);

  const FLOOD_BYTES = IS_SOAK ? 50_000_000 : 8_000_000;
  test(`D12 · I7 · 20 that do not read: bounded memory, then \`lagged\`, and nothing is lost (${FLOOD_BYTES} bytes)`, async () => {
    await using far = await startScripted({ onConnect: () => undefined });
    await using rig = await LineRig.start({
      port: far.port,
      args: ['--telnet', 'off', '--ring-bytes', String(4 * MIB)],
    });
    await rig.open();
    const connection = far.connections[0];
    if (connection === undefined) throw new Error('no line');
    const live = await watcher(rig, 'bytes');
    const block = Buffer.from(LINE.repeat(Math.floor(65_536 / LINE.length)));
    let written = 0;
    const flood = async (bytes: number) => {
      for (const until = written + bytes; written < until; written += block.length) {
        connection.write(block);
        await untilEnd(rig, written - 4 * block.length);
      }
      await untilEnd(rig, written);
    };
    // So that the ring is there, and the heap as large as a flood makes it.
    await flood(6 * MIB);
    const begun = written;
    const stopped: RawClient[] = [];
    for (let count = 0; count < 20; count += 1) {
      const raw = await RawClient.greet(rig.sandbox.socket(), {
        client: { name: `s${count}`, version: '0' },
      });
      await raw.call('line.watch', { form: 'text' });
      raw.socket.pause();
      stopped.push(raw);
    }
    const before = residentBytes(rig.daemon.pid);
    await flood(FLOOD_BYTES);
    await eventually('the live one has heard all', () => live.told.at(-1)?.params['end'] === written);
    const bytes = live.told.reduce(
      (sum, { params }) => sum + Buffer.from(String(params['bytes']), 'base64').length,
      0,
    );
    expect(bytes).toBe(written);
    expect(residentBytes(rig.daemon.pid) - before).toBeLessThan(20 * MIB);
    expect(
      (await rig.client.request('daemon.clients', {})).clients.filter(({ watches }) => watches > 0),
    ).toHaveLength(1);
    const [one] = stopped;
    if (one === undefined) throw new Error('nobody stopped');
    one.socket.resume();
    expect(await endOf(one, begun, 'line.lagged')).toBeGreaterThan(begun);
    for (const raw of stopped) raw[Symbol.dispose]();
    await live.client.close();
  }, 120_000);

  test.each([
    ['of the usual size', 262_144],
    ['large', 4 * MIB],
  ])(
    'D12 · who lags and begins anew from that offset loses nothing, the ring being %s',
    async (_, ringBytes) => {
      await using far = await startScripted({ onConnect: () => undefined });
      await using rig = await LineRig.start({
        port: far.port,
        args: ['--telnet', 'off', '--ring-bytes', String(ringBytes)],
      });
      await rig.open();
      const raw = await RawClient.greet(rig.sandbox.socket());
      await raw.call('line.watch', { form: 'text' });
      raw.socket.pause();
      let written = 0;
      const watches = async () => (await rig.client.request('daemon.clients', {})).clients[1]?.watches;
      while ((await watches()) === 1) {
        far.connections[0]?.write(`${written} ${LINE}`);
        written += `${written} ${LINE}`.length;
        if (written % 8 === 0) await untilEnd(rig, written);
      }
      await untilEnd(rig, written);
      raw.socket.resume();
      let offset: number | undefined;
      while (offset === undefined) {
        const next = await raw.next();
        if (next?.method === 'line.lagged') offset = Number(next.params?.['offset']);
      }
      const again = await raw.call('line.watch', { form: 'text', from: offset, until: written });
      expect(again.result).toMatchObject({ offset, truncated: false });
      expect(await endOf(raw, offset, 'line.watchEnded')).toBe(written);
      raw[Symbol.dispose]();
    },
    60_000,
  );
});

test('W14 · whatever the output asks a terminal for, nothing of it is answered to the line', async () => {
  await using line: Fakeline = await startFakeline();
  await using rig = await startLoggedIn(line);
  const all = await Promise.all((['text', 'bytes', 'ansi'] as const).map((form) => watcher(rig, form)));
  const before = line.receivedBytes().length;
  const { end } = await rig.client.request('line.status', {});
  const probes = '\x1bZ\x1b[c\x1b[6n\x1b[?25$p\x1b[?1004h\x1b[?1000h\x05done';
  line.send(probes);
  await untilEnd(rig, end + probes.length);
  await eventually('all are told', () =>
    all.every(({ told }) => told.some(({ name }) => name === 'line.output')),
  );
  await rig.client.request('line.read', { timeoutMs: 300 });
  expect(line.receivedBytes().length).toBe(before);
  for (const { client } of all) await client.close();
});
