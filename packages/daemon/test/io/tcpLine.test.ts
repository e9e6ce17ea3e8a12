import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { eventually, hasTcpSocket } from '../../../../test/support/processes.ts';
import type { Lookup } from '../../src/io/addresses.ts';
import { TcpLine, TURN_BYTES } from '../../src/io/tcpLine.ts';

interface Told {
  readonly kind: string;
  readonly detail?: string;
}

/** A line that notes what it is told, in order. */
class Listener {
  readonly told: Told[] = [];
  readonly tried: string[] = [];
  #wake = () => {};

  readonly listener = {
    tried: (detail: string) => this.tried.push(detail),
    connected: () => this.#note({ kind: 'connected' }),
    data: (bytes: Uint8Array) => this.#note({ kind: 'data', detail: Buffer.from(bytes).toString('latin1') }),
    ended: () => this.#note({ kind: 'ended' }),
    failed: (failure: string, detail: string) => this.#note({ kind: failure, detail }),
  };

  async next(): Promise<Told | undefined> {
    while (this.told.length === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.told.shift();
  }

  #note(told: Told): void {
    this.told.push(told);
    this.#wake();
  }
}

const servers: Server[] = [];
const lines: TcpLine[] = [];

async function serve(
  onConnection: (socket: Socket) => void = () => undefined,
  host = '127.0.0.1',
): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    onConnection(socket);
  }).listen(0, host);
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** A port of this host on which nobody listens. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function dial(host: string, port: number, lookup?: Lookup): { heard: Listener; line: TcpLine } {
  const heard = new Listener();
  const line = TcpLine.connect({ host, port, ...(lookup !== undefined && { lookup }) }, heard.listener);
  lines.push(line);
  return { heard, line };
}

function after<T>(ms: number, value: T): Promise<T> {
  return new Promise((resolve) => setTimeout(resolve, ms, value));
}

function error(code: string): Promise<never> {
  return Promise.reject(Object.assign(new Error(code), { code }));
}

const never = new Promise<never>(() => undefined);

afterEach(() => {
  for (const line of lines.splice(0)) line.reset();
  for (const server of servers.splice(0)) server.close();
});

describe('addresses', () => {
  test('L19 · a resolver that swallows AAAA costs nothing: an A answer after 400 ms is taken', async () => {
    const port = await serve();
    const { heard } = dial('pidp10.local', port, (_host, family) =>
      family === 4 ? after(400, ['127.0.0.1']) : never,
    );
    expect(await heard.next()).toEqual({ kind: 'connected' });
  });

  test('L19 · IPv4 comes first, also when IPv6 is known a little earlier', async () => {
    let connections = 0;
    const port = await serve(() => {
      connections += 1;
    });
    const { heard } = dial('both', port, (_host, family) =>
      family === 4 ? after(10, ['127.0.0.1']) : Promise.resolve(['::1']),
    );
    expect(await heard.next()).toEqual({ kind: 'connected' });
    expect(heard.tried.at(-1)).toBe('127.0.0.1: no answer');
    expect(connections).toBe(1);
  });

  test('L19 · when nothing answers, the error names every address that was tried and what came of it', async () => {
    const port = await closedPort();
    const { heard } = dial('pidp10.local', port, (_host, family) =>
      family === 4 ? Promise.resolve(['127.0.0.1', '127.0.0.2']) : error('ENOTFOUND'),
    );
    const failed = await heard.next();
    expect(failed?.kind).toBe('refused');
    expect(failed?.detail).toBe(
      `Connecting to pidp10.local:${port} failed (IPv6: ENOTFOUND, 127.0.0.1: ECONNREFUSED, 127.0.0.2: ECONNREFUSED).`,
    );
  });

  test('L19 · what has been tried is told all the time, should the attempt run out of it', async () => {
    const port = await closedPort();
    const { heard, line } = dial('slow.local', port, (_host, family) =>
      family === 4 ? Promise.resolve(['127.0.0.1']) : never,
    );
    while (heard.tried.length < 3) await after(1, undefined);
    expect(heard.tried).toEqual(['looking up slow.local', '127.0.0.1: no answer', '127.0.0.1: ECONNREFUSED']);
    line.reset();
    expect(heard.told).toEqual([]);
  });

  test('an address that refuses is followed by the next one', async () => {
    const port = await serve(undefined, '127.0.0.3');
    const { heard } = dial('many', port, (_host, family) =>
      family === 4 ? Promise.resolve(['127.0.0.1', '127.0.0.3']) : error('ENOTFOUND'),
    );
    expect(await heard.next()).toEqual({ kind: 'connected' });
    expect(heard.tried.at(-1)).toContain('127.0.0.1: ECONNREFUSED, 127.0.0.3: no answer');
  });

  test('a name without an address is an unknown host', async () => {
    const { heard } = dial('nowhere', 1, () => error('ENOTFOUND'));
    expect(await heard.next()).toMatchObject({
      kind: 'unknown_host',
      detail: expect.stringContaining('IPv4: ENOTFOUND'),
    });
  });

  test('an address is dialled without a look-up', async () => {
    const port = await serve();
    const { heard } = dial('127.0.0.1', port, () => error('must not be asked'));
    expect(await heard.next()).toEqual({ kind: 'connected' });
  });
});

describe('a connection', () => {
  test('carries bytes both ways and ends with the far end', async () => {
    const port = await serve((socket) => socket.once('data', (bytes) => socket.end(bytes)));
    const { heard, line } = dial('127.0.0.1', port);
    expect(await heard.next()).toEqual({ kind: 'connected' });
    expect(line.localPort).toBeGreaterThan(0);
    const taken = new Promise<void>((resolve) => line.write(Buffer.from('ping'), resolve));
    expect(await heard.next()).toEqual({ kind: 'data', detail: 'ping' });
    expect(await heard.next()).toEqual({ kind: 'ended' });
    await taken;
  });

  test('bytes that come with the connection itself are not lost', async () => {
    const port = await serve((socket) => socket.write('at once'));
    const { heard } = dial('127.0.0.1', port);
    expect([await heard.next(), await heard.next()]).toEqual([
      { kind: 'connected' },
      { kind: 'data', detail: 'at once' },
    ]);
  });

  test('a reset of the far end is told once, as such', async () => {
    const port = await serve((socket) => socket.once('data', () => socket.resetAndDestroy()));
    const { heard, line } = dial('127.0.0.1', port);
    await heard.next();
    line.write(Buffer.from('x'), () => undefined);
    expect(await heard.next()).toEqual({ kind: 'reset', detail: 'The connection failed: ECONNRESET.' });
    line.reset();
    expect(heard.told).toEqual([]);
  });

  test.each([
    { when: 'before', hears: ['connected'] },
    { when: 'behind', hears: ['connected', 'ended'] },
  ])('L20 · a reset of ours is one for the far end, $when its FIN', async ({ when, hears }) => {
    const ends: string[] = [];
    let far: Socket | undefined;
    const port = await serve((socket) => {
      far = socket;
      socket.on('error', ({ message }) => ends.push(message)).resume();
      if (when === 'behind') socket.end();
    });
    const { heard, line } = dial('127.0.0.1', port);
    for (const kind of hears) expect(await heard.next()).toEqual({ kind });
    line.reset();
    line.reset();
    await eventually('the end', () => far?.closed === true);
    expect(ends).toEqual(['read ECONNRESET']);
    expect(heard.told).toEqual([]);
  });

  test('L20 · a reset of ours does not wait for bytes that the far end does not take', async () => {
    const port = await serve((socket) => socket.pause());
    const { heard, line } = dial('127.0.0.1', port);
    await heard.next();
    line.write(Buffer.alloc(16_000_000), () => undefined);
    const { localPort = 0 } = line;
    expect(hasTcpSocket(localPort)).toBe(true);
    line.reset();
    await eventually('the end of the socket', () => !hasTcpSocket(localPort));
  });

  test.each(['look-up', 'connect'])('I15 · a reset during the %s ends it without a word', async (phase) => {
    let connections = 0;
    const port = await serve(() => {
      connections += 1;
    });
    const found = phase === 'look-up' ? after(20, ['127.0.0.1']) : Promise.resolve(['127.0.0.1']);
    const { heard, line } = dial('name', port, (_host, family) =>
      family === 4 ? found : error('ENOTFOUND'),
    );
    if (phase === 'connect') while (heard.tried.length < 2) await Promise.resolve();
    line.reset();
    await found;
    await after(20, undefined);
    expect(heard.told).toEqual([]);
    expect(connections).toBeLessThanOrEqual(phase === 'look-up' ? 0 : 1);
  });
});

test('D13 · I18 · however much has come, others have their turn behind each 256 KiB of it', async () => {
  const total = 8 * 1_048_576;
  const port = await serve((socket) => void socket.write(Buffer.alloc(total, 'x')));
  let [turn, heard] = [0, 0];
  const turns = new Map<number, number>();
  const done = new Promise<void>((resolve) => {
    const line = TcpLine.connect(
      { host: '127.0.0.1', port },
      {
        tried: () => undefined,
        connected: () => undefined,
        ended: () => undefined,
        failed: () => undefined,
        data: (bytes) => {
          heard += bytes.length;
          turns.set(turn, (turns.get(turn) ?? 0) + bytes.length);
          if (heard === total) resolve();
        },
      },
    );
    lines.push(line);
  });
  const count = () => {
    turn += 1;
    if (heard < total) setImmediate(count);
  };
  setImmediate(count);
  await done;
  const most = Math.max(...turns.values());
  expect(most).toBeGreaterThanOrEqual(TURN_BYTES); // else there was nothing to hold back
  expect(most).toBeLessThan(TURN_BYTES + 65_536);
});
