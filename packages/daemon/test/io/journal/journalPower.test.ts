/**
 * Power cuts: the journal on an ext4 image in a loop device. What is in the image's file is what the device was given; what the
 * kernel still has in memory is not in it. So a copy of it, made while nothing is on its way, is a disk behind a power cut.
 * Part of `pnpm soak`; needs root, loop devices and mkfs.ext4.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { Journal } from '../../../src/io/journal/journal.ts';
import { allRecords, numbered, until, useScratch } from './scratch.ts';

const isSoak = process.env['PIDP10_SOAK'] !== undefined;
const CUTS = 50;
const IMAGE_BYTES = 96 * 1024 * 1024;
const OPTIONS = { segmentBytes: 400_000, indexSegmentBytes: 40_000 };
/** Longest time between two cuts, in ms: over two of the journal's syncs. */
const LONGEST_LIFE_MS = 2_500;
/** A second until the sync begins, and what it takes on a machine that is busy, in ms. */
const MAX_LOST_MS = 1_000 + 4_000;

const scratch = useScratch();

const sourceOf = (path: string) => JSON.stringify(fileURLToPath(new URL(path, import.meta.url)));
/** Writes numbered bytes without end, and says how far it has come, and how far that is safe. */
const WRITER = `
import { Journal } from ${sourceOf('../../../src/io/journal/journal.ts')};
import { numbered } from ${sourceOf('./numbers.ts')};
const { journal } = await Journal.open({ folder: process.argv[2], quotaBytes: 40_000_000, ...${JSON.stringify(OPTIONS)} });
let end = 0;
for (let turn = 0; ; turn++) {
  const bytes = 1 + ((turn * 37) % 4_000);
  journal.append('out', numbered(end, bytes));
  end += bytes;
  if (turn % 5 === 0) journal.record('mark', { end }, { isState: turn % 200 === 0 });
  console.log(JSON.stringify({ atMs: Date.now(), end, synced: journal.status.streams.out.syncedEnd }));
  await new Promise((resolve) => setTimeout(resolve, 10));
}
`;

interface Said {
  readonly atMs: number;
  readonly end: number;
  readonly synced: number;
}

function run(...[file, ...args]: readonly [string, ...string[]]): string {
  const { status, stdout, stderr, error } = spawnSync(file, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${file} ${args.join(' ')}: ${error?.message ?? stderr}`);
  return stdout;
}

/** Whether all that is kept is what was written at that offset. */
async function isNumbered(journal: Journal): Promise<boolean> {
  const { oldest, end } = journal.status.streams.out;
  for (let at = oldest; at < end; ) {
    const { start, bytes } = await journal.read('out', at, end);
    if (!Buffer.from(numbered(start, bytes.length)).equals(bytes)) return false;
    at = start + Math.max(bytes.length, 1);
  }
  return true;
}

/** Writes that the device has done so far, and whether requests are on their way (Documentation/block/stat.rst). */
function statOf(device: string): { readonly writes: string; readonly isBusy: boolean } {
  const fields = readFileSync(`/sys/block/${basename(device)}/stat`, 'utf8')
    .trim()
    .split(/\s+/);
  return { writes: fields[4] ?? '', isBusy: fields[8] !== '0' };
}

/** A copy of the image as it was at one moment: the kernel may have written while it was made, then it is made again. */
async function cutPower(device: string, image: string, copy: string): Promise<void> {
  for (;;) {
    await until(() => !statOf(device).isBusy, 'nothing on its way');
    const { writes } = statOf(device);
    copyFileSync(image, copy);
    const after = statOf(device);
    if (!after.isBusy && after.writes === writes) return;
  }
}

test.skipIf(!isSoak)(
  `S02 · ${CUTS} power cuts (soak): what was synced is there, at most the last second is lost, no torn record is shown`,
  async () => {
    const root = scratch.folder;
    const [image, disk, copy, after, script] = ['image', 'disk', 'copy', 'after', 'writer.mjs'].map((name) =>
      join(root, name),
    ) as [string, string, string, string, string];
    for (const folder of [disk, after]) mkdirSync(folder, { recursive: true });
    await build({
      stdin: { contents: WRITER, resolveDir: import.meta.dirname, loader: 'ts' },
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: script,
      logLevel: 'silent',
    });
    writeFileSync(image, '');
    truncateSync(image, IMAGE_BYTES);
    run('mkfs.ext4', '-q', image);
    const device = run('losetup', '--find', '--show', image).trim();
    try {
      run('mount', device, disk);
      const child = spawn(process.execPath, [script, join(disk, 'line')], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const said: Said[] = [];
      let rest = '';
      child.stdout.on('data', (text: Buffer) => {
        const lines = (rest + text.toString()).split('\n');
        rest = lines.pop() ?? '';
        said.push(...lines.map((line) => JSON.parse(line) as Said));
      });
      const ended = once(child, 'close');
      let seed = 11;
      let worstMs = 0;
      try {
        for (let cut = 0; cut < CUTS; cut += 1) {
          seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
          const from = (said.at(-1)?.atMs ?? Date.now()) + (seed % LONGEST_LIFE_MS);
          await until(() => (said.at(-1)?.atMs ?? 0) > from, 'the moment of the cut');
          child.kill('SIGSTOP');
          await until(() => /\) T /.test(readFileSync(`/proc/${child.pid}/stat`, 'latin1')), 'a stop');
          await cutPower(device, image, copy);
          const known = said.at(-1);
          const history = [...said];
          child.kill('SIGCONT');
          run('mount', '-o', 'loop', copy, after);
          const { journal, recovered } = await Journal.open({
            folder: join(after, 'line'),
            bootId: 'behind the cut',
            ...OPTIONS,
          });
          await using _journal = journal;
          const { out: end } = recovered.ends;
          expect(end).toBeGreaterThanOrEqual(known?.synced ?? 0);
          const lost = history.find((each) => each.end > end);
          if (lost !== undefined && known !== undefined) worstMs = Math.max(worstMs, known.atMs - lost.atMs);
          expect(await isNumbered(journal)).toBe(true);
          const records = await allRecords(journal);
          const seqs = records.map(({ seq }) => seq);
          expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
          const marks = records.filter(({ kind }) => kind === 'mark');
          expect(marks.map(({ data }) => data?.['end'])).toEqual(marks.map(({ offset }) => offset));
          await journal.close();
          run('umount', after);
          rmSync(copy);
        }
      } finally {
        child.kill('SIGKILL');
        await ended;
      }
      console.log(`${CUTS} power cuts; the oldest byte that one of them took was ${worstMs} ms old`);
      expect(worstMs).toBeLessThan(MAX_LOST_MS);
    } finally {
      for (const folder of [after, disk]) spawnSync('umount', [folder]);
      run('losetup', '--detach', device);
    }
  },
  1_800_000,
);
