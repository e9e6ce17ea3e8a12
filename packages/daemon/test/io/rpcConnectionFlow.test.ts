/** A client that reads slowly, or not at all: what it may cost, and how the daemon comes to know (I7, D12). */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RpcConnection, serveConnection } from '../../src/io/rpcConnection.ts';

let folder: string;
const disposers: (() => void)[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'p10-'));
});

afterEach(() => {
  for (const dispose of disposers.splice(0)) dispose();
  rmSync(folder, { recursive: true });
});

interface Pair {
  readonly client: Socket;
  readonly connection: RpcConnection;
  readonly closed: Promise<void>;
}

async function pair(stuckTimeoutMs?: number): Promise<Pair> {
  const server = createServer().listen(join(folder, 's'));
  await once(server, 'listening');
  const client = connect(join(folder, 's'));
  disposers.push(
    () => client.destroy(),
    () => server.close(),
  );
  const [[socket]] = (await Promise.all([once(server, 'connection'), once(client, 'connect')])) as [
    [Socket],
    unknown,
  ];
  client.on('error', () => undefined);
  let onClose = () => {};
  const closed = new Promise<void>((resolve) => {
    onClose = resolve;
  });
  const connection = serveConnection({
    socket,
    handler: async () => ({}),
    onFault: () => undefined,
    onClose,
    ...(stuckTimeoutMs !== undefined && { stuckTimeoutMs }),
  });
  return { client, connection, closed };
}

const TEXT = 'x'.repeat(100_000);

/** Fills what the system takes ahead, until bytes stay with us. */
function fill(connection: RpcConnection): void {
  while (connection.unsentBytes < 500_000) connection.notify('n', { text: TEXT });
}

test('a notification goes out as one frame, without an id', async () => {
  const { client, connection } = await pair();
  connection.notify('line.mark', { text: 'here' });
  const [chunk] = (await once(client, 'data')) as [Buffer];
  expect(JSON.parse(chunk.toString())).toEqual({
    jsonrpc: '2.0',
    method: 'line.mark',
    params: { text: 'here' },
  });
});

test('I7 · what the client has not taken is known, and it is told once when all is taken', async () => {
  const { client, connection } = await pair();
  client.pause();
  fill(connection);
  let drained = 0;
  const all = Array.from(
    { length: 20 },
    () =>
      new Promise<void>((resolve) =>
        connection.whenDrained(() => {
          drained += 1;
          resolve();
        }),
      ),
  );
  expect([drained, connection.unsentBytes > 0]).toEqual([0, true]);
  client.resume();
  await Promise.all(all);
  expect([drained, connection.unsentBytes]).toEqual([20, 0]);
  fill(connection);
  await new Promise<void>((resolve) => connection.whenDrained(resolve));
  expect(drained).toBe(20);
});

test('also when little is on its way, and when nothing is', async () => {
  const { client, connection } = await pair();
  client.resume();
  connection.notify('n', { text: 'little' });
  await new Promise<void>((resolve) => connection.whenDrained(resolve));
  await new Promise<void>((resolve) => connection.whenDrained(resolve));
  expect(connection.unsentBytes).toBe(0);
});

test('never after the end, and a notification does nothing then', async () => {
  const { client, connection, closed } = await pair();
  client.pause();
  fill(connection);
  let drained = 0;
  connection.whenDrained(() => {
    drained += 1;
  });
  client.destroy();
  await closed;
  connection.notify('n', {});
  connection.whenDrained(() => {
    drained += 1;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(drained).toBe(0);
});

test('I6 · many who wait for the same client are no leak that Node would warn of', async () => {
  const warnings: Error[] = [];
  const warn = (warning: Error) => void warnings.push(warning);
  process.on('warning', warn);
  disposers.push(() => process.off('warning', warn));
  const { client, connection } = await pair();
  client.pause();
  fill(connection);
  for (let count = 0; count < 50; count += 1) connection.whenDrained(() => undefined);
  await new Promise((resolve) => setImmediate(resolve));
  expect(warnings).toEqual([]);
});

test('D12 · a client that takes nothing for too long is dropped', async () => {
  const { client, connection, closed } = await pair(60);
  client.pause();
  fill(connection);
  await expect(closed).resolves.toBeUndefined();
});

test('D12 · one that takes something now and then, and one that has taken all, stay', async () => {
  const { client, connection } = await pair(400);
  client.pause();
  fill(connection);
  const startMs = performance.now();
  // It reads a little every 50 ms, so that it needs far longer than the limit for what is there.
  const reading = setInterval(() => {
    client.once('data', () => client.pause()).resume();
  }, 50);
  disposers.push(() => clearInterval(reading));
  const turned = () => new Promise((resolve) => setTimeout(resolve, 20));
  while (performance.now() - startMs < 1_000) await turned();
  expect(client.destroyed).toBe(false);
  clearInterval(reading);
  client.resume();
  await new Promise<void>((resolve) => connection.whenDrained(resolve));
  const doneMs = performance.now();
  while (performance.now() - doneMs < 600) await turned();
  connection.notify('n', {});
  await new Promise<void>((resolve) => connection.whenDrained(resolve));
  expect(client.destroyed).toBe(false);
});
