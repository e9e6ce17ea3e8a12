import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ChannelJournal } from '../src/channelJournal.ts';
import { Transcript } from '../src/core/transcript.ts';
import { Journal } from '../src/io/journal/journal.ts';
import { DEFAULT_INDEX_SEGMENT_BYTES } from '../src/io/journal/journalOptions.ts';
import { resume } from '../src/resume.ts';

const AUTHOR = { client: 'me', reader: 'me' };
/** Records without anything for the timeline in them: more than a start looks through. */
const FILLER_BYTES = 8 * DEFAULT_INDEX_SEGMENT_BYTES;
const FILLER = { filler: 'x'.repeat(200_000) };

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'p10-resume-'));
});
afterEach(() => rm(root, { recursive: true }));

function typed(entry: number) {
  return { entry, author: AUTHOR, bytes: [65 + entry], length: 1, isUrgent: false, isAnswer: false };
}

async function resumed(folder: string) {
  const blank = new Transcript({ bits: 7, ringBytes: 65_536, profile: 'its' });
  const options = { folder, quotaBytes: 2 ** 40, blank, onStorage: () => undefined };
  const { journal, recovered } = await ChannelJournal.open(options);
  return { journal, past: await resume(journal, recovered, { ringBytes: 65_536, nowMs: 1_000 }) };
}

test('what happened long ago is numbered on from, told of the line, and read from the files, without a look through them all', async () => {
  const folder = join(root, 'line');
  const { journal: writer } = await Journal.open({ folder });
  for (let entry = 0; entry < 4; entry += 1) writer.record('input', typed(entry));
  writer.record('state', { entry: 4, facts: { state: 'open', host: 'h', port: 1, codec: 'telnet' } });
  writer.record('input', typed(5));
  for (let bytes = 0; bytes < FILLER_BYTES; bytes += FILLER.filler.length) {
    writer.record('checkpoint', FILLER);
    await writer.sync();
  }
  await writer.close();
  const { journal, past } = await resumed(folder);
  await using _journal = journal;
  const { timeline } = past.snapshot.conversation ?? {};
  expect(timeline?.nextSeq).toBe(6);
  expect(timeline?.entries?.map(({ seq, kind }) => [seq, kind])).toEqual([
    [4, 'state'],
    [5, 'input'],
  ]);
  expect(past.snapshot.line).toMatchObject({ state: 'dead', reason: 'daemon_ended' });
  expect(past.snapshot.lastEnd).toMatchObject({ reason: 'daemon_ended' });
  const older: number[] = [];
  for await (const { seq } of journal.entries({ limit: 100 })) older.push(seq);
  expect(older).toEqual([0, 1, 2, 3, 4, 5]);
});

test('a record that was lost breaks the row: memory has what is behind it', async () => {
  const folder = join(root, 'line');
  const { journal: writer } = await Journal.open({ folder });
  for (const entry of [0, 1, 3, 4]) writer.record('input', typed(entry));
  await writer.close();
  const { journal, past } = await resumed(folder);
  await using _journal = journal;
  expect(past.snapshot.conversation?.timeline?.entries?.map(({ seq }) => seq)).toEqual([3, 4]);
  expect(past.snapshot.conversation?.timeline?.nextSeq).toBe(5);
});
