// How long a daemon takes to start behind 10 GB of history. Budget (docs/architecture.md): a second, whatever is stored.
// The index is real, written by the journal itself; the data files have their real sizes and are sparse, since a start
// does not read them. Three histories: of a line that is typed at, of one that nobody has touched for long, and none.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeFiles } from '../packages/daemon/dist/io/journal/files.js';
import { makeHistory } from './support/history.mjs';

const DAEMON = fileURLToPath(new URL('../packages/daemon/bin/pidp10d.js', import.meta.url));
const TOTAL_BYTES = 10_000_000_000;
const CHUNK = Buffer.alloc(65_536, 'A listing of a directory, or what else a line says.\r\n');
const RUNS = 3;

/** Files of the data series are only made longer. */
const sparseFiles = {
  ...nodeFiles,
  async create(path) {
    if (!basename(path).startsWith('out-')) return nodeFiles.create(path);
    const handle = await open(path, 'wx', 0o600);
    let bytes = 0;
    return {
      append: async (parts) => {
        const length = parts.reduce((sum, part) => sum + part.length, 0);
        bytes += length;
        await handle.truncate(bytes);
        return length;
      },
      size: async () => bytes,
      isInPlace: async () => true,
      sync: async () => undefined,
      close: () => handle.close(),
    };
  },
};

/** Ticks of `/proc/PID/stat` in a second. */
const TICKS_PER_SECOND = 100;

/** From the start of the program to its saying that it serves, in ms, and the processor's share of that (Linux). */
async function start(root) {
  const args = ['--socket', join(root, 's'), '--state-dir', root, '--quota-bytes', String(2 ** 50)];
  const since = performance.now();
  const daemon = spawn(process.execPath, [DAEMON, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = once(daemon, 'close');
  let said = '';
  daemon.stderr.on('data', (text) => {
    said += text;
  });
  let isOver = false;
  const over = exited.then(() => {
    isOver = true;
  });
  while (!said.includes('"serving"') && !isOver) {
    await Promise.race([once(daemon.stderr, 'data'), over]);
  }
  const ms = performance.now() - since;
  const cpuMs = cpuOf(daemon.pid);
  daemon.kill('SIGTERM');
  await exited;
  if (!said.includes('"serving"')) throw new Error(said);
  return { ms, cpuMs };
}

function cpuOf(pid) {
  if (process.platform !== 'linux') return Number.NaN;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND) * 1_000;
}

const root = mkdtempSync(join(tmpdir(), 'p10-bench-'));
try {
  const median = {};
  for (const kind of ['none', 'typed', 'untouched']) {
    const state = join(root, kind);
    const folder = join(state, 'journal', 'line');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (kind !== 'none') {
      const chunks = { chunkOf: () => CHUNK, totalBytes: TOTAL_BYTES };
      await makeHistory(folder, { ...chunks, files: sparseFiles, isTyped: kind === 'typed' });
    }
    const times = [];
    for (let run = 0; run < RUNS; run += 1) times.push(await start(state));
    const middle = times.toSorted((a, b) => a.ms - b.ms)[Math.floor(RUNS / 2)];
    median[kind] = middle.ms;
    const sizes = readdirSync(folder).map((name) => [name, statSync(join(folder, name)).size]);
    const sum = (series) =>
      sizes.filter(([name]) => name.startsWith(series)).reduce((all, [, size]) => all + size, 0);
    console.log(
      `${kind.padEnd(10)}${median[kind].toFixed(0).padStart(6)} ms to serving, ${middle.cpuMs.toFixed(0)} of them processor time; ${(sum('out-') / 1e9).toFixed(1)} GB of output, ${(sum('index-') / 1e6).toFixed(0)} MB of index`,
    );
  }
  const slowest = Math.max(median.typed, median.untouched);
  console.log(`history costs ${(slowest - median.none).toFixed(0)} ms at most`);
  if (slowest > 1_000) process.exitCode = 1;
} finally {
  rmSync(root, { recursive: true });
}
