import { chmodSync, chownSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { MAX_RECORD_BYTES } from '../../../src/core/journal/records.ts';
import { MAX_READ_BYTES } from '../../../src/io/journal/bytesReader.ts';
import { nodeFiles } from '../../../src/io/journal/files.ts';
import { allRecords, fileOf, numbered, readAll, useScratch, wrongOnes } from './scratch.ts';

const scratch = useScratch();
const text = (value: string): Uint8Array => Buffer.from(value, 'latin1');

test('a file holds exactly the raw bytes and is named after the offset of the first', async () => {
  const { journal } = await scratch.open();
  journal.append('out', text('KA ITS 1652'));
  journal.append('out', text(' IN OPERATION\r\n\0\x07'));
  journal.append('err', text('oops'));
  await journal.sync();
  expect(fileOf(scratch.folder, 'out-00000000000000000000').toString('latin1')).toBe(
    'KA ITS 1652 IN OPERATION\r\n\0\x07',
  );
  expect(fileOf(scratch.folder, 'err-00000000000000000000').toString('latin1')).toBe('oops');
});

test('a write is handed to the system in the tick in which the bytes come', async () => {
  const writes: string[] = [];
  const files = {
    ...nodeFiles,
    async create(path: string) {
      const file = await nodeFiles.create(path);
      return {
        append: (parts: readonly Uint8Array[]) => {
          if (path.includes('out-')) writes.push(Buffer.concat(parts).toString());
          return file.append(parts);
        },
        size: () => file.size(),
        isInPlace: () => file.isInPlace(),
        sync: () => file.sync(),
        close: () => file.close(),
      };
    },
  };
  const { journal } = await scratch.open({ files });
  journal.append('out', text('a'));
  expect(writes).toEqual(['a']);
  // One in flight: what comes meanwhile goes together.
  for (const letter of 'bcd') journal.append('out', text(letter));
  expect(writes).toEqual(['a']);
  await journal.sync();
  expect(writes).toEqual(['a', 'bcd']);
});

test('the caller may reuse its buffer', async () => {
  const { journal } = await scratch.open();
  const buffer = text('first');
  journal.append('out', buffer);
  buffer.fill(0x2a);
  await journal.sync();
  expect(fileOf(scratch.folder, 'out-00000000000000000000').toString()).toBe('first');
});

test('bytes are read across files and from the queue, at most MAX_READ_BYTES at once', async () => {
  const { journal } = await scratch.open({ segmentBytes: 100_000 });
  for (let at = 0; at < 1_500_000; at += 50_000) journal.append('out', numbered(at, 50_000));
  const early = await journal.read('out', 1_400_000, 1_400_010);
  expect(early).toEqual({ start: 1_400_000, bytes: numbered(1_400_000, 10) });
  await journal.sync();
  journal.append('out', numbered(1_500_000, 10));
  const { start, bytes } = await journal.read('out', 99_990, 1_500_010);
  expect(start).toBe(99_990);
  expect(bytes.length).toBe(MAX_READ_BYTES);
  expect(Buffer.from(numbered(99_990, MAX_READ_BYTES)).equals(bytes)).toBe(true);
  const rest = await journal.read('out', 99_990 + MAX_READ_BYTES, 1_500_010);
  expect(Buffer.from(numbered(rest.start, 1_500_010 - rest.start)).equals(rest.bytes)).toBe(true);
  expect(rest.start).toBe(99_990 + MAX_READ_BYTES);
  await journal.sync();
  expect(scratch.named('out').length).toBe(16);
  expect(await journal.read('out', 1_500_010, 2_000_000)).toEqual({
    start: 1_500_010,
    bytes: new Uint8Array(0),
  });
});

test('records are found by kind, offset and time, forwards and backwards, over many index files', async () => {
  let nowMs = 1_000_000;
  const clock = { wallMs: () => nowMs, monoMs: () => nowMs };
  const { journal } = await scratch.open({ indexSegmentBytes: 4_096, clock });
  for (let count = 0; count < 200; count++) {
    nowMs += 1_000;
    journal.append('out', numbered(count * 10, 10));
    journal.record(count % 10 === 0 ? 'checkpoint' : 'mark', { count });
    if (count % 20 === 0) await journal.sync();
  }
  expect(scratch.named('index').length).toBeGreaterThan(5);
  const counts = async (query: Parameters<typeof journal.records>[0]): Promise<unknown[]> => {
    const found: unknown[] = [];
    for await (const record of journal.records(query)) found.push(record.data?.['count']);
    return found;
  };
  expect(await counts({ kinds: ['mark', 'checkpoint'] })).toEqual(
    Array.from({ length: 200 }, (_, count) => count),
  );
  expect(await counts({ kinds: ['checkpoint'], reverse: true, limit: 2 })).toEqual([190, 180]);
  expect(await counts({ kinds: ['mark'], fromOffset: 1_500, toOffset: 1_540 })).toEqual([149, 151, 152, 153]);
  expect(await counts({ kinds: ['mark'], fromWallMs: 1_199_000 })).toEqual([198, 199]);
  expect((await journal.checkpointBefore('out', 1_509))?.data).toEqual({ count: 140 });
  expect((await journal.checkpointBefore('out', 1_510))?.data).toEqual({ count: 150 });
  expect(await journal.checkpointBefore('out', 9)).toBeUndefined();
  const seqs = (await allRecords(journal)).map((record) => record.seq);
  expect(seqs).toEqual(Array.from(seqs, (_, index) => index));
});

test('S11 · a closed journal is taken up where it was: same epoch, ends, newest records; nothing to say', async () => {
  const first = await scratch.open();
  first.journal.append('out', numbered(0, 1_000));
  first.journal.record('readers', { a: 12 }, { isState: true });
  first.journal.record('readers', { a: 34 });
  await first.journal.close();
  await first.journal.close();
  const { journal, recovered } = await scratch.open();
  expect(recovered).toMatchObject({
    isNew: false,
    epoch: first.recovered.epoch,
    ends: { out: 1_000, err: 0 },
    oldest: { out: 0, err: 0 },
    notes: [],
    setAside: [],
    wasClean: true,
  });
  expect(recovered.last.find((record) => record.kind === 'readers')?.data).toEqual({ a: 34 });
  journal.append('out', numbered(1_000, 1_000));
  expect(wrongOnes(await readAll(journal))).toEqual([]);
  const seqs = (await allRecords(journal)).map((record) => record.seq);
  expect(seqs).toEqual(Array.from(seqs, (_, index) => index));
});

test('a record of MAX_RECORD_BYTES is kept, one byte more is refused', async () => {
  const { journal } = await scratch.open();
  journal.record('said', { text: '' });
  const empty = (await allRecords(journal)).at(-1);
  const room = MAX_RECORD_BYTES - JSON.stringify(empty).length - 10;
  journal.record('said', { text: 'x'.repeat(room) });
  expect(() => journal.record('said', { text: 'x'.repeat(room + 1) })).toThrow(RangeError);
  await journal.close();
  expect(journal.record('said', {})).toBeUndefined();
});

test('S09 · folders are 0700 and files 0600', async () => {
  const { journal } = await scratch.open();
  journal.append('out', text('x'));
  await journal.sync();
  expect((statSync(scratch.folder).mode & 0o777).toString(8)).toBe('700');
  for (const name of scratch.names()) {
    expect((statSync(join(scratch.folder, name)).mode & 0o777).toString(8)).toBe('600');
  }
});

test('S09 · a folder that is a link, a file or writable by others is refused with its path and the remedy', async () => {
  const elsewhere = join(dirname(scratch.folder), 'elsewhere');
  mkdirSync(elsewhere);
  symlinkSync(elsewhere, scratch.folder);
  await expect(scratch.open()).rejects.toThrow(
    `${scratch.folder} is a symbolic link, which is never followed; remove`,
  );
  rmSync(scratch.folder);
  writeFileSync(scratch.folder, '');
  await expect(scratch.open()).rejects.toThrow(scratch.folder);
  rmSync(scratch.folder);
  mkdirSync(scratch.folder);
  chmodSync(scratch.folder, 0o770);
  await expect(scratch.open()).rejects.toThrow(`chmod 700 ${scratch.folder}`);
});

test.skipIf(process.getuid?.() !== 0)('S09 · a folder of another user is refused', async () => {
  mkdirSync(scratch.folder, { mode: 0o700 });
  chownSync(scratch.folder, 65_534, 65_534);
  await expect(scratch.open()).rejects.toThrow('belongs to user 65534, not to 0; run: chown 0 ');
});

test('S09 · links planted under the names of files are never followed', async () => {
  const victim = join(dirname(scratch.folder), 'victim');
  writeFileSync(victim, 'precious');
  mkdirSync(scratch.folder, { mode: 0o700 });
  for (const name of ['out-00000000000000000000', 'err-00000000000000000000', 'index-00000000000000000000']) {
    symlinkSync(victim, join(scratch.folder, name));
  }
  const { journal } = await scratch.open();
  journal.append('out', text('for our own file'));
  journal.append('err', text('and this'));
  await journal.sync();
  expect(fileOf(dirname(scratch.folder), 'victim').toString()).toBe('precious');
  expect(fileOf(scratch.folder, 'out-00000000000000000000').toString()).toBe('for our own file');
  expect(journal.status.storage).toBe('ok');
});
