// What watchers cost: 64 of them, every other one stopped, while the line brings 1 MB/s. Budget (see docs/architecture.md): a
// call is answered within 50 ms (p99), and who does not read costs at most 1 MiB each.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const DAEMON = join(dirname(fileURLToPath(import.meta.url)), '../packages/daemon/bin/pidp10d.js');
const BYTES_PER_SECOND = 1_000_000;
const TICK_MS = 20;
const SECONDS = 10;
const LINE = 'the quick brown fox jumps over a lazy dog and never looks back 0123456789\r\n';
const BLOCK = Buffer.from(LINE.repeat(Math.ceil((2 * BYTES_PER_SECOND * TICK_MS) / 1_000 / LINE.length)));

const folder = mkdtempSync(join(tmpdir(), 'p10-bench-'));
const socketPath = join(folder, 's');
let line;
const far = createServer((socket) => {
  socket.on('error', () => undefined);
  line = socket;
}).listen(0, '127.0.0.1');
await once(far, 'listening');
const args = ['--host', '127.0.0.1', '--port', String(far.address().port), '--telnet', 'off'];
const env = { PATH: process.env.PATH, HOME: folder };
const own = ['--socket', socketPath, '--state-dir', join(folder, 'state')];
const daemon = spawn(process.execPath, [DAEMON, ...args, ...own], {
  env,
  stdio: ['ignore', 'ignore', 'pipe'],
});
for await (const chunk of daemon.stderr.iterator({ destroyOnReturn: false })) {
  if (String(chunk).includes('"serving"')) break;
}

/** A connection of a few lines: calls, and what it was told, counted. */
async function client(name) {
  const socket = connect(socketPath);
  await once(socket, 'connect');
  const waiting = new Map();
  const self = { socket, bytes: 0, lagged: 0, call };
  let [rest, lastId] = ['', 0];
  socket.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const frame of lines) {
      const { id, method, params, result } = JSON.parse(frame);
      if (method === 'line.output') self.bytes += params.end - params.start;
      else if (method === 'line.lagged') self.lagged += 1;
      else waiting.get(id)?.(result);
    }
  });
  function call(method, params = {}) {
    lastId += 1;
    socket.write(`${JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params })}\n`);
    return new Promise((resolve) => waiting.set(lastId, resolve));
  }
  await call('hello', { protocol: { major: 1, minor: 0 }, client: { name, version: '0' } });
  return self;
}

function facts() {
  const status = readFileSync(`/proc/${daemon.pid}/status`, 'utf8');
  const fields = readFileSync(`/proc/${daemon.pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return {
    rss: Number(/^VmRSS:\s+(\d+)/m.exec(status)[1]) / 1_024,
    cpu: (Number(fields[11]) + Number(fields[12])) / 100,
  };
}

/** Pours for so many seconds, asking for the status all the time. */
async function pour(caller, seconds) {
  const startMs = performance.now();
  let poured = 0;
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startMs) * BYTES_PER_SECOND) / 1_000) - poured;
    for (let left = due; left > 0; left -= BLOCK.length) line.write(BLOCK.subarray(0, left));
    poured += Math.max(due, 0);
  }, TICK_MS);
  const latencies = [];
  while (performance.now() - startMs < seconds * 1_000) {
    const askedMs = performance.now();
    await caller.call('line.status');
    latencies.push(performance.now() - askedMs);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  clearInterval(timer);
  latencies.sort((a, b) => a - b);
  return { latencies, poured };
}

const caller = await client('caller');
await caller.call('line.open');
const at = (sorted, share) =>
  sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)].toFixed(1);
for (const [stopped, reading] of [
  [0, 0],
  [0, 32],
  [32, 32],
]) {
  const watchers = await Promise.all(
    Array.from({ length: stopped + reading }, (_, index) => client(`w${index}`)),
  );
  for (const [index, watcher] of watchers.entries()) {
    await watcher.call('line.watch', { form: 'text' });
    if (index < stopped) watcher.socket.pause();
  }
  const before = facts();
  const { latencies, poured } = await pour(caller, SECONDS);
  const after = facts();
  const cpu = ((after.cpu - before.cpu) / SECONDS) * 100;
  console.log(
    `${reading} read, ${stopped} stopped: ${(poured / 1e6 / SECONDS).toFixed(2)} MB/s, CPU ${cpu.toFixed(0)} %, ` +
      `RSS ${after.rss.toFixed(0)} MiB (${(after.rss - before.rss).toFixed(0)} more), ` +
      `status p50 ${at(latencies, 0.5)} ms, p99 ${at(latencies, 0.99)} ms, max ${at(latencies, 1)} ms`,
  );
  const got = watchers.slice(stopped).map(({ bytes, lagged }) => `${bytes}${lagged > 0 ? ' lagged' : ''}`);
  if (reading > 0) console.log(`  readers got ${[...new Set(got)].join(', ')} bytes`);
  for (const { socket } of watchers) socket.destroy();
}
caller.socket.destroy();
daemon.kill('SIGTERM');
await once(daemon, 'exit');
far.close();
line?.destroy();
rmSync(folder, { recursive: true, force: true });
