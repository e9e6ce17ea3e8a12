/**
 * Which commands may be started: an allowlist of resolved executables and of working folders, enforced where they are started
 * (P16). Not a list of forbidden words: there is no shell that words could be smuggled past.
 */
import { realpathSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { assertFolder, codeOf, findExecutable } from './process/executable.ts';

export interface SpawnPolicy {
  /** Executables, and folders (with a slash at the end) all of whose files may be started; undefined: any. Absolute paths. */
  readonly executables?: readonly string[] | undefined;
  /** Folders in and below which a command may start; undefined: any. Absolute paths. */
  readonly folders?: readonly string[] | undefined;
}

export interface SpawnRequest {
  readonly command: string;
  readonly cwd: string;
  /** PATH that the command is looked up in. */
  readonly path: string | undefined;
}

export type SpawnVerdict =
  /** `file`: what to start, as found. */
  | { readonly kind: 'allowed'; readonly file: string }
  /** `text` says what was refused, and what the owner would have to allow. */
  | { readonly kind: 'refused'; readonly text: string };

/** Throws a SpawnError when there is no such program or folder. */
export function judgeSpawn(request: SpawnRequest, policy: SpawnPolicy): SpawnVerdict {
  const { command, cwd, path } = request;
  assertFolder(cwd);
  const file = findExecutable(command, path, cwd);
  const real = realpathSync(file);
  if (policy.executables !== undefined && !isListed(file, real, policy.executables)) {
    const what = real === file ? file : `${file} (which is ${real})`;
    return refusal(`${what} is not among the commands that may be started`, policy.executables, 'executable');
  }
  const folder = realpathSync(cwd);
  if (policy.folders !== undefined && !policy.folders.some((allowed) => isWithin(folder, allowed)))
    return refusal(`Commands may not be started in ${folder}`, policy.folders, 'folder');
  return { kind: 'allowed', file };
}

function refusal(text: string, list: readonly string[], what: 'executable' | 'folder'): SpawnVerdict {
  const allowed = list.length === 0 ? 'none is' : `allowed are: ${list.join(', ')}`;
  return {
    kind: 'refused',
    text: `${text} (${allowed}). The owner of the daemon can add the ${what} to its configuration.`,
  };
}

/**
 * A file is what an entry names, or what it leads to is. An entry's own link is not followed: many names lead to one busybox, and
 * who allowed its `ls` did not allow its `sh`.
 */
function isListed(file: string, real: string, list: readonly string[]): boolean {
  const named = namedPath(file);
  return list.some((entry) =>
    entry.endsWith(sep) ? isWithin(real, entry) : real === entry || named === namedPath(entry),
  );
}

/** The path with its folders resolved, and the last name as it is. */
function namedPath(path: string): string {
  return join(realPath(dirname(path)) ?? dirname(path), basename(path));
}

function isWithin(path: string, folder: string): boolean {
  const root = realPath(folder);
  if (root === undefined) return false;
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** Undefined for a path that is not there: then nothing is it. */
function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP'].includes(codeOf(error))) return undefined;
    throw error;
  }
}
