/** Carries out a plan. Every file appears whole or not at all, and the record is written with what was really done. */
import { mkdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { InstallPlan, RemovalPlan } from './plan.ts';
import { checksum, type InstallRecord } from './record.ts';

/** Name behind which a file that was not ours is kept when it was replaced on request. */
export const KEPT_SUFFIX = '.before-pidp10d';

/** Throws what the file system throws; what was written until then is in the record. */
export function applyInstall({ facts, places, files, record }: InstallPlan): void {
  const { root, name, settings, user } = facts;
  const folders = new Set(record.folders);
  const written: Record<string, string> = {};
  try {
    for (const { path, text, state } of files) {
      const target = join(root, path);
      if (state === 'foreign') renameSync(target, `${target}${KEPT_SUFFIX}`);
      if (state !== 'same') {
        for (const folder of makeFolder(dirname(target), root)) folders.add(folder);
        writeWhole(target, text);
      }
      written[path] = checksum(text);
    }
  } finally {
    const daemons = {
      ...record.daemons,
      [name]: { files: written, settings, ...(user !== undefined && { user }) },
    };
    for (const folder of makeFolder(dirname(join(root, places.record)), root)) folders.add(folder);
    writeRecord(join(root, places.record), { version: 1, daemons, folders: [...folders] });
  }
}

export function applyRemoval({ facts, places, remove, record }: RemovalPlan): void {
  const { root, name } = facts;
  for (const path of remove) rmSync(join(root, path), { force: true });
  const { [name]: _gone, ...daemons } = record.daemons;
  const recordPath = join(root, places.record);
  if (Object.keys(daemons).length > 0) {
    writeRecord(recordPath, { ...record, daemons });
    return;
  }
  rmSync(recordPath, { force: true });
  // The deepest first; one that is not empty is somebody else's by now.
  const deepestFirst = record.folders.toSorted((one, other) => other.length - one.length);
  for (const folder of deepestFirst) removeIfEmpty(join(root, folder));
}

/** Folders that had to be made, without `root` and not `root` itself, the outermost first. */
function makeFolder(path: string, root: string): string[] {
  const first = mkdirSync(path, { recursive: true, mode: 0o755 });
  if (first === undefined) return [];
  const made: string[] = [];
  const outermost = Math.max(first.length, root.length + 1);
  for (let folder = path; folder.length >= outermost; folder = dirname(folder)) {
    made.unshift(root === '/' ? folder : folder.slice(root.length));
  }
  return made;
}

function writeRecord(path: string, record: InstallRecord): void {
  writeWhole(path, `${JSON.stringify(record, undefined, 2)}\n`);
}

function writeWhole(path: string, text: string): void {
  const temporary = `${path}.new`;
  writeFileSync(temporary, text, { mode: 0o644 });
  renameSync(temporary, path);
}

function removeIfEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // not empty, or gone
  }
}
