/** A disk that is full, broken or read-only: the caller goes on, nothing is lost silently, and what can be saved is. */
import { describe, expect, test, vi } from 'vitest';
import type { StorageStatus } from '../../../src/io/journal/journalOptions.ts';
import { SYNC_EVERY_MS } from '../../../src/io/journal/journalOptions.ts';
import { type Call, faultyFiles, type Operation } from './faultyFiles.ts';
import { allRecords, fileOf, numbered, readAll, until, useScratch, wrongOnes } from './scratch.ts';

const scratch = useScratch();
const CODES = ['ENOSPC', 'EIO', 'EROFS', 'EACCES'];
const OPERATIONS: readonly Operation[] = ['create', 'append', 'size', 'isInPlace', 'sync', 'close', 'rename'];
/** Calls of one operation that the fault is tried at; the run below makes fewer of each. */
const CALLS = 12;

/** Bytes and records with syncs between them, over several files of both series. */
async function run(files: ReturnType<typeof faultyFiles>): Promise<void> {
  const { journal } = await scratch.open({ files, segmentBytes: 1_000, indexSegmentBytes: 1_000 });
  for (let at = 0; at < 3_000; at += 300) {
    journal.append('out', numbered(at, 300));
    journal.record('mark', { at });
    await journal.sync();
    expect(wrongOnes(await readAll(journal))).toEqual([]);
  }
  await journal.close();
}

describe.each(['ENOSPC', 'EIO'])('S04 S05 S06 · %s once', (code) => {
  test.each(OPERATIONS)('at the n-th %s loses no byte and no record, and is told', async (operation) => {
    for (let nth = 0; nth < CALLS; nth++) {
      scratch.folder += '+';
      const calls: Call[] = [];
      await run(
        faultyFiles((call) => (call.operation === operation && call.count === nth ? code : undefined), calls),
      );
      const { journal, recovered } = await scratch.open();
      const found = await readAll(journal);
      expect(found.size, `${operation} ${nth}`).toBe(3_000);
      expect(wrongOnes(found), `${operation} ${nth}`).toEqual([]);
      const records = await allRecords(journal);
      const marks = records.filter((record) => record.kind === 'mark').map((record) => record.data?.['at']);
      expect(marks, `${operation} ${nth}`).toEqual([
        0, 300, 600, 900, 1_200, 1_500, 1_800, 2_100, 2_400, 2_700,
      ]);
      expect(records.map((record) => record.seq)).toEqual(Array.from(records, (_, index) => index));
      expect(recovered.ends.out).toBe(3_000);
      expect(recovered.wasClean).toBe(true);
      await journal.close();
    }
  });
});

test('S05 · after a failed sync the file is never synced again, and its bytes are in a new one', async () => {
  const calls: Call[] = [];
  let fails = false;
  const files = faultyFiles(({ operation, path }) => {
    if (!fails || operation !== 'sync' || !path.includes('out-')) return undefined;
    fails = false;
    return 'EIO';
  }, calls);
  const told: StorageStatus[] = [];
  const { journal } = await scratch.open({ files, onStorage: (status) => told.push(status) });
  journal.append('out', numbered(0, 500));
  await journal.sync();
  journal.append('out', numbered(500, 500));
  fails = true;
  await journal.sync();
  const first = 'out-00000000000000000000';
  const second = 'out-00000000000000000500';
  expect(Buffer.from(numbered(500, 500)).equals(fileOf(scratch.folder, second))).toBe(true);
  const syncs = calls.filter(({ operation, path }) => operation === 'sync' && path.includes('out-'));
  expect(syncs.map(({ path }) => path.slice(-first.length))).toEqual([first, first, second]);
  const suspect = (await allRecords(journal)).find((record) => record.kind === 'suspect');
  expect(suspect?.data).toEqual({ file: first, code: 'EIO' });
  expect(told).toEqual([
    { storage: 'degraded', detail: `sync of ${scratch.folder}/${first} failed (EIO)` },
    { storage: 'ok' },
  ]);
  expect(journal.status).toMatchObject({
    storage: 'ok',
    gapBytes: 0,
    streams: { out: { syncedEnd: 1_000 } },
  });
});

describe.each(CODES)('S04 S06 · %s for a while', (code) => {
  test.each(['create', 'append', 'sync'] as const)(
    'at every %s: bytes wait in memory, can be read, and are on the disk within 2 s of its return',
    async (operation) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      try {
        let isBroken = false;
        const files = faultyFiles((call) => (isBroken && call.operation === operation ? code : undefined));
        const { journal } = await scratch.open({ files, segmentBytes: 1_000 });
        journal.append('out', numbered(0, 700));
        await journal.sync();
        isBroken = true;
        for (let at = 700; at < 5_000; at += 100) {
          journal.append('out', numbered(at, 100));
          journal.record('state', { at }, { isState: true });
        }
        await journal.sync();
        await vi.advanceTimersByTimeAsync(SYNC_EVERY_MS);
        await journal.sync();
        expect(journal.status.storage).toBe('degraded');
        expect(journal.status.detail).toContain(`(${code})`);
        expect(journal.status.detail).toContain(scratch.folder);
        expect((await readAll(journal)).size).toBe(5_000);
        isBroken = false;
        await vi.advanceTimersByTimeAsync(SYNC_EVERY_MS);
        vi.useRealTimers();
        await until(() => journal.status.storage === 'ok', 'storage ok');
        await journal.sync();
        expect(journal.status).toMatchObject({ gapBytes: 0, streams: { out: { syncedEnd: 5_000 } } });
        expect(wrongOnes(await readAll(journal))).toEqual([]);
        expect((await allRecords(journal)).filter((record) => record.kind === 'state').length).toBe(43);
      } finally {
        vi.useRealTimers();
      }
    },
  );
});

test('S04 · what the full queue leaves out is a gap of exact size with both times; the rest is at its true offset', async () => {
  let isFull = false;
  let nowMs = 1_000;
  const clock = { wallMs: () => nowMs, monoMs: () => nowMs };
  const files = faultyFiles((call) => (isFull && call.operation !== 'sync' ? 'ENOSPC' : undefined));
  const { journal } = await scratch.open({ files, clock, queueBytes: 1_000 });
  journal.append('out', numbered(0, 100));
  await journal.sync();
  isFull = true;
  journal.append('out', numbered(100, 1_000));
  expect(journal.status.gapBytes).toBe(0);
  nowMs = 2_000;
  journal.append('out', numbered(1_100, 1));
  expect(journal.status.gapBytes).toBe(1);
  journal.append('out', numbered(1_101, 399));
  expect(journal.status.gapBytes).toBe(400);
  // What waits is no hole.
  expect(journal.holes('out', 0, 9_999)).toEqual([{ from: 1_100, to: 1_500 }]);
  await journal.sync();
  isFull = false;
  await until(() => journal.status.storage === 'ok', 'storage ok');
  await journal.sync();
  nowMs = 3_000;
  journal.append('out', numbered(1_500, 500));
  await journal.close();
  const { journal: again, recovered } = await scratch.open();
  expect(recovered.ends.out).toBe(2_000);
  const found = await readAll(again);
  expect(wrongOnes(found)).toEqual([]);
  expect([...found.keys()]).toEqual([...Array(2_000).keys()].filter((at) => at < 1_100 || at >= 1_500));
  const gaps = (await allRecords(again))
    .filter((record) => record.kind === 'gap')
    .map((record) => record.data);
  expect(gaps).toEqual([{ from: 1_100, to: 1_500, fromWallMs: 2_000, toWallMs: 3_000, reason: 'queue' }]);
  expect(again.status.gapBytes).toBe(400);
  expect(again.holes('out', 0, 9_999)).toEqual([{ from: 1_100, to: 1_500 }]);
});

test('S04 · a gap that is open at the end is recorded with it, and is told once', async () => {
  const { journal } = await scratch.open({ queueBytes: 1_000 });
  journal.append('out', numbered(0, 1_700));
  await journal.close();
  const { journal: again, recovered } = await scratch.open();
  expect(recovered).toMatchObject({ wasClean: true, notes: [], ends: { out: 1_700 } });
  expect((await readAll(again)).size).toBe(1_000);
  expect(again.status.gapBytes).toBe(700);
});

test('S06 · a disk that takes nothing at all from the first moment on', async () => {
  const { journal, recovered } = await scratch.open({ files: faultyFiles(() => 'EROFS') });
  expect(recovered.isNew).toBe(true);
  journal.append('out', numbered(0, 5_000));
  journal.record('state', { state: 'open' }, { isState: true });
  await journal.sync();
  expect(journal.status.storage).toBe('degraded');
  expect((await readAll(journal)).size).toBe(5_000);
  await journal.close();
});
