/** A private folder for a journal, its content in readable form, and waiting for a condition. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { JournalRecord } from '../../../src/core/journal/records.ts';
import { Journal, type OpenedJournal } from '../../../src/io/journal/journal.ts';
import type { JournalOptions } from '../../../src/io/journal/journalOptions.ts';
import { byteAt } from './numbers.ts';

export { numbered } from './numbers.ts';

export interface Scratch {
  /** Of the journal; not made yet. */
  folder: string;
  open(options?: Partial<JournalOptions>): Promise<OpenedJournal>;
  names(): string[];
  /** Names of one kind. */
  named(series: string): string[];
}

/** Journals that a test leaves open are closed behind it. */
export function useScratch(): Scratch {
  const opened: Journal[] = [];
  const scratch: Scratch = {
    folder: '',
    async open(options = {}) {
      const result = await Journal.open({ folder: scratch.folder, bootId: 'boot-1', ...options });
      opened.push(result.journal);
      return result;
    },
    names: () => readdirSync(scratch.folder).toSorted(),
    named: (series) => scratch.names().filter((name) => name.startsWith(series)),
  };
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'p10-journal-'));
    scratch.folder = join(root, 'line');
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((journal) => journal.close()));
    rmSync(root, { recursive: true });
  });
  return scratch;
}

export async function readAll(
  journal: Journal,
  from = 0,
  to = Number.MAX_SAFE_INTEGER,
): Promise<Map<number, number>> {
  const found = new Map<number, number>();
  const end = Math.min(to, journal.status.streams.out.end);
  for (let at = from; at < end; ) {
    const { start, bytes } = await journal.read('out', at, end);
    if (bytes.length === 0) break;
    for (const [index, byte] of bytes.entries()) found.set(start + index, byte);
    at = start + bytes.length;
  }
  return found;
}

/** Offsets of `found` whose byte is not the numbered one. */
export function wrongOnes(found: ReadonlyMap<number, number>): number[] {
  return [...found].filter(([offset, byte]) => byte !== byteAt(offset)).map(([offset]) => offset);
}

export async function allRecords(journal: Journal): Promise<JournalRecord[]> {
  const records: JournalRecord[] = [];
  for await (const record of journal.records()) records.push(record);
  return records;
}

export function fileOf(folder: string, name: string): Buffer {
  return readFileSync(join(folder, name));
}

/** Most time a condition may take, in ms of the real clock: a disk that many tests sync at once is slow. */
const PATIENCE_MS = 20_000;

/** Waits without a timer, so that it works, and lets no time pass, where timers are faked. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  for (const since = performance.now(); !condition(); ) {
    if (performance.now() - since > PATIENCE_MS) throw new Error(`not in ${PATIENCE_MS} ms: ${what}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
