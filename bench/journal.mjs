// How fast the journal takes a flood, and how long a start takes behind it. Budgets (docs/architecture.md): over 50 MB/s
// with the journal on where the disk allows it, nothing left out below that, a start within a second whatever is stored.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Journal } from '../packages/daemon/dist/io/journal/journal.js';

const CHUNK = Buffer.alloc(65_536, 'A listing of a directory, or what else a line says.\r\n');
const TOTAL_BYTES = 512 * 1024 * 1024;
/** Bytes on their way to the disk at which the flood waits, as a socket that is not drained would. */
const HIGH_WATER_BYTES = 4 * 1024 * 1024;

const root = mkdtempSync(join(tmpdir(), 'p10-bench-'));
try {
  const folder = join(root, 'line');
  const { journal } = await Journal.open({ folder });
  const before = process.cpuUsage();
  const since = performance.now();
  for (let bytes = 0; bytes < TOTAL_BYTES; bytes += CHUNK.length) {
    journal.append('out', CHUNK);
    const { end, syncedEnd } = journal.status.streams.out;
    if (end - syncedEnd > HIGH_WATER_BYTES) await journal.sync();
  }
  await journal.close();
  const seconds = (performance.now() - since) / 1_000;
  const { user, system } = process.cpuUsage(before);
  console.log(
    `flood    ${(TOTAL_BYTES / 1e6 / seconds).toFixed(0).padStart(5)} MB/s, ${((user + system) / 1e6).toFixed(1)} s of CPU, ${journal.status.gapBytes} bytes left out`,
  );
  const start = performance.now();
  const again = await Journal.open({ folder });
  console.log(
    `start    ${(performance.now() - start).toFixed(0).padStart(5)} ms behind ${TOTAL_BYTES / 1e6} MB`,
  );
  await again.journal.close();
} finally {
  rmSync(root, { recursive: true });
}
