/** Looks at files and folders for doctor; changes nothing. */
import { accessSync, constants, lstatSync, readdirSync, readFileSync, statfsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import type { JournalFolder, PathFacts, StateFacts } from './placeChecks.ts';
import { type BootFile, parseBootFile } from './simhChecks.ts';
import type { ToolFacts } from './systemChecks.ts';

/** Entries of the state folder that are looked at; a folder with more is somebody else's. */
const MAX_ENTRIES = 1_000;

export function lookAt(path: string): PathFacts {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return { path, kind: 'absent', mode: 0, uid: -1 };
    const kind = stat.isSymbolicLink()
      ? 'link'
      : stat.isDirectory()
        ? 'folder'
        : stat.isSocket()
          ? 'socket'
          : stat.isFile()
            ? 'file'
            : 'other';
    return { path, kind, mode: stat.mode & 0o7777, uid: stat.uid };
  } catch {
    return { path, kind: 'hidden', mode: 0, uid: -1 };
  }
}

export function gatherState(path: string, uid: number | undefined): StateFacts {
  const folder = lookAt(path);
  const isFolder = folder.kind === 'folder';
  const names = isFolder ? tryList(path).slice(0, MAX_ENTRIES) : [];
  return {
    folder,
    entries: names.map((name) => lookAt(join(path, name))),
    uid,
    writeProblem: isFolder ? writeProblemOf(path) : undefined,
    freeBytes: isFolder ? freeBytesOf(path) : undefined,
  };
}

/** The folder of all journals, and those in it. */
export function gatherJournal(stateDir: string): JournalFolder[] {
  const all = join(stateDir, 'journal');
  const names = lookAt(all).kind === 'folder' ? tryList(all).slice(0, MAX_ENTRIES) : [];
  return [all, ...names.map((name) => join(all, name))].map((path) => {
    const folder = lookAt(path);
    return { folder, writeProblem: folder.kind === 'folder' ? writeProblemOf(path) : undefined };
  });
}

export function gatherTools(
  env: Readonly<Record<string, string | undefined>>,
  isSystemd: boolean,
): ToolFacts {
  const { platform, arch } = process;
  return {
    platform,
    arch,
    hasFlock: hasProgram('flock', env),
    hasSystemdNotify: hasProgram('systemd-notify', env),
    isSystemd,
    hasPty: hasModule('@lydell/node-pty'),
  };
}

/** Start files of the simulator that have a line of the multiplexer; those of ITS first. */
export function gatherBootFiles(pidp10Dir: string): BootFile[] {
  const systems = join(pidp10Dir, 'systems');
  const names = tryList(systems).sort((one, other) => Number(other === 'its') - Number(one === 'its'));
  const paths = [join(pidp10Dir, 'boot.pidp'), ...names.map((name) => join(systems, name, 'boot.pidp'))];
  const files = paths.flatMap((path) => {
    const text = tryRead(path);
    return text === undefined ? [] : [parseBootFile(path, text)];
  });
  return files.filter(({ mtyLines }) => mtyLines.length > 0);
}

export function tryRead(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

export function tryList(path: string): string[] {
  try {
    return readdirSync(path).sort();
  } catch {
    return [];
  }
}

export function exists(path: string): boolean {
  return lookAt(path).kind !== 'absent';
}

function writeProblemOf(path: string): string | undefined {
  try {
    accessSync(path, constants.W_OK);
    return undefined;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}

function freeBytesOf(path: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

function hasProgram(name: string, env: Readonly<Record<string, string | undefined>>): boolean {
  return (env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return folder !== '';
    } catch {
      return false;
    }
  });
}

/** The library itself and its build for this machine, which an installation may have left out. */
function hasModule(name: string): boolean {
  try {
    const { resolve } = createRequire(import.meta.url);
    createRequire(resolve(name)).resolve(`${name}-${process.platform}-${process.arch}`);
    return true;
  } catch {
    return false;
  }
}
