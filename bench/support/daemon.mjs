// A daemon of its own for a benchmark, and a client of a few lines.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const DAEMON = join(dirname(fileURLToPath(import.meta.url)), '../../packages/daemon/bin/pidp10d.js');
/** Clock ticks of /proc in a second. */
const TICKS = 100;

/** `prepare` is given the state folder before the daemon is: it may put a history into it. */
export async function startDaemon(flags = [], prepare = async () => undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'p10-bench-'));
  const socketPath = join(folder, 's');
  const stateDir = join(folder, 'state');
  const own = ['--socket', socketPath, '--state-dir', stateDir];
  const remove = () => rmSync(folder, { recursive: true, force: true });
  await prepare(stateDir).catch((error) => {
    remove();
    throw error;
  });
  const daemon = spawn(process.execPath, [DAEMON, ...own, ...flags], {
    env: { PATH: process.env.PATH, HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(daemon, 'exit');
  let said = '';
  for await (const chunk of daemon.stderr.iterator({ destroyOnReturn: false })) {
    said += chunk;
    if (said.includes('"serving"')) break;
  }
  if (!said.includes('"serving"')) {
    await exited;
    remove();
    throw new Error(`the daemon ended before it served: ${said}`);
  }
  daemon.stderr.resume();
  return {
    stateDir,
    client: (name) => client(socketPath, name),
    /** Seconds of processor time so far, and MiB of memory. */
    facts() {
      const stat = readFileSync(`/proc/${daemon.pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const status = readFileSync(`/proc/${daemon.pid}/status`, 'utf8');
      return {
        cpu: (Number(fields[11]) + Number(fields[12])) / TICKS,
        rss: Number(/^VmRSS:\s+(\d+)/m.exec(status)[1]) / 1_024,
      };
    },
    async stop() {
      daemon.kill('SIGTERM');
      await exited;
      remove();
    },
  };
}

async function client(socketPath, name) {
  const socket = connect(socketPath);
  await once(socket, 'connect');
  const waiting = new Map();
  let [rest, lastId] = ['', 0];
  socket.setEncoding('utf8').on('data', (text) => {
    const frames = (rest + text).split('\n');
    rest = frames.pop();
    for (const frame of frames) {
      const { id, result, error } = JSON.parse(frame);
      const call = waiting.get(id);
      waiting.delete(id);
      if (error === undefined) call?.resolve(result);
      else call?.reject(new Error(error.message));
    }
  });
  socket
    .on('error', () => undefined)
    .on('close', () => {
      for (const { reject } of waiting.values()) reject(new Error('the daemon closed the connection'));
      waiting.clear();
    });
  const call = (method, params = {}) =>
    new Promise((resolve, reject) => {
      lastId += 1;
      waiting.set(lastId, { resolve, reject });
      socket.write(`${JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params })}\n`);
    });
  await call('hello', { protocol: { major: 1, minor: 0 }, client: { name, version: '0' } });
  return { call, close: () => socket.destroy() };
}

/** The value below which so large a share of the sorted ones is. */
export function quantile(sorted, share) {
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)];
}
