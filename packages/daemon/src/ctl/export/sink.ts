/** Where an export goes: a new private file, or standard output. */
import { closeSync, constants, fchmodSync, openSync, writeSync } from 'node:fs';
import { type Output, UsageError } from '../command.ts';

const PRIVATE = 0o600;

export interface Sink extends Disposable {
  write(data: string | Uint8Array): void;
}

/** Throws a usage error where a file of that name is and is not to be replaced. */
export function openSink(path: string | undefined, isForced: boolean, stdout: Output): Sink {
  if (path === undefined || path === '-')
    return { write: (data) => void stdout.write(data), [Symbol.dispose]: () => undefined };
  const { O_WRONLY, O_CREAT, O_EXCL, O_TRUNC, O_NOFOLLOW } = constants;
  const mode = isForced ? O_TRUNC | O_NOFOLLOW : O_EXCL;
  const file = attempt(path, () => openSync(path, O_WRONLY | O_CREAT | mode, PRIVATE));
  // One that is replaced had other rights perhaps.
  attempt(path, () => fchmodSync(file, PRIVATE));
  return {
    // The daemon waits while a disk is slow: what it has sent is read again only behind this.
    write: (data) => {
      const bytes = typeof data === 'string' ? Buffer.from(data) : data;
      for (let at = 0; at < bytes.length; ) at += attempt(path, () => writeSync(file, bytes, at));
    },
    [Symbol.dispose]: () => closeSync(file),
  };
}

function attempt<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    if (isThere) throw new UsageError(`${path} exists; --force replaces it`);
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`cannot write ${path}: ${reason}`, { cause: error });
  }
}
