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
import { Transcript } from '../packages/daemon/dist/core/transcript.js';
import { nodeFiles } from '../packages/daemon/dist/io/journal/files.js';
import { Journal } from '../packages/daemon/dist/io/journal/journal.js';

const DAEMON = fileURLToPath(new URL('../packages/daemon/bin/pidp10d.js', import.meta.url));
const TOTAL_BYTES = 10_000_000_000;
const CHUNK = Buffer.alloc(65_536, 'A listing of a directory, or what else a line says.\r\n');
const CHECKPOINT_CHUNKS = 4;
/** Bytes on their way at which the writer waits. */
const HIGH_WATER_BYTES = 4 * 1024 * 1024;
/** Pieces of output between two inputs. */
const TYPED_EVERY_CHUNKS = 10;
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

async function makeHistory(folder, isTyped) {
  let nowMs = Date.now() - 90 * 24 * 3_600_000;
  const clock = { wallMs: () => nowMs, monoMs: () => nowMs };
  const { journal } = await Journal.open({ folder, files: sparseFiles, clock, quotaBytes: 1e15 });
  const transcript = new Transcript({ bits: 7, ringBytes: 262_144, profile: 'its' });
  transcript.append(CHUNK, 0);
  const checkpoint = transcript.checkpointState();
  const author = { client: 'bench', reader: 'bench' };
  const facts = { state: 'open', host: 'pidp10', port: 10_018, codec: 'telnet' };
  journal.record('state', { facts, entry: 0 }, { isState: true });
  let entry = 1;
  for (let chunk = 0; chunk * CHUNK.length < TOTAL_BYTES; chunk += 1) {
    journal.append('out', CHUNK);
    nowMs += 700;
    if (chunk % CHECKPOINT_CHUNKS === 0) {
      const { end } = journal.status.streams.out;
      journal.record('checkpoint', { ...checkpoint, offset: end }, { offset: end });
    }
    if (isTyped && chunk % TYPED_EVERY_CHUNKS === 0) {
      const input = { author, bytes: [58, 118, 107, 13], length: 4, isUrgent: false, isAnswer: false };
      journal.record('input', { ...input, entry });
      entry += 1;
    }
    const { end, syncedEnd } = journal.status.streams.out;
    if (end - syncedEnd > HIGH_WATER_BYTES) await journal.sync();
  }
  await journal.close();
}

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
  while (!said.includes('"serving"') && daemon.exitCode === null) {
    await Promise.race([once(daemon.stderr, 'data'), exited]);
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
    if (kind !== 'none') await makeHistory(folder, kind === 'typed');
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
