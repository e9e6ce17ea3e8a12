/** What the journal costs: nothing at rest, one sync a second under way, little more than the bytes themselves. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Files } from '../../../src/io/journal/files.ts';
import { SYNC_EVERY_MS } from '../../../src/io/journal/journalOptions.ts';
import { SYNC_BYTES } from '../../../src/io/journal/segmentWriter.ts';
import { type Call, faultyFiles } from './faultyFiles.ts';
import { fileOf, numbered, until, useScratch } from './scratch.ts';

const scratch = useScratch();
const calls: Call[] = [];
let nowMs: number;
const clock = { wallMs: () => nowMs, monoMs: () => nowMs };

beforeEach(() => {
  calls.length = 0;
  nowMs = 1_000_000;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function countingFiles(): Files {
  return faultyFiles(() => undefined, calls);
}

function count(operation: Call['operation'], name: string): number {
  return calls.filter((call) => call.operation === operation && call.path.includes(name)).length;
}

/** Lets `ms` pass on both clocks, and what it set off come to its end. */
async function pass(ms: number, settled: () => boolean): Promise<void> {
  nowMs += ms;
  await vi.advanceTimersByTimeAsync(ms);
  await until(settled, 'all settled');
}

test('S11 · at rest no timer, no write and no sync, also after traffic', async () => {
  const { journal } = await scratch.open({ files: countingFiles(), clock });
  expect(vi.getTimerCount()).toBe(0);
  const before = calls.length;
  await pass(600_000, () => true);
  expect(calls.length).toBe(before);
  journal.append('out', numbered(0, 100));
  journal.append('out', numbered(100, 100));
  expect(vi.getTimerCount()).toBe(1);
  await pass(SYNC_EVERY_MS, () => vi.getTimerCount() === 0 && journal.status.streams.out.syncedEnd === 200);
  const after = calls.length;
  await pass(600_000, () => true);
  expect(calls.length).toBe(after);
  expect(vi.getTimerCount()).toBe(0);
});

test('S11 · a slow line is synced once a second, a fast one every 64 KiB', async () => {
  const { journal } = await scratch.open({ files: countingFiles(), clock });
  for (let at = 0; at < 100; at++) {
    journal.append('out', numbered(at, 1));
    if (at % 10 !== 9) continue;
    await pass(SYNC_EVERY_MS, () => journal.status.streams.out.syncedEnd === at + 1);
    // The index is synced beside it; what comes before that has ended waits for the next second.
    await journal.sync();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(count('sync', 'out-')).toBe(10);
  const one = count('sync', 'out-');
  journal.append('out', numbered(100, SYNC_BYTES - 1));
  await until(() => journal.status.streams.out.writtenEnd === 100 + SYNC_BYTES - 1, 'written');
  expect(count('sync', 'out-')).toBe(one);
  journal.append('out', numbered(100 + SYNC_BYTES - 1, 1));
  await until(() => journal.status.streams.out.syncedEnd === 100 + SYNC_BYTES, 'synced');
  expect(count('sync', 'out-')).toBe(one + 1);
});

test('S11 · a state record goes to the disk at once, with the bytes before it', async () => {
  const { journal } = await scratch.open({ files: countingFiles(), clock });
  journal.append('out', numbered(0, 10));
  journal.record('mark', {});
  await until(() => journal.status.streams.out.writtenEnd === 10, 'written');
  expect([count('sync', 'out-'), count('sync', 'index-')]).toEqual([0, 1]);
  journal.record('state', { state: 'open' }, { isState: true });
  await until(() => journal.status.streams.out.syncedEnd === 10, 'bytes synced');
  await until(() => count('sync', 'index-') === 2, 'record synced');
  expect(count('sync', 'out-')).toBe(1);
});

test('S11 · files weigh at most twice the bytes of ordinary traffic', async () => {
  const { journal } = await scratch.open({ files: countingFiles(), clock });
  const before = journal.status.bytes;
  let end = 0;
  for (let command = 0; command < 20; command++) {
    for (const [bytes, waitMs] of [...Array(12).fill([1, 180]), ...Array(30).fill([60, 65]), [2, 20_000]]) {
      journal.append('out', numbered(end, bytes));
      end += bytes;
      await pass(waitMs, () => true);
    }
  }
  await journal.sync();
  const written = journal.status.bytes - before;
  expect(written).toBeLessThan(2 * end);
  expect(written).toBeGreaterThan(1.1 * end);
});

test('L22 · a disk that hangs keeps nobody waiting: all calls return, bytes can be read, order is kept', async () => {
  let release: () => void = () => undefined;
  const hangs = new Promise<void>((resolve) => {
    release = resolve;
  });
  const plain = countingFiles();
  let isHanging = false;
  const files: Files = {
    ...plain,
    create: async (path) => {
      const file = await plain.create(path);
      return {
        append: async (parts) => {
          if (isHanging) await hangs;
          return file.append(parts);
        },
        size: () => file.size(),
        isInPlace: () => file.isInPlace(),
        sync: () => file.sync(),
        close: () => file.close(),
      };
    },
  };
  const { journal } = await scratch.open({ files, clock });
  isHanging = true;
  for (let at = 0; at < 200_000; at += 100) journal.append('out', numbered(at, 100));
  const { bytes } = await journal.read('out', 0, 200_000);
  expect(Buffer.from(numbered(0, 200_000)).equals(bytes)).toBe(true);
  expect(journal.status.streams.out).toMatchObject({ writtenEnd: 0, end: 200_000 });
  isHanging = false;
  release();
  await journal.sync();
  expect(journal.status.streams.out.syncedEnd).toBe(200_000);
  expect(Buffer.from(numbered(0, 200_000)).equals((await journal.read('out', 0, 200_000)).bytes)).toBe(true);
});

test('S02 · a sync that takes its time holds no write up: what comes meanwhile is with the system at once', async () => {
  let release: () => void = () => undefined;
  const hangs = new Promise<void>((resolve) => {
    release = resolve;
  });
  const plain = countingFiles();
  let isHanging = false;
  let begun = 0;
  const files: Files = {
    ...plain,
    create: async (path) => {
      const file = await plain.create(path);
      const sync = async () => {
        if (path.includes('out-')) begun += 1;
        if (isHanging) await hangs;
        return file.sync();
      };
      return { ...file, sync };
    },
  };
  const { journal } = await scratch.open({ files, clock });
  isHanging = true;
  journal.append('out', numbered(0, 10));
  const synced = journal.sync();
  await until(() => begun === 1, 'a sync that hangs');
  journal.append('out', numbered(10, 1));
  journal.record('mark', { text: 'meanwhile' });
  await until(() => journal.status.streams.out.writtenEnd === 11, 'written beside the sync');
  expect(journal.status.streams.out.syncedEnd).toBe(0);
  const index = () =>
    Buffer.from(fileOf(scratch.folder, scratch.named('index-').at(-1) ?? '')).toString('latin1');
  await until(() => index().includes('"meanwhile"'), 'the record beside the sync');
  isHanging = false;
  release();
  await synced;
  // The sync that was under way covers only what was there when it began.
  expect(journal.status.streams.out.syncedEnd).toBe(10);
  expect(begun).toBe(1);
  await journal.sync();
  expect(journal.status.streams.out.syncedEnd).toBe(11);
});
