/** What a daemon tells without being asked, and what a client says of itself in hello. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ConnectOptions, DaemonClient } from '../../src/node/daemonClient.ts';
import { temporaryFolder } from '../support/folder.ts';
import { HELLO, type Script, type ScriptedServer, startServer } from '../support/scriptedServer.ts';
import { until } from '../support/until.ts';

const CLIENT = { name: 'test', version: '1' };
const OUTPUT = { watch: 1, start: 0, end: 2, at: '2026-01-01T00:00:00.000Z', text: 'hi' };
const ENDED = { watch: 1, offset: 2 };

interface Rig extends AsyncDisposable {
  readonly server: ScriptedServer;
  connect(options?: Partial<ConnectOptions>): Promise<DaemonClient>;
  tell(method: string, params: unknown): void;
}

async function setUp(script?: Script): Promise<Rig> {
  const folder = temporaryFolder();
  const socket = join(folder.path, 's');
  const server = await startServer(socket, script);
  const clients: DaemonClient[] = [];
  return {
    server,
    connect: async (options = {}) => {
      const client = await DaemonClient.connect({ socket, client: CLIENT, ...options });
      clients.push(client);
      return client;
    },
    tell: (method, params) => {
      for (const each of server.sockets)
        each.write(`${JSON.stringify({ jsonrpc: '2.0', method, params })}\n`);
    },
    [Symbol.asyncDispose]: async () => {
      for (const client of clients) await client.close();
      await server[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** Collects what nobody catches, in place of whoever else would hear of it. */
function uncaught(): Disposable & { readonly errors: readonly unknown[] } {
  const others = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  const errors: unknown[] = [];
  process.on('uncaughtException', (error) => void errors.push(error));
  return {
    errors,
    [Symbol.dispose]: () => {
      process.removeAllListeners('uncaughtException');
      for (const listener of others) process.on('uncaughtException', listener);
    },
  };
}

describe('notifications', () => {
  test('come to the listener in order, checked, without what a newer daemon adds', async () => {
    await using rig = await setUp();
    const told: unknown[] = [];
    await rig.connect({ onNotification: (name, params) => told.push([name, params]) });
    rig.tell('line.output', { ...OUTPUT, newField: 1 });
    rig.tell('line.watchEnded', ENDED);
    await until(() => told.length === 2);
    expect(told).toEqual([
      ['line.output', OUTPUT],
      ['line.watchEnded', ENDED],
    ]);
  });

  test('I14 · I16 · unknown ones and ones of another shape are left out, and the connection goes on', async () => {
    await using rig = await setUp(({ method }) =>
      method === 'daemon.status' ? { error: { code: 7, message: 'no' } } : undefined,
    );
    const told: unknown[] = [];
    const client = await rig.connect({ onNotification: (name) => told.push(name) });
    rig.tell('line.ofTheFuture', OUTPUT);
    rig.tell('toString', {});
    rig.tell('line.output', { ...OUTPUT, start: -1 });
    rig.tell('line.output', {});
    rig.tell('line.watchEnded', ENDED);
    await until(() => told.length > 0);
    expect(told).toEqual(['line.watchEnded']);
    await expect(client.request('daemon.status', {})).rejects.toMatchObject({ code: 7 });
  });

  test('without a listener they are nothing', async () => {
    await using rig = await setUp(({ method }) =>
      method === 'daemon.status' ? { error: { code: 7, message: 'no' } } : undefined,
    );
    const client = await rig.connect();
    rig.tell('line.output', OUTPUT);
    await expect(client.request('daemon.status', {})).rejects.toMatchObject({ code: 7 });
  });

  test('one that stands before the answer of a call is told before it', async () => {
    await using rig = await setUp(({ method, id }, socket) => {
      if (method !== 'line.unwatch') return undefined;
      const frames = [
        { method: 'line.output', params: OUTPUT },
        { id, result: {} },
        { method: 'line.watchEnded', params: ENDED },
      ];
      socket.write(frames.map((frame) => `${JSON.stringify({ jsonrpc: '2.0', ...frame })}\n`).join(''));
      return 'silence';
    });
    const told: string[] = [];
    const client = await rig.connect({ onNotification: (name) => told.push(name) });
    await client.request('line.unwatch', { watch: 1 });
    expect(told[0]).toBe('line.output');
    await until(() => told.length === 2);
  });

  test('a listener that throws is a fault of its own: what stands behind comes all the same', async () => {
    await using rig = await setUp();
    const told: string[] = [];
    using surfaced = uncaught();
    await rig.connect({
      onNotification: (name) => {
        told.push(name);
        if (name === 'line.output') throw new Error('the listener');
      },
    });
    const frames = [
      { method: 'line.output', params: OUTPUT },
      { method: 'line.watchEnded', params: ENDED },
    ];
    for (const socket of rig.server.sockets)
      socket.write(frames.map((frame) => `${JSON.stringify({ jsonrpc: '2.0', ...frame })}\n`).join(''));
    await until(() => told.length === 2 && surfaced.errors.length > 0);
    expect(surfaced.errors).toEqual([new Error('the listener')]);
  });

  test('none comes after close', async () => {
    await using rig = await setUp();
    const told: string[] = [];
    const client = await rig.connect({ onNotification: (name) => told.push(name) });
    rig.tell('line.output', OUTPUT);
    await client.close();
    expect(told).toEqual([]);
  });
});

describe('hello', () => {
  const saidBy = async (options: Partial<ConnectOptions>) => {
    await using rig = await setUp();
    await rig.connect(options);
    return rig.server.received.find(({ method }) => method === 'hello')?.params;
  };

  test('tells the access that was asked for, and nothing by default', async () => {
    expect(await saidBy({ access: 'read' })).toMatchObject({ access: 'read', client: CLIENT });
    expect(await saidBy({})).toEqual({ protocol: HELLO.protocol, client: CLIENT });
  });
});
