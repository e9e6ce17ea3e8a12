import { expect, test } from 'vitest';
import { nodeFiles } from '../../../src/io/journal/files.ts';
import type { Journal } from '../../../src/io/journal/journal.ts';
import { faultyFiles } from './faultyFiles.ts';
import { allRecords, fileOf, numbered, readAll, until, useScratch, wrongOnes } from './scratch.ts';

const scratch = useScratch();

async function fill(journal: Journal, from: number, to: number): Promise<void> {
  for (let at = from; at < to; at += 4_000) {
    journal.append('out', numbered(at, 4_000));
    journal.record('checkpoint', { at });
    await journal.sync();
  }
}

test('S08 · sixteen times the quota: the oldest files go, a tombstone tells the range, offsets stand', async () => {
  const quotaBytes = 64_000;
  const options = { quotaBytes, segmentBytes: 8_000, indexSegmentBytes: 4_000 };
  const { journal: writer, recovered } = await scratch.open(options);
  writer.record('readers', { a: 7 });
  await fill(writer, 0, 1_024_000);
  // Files go while it writes: when it is closed, and opened again, nothing is under way.
  expect(writer.status.streams.out.oldest).toBeGreaterThan(0);
  await writer.close();
  const again = await scratch.open(options);
  const { journal } = again;
  const { oldest } = journal.status.streams.out;
  // What is being written stands in its file a moment before it is counted.
  const stored = () => scratch.names().reduce((sum, name) => sum + fileOf(scratch.folder, name).length, 0);
  await until(() => journal.status.bytes === stored(), 'every byte counted');
  expect(stored()).toBeLessThanOrEqual(quotaBytes);
  expect(oldest).toBeGreaterThanOrEqual(1_024_000 - quotaBytes);
  const found = await readAll(journal);
  expect(wrongOnes(found)).toEqual([]);
  expect(found.size).toBe(1_024_000 - oldest);
  expect((await journal.read('out', 0, 10_000_000)).start).toBe(oldest);
  const records = await allRecords(journal);
  const tombstones = records.filter((record) => record.kind === 'tombstone');
  expect(tombstones.at(-1)?.data).toMatchObject({ to: oldest, bytes: oldest });
  expect(records[0]?.seq).toBeGreaterThan(100);
  expect(again.recovered).toMatchObject({ epoch: recovered.epoch, ends: { out: 1_024_000 }, notes: [] });
  expect(again.recovered.last.find((record) => record.kind === 'readers')?.data).toEqual({ a: 7 });
  expect(again.recovered.last.find((record) => record.kind === 'birth')).toBeDefined();
});

test('S08 · an index that alone fills the quota loses its oldest files', async () => {
  const { journal } = await scratch.open({ quotaBytes: 20_000, indexSegmentBytes: 2_000 });
  for (let count = 0; count < 500; count++) {
    journal.record('said', { count });
    if (count % 20 === 0) await journal.sync();
  }
  await journal.sync();
  await until(() => journal.status.bytes <= 22_000, 'bytes within the quota');
  expect((await allRecords(journal)).at(-1)?.data).toEqual({ count: 499 });
});

test('S08 · keepFreeBytes lets old files go, never the newest', async () => {
  let free = 1_000_000;
  const files = { ...nodeFiles, freeBytes: async () => free };
  const { journal } = await scratch.open({ files, keepFreeBytes: 100_000, segmentBytes: 8_000 });
  await fill(journal, 0, 32_000);
  expect(journal.status.streams.out.oldest).toBe(0);
  free = 99_999;
  await fill(journal, 32_000, 48_000);
  await until(() => journal.status.segments === 1, 'one file');
  expect(journal.status.streams.out.oldest).toBe(40_000);
  expect(wrongOnes(await readAll(journal))).toEqual([]);
});

test('S08 · files that cannot be deleted are told, and harm nothing else', async () => {
  let isStuck = true;
  const files = faultyFiles((call) => (isStuck && call.operation === 'remove' ? 'EACCES' : undefined));
  const { journal } = await scratch.open({ files, quotaBytes: 16_000, segmentBytes: 8_000 });
  await fill(journal, 0, 40_000);
  expect(journal.status).toMatchObject({
    storage: 'degraded',
    detail: expect.stringContaining('cannot be deleted'),
  });
  expect((await readAll(journal)).size).toBe(40_000);
  isStuck = false;
  await fill(journal, 40_000, 60_000);
  await until(() => journal.status.storage === 'ok', 'storage ok');
});

test('S10 · a clock that jumps changes no order and deletes nothing by time', async () => {
  let wallMs = 1_800_000_000_000;
  const clock = { wallMs: () => wallMs, monoMs: () => 5_000 };
  // Whenever the quota is looked at, one file of bytes is too much and a second is not: 3,000 to 4,000 bytes are index.
  const quotaBytes = 41_000;
  const options = { clock, quotaBytes, segmentBytes: 8_000 };
  const first = await scratch.open(options);
  await fill(first.journal, 0, 16_000);
  await first.journal.close();
  wallMs -= 7_200_000;
  const second = await scratch.open({ ...options, bootId: 'boot-2' });
  await fill(second.journal, 16_000, 24_000);
  wallMs += 86_400_000;
  await fill(second.journal, 24_000, 44_000);
  await until(() => second.journal.status.bytes <= quotaBytes, 'bytes within the quota');
  const records = await allRecords(second.journal);
  const seqs = records.map((record) => record.seq);
  expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
  expect(new Set(records.map((record) => record.boot))).toEqual(new Set(['boot-1', 'boot-2']));
  expect(second.journal.status.streams.out.oldest).toBe(8_000);
  expect(second.journal.status.streams.out.oldest).toBe(Number(scratch.named('out')[0]?.slice(4)));
  expect(wrongOnes(await readAll(second.journal))).toEqual([]);
  expect((await readAll(second.journal)).has(43_999)).toBe(true);
});
