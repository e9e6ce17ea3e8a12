/**
 * The few things the journal asks of a file system, as an interface, so that tests can make each of them fail.
 *
 * Every file is made with O_EXCL and O_NOFOLLOW, mode 0600, and only ever appended to (O_APPEND: a file that somebody
 * else cut short gets no hole of NULs). Nothing is followed, nothing that exists is overwritten (S09).
 */

import * as fs from 'node:fs';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir, rename, statfs, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

export interface FileEntry {
  readonly name: string;
  readonly bytes: number;
}

export interface AppendFile {
  /** Starts the write in the same tick; resolves with the bytes written, which may be fewer. */
  append(parts: readonly Uint8Array[]): Promise<number>;
  /** Bytes in the file by now. */
  size(): Promise<number>;
  /** Whether its name still leads to this file. */
  isInPlace(): Promise<boolean>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface Files {
  /** Ordinary files of this user in the folder; links, folders and foreign files are left out. */
  list(folder: string): Promise<readonly FileEntry[]>;
  /** Rejects with EEXIST where anything, also a link, has the name. */
  create(path: string): Promise<AppendFile>;
  /** At most `length` bytes from `position` on; fewer at the end of the file. Follows no link. */
  read(path: string, position: number, length: number): Promise<Uint8Array>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Bytes that this user may still write to the file system. */
  freeBytes(folder: string): Promise<number>;
}

const CREATE =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** What file systems answer that cannot sync a folder and need not. */
const NO_FOLDER_SYNC = new Set(['EINVAL', 'ENOTSUP', 'EPERM']);

export const nodeFiles: Files = {
  async list(folder) {
    const uid = process.getuid?.();
    const entries = await Promise.all((await readdir(folder)).map((name) => entryOf(folder, name, uid)));
    return entries.filter((entry) => entry !== undefined);
  },

  async create(path) {
    const handle = await open(path, CREATE, 0o600);
    try {
      await syncFolder(dirname(path));
      const { ino, dev } = await handle.stat({ bigint: true });
      return new NodeAppendFile(path, handle, { ino, dev });
    } catch (error) {
      await handle.close().catch(() => undefined);
      await unlink(path).catch(() => undefined);
      throw error;
    }
  },

  async read(path, position, length) {
    const handle = await open(path, READ);
    try {
      const buffer = new Uint8Array(length);
      let filled = 0;
      while (filled < length) {
        const { bytesRead } = await handle.read(buffer, filled, length - filled, position + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return buffer.subarray(0, filled);
    } finally {
      await handle.close();
    }
  },

  rename: (from, to) => rename(from, to),
  remove: (path) => unlink(path),

  async freeBytes(folder) {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  },
};

class NodeAppendFile implements AppendFile {
  readonly #path: string;
  readonly #handle: FileHandle;
  readonly #identity: { readonly ino: bigint; readonly dev: bigint };

  constructor(path: string, handle: FileHandle, identity: { ino: bigint; dev: bigint }) {
    this.#path = path;
    this.#handle = handle;
    this.#identity = identity;
  }

  append(parts: readonly Uint8Array[]): Promise<number> {
    return new Promise((resolve, reject) => {
      // The callback form is known to hand the write over before it returns.
      fs.writev(this.#handle.fd, [...parts], (error, written) => {
        if (error === null) resolve(written);
        else reject(error);
      });
    });
  }

  async size(): Promise<number> {
    return (await this.#handle.stat()).size;
  }

  async isInPlace(): Promise<boolean> {
    try {
      const { ino, dev } = await lstat(this.#path, { bigint: true });
      return ino === this.#identity.ino && dev === this.#identity.dev;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return false;
      throw error;
    }
  }

  sync(): Promise<void> {
    return this.#handle.datasync();
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

/** `ENOSPC` and its like; `EIO` for what has no code. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'EIO';
}

/** A new file's name is on the disk only when its folder was synced. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await handle.sync();
  } catch (error) {
    if (!NO_FOLDER_SYNC.has(codeOf(error))) throw error;
  } finally {
    await handle.close();
  }
}

async function entryOf(
  folder: string,
  name: string,
  uid: number | undefined,
): Promise<FileEntry | undefined> {
  try {
    const status = await lstat(join(folder, name));
    const isOurs = status.isFile() && (uid === undefined || status.uid === uid);
    return isOurs ? { name: basename(name), bytes: status.size } : undefined;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
