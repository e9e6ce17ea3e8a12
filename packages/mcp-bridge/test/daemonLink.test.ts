/** Against a server of a few lines that shares no code with what it tests. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DaemonLink } from '../src/daemonLink.ts';
import { readSettings } from '../src/settings.ts';

interface Message {
  readonly id: number;
  readonly method: string;
  readonly params: Record<string, unknown>;
}

const HELLO = {
  protocol: { major: 1, minor: 0 },
  daemon: { version: '0.1.0', pid: 4_242, name: 'line' },
  capabilities: ['line'],
  epoch: 'e1',
};
const PEEK = {
  output: { start: 0, end: 1, text: 'x', truncated: false, lines: 0 },
  lineState: { state: 'open', codec: 'telnet' },
  activity: { kind: 'unknown' },
  echo: 'unknown',
  epoch: 'e1',
};

let folder = '';
let server: Server | undefined;
let received: Message[] = [];
let sockets: Socket[] = [];
/** Methods that are not answered. */
let silent: string[] = [];

async function listen(): Promise<void> {
  server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.setEncoding('utf8').on('data', (text: string) => {
      for (const line of text.split('\n').filter((each) => each !== '')) {
        const message: Message = JSON.parse(line);
        received.push(message);
        if (silent.includes(message.method)) continue;
        const result = message.method === 'hello' ? HELLO : PEEK;
        socket.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, result })}\n`);
      }
    });
  });
  server.listen(join(folder, 'd.sock'));
  await once(server, 'listening');
}

async function stop(): Promise<void> {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  if (server?.listening) {
    server.close();
    await once(server, 'close');
  }
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'p-'));
  received = [];
  silent = [];
});

afterEach(async () => {
  await stop();
  rmSync(folder, { recursive: true, force: true });
});

function link(env: Record<string, string> = {}, onConnect = () => {}) {
  const all = { PIDP10D_SOCKET: join(folder, 'd.sock'), PIDP10_STATE_DIR: folder, ...env };
  const settings = readSettings(env['NO_SPAWN'] === '1' ? { spawn: false } : {}, all);
  return new DaemonLink(settings, { onConnect });
}

const READ = { clientName: 'claude-code', mayStart: false };
const START = { clientName: 'claude-code', mayStart: true };

describe('the link', () => {
  it('dials at the first call, says hello with a reader of its own and manual commit, and stays connected', async () => {
    await listen();
    const own = link();
    expect(received).toEqual([]);
    await Promise.all([own.call('line.peek', {}, READ), own.call('line.peek', {}, READ)]);
    await own.call('line.peek', {}, READ);
    expect(received.map(({ method }) => method)).toEqual(['hello', 'line.peek', 'line.peek', 'line.peek']);
    expect(received[0]?.params).toMatchObject({
      client: { name: 'pidp10-mcp (claude-code)' },
      reader: expect.stringMatching(/^claude-code-[0-9a-f]{8}$/),
      commit: 'manual',
    });
  });

  it('takes the reader that was set, and shows people no odd characters of a client', async () => {
    await listen();
    await link({ PIDP10_READER: 'mine' }).call(
      'line.peek',
      {},
      { ...READ, clientName: `\x1b[2J\u202e${'x'.repeat(500)}` },
    );
    expect(received[0]?.params['reader']).toBe('mine');
    expect(received[0]?.params['client']).toMatchObject({
      name: expect.stringMatching(/^pidp10-mcp \(\?\[2J\?x{1,60}\)$/),
    });
  });

  it('I10 · rejects a call in flight when the connection ends, dials anew for the next, and tells that it did', async () => {
    await listen();
    const onConnect = vi.fn<() => void>();
    const own = link({}, onConnect);
    silent = ['line.read'];
    const lost = own.call('line.read', {}, READ).catch((error: unknown) => error);
    await vi.waitFor(() => expect(received.some(({ method }) => method === 'line.read')).toBe(true));
    await stop();
    expect(await lost).toMatchObject({ code: 'connection_lost' });
    await expect(own.call('line.peek', {}, READ)).rejects.toMatchObject({ code: 'daemon_not_running' });
    await listen();
    expect((await own.call('line.peek', {}, READ)).result.output.text).toBe('x');
    expect(onConnect).toHaveBeenCalledTimes(2);
  });

  it('starts no daemon for a call that may not, none with --no-spawn, and says what was tried when it cannot', async () => {
    const missing = { PIDP10D_BIN: join(folder, 'missing') };
    await expect(link(missing).call('line.peek', {}, READ)).rejects.toMatchObject({
      code: 'daemon_not_running',
    });
    const forbidden = link({ ...missing, NO_SPAWN: '1' }).call('line.send', { input: 'x' }, START);
    await expect(forbidden).rejects.toMatchObject({
      code: 'daemon_not_running',
      message: expect.stringContaining('pidp10d --name line'),
    });
    const own = link(missing);
    await expect(own.call('line.send', { input: 'x' }, START)).rejects.toMatchObject({
      code: 'spawn_failed',
    });
    // And it is tried again with the next call.
    await listen();
    await expect(own.call('line.peek', {}, START)).resolves.toMatchObject({
      result: { output: { text: 'x' } },
    });
    expect(own.takeStartNote()).toBeUndefined();
  });
});
