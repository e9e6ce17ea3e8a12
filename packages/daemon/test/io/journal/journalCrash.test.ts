/** Ends that nobody prepared: kill -9 at random instants, folders copied in the middle, torn and flipped tails. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { parseIndex } from '../../../src/core/journal/records.ts';
import { readBootId } from '../../../src/io/journal/clock.ts';
import { Journal } from '../../../src/io/journal/journal.ts';
import { allRecords, fileOf, numbered, readAll, useScratch, wrongOnes } from './scratch.ts';

const scratch = useScratch();
const KILLS = 20;
/** For all of them on a machine that has other things to do, in ms. */
const KILLS_MS = 120_000;
/** For forty syncs, and as many starts from copies, on a slow disk. */
const COPIES_MS = 120_000;
const OPTIONS = { segmentBytes: 20_000, indexSegmentBytes: 4_000 };

/** Writes numbered bytes without end and says how far it has come. */
const WRITER = `
import { Journal } from ${JSON.stringify(fileURLToPath(new URL('../../../src/io/journal/journal.ts', import.meta.url)))};
import { numbered } from ${JSON.stringify(fileURLToPath(new URL('./numbers.ts', import.meta.url)))};
const { journal } = await Journal.open({ folder: process.argv[2], ...${JSON.stringify(OPTIONS)} });
let end = journal.status.streams.out.end;
for (let turn = 0; ; turn++) {
  const bytes = 1 + ((turn * 37) % 400);
  journal.append('out', numbered(end, bytes));
  end += bytes;
  if (turn % 7 === 0) journal.record('readers', { end });
  // Written by now: what a reader may have been told, and must find again.
  if (turn % 3 === 0) console.log(journal.status.streams.out.writtenEnd);
  await new Promise((resolve) => setTimeout(resolve, turn % 3));
}
`;

test(
  `S01 S02 · ${KILLS} times kill -9: not one written byte is lost or wrong, and every start is one`,
  async () => {
    const script = `${scratch.folder}-writer.mjs`;
    const source = { contents: WRITER, resolveDir: import.meta.dirname, loader: 'ts' as const };
    await build({
      stdin: source,
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: script,
      logLevel: 'silent',
    });
    // A kill is no power cut: the machine runs on.
    const options = { ...OPTIONS, bootId: await readBootId() };
    let seed = 7;
    let begun = 0;
    for (let round = 0; round < KILLS; round++) {
      const child = spawn(process.execPath, [script, scratch.folder], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let said = '';
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      const lines = 1 + (seed % 60);
      const ended = once(child, 'close');
      child.stdout.on('data', (text: Buffer) => {
        said += text.toString();
        if (said.split('\n').length > lines) child.kill('SIGKILL');
      });
      await ended;
      const writtenEnd = Number(said.split('\n').at(-2));
      const { journal, recovered } = await scratch.open(options);
      expect(recovered.ends.out).toBeGreaterThanOrEqual(writtenEnd);
      expect(recovered.wasClean).toBe(false);
      const found = await readAll(journal);
      expect(wrongOnes(found)).toEqual([]);
      // What was still in a queue at an earlier kill is a gap that lies before this round's first byte.
      const lost = [...Array(writtenEnd - begun).keys()].filter((index) => !found.has(begun + index));
      expect(lost, `round ${round}`).toEqual([]);
      begun = recovered.ends.out;
      const seqs = (await allRecords(journal)).map((record) => record.seq);
      expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
      expect(new Set(seqs).size).toBe(seqs.length);
      await journal.close();
    }
    rmSync(script);
  },
  KILLS_MS,
);

test(
  'S02 · the folder copied at any moment opens, and everything synced before is in it',
  async () => {
    const { journal } = await scratch.open(OPTIONS);
    for (let turn = 0; turn < 40; turn++) {
      const synced = journal.status.streams.out.syncedEnd;
      for (let piece = 0; piece < 5; piece++) {
        const { end } = journal.status.streams.out;
        journal.append('out', numbered(end, 211));
        journal.record('mark', { end });
        // One trip through the loop: some writes have come to their end, some have not.
        await new Promise((resolve) => setImmediate(resolve));
      }
      const copy = `${scratch.folder}-copy-${turn}`;
      cpSync(scratch.folder, copy, { recursive: true });
      const opened = await Journal.open({ folder: copy, ...OPTIONS });
      expect(opened.recovered.ends.out).toBeGreaterThanOrEqual(synced);
      const found = await readAll(opened.journal);
      expect(wrongOnes(found)).toEqual([]);
      for (let offset = 0; offset < synced; offset++) expect(found.has(offset)).toBe(true);
      await opened.journal.close();
      if (turn % 3 === 0) await journal.sync();
    }
  },
  COPIES_MS,
);

test('S01 · the last two records cut and flipped at each byte: starts, sets aside, says so once', async () => {
  const { journal, recovered } = await scratch.open();
  journal.append('out', numbered(0, 500));
  await journal.sync();
  journal.record('readers', { a: 1 });
  journal.record('readers', { a: 2 });
  await journal.sync();
  await journal.close();
  const name = 'index-00000000000000000000';
  const whole = fileOf(scratch.folder, name);
  const { records } = parseIndex(whole.toString('latin1'));
  const from = whole.indexOf('"a":1') - 150;
  expect(records.length).toBe(7);
  for (let at = from; at < whole.length; at += 13) {
    const flipped = Buffer.from(whole);
    flipped[at] = (flipped[at] ?? 0) ^ 0x04;
    for (const damaged of [whole.subarray(0, at), flipped]) {
      const copy = `${scratch.folder}-${at}-${damaged.length}`;
      cpSync(scratch.folder, copy, { recursive: true });
      writeFileSync(join(copy, name), damaged);
      const first = await Journal.open({ folder: copy });
      expect(first.recovered.epoch).toBe(recovered.epoch);
      expect(first.recovered.ends.out).toBe(500);
      const isTorn = parseIndex(damaged.toString('latin1')).damaged.length > 0;
      expect(first.recovered.setAside).toEqual(isTorn ? [join(copy, `${name}.damaged`)] : []);
      expect(first.recovered.notes.length).toBe(isTorn ? 1 : 0);
      expect(readFileSync(join(copy, name)).equals(damaged)).toBe(true);
      await first.journal.close();
      const second = await Journal.open({ folder: copy });
      expect(second.recovered).toMatchObject({ notes: [], setAside: [], wasClean: true });
      await second.journal.close();
    }
  }
});

test('a start reads no data file and one index file, however much there is', async () => {
  const { journal } = await scratch.open(OPTIONS);
  for (let at = 0; at < 400_000; at += 4_000) {
    journal.append('out', numbered(at, 4_000));
    journal.record('mark', { at });
    await journal.sync();
  }
  await journal.close();
  const { nodeFiles } = await import('../../../src/io/journal/files.ts');
  const reads: string[] = [];
  const files = {
    ...nodeFiles,
    read: (path: string, position: number, length: number) => {
      reads.push(path);
      return nodeFiles.read(path, position, length);
    },
  };
  const newest = scratch.named('index').at(-1) ?? '';
  await scratch.open({ ...OPTIONS, files });
  expect(reads).toEqual([join(scratch.folder, newest)]);
});
