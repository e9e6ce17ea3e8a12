/** Somebody else's hand in our folder (logrotate and its like), and files that are lost or old at a start. */
import {
  appendFileSync,
  copyFileSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { allRecords, fileOf, numbered, readAll, useScratch, wrongOnes } from './scratch.ts';

const scratch = useScratch();
const FIRST = 'out-00000000000000000000';

const HANDS = {
  copytruncate(path: string): void {
    copyFileSync(path, `${path}.1`);
    truncateSync(path);
  },
  rename: (path: string): void => renameSync(path, `${path}.1`),
  'rename and create'(path: string): void {
    renameSync(path, `${path}.1`);
    writeFileSync(path, '');
  },
  remove: (path: string): void => rmSync(path),
};

test.each(Object.entries(HANDS))(
  'S07 · %s of the data file: a new one, no hole of NULs, a gap that says what is gone',
  async (_name, hand) => {
    const { journal } = await scratch.open();
    journal.append('out', numbered(0, 1_000));
    await journal.sync();
    hand(join(scratch.folder, FIRST));
    journal.append('out', numbered(1_000, 500));
    await journal.sync();
    journal.append('out', numbered(1_500, 500));
    await journal.sync();
    const found = await readAll(journal);
    expect([found.size, Math.min(...found.keys())]).toEqual([1_000, 1_000]);
    expect(wrongOnes(found)).toEqual([]);
    expect(
      Buffer.from(numbered(1_000, 1_000)).equals(fileOf(scratch.folder, 'out-00000000000000001000')),
    ).toBe(true);
    const gaps = (await allRecords(journal)).filter((record) => record.kind === 'gap');
    expect(gaps.map((record) => record.data)).toMatchObject([{ from: 0, to: 1_000, reason: 'foreign' }]);
    expect(journal.status).toMatchObject({ storage: 'ok', gapBytes: 1_000 });
    await journal.close();
    const again = await scratch.open();
    expect(again.recovered).toMatchObject({ ends: { out: 2_000 }, wasClean: true, notes: [] });
    expect(wrongOnes(await readAll(again.journal))).toEqual([]);
  },
);

test.each(Object.entries(HANDS))(
  'S07 · %s of the index: a new file, and what stands is in its head',
  async (_name, hand) => {
    const { journal, recovered } = await scratch.open();
    journal.record('readers', { a: 5 }, { isState: true });
    await journal.sync();
    hand(join(scratch.folder, 'index-00000000000000000000'));
    journal.append('out', numbered(0, 10));
    journal.record('mark', {});
    await journal.close();
    const again = await scratch.open();
    expect(again.recovered).toMatchObject({ epoch: recovered.epoch, ends: { out: 10 }, wasClean: true });
    expect(again.recovered.last.find((record) => record.kind === 'readers')?.data).toEqual({ a: 5 });
  },
);

/** A journal with two index files, closed. */
async function closedJournal(): Promise<string> {
  const first = await scratch.open();
  first.journal.append('out', numbered(0, 1_000));
  first.journal.record('readers', { a: 700 }, { isState: true });
  await first.journal.close();
  const second = await scratch.open();
  second.journal.append('out', numbered(1_000, 1_000));
  second.journal.record('mark', { a: 1 });
  await second.journal.close();
  return first.recovered.epoch;
}

test('S12 · an empty newest index: the one before it is used, the end comes from the data', async () => {
  const epoch = await closedJournal();
  truncateSync(join(scratch.folder, scratch.named('index').at(-1) ?? ''));
  const { journal, recovered } = await scratch.open();
  expect(recovered).toMatchObject({ epoch, ends: { out: 2_000 }, wasClean: false });
  expect(recovered.last.find((record) => record.kind === 'readers')?.data).toEqual({ a: 700 });
  expect(recovered.notes).toEqual([expect.stringContaining('is empty')]);
  journal.append('out', numbered(2_000, 10));
  expect(wrongOnes(await readAll(journal))).toEqual([]);
  await journal.close();
  expect((await scratch.open()).recovered).toMatchObject({ epoch, notes: [], wasClean: true });
});

test('S12 · half an index: its valid part is used, the rest is set aside and said once', async () => {
  const epoch = await closedJournal();
  const newest = join(scratch.folder, scratch.named('index').at(-1) ?? '');
  truncateSync(newest, Math.floor(readFileSync(newest).length / 2));
  const { journal, recovered } = await scratch.open();
  expect(recovered).toMatchObject({
    epoch,
    ends: { out: 2_000 },
    wasClean: false,
    setAside: [`${newest}.damaged`],
  });
  expect(recovered.notes.length).toBe(1);
  await journal.close();
  expect((await scratch.open()).recovered).toMatchObject({ notes: [], setAside: [], wasClean: true });
});

test('S12 · an old copy of the index takes no offset back', async () => {
  const first = await scratch.open();
  first.journal.append('out', numbered(0, 100));
  await first.journal.sync();
  const index = join(scratch.folder, 'index-00000000000000000000');
  const old = readFileSync(index);
  first.journal.append('out', numbered(100, 900));
  await first.journal.close();
  writeFileSync(index, old);
  const { journal, recovered } = await scratch.open();
  expect(recovered).toMatchObject({ epoch: first.recovered.epoch, ends: { out: 1_000 }, wasClean: false });
  expect((await readAll(journal)).size).toBe(1_000);
});

test('S12 · without any index the bytes are there, under a new epoch', async () => {
  const epoch = await closedJournal();
  for (const name of scratch.named('index')) rmSync(join(scratch.folder, name));
  const { journal, recovered } = await scratch.open();
  expect(recovered).toMatchObject({ isNew: false, ends: { out: 2_000 }, oldest: { out: 0 } });
  expect(recovered.epoch).not.toBe(epoch);
  expect(recovered.notes).toEqual([expect.stringContaining('no index')]);
  expect(wrongOnes(await readAll(journal))).toEqual([]);
  await journal.close();
  expect((await scratch.open()).recovered).toMatchObject({ epoch: recovered.epoch, notes: [] });
});

test('S12 · data that is shorter than the index says is a gap; the end does not fall', async () => {
  const { journal: first } = await scratch.open();
  first.append('out', numbered(0, 1_000));
  await first.close();
  truncateSync(join(scratch.folder, FIRST), 600);
  const { journal, recovered } = await scratch.open();
  expect(recovered.ends.out).toBe(1_000);
  expect(recovered.notes).toEqual([expect.stringContaining('400 bytes of out from offset 600 on')]);
  journal.append('out', numbered(1_000, 10));
  const found = await readAll(journal);
  expect(wrongOnes(found)).toEqual([]);
  expect(found.size).toBe(610);
  const gaps = (await allRecords(journal))
    .filter((record) => record.kind === 'gap')
    .map((record) => record.data);
  expect(gaps).toMatchObject([{ from: 600, to: 1_000, reason: 'unclean' }]);
  await journal.close();
  expect((await scratch.open()).recovered.notes).toEqual([]);
});

test('S12 · data behind the last record is valid output', async () => {
  const { journal: first } = await scratch.open();
  first.append('out', numbered(0, 1_000));
  await first.close();
  writeFileSync(join(scratch.folder, FIRST), numbered(1_000, 50), { flag: 'a' });
  const { journal, recovered } = await scratch.open();
  expect(recovered.ends.out).toBe(1_050);
  expect(wrongOnes(await readAll(journal))).toEqual([]);
  expect((await readAll(journal)).size).toBe(1_050);
});

test('S02 · NULs that a power cut left at the end of a file are lost bytes, not output', async () => {
  const { journal: first } = await scratch.open();
  first.append('out', numbered(0, 600));
  await first.sync();
  appendFileSync(join(scratch.folder, FIRST), Buffer.alloc(100));
  const { journal } = await scratch.open({ bootId: 'boot-2' });
  expect(journal.holes('out', 0, 700)).toEqual([{ from: 600, to: 700 }]);
  expect(journal.status).toMatchObject({ gapBytes: 100, streams: { out: { end: 700 } } });
  journal.append('out', numbered(700, 10));
  const found = await readAll(journal);
  expect(wrongOnes(found)).toEqual([]);
  expect(found.size).toBe(610);
});

test('S02 · NULs that the line said last before a kill are output: the machine has run on', async () => {
  const { journal: first } = await scratch.open();
  first.append('out', Uint8Array.of(0x0d, 0x0a, 0, 0, 0));
  await first.sync();
  const { journal, recovered } = await scratch.open();
  expect([recovered.ends.out, journal.holes('out', 0, 5)]).toEqual([5, []]);
  expect([...(await journal.read('out', 0, 5)).bytes]).toEqual([0x0d, 0x0a, 0, 0, 0]);
});
