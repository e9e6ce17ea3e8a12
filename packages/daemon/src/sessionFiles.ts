/** The folder of all sessions: one folder each, named by its id, and the number of the next one. */
import { lstatSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ClosedJournal } from './io/journal/closedJournal.ts';
import { PrivateFile, readPrivateFile } from './io/privateFile.ts';
import { makePrivateFolder } from './io/unixListener.ts';
import { parseSessionRecord, type SessionRecord } from './sessionRecord.ts';

const ID = /^s([1-9]\d{0,14})$/;

export class SessionFiles {
  readonly #root: string;
  readonly #counter: PrivateFile;
  #next: number;

  /** Makes the folder. Throws a PlaceError, or what the system says. */
  constructor(root: string) {
    this.#root = root;
    makePrivateFolder(root, process.getuid?.());
    this.#counter = new PrivateFile(join(root, 'next'));
    const counted = /^[1-9]\d{0,14}$/.exec(readPrivateFile(this.#counter.path)?.trim() ?? '')?.[0];
    const newest = this.ids.at(-1);
    // A counter that is lost is taken from what is there; what was deleted meanwhile is known from its epoch.
    this.#next = Math.max(Number(counted ?? 1), newest === undefined ? 1 : numberOf(newest) + 1);
  }

  /** Ids of those that have a folder, the oldest first. */
  get ids(): readonly string[] {
    return readdirSync(this.#root)
      .filter((name) => ID.test(name) && lstatSync(join(this.#root, name)).isDirectory())
      .sort((a, b) => numberOf(a) - numberOf(b));
  }

  /** A new id, which no other session ever has. Rejects when that cannot be written down. */
  async nextId(): Promise<string> {
    const id = `s${this.#next}`;
    this.#next += 1;
    await this.#counter.put(`${this.#next}\n`);
    return id;
  }

  folder(id: string): string {
    return join(this.#root, id);
  }

  recordFile(id: string): PrivateFile {
    return new PrivateFile(join(this.#root, id, 'session.json'));
  }

  /** As it was written last; where nobody can read it, the output is there all the same. */
  read(id: string): SessionRecord {
    const record = parseSessionRecord(readPrivateFile(this.recordFile(id).path), id);
    return record ?? unknownRecord(id, this.folder(id));
  }

  /** Of its output and its record; 0 where nobody can look. */
  bytes(id: string): number {
    return new ClosedJournal(this.folder(id)).status.bytes;
  }

  remove(id: string): Promise<void> {
    return rm(this.folder(id), { recursive: true, force: true });
  }
}

function numberOf(id: string): number {
  return Number(id.slice(1));
}

function unknownRecord(id: string, folder: string): SessionRecord {
  return {
    id,
    epoch: '',
    command: 'unknown',
    args: [],
    cwd: '/',
    isPty: false,
    splitStderr: false,
    startedBy: 'unknown',
    startedMs: lstatSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0,
    boot: '',
    mark: '',
    state: 'running',
    isOver: false,
    isRead: false,
  };
}
