import { EventEmitter } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { dial, isDaemonAbsent } from '../../src/node/dial.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startServer } from '../support/scriptedServer.ts';
import { fillBacklog, leaveStaleSocket } from '../support/staleSocket.ts';

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** Connects to nothing: each attempt ends with the next of the codes, '' for a connection. Time passes only in `sleep`. */
function scriptedDial(codes: readonly string[], options: { retryForMs?: number; signal?: AbortSignal } = {}) {
  const pauses: number[] = [];
  let attempts = 0;
  let elapsedMs = 0;
  const promise = dial({
    socket: '/s',
    ...options,
    connect: () => {
      const code = codes[Math.min(attempts++, codes.length - 1)] ?? '';
      const socket = Object.assign(new EventEmitter(), { destroy: () => socket });
      queueMicrotask(() => {
        if (code === '') socket.emit('connect');
        else socket.emit('error', Object.assign(new Error(`connect ${code}`), { code }));
      });
      return socket as unknown as Socket;
    },
    nowMs: () => elapsedMs,
    sleep: async (ms) => {
      pauses.push(ms);
      elapsedMs += ms;
    },
  });
  return { promise, pauses, attempts: () => attempts };
}

describe('a real socket', () => {
  test('gives a connection', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 's');
    await using server = await startServer(path);
    const socket = await dial({ socket: path });
    expect(socket.readyState).toBe('open');
    await vi.waitFor(() => expect(server.sockets.size).toBe(1));
    socket.destroy();
  });

  test('none there: the daemon is not running, and may be started', async () => {
    using folder = temporaryFolder();
    const error = await failureOf(dial({ socket: join(folder.path, 's') }));
    expect(error).toMatchObject({ code: 'daemon_not_running', cause: { code: 'ENOENT' } });
    expect(isDaemonAbsent(error)).toBe(true);
  });

  test('left behind by a daemon that died: not running either', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 's');
    await leaveStaleSocket(path);
    const error = await failureOf(dial({ socket: path }));
    expect(error).toMatchObject({ code: 'daemon_not_running', cause: { code: 'ECONNREFUSED' } });
    expect(isDaemonAbsent(error)).toBe(true);
  });

  test('D01 · a full accept queue is a daemon that does not answer, not one that is absent', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 's');
    await using _full = await fillBacklog(path);
    const error = await failureOf(dial({ socket: path, timeoutMs: 60, retryForMs: 1_000 }));
    expect(error).toMatchObject({ code: 'daemon_not_answering' });
    expect(isDaemonAbsent(error)).toBe(false);
  });

  test('appears while it is being dialled', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 's');
    const server = createServer();
    let pauses = 0;
    const socket = await dial({
      socket: path,
      retryForMs: 5_000,
      sleep: async () => {
        pauses += 1;
        if (pauses === 2) await new Promise<void>((resolve) => server.listen(path, resolve));
      },
    });
    expect(pauses).toBe(2);
    socket.destroy();
    server.close();
  });
});

describe('failures', () => {
  test.each([
    ['ENOENT', 'daemon_not_running', true],
    ['ECONNREFUSED', 'daemon_not_running', true],
    ['EACCES', 'socket_not_usable', false],
    ['EPERM', 'socket_not_usable', false],
    ['EMFILE', 'socket_not_usable', false],
    ['EAGAIN', 'daemon_not_answering', false],
  ])('D02 · %s is %s', async (code, expected, absent) => {
    const error = await failureOf(scriptedDial([code]).promise);
    expect(error).toMatchObject({ code: expected, cause: { code } });
    expect(isDaemonAbsent(error)).toBe(absent);
  });

  test('D07 · a path that Node would truncate is never dialled', async () => {
    const connect = () => {
      throw new Error('dialled');
    };
    const error = await failureOf(dial({ socket: `/${'x'.repeat(103)}`, connect }));
    expect(error).toMatchObject({ code: 'socket_path_too_long' });
  });
});

describe('retrying', () => {
  test('not at all unless asked', async () => {
    const { promise, attempts } = scriptedDial(['ENOENT']);
    await failureOf(promise);
    expect(attempts()).toBe(1);
  });

  test('pauses grow and are bounded, and so is the whole', async () => {
    const { promise, pauses } = scriptedDial(['ENOENT'], { retryForMs: 1_000 });
    expect(await failureOf(promise)).toMatchObject({ code: 'daemon_not_running' });
    expect(pauses).toEqual([10, 20, 40, 80, 160, 200, 200, 200]);
  });

  test('a refusal that becomes a connection is one', async () => {
    const { promise, attempts } = scriptedDial(['ENOENT', 'ECONNREFUSED', ''], { retryForMs: 1_000 });
    await promise;
    expect(attempts()).toBe(3);
  });

  test('a full queue is tried again for the time of a connection, unasked', async () => {
    const { promise, attempts } = scriptedDial(['EAGAIN', 'EAGAIN', '']);
    await promise;
    expect(attempts()).toBe(3);
  });

  test('a missing permission will not change', async () => {
    const { promise, attempts } = scriptedDial(['EACCES'], { retryForMs: 1_000 });
    await failureOf(promise);
    expect(attempts()).toBe(1);
  });

  test('an abort ends it, before the first attempt or in a pause', async () => {
    const before = scriptedDial([''], { signal: AbortSignal.abort() });
    expect(await failureOf(before.promise)).toMatchObject({ code: 'cancelled' });
    expect(before.attempts()).toBe(0);

    using folder = temporaryFolder();
    const controller = new AbortController();
    const dialling = dial({ socket: join(folder.path, 's'), retryForMs: 60_000, signal: controller.signal });
    setImmediate(() => controller.abort());
    expect(await failureOf(dialling)).toMatchObject({ code: 'cancelled' });
  });
});
