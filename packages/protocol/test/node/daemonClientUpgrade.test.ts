/** Over an upgrade of the daemon: which calls are made again, and which are not. */
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rpcError } from '../../src/common/errors.ts';
import { DaemonClient } from '../../src/node/daemonClient.ts';
import { temporaryFolder } from '../support/folder.ts';
import { HELLO, type ScriptedMessage, type ScriptedServer, startServer } from '../support/scriptedServer.ts';
import { until } from '../support/until.ts';

const CLIENT = { name: 'test', version: '1' };
const WATCH = {
  watch: 1,
  offset: 0,
  truncated: false,
  epoch: 'e1',
  size: { rows: 24, columns: 80 },
  lineState: { state: 'closed', codec: 'unknown' },
  floor: { state: 'free', token: 0, waiting: 0, nextToken: 0 },
};
const PID = HELLO.daemon.pid;

function upgrading() {
  const { code, message, data } = rpcError('upgrading');
  return { error: { code, message, data } };
}

type Phase = 'serving' | 'standing' | 'succeeded';

/** A daemon that refuses while it stands still; whoever dials after `succeed` gets its successor. */
async function setUp(options: { readonly silent?: readonly string[] } = {}) {
  const folder = temporaryFolder();
  const socket = join(folder.path, 's');
  let phase: Phase = 'serving';
  const successors = new WeakSet<Socket>();
  const refused: string[] = [];
  const script = ({ method }: ScriptedMessage, from: Socket) => {
    if (phase === 'succeeded') successors.add(from);
    const pid = successors.has(from) ? PID + 1 : PID;
    if (phase === 'standing') {
      refused.push(method);
      return upgrading();
    }
    if (method === 'hello') return { result: { ...HELLO, daemon: { ...HELLO.daemon, pid } } };
    if (phase === 'serving' && options.silent?.includes(method) === true) return 'silence';
    return method === 'line.watch' ? { result: WATCH } : { result: { readers: [] } };
  };
  const server: ScriptedServer = await startServer(socket, script);
  const client = await DaemonClient.connect({ socket, client: CLIENT });
  return {
    socket,
    server,
    client,
    refused,
    stand: () => {
      phase = 'standing';
    },
    goOn: () => {
      phase = 'serving';
    },
    succeed: () => {
      phase = 'succeeded';
      for (const each of server.sockets) each.destroy();
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      await server[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

describe('a daemon that hands over', () => {
  test('calls that it refuses are made again on its successor, each once, on one connection', async () => {
    await using daemon = await setUp();
    daemon.stand();
    const calls = [1, 2, 3].map(() => daemon.client.request('reader.list', {}));
    const write = daemon.client.request('reader.remove', { name: 'r' });
    await until(() => daemon.refused.length >= 4);
    daemon.succeed();
    expect(await Promise.all(calls)).toEqual(calls.map(() => ({ readers: [] })));
    await write;
    expect(daemon.client.hello.daemon.pid).toBe(PID + 1);
    expect(daemon.client.isClosed).toBe(false);
    expect(daemon.server.sockets.size).toBe(1);
    const removals = daemon.server.received.filter(({ method }) => method === 'reader.remove');
    expect(removals.length - daemon.refused.filter((method) => method === 'reader.remove').length).toBe(1);
  });

  test('a daemon that goes on after all is asked again on the same connection', async () => {
    await using daemon = await setUp();
    daemon.stand();
    const call = daemon.client.request('reader.remove', { name: 'r' });
    await until(() => daemon.refused.length > 0);
    daemon.goOn();
    await call;
    expect(daemon.client.hello.daemon.pid).toBe(PID);
  });

  test('whoever dials meanwhile waits for it', async () => {
    await using daemon = await setUp();
    daemon.stand();
    const dialled = DaemonClient.connect({ socket: daemon.socket, client: CLIENT });
    await until(() => daemon.refused.includes('hello'));
    daemon.succeed();
    await using client = await dialled;
    expect(client.hello.daemon.pid).toBe(PID + 1);
  });

  test('a call whose connection broke is made again if it only looks, else its caller is told', async () => {
    await using daemon = await setUp({ silent: ['reader.list', 'reader.remove'] });
    const look = daemon.client.request('reader.list', {});
    const act = daemon.client.request('reader.remove', { name: 'r' });
    await until(() => daemon.server.received.length === 3);
    const told = act.catch((error: unknown) => error);
    daemon.succeed();
    expect(await look).toEqual({ readers: [] });
    expect(await told).toMatchObject({ code: 'connection_lost' });
  });

  test('an upgrade is never asked for twice', async () => {
    await using daemon = await setUp();
    daemon.stand();
    await expect(daemon.client.request('daemon.upgrade', {})).rejects.toMatchObject(upgrading().error);
  });

  test('a client that watches hears of the end instead: its watches are over', async () => {
    await using daemon = await setUp();
    await daemon.client.request('line.watch', {});
    daemon.stand();
    const call = daemon.client.request('reader.list', {});
    await until(() => daemon.refused.length > 0);
    daemon.succeed();
    await expect(call).rejects.toMatchObject({ code: upgrading().error.code });
    await expect(daemon.client.closed).resolves.toMatchObject({ code: 'connection_lost' });
    expect(daemon.client.isClosed).toBe(true);
  });

  test('closing while it moves leaves nothing', async () => {
    await using daemon = await setUp();
    daemon.stand();
    const call = daemon.client.request('reader.list', {});
    await until(() => daemon.refused.length > 0);
    const told = call.catch((error: unknown) => error);
    await daemon.client.close();
    expect(await told).toBeInstanceOf(Error);
    await until(() => daemon.server.sockets.size === 0);
  });
});
