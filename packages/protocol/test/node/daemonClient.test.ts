import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Progress } from '../../src/common/clientApi.ts';
import { type ConnectOptions, DaemonClient, HELLO_TIMEOUT_MS } from '../../src/node/daemonClient.ts';
import { temporaryFolder } from '../support/folder.ts';
import {
  HELLO,
  type Script,
  type ScriptedMessage,
  type ScriptedServer,
  startServer,
} from '../support/scriptedServer.ts';
import { until } from '../support/until.ts';

const CLIENT = { name: 'test', version: '1' };
const STATUS = {
  lineState: { state: 'closed', codec: 'unknown' },
  activity: { kind: 'unknown' },
  echo: 'unknown',
  epoch: 'e1',
  end: 0,
  oldest: 0,
  bytesIn: 0,
  bytesOut: 0,
  pendingBytes: 0,
};
const OUTCOME = {
  reason: 'quiet',
  output: { start: 0, end: 2, text: 'hi', truncated: false, lines: 0 },
  lineState: { state: 'open', codec: 'telnet' },
  activity: { kind: 'unknown' },
  echo: 'unknown',
  epoch: 'e1',
};

function fakeTimers() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
}

afterEach(() => {
  vi.useRealTimers();
});

interface Daemon extends AsyncDisposable {
  readonly socket: string;
  readonly server: ScriptedServer;
  readonly connect: (options?: Partial<ConnectOptions>) => Promise<DaemonClient>;
}

/** A server with the script, and a way to connect to it; both gone at the end of the block. */
async function setUp(script?: Script): Promise<Daemon> {
  const stack = new AsyncDisposableStackOfTest();
  const folder = stack.use(temporaryFolder());
  const socket = join(folder.path, 's');
  const server = stack.use(await startServer(socket, script));
  const connect = async (options: Partial<ConnectOptions> = {}) =>
    stack.use(await DaemonClient.connect({ socket, client: CLIENT, ...options }));
  return { socket, server, connect, [Symbol.asyncDispose]: () => stack.dispose() };
}

/** Node 20 has no AsyncDisposableStack. */
class AsyncDisposableStackOfTest {
  readonly #held: (Disposable | AsyncDisposable)[] = [];

  use<T extends Disposable | AsyncDisposable>(value: T): T {
    this.#held.unshift(value);
    return value;
  }

  async dispose(): Promise<void> {
    for (const value of this.#held) {
      if (Symbol.asyncDispose in value) await value[Symbol.asyncDispose]();
      else value[Symbol.dispose]();
    }
  }
}

function methodsOf(received: readonly ScriptedMessage[]): string[] {
  return received.map((message) => message.method);
}

describe('connecting', () => {
  test('I14 · says hello first, with version, name, reader and commit', async () => {
    await using daemon = await setUp();
    const client = await daemon.connect({ reader: 'r1', commit: 'manual' });
    expect(daemon.server.received).toMatchObject([
      {
        method: 'hello',
        params: { protocol: { major: 1, minor: 3 }, client: CLIENT, reader: 'r1', commit: 'manual' },
      },
    ]);
    expect(client.hello).toEqual(HELLO);
  });

  test('I14 · unknown fields of a newer daemon are ignored', async () => {
    await using daemon = await setUp(() => ({
      result: { ...HELLO, mood: 'new', protocol: { major: 1, minor: 9 } },
    }));
    const { hello } = await daemon.connect();
    expect(hello).not.toHaveProperty('mood');
    expect(hello.protocol.minor).toBe(9);
  });

  test('I14 · the error of a daemon of another major version comes through', async () => {
    const message = 'The daemon speaks protocol 2.0, the client 1.0.';
    await using daemon = await setUp(() => ({
      error: { code: 1001, message, data: { name: 'protocol_mismatch' } },
    }));
    await expect(daemon.connect()).rejects.toMatchObject({ name: 'RpcError', code: 1001, message });
    await until(() => daemon.server.sockets.size === 0);
  });

  test('I14 · a daemon of another major version that does not mind is refused, naming both', async () => {
    await using daemon = await setUp(() => ({ result: { ...HELLO, protocol: { major: 2, minor: 3 } } }));
    await expect(daemon.connect()).rejects.toThrow(
      /This client speaks protocol 1\.3, the daemon \(version 0\.1\.0, pid 4242\) 2\.3\./,
    );
  });

  test('an answer of an unknown shape names what is wrong', async () => {
    await using daemon = await setUp(() => ({ result: { ...HELLO, epoch: 7 } }));
    const failure = daemon.connect();
    await expect(failure).rejects.toMatchObject({ code: 'unexpected_result' });
    await expect(failure).rejects.toThrow('epoch');
  });

  test('a daemon that turns the client away has the last word', async () => {
    await using daemon = await setUp((_message, socket) => {
      const error = { code: 1005, message: 'Full.' };
      socket.end(`${JSON.stringify({ jsonrpc: '2.0', id: null, error })}\n`);
      return undefined;
    });
    await expect(daemon.connect()).rejects.toMatchObject({ code: 1005, message: 'Full.' });
  });

  test('a daemon that hangs up', async () => {
    await using daemon = await setUp((_message, socket) => {
      socket.destroy();
      return undefined;
    });
    await expect(daemon.connect()).rejects.toMatchObject({ code: 'connection_lost' });
  });

  test('M18 · a hello without answer ends after 5 s', async () => {
    await using daemon = await setUp(({ method }) => (method === 'hello' ? 'silence' : undefined));
    fakeTimers();
    const failure = daemon.connect().catch((error: unknown) => error);
    await until(() => daemon.server.received.length === 1);
    vi.advanceTimersByTime(HELLO_TIMEOUT_MS);
    expect(await failure).toMatchObject({
      code: 'daemon_not_answering',
      message: expect.stringContaining('hello'),
    });
    await until(() => daemon.server.sockets.size === 0);
  });

  test('an abort during hello ends it at once', async () => {
    const controller = new AbortController();
    await using daemon = await setUp(() => {
      controller.abort();
      return 'silence';
    });
    await expect(daemon.connect({ signal: controller.signal })).rejects.toMatchObject({ code: 'cancelled' });
  });

  test('without hello: status and shutdown of a daemon of any version', async () => {
    await using daemon = await setUp(({ method }) =>
      method === 'daemon.shutdown' ? { result: {} } : undefined,
    );
    await using client = await DaemonClient.connectWithoutHello({ socket: daemon.socket });
    await expect(client.request('daemon.shutdown', {})).resolves.toEqual({});
    expect(methodsOf(daemon.server.received)).toEqual(['daemon.shutdown']);
    expect(() => client.hello).toThrow('has not said hello');
  });

  test('no daemon', async () => {
    using folder = temporaryFolder();
    const failure = DaemonClient.connect({ socket: join(folder.path, 's'), client: CLIENT });
    await expect(failure).rejects.toMatchObject({ code: 'daemon_not_running' });
  });
});

describe('requests', () => {
  test('I16 · results are parsed, unknown fields dropped', async () => {
    await using daemon = await setUp(({ method }) =>
      method === 'line.status' ? { result: { ...STATUS, weather: 'fine' } } : undefined,
    );
    const client = await daemon.connect();
    await expect(client.request('line.status', {})).resolves.toEqual(STATUS);
  });

  test('I16 · a result of the wrong shape is an error that names method and field', async () => {
    await using daemon = await setUp(({ method }) =>
      method === 'line.status' ? { result: { ...STATUS, end: 'x' } } : undefined,
    );
    const failure = (await daemon.connect()).request('line.status', {});
    await expect(failure).rejects.toMatchObject({ code: 'unexpected_result' });
    await expect(failure).rejects.toThrow(/line\.status .* \(end: /);
  });

  test('progress is parsed; junk is dropped', async () => {
    await using daemon = await setUp((message, socket) => {
      if (message.method !== 'line.read') return undefined;
      for (const bytes of [1, 'junk', 2]) {
        const params = { id: message.id, elapsedMs: 5, bytes };
        socket.write(`${JSON.stringify({ jsonrpc: '2.0', method: '$/progress', params })}\n`);
      }
      return { result: OUTCOME };
    });
    const onProgress = vi.fn<(progress: Progress) => void>();
    const client = await daemon.connect();
    await client.request('line.read', { progressEveryMs: 100 }, { onProgress });
    expect(onProgress.mock.calls.map(([progress]) => progress.bytes)).toEqual([1, 2]);
  });

  test('I11 · an abort is sent on, and the answer still comes', async () => {
    let waiting: ScriptedMessage | undefined;
    await using daemon = await setUp((message, socket) => {
      if (message.method === 'line.read') waiting = message;
      if (message.method === '$/cancelRequest') {
        const result = { ...OUTCOME, reason: 'cancelled' };
        socket.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.params['id'], result })}\n`);
      }
      return message.method === 'hello' ? undefined : 'silence';
    });
    const controller = new AbortController();
    const client = await daemon.connect();
    const answer = client.request('line.read', {}, { signal: controller.signal });
    await until(() => waiting !== undefined);
    controller.abort();
    await expect(answer).resolves.toMatchObject({ reason: 'cancelled', output: { text: 'hi' } });
  });

  test('a bad frame from the daemon ends the connection, since an answer may have been in it', async () => {
    await using daemon = await setUp(({ method }, socket) => {
      if (method === 'line.status') socket.write('oops\n');
      return undefined;
    });
    const client = await daemon.connect();
    await expect(client.request('line.status', {})).rejects.toMatchObject({ code: 'unexpected_result' });
    await expect(client.closed).resolves.toMatchObject({ code: 'unexpected_result' });
  });

  test('D09 · an answer larger than the limit of a request is read', async () => {
    const text = 'é'.repeat(1_000_000);
    await using daemon = await setUp(({ method }) =>
      method === 'line.peek'
        ? { result: { ...OUTCOME, output: { start: 0, end: 2_000_000, text, truncated: false, lines: 0 } } }
        : undefined,
    );
    const client = await daemon.connect();
    const { output } = await client.request('line.peek', { chars: 1_000_000 });
    expect(output.text).toBe(text);
  });
});

describe('M18 · a daemon that has stopped', () => {
  test.each([
    ['line.status', {}, undefined, 5_000],
    // A place in the floor's queue does not belong to it: whoever lets one queue shows signs of life.
    ['line.send', { input: 'x' }, undefined, 15_000],
    ['line.send', { input: 'x', floorWaitMs: 0 }, undefined, 15_000],
    ['line.send', { input: 'x', timeoutMs: 60_000 }, undefined, 65_000],
    ['line.send', { input: 'x', timeoutMs: 60_000, returnAfterMs: 45_000 }, undefined, 50_000],
    ['line.open', {}, undefined, 10_000],
    ['floor.request', {}, undefined, 5_000],
    ['floor.request', { waitMs: 20_000 }, undefined, 5_000],
    ['line.read', {}, 1_000, 6_000],
  ] as const)(
    '%s %j, own wait %s: reported after %i ms with pid and time',
    async (method, input, waitMs, limitMs) => {
      await using daemon = await setUp(({ method: called }) => (called === 'hello' ? undefined : 'silence'));
      const client = await daemon.connect();
      await until(() => daemon.server.received.length === 1);
      fakeTimers();
      const failure = client.request(method, input, { waitMs }).catch((error: unknown) => error);
      let isSettled = false;
      void failure.then(() => {
        isSettled = true;
      });
      vi.advanceTimersByTime(limitMs - 1);
      await new Promise((resolve) => setImmediate(resolve));
      expect(isSettled).toBe(false);
      vi.advanceTimersByTime(1);
      expect(await failure).toMatchObject({
        code: 'daemon_not_answering',
        message: expect.stringMatching(
          /\(pid 4242\) does not answer (line|floor)\.\w+; not a byte since 20\d\d-.*Z\./,
        ),
      });
      await until(() => methodsOf(daemon.server.received).includes('$/cancelRequest'));
      expect(client.isClosed).toBe(false);
    },
  );

  test('one that is only slow with this request is waited for', async () => {
    let answer = () => {};
    await using daemon = await setUp((message, socket) => {
      if (message.method === 'daemon.status') return { error: { code: 1003, message: 'no' } };
      if (message.method === 'line.read') {
        answer = () =>
          socket.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, result: OUTCOME })}\n`);
        return 'silence';
      }
      return undefined;
    });
    const client = await daemon.connect();
    fakeTimers();
    const result = client.request('line.read', { timeoutMs: 0, floorWaitMs: 0 });
    const probes = () =>
      methodsOf(daemon.server.received).filter((method) => method === 'daemon.status').length;
    for (let round = 1; round <= 4; round += 1) {
      vi.advanceTimersByTime(4_000);
      await until(() => probes() === round);
      // A round trip more, so that the answer to the probe has arrived.
      await client.request('daemon.status', {}).catch(() => {});
      daemon.server.received.pop();
    }
    answer();
    await expect(result).resolves.toMatchObject({ reason: 'quiet' });
  });
});

describe('the end', () => {
  test('I9 · a lost connection settles every request, and says so', async () => {
    await using daemon = await setUp(({ method }) => (method === 'hello' ? undefined : 'silence'));
    const client = await daemon.connect();
    const answers = [client.request('line.close', {}), client.request('line.read', {})];
    const settled = Promise.allSettled(answers);
    await until(() => daemon.server.received.length === 3);
    for (const socket of daemon.server.sockets) socket.destroy();
    for (const one of await settled) {
      expect(one).toMatchObject({ status: 'rejected', reason: { code: 'connection_lost' } });
    }
    await expect(client.closed).resolves.toMatchObject({ code: 'connection_lost' });
    await expect(client.request('line.status', {})).rejects.toMatchObject({ code: 'connection_lost' });
  });

  test('I15 · closing is idempotent, leaves no socket, and is no failure', async () => {
    await using daemon = await setUp();
    const client = await daemon.connect();
    await Promise.all([client.close(), client.close()]);
    await expect(client.closed).resolves.toBeUndefined();
    expect(client.isClosed).toBe(true);
    await until(() => daemon.server.sockets.size === 0);
  });
});
