import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Runs a script that listens at the path and never accepts: its event loop is blocked once it listens. */
async function listenAndBlock(path: string, backlog: number) {
  const script = `
    const server = require('node:net').createServer();
    server.listen({ path: process.argv[1], backlog: ${backlog} }, () => {
      require('node:fs').writeSync(1, 'listening\\n');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });`;
  const child = spawn(process.execPath, ['-e', script, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return child;
}

/** A socket file whose process was killed without a chance to remove it. */
export async function leaveStaleSocket(path: string): Promise<void> {
  const child = await listenAndBlock(path, 1);
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** A live listener that takes no connection, with its accept queue full. */
export async function fillBacklog(path: string): Promise<AsyncDisposable> {
  const child = await listenAndBlock(path, 1);
  const sockets: Socket[] = [];
  for (let isFull = false; !isFull; ) {
    const socket = connect(path);
    sockets.push(socket);
    isFull = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(false));
      socket.once('error', () => resolve(true));
    });
    socket.on('error', () => {});
  }
  return {
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}
