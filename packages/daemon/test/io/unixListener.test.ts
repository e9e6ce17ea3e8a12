import { once } from 'node:events';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ListenOptions, listen, makePrivateFolder, PlaceError } from '../../src/io/unixListener.ts';

let folder: string;
let path: string;
const disposers: (() => void)[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'p10-'));
  path = join(folder, 'run', 's');
});

afterEach(() => {
  for (const dispose of disposers.splice(0).reverse()) dispose();
  rmSync(folder, { recursive: true });
});

async function start(options: Partial<ListenOptions> = {}): Promise<Server> {
  const server = await listen({
    path,
    uid: process.getuid?.(),
    maxConnections: 10,
    farewell: 'full\n',
    onConnection: (socket) => disposers.push(() => socket.destroy()),
    ...options,
  });
  disposers.push(() => server.close());
  return server;
}

function dial(): Socket {
  const socket = connect(path)
    .setEncoding('utf8')
    .on('error', () => undefined);
  disposers.push(() => socket.destroy());
  return socket;
}

/** All that the socket says until the other side closes it. */
async function lastWords(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk: string) => {
    text += chunk;
  });
  await once(socket, 'close');
  return text;
}

describe('the place', () => {
  test('D08 · folder and socket are private, whatever the mask, which is as before afterwards', async () => {
    const mask = process.umask(0);
    disposers.push(() => process.umask(mask));
    await start();
    expect(process.umask()).toBe(0);
    expect((statSync(join(folder, 'run')).mode & 0o777).toString(8)).toBe('700');
    expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
  });

  test('D08 · a folder that is open to others, of somebody else, or none is refused by name and not changed', () => {
    const open = join(folder, 'open');
    mkdirSync(open);
    for (const mode of [0o777, 0o720, 0o702, 0o1777]) {
      chmodSync(open, mode);
      expect(() => makePrivateFolder(open, process.getuid?.())).toThrow(PlaceError);
      expect(statSync(open).mode & 0o7777).toBe(mode);
    }
    chmodSync(open, 0o700);
    expect(() => makePrivateFolder(open, 4_242)).toThrow(`${open} belongs to user`);
    symlinkSync(open, join(folder, 'link'));
    expect(() => makePrivateFolder(join(folder, 'link'), process.getuid?.())).toThrow('is not a folder');
  });

  test('D04 · what is no socket is refused and stays', async () => {
    mkdirSync(join(folder, 'run'), { mode: 0o700 });
    writeFileSync(path, 'precious');
    await expect(start()).rejects.toThrow(PlaceError);
    expect(lstatSync(path).isFile()).toBe(true);
  });

  test('D01 · a socket that answers is left alone', async () => {
    await start();
    const { ino } = lstatSync(path);
    await expect(start()).rejects.toThrow('it answers');
    expect(lstatSync(path).ino).toBe(ino);
  });

  test('D02 · a server that takes no connection any more, its queue full, is left alone', async () => {
    mkdirSync(join(folder, 'run'), { mode: 0o700 });
    // Never accepts: the event loop of its process is blocked as soon as it listens.
    const { spawn } = await import('node:child_process');
    const script = `require('node:net').createServer().listen({ path: process.argv[1], backlog: 1 }, () => {
      require('node:fs').writeSync(1, 'listening');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });`;
    const child = spawn(process.execPath, ['-e', script, path], { stdio: ['ignore', 'pipe', 'inherit'] });
    disposers.push(() => child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    for (let isFull = false; !isFull; ) {
      const socket = dial();
      isFull = await new Promise((resolve) => {
        socket.once('connect', () => resolve(false)).once('close', () => resolve(true));
      });
    }
    await expect(start()).rejects.toThrow('EAGAIN');
    expect(lstatSync(path).isSocket()).toBe(true);
  });
});

describe('too many', () => {
  test('D18 · a client beyond the maximum is told why, also when it writes first, and its place is free later', async () => {
    await start({ maxConnections: 2 });
    const first = dial();
    const second = dial();
    await Promise.all([once(first, 'connect'), once(second, 'connect')]);
    const third = dial();
    third.write('hello\n');
    expect(await lastWords(third)).toBe('full\n');
    first.destroy();
    await once(first, 'close');
    const fourth = dial();
    await once(fourth, 'connect');
    fourth.write('hello\n');
    expect(fourth.destroyed).toBe(false);
  });

  test('D18 · a crowd that only listens is told one and all', async () => {
    await start({ maxConnections: 0 });
    const words = await Promise.all(Array.from({ length: 50 }, () => lastWords(dial())));
    expect(new Set(words)).toEqual(new Set(['full\n']));
  });

  test('connections one after the other never reach the maximum', async () => {
    await start({ maxConnections: 1, onConnection: (socket) => socket.resume().end('served\n') });
    for (let n = 0; n < 20; n += 1) {
      const said = await lastWords(dial());
      expect(said).toMatch(/^(served|full)\n$/);
    }
  });
});
