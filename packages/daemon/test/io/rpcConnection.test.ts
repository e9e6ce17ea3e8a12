import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RequestHandler } from '@pidp10/protocol/incomingRequests';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MAX_UNREAD_BYTES, type RpcConnection, serveConnection } from '../../src/io/rpcConnection.ts';

interface Pair {
  readonly client: Socket;
  readonly connection: RpcConnection;
  readonly closed: Promise<void>;
  readonly lines: string[];
}

let folder: string;
const disposers: (() => void)[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'p10-'));
});

afterEach(() => {
  for (const dispose of disposers.splice(0)) dispose();
  rmSync(folder, { recursive: true });
});

async function pair(handler: RequestHandler, frameTimeoutMs?: number): Promise<Pair> {
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
  const lines: string[] = [];
  client.setEncoding('utf8').on('data', (text: string) => lines.push(text));
  client.on('error', () => undefined);
  const { promise: closed, onClose } = createEnd();
  const connection = serveConnection({
    socket,
    handler,
    onFault: (error) => lines.push(`fault ${String(error)}`),
    onClose,
    ...(frameTimeoutMs !== undefined && { frameTimeoutMs }),
  });
  return { client, connection, closed, lines };
}

function createEnd(): { promise: Promise<void>; onClose: () => void } {
  let onClose = () => {};
  const promise = new Promise<void>((resolve) => {
    onClose = resolve;
  });
  return { promise, onClose };
}

const echo: RequestHandler = async (method) => ({ method });
const request = (id: number) => `{"jsonrpc":"2.0","id":${id},"method":"m${id}"}\n`;

test('D10 · a frame that is not finished in time ends its connection', async () => {
  const { client, closed } = await pair(echo, 50);
  client.write('{"half');
  await expect(closed).resolves.toBeUndefined();
});

test('D10 · the time counts from the first byte of a frame: a byte now and then does not stretch it', async () => {
  const { client, closed } = await pair(echo, 100);
  const dripping = setInterval(() => client.write('x'), 20);
  disposers.push(() => clearInterval(dripping));
  const startMs = performance.now();
  await closed;
  expect(performance.now() - startMs).toBeLessThan(5_000);
});

test('D10 · a frame that is being skipped because of its length has the same limit', async () => {
  const { client, closed } = await pair(echo, 50);
  client.write('x'.repeat(1_200_000));
  await expect(closed).resolves.toBeUndefined();
});

test('D10 · a connection without a frame under way, and one with many finished ones, stay', async () => {
  const { client, lines } = await pair(echo, 30);
  for (let id = 0; id < 10; id += 1) {
    // Each frame is begun in the write that ends the one before it.
    client.write(`${id === 0 ? '' : request(id - 1).slice(5)}${request(id).slice(0, 5)}`);
    while (id > 0 && !lines.join('').includes(`"m${id - 1}"`)) await once(client, 'data');
  }
  client.write(request(9).slice(5));
  await once(client, 'data');
  const pause = new Promise((resolve) => setTimeout(resolve, 60));
  await pause;
  expect(client.destroyed).toBe(false);
  client.write(request(10));
  await once(client, 'data');
  expect(lines.join('')).toContain('"m10"');
});

test('I6 · a client that leaves too much unread is dropped', async () => {
  const answer = 'x'.repeat(1_000_000);
  const { client, closed } = await pair(async () => ({ answer }));
  client.pause();
  const enough = Math.ceil((MAX_UNREAD_BYTES * 1.2) / answer.length);
  for (let id = 0; id < enough; id += 1) client.write(request(id));
  await expect(closed).resolves.toBeUndefined();
});

test('closing lets what was answered go out, and is idempotent', async () => {
  const { client, connection, closed, lines } = await pair(echo);
  client.write(request(1));
  await once(client, 'data');
  client.write(request(2));
  await once(client, 'data');
  connection.close();
  connection.close();
  await closed;
  expect(lines.join('').trim().split('\n')).toHaveLength(2);
});

test('I10 · a client that is gone has its requests aborted', async () => {
  const { promise: aborted, onClose: abort } = createEnd();
  const { client, closed } = await pair(
    (_method, _params, { signal }) => new Promise(() => signal.addEventListener('abort', abort)),
  );
  client.write(request(1));
  client.end();
  await expect(Promise.all([aborted, closed])).resolves.toHaveLength(2);
});
