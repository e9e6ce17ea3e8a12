/** The same faults from a real system: a small file system that runs full, which only root can mount. */
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { allRecords, numbered, readAll, until, useScratch, wrongOnes } from './scratch.ts';

const scratch = useScratch();
const DISK_BYTES = 256 * 1024;

/** Puts a fresh tmpfs on the folder; false where mounting is not allowed. */
function mounted(path: string): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', path]).status === 0;
}

test('S04 · a tmpfs filled and freed: goes on from memory, is back within 2 s, nothing is lost (needs root)', async (context) => {
  const disk = dirname(scratch.folder);
  if (!mounted(disk)) return context.skip('mounting a tmpfs needs root and its capabilities');
  try {
    const { journal } = await scratch.open({ segmentBytes: 16 * 1024 });
    journal.append('out', numbered(0, 10_000));
    await journal.sync();
    const filler = join(disk, 'filler');
    expect(() => writeFileSync(filler, Buffer.alloc(DISK_BYTES))).toThrow('ENOSPC');
    for (let at = 10_000; at < 100_000; at += 1_000) {
      journal.append('out', numbered(at, 1_000));
      journal.record('mark', { at });
    }
    await journal.sync();
    expect(journal.status).toMatchObject({
      storage: 'degraded',
      detail: expect.stringContaining('(ENOSPC)'),
    });
    expect((await readAll(journal)).size).toBe(100_000);
    rmSync(filler);
    const since = performance.now();
    await until(() => journal.status.streams.out.syncedEnd === 100_000, 'all synced');
    expect(performance.now() - since).toBeLessThan(2_000);
    await journal.sync();
    expect(journal.status).toMatchObject({ storage: 'ok', gapBytes: 0 });
    await journal.close();
    const again = await scratch.open();
    expect(again.recovered).toMatchObject({ ends: { out: 100_000 }, wasClean: true });
    expect(wrongOnes(await readAll(again.journal))).toEqual([]);
    expect((await allRecords(again.journal)).filter((record) => record.kind === 'mark').length).toBe(90);
    await again.journal.close();
  } finally {
    spawnSync('umount', [disk]);
  }
});
