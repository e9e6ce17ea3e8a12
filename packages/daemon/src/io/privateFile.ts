/**
 * A small file of ours, mode 0600, that is replaced as a whole: whoever reads it, also behind a power cut, gets one version or the
 * other (S12). Writes are made one after the other, and only the newest of those that wait.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;
/** Larger files are none of ours. */
const MAX_BYTES = 16 * 1024 * 1024;

export class PrivateFile {
  readonly path: string;
  #next: string | undefined;
  #writing: Promise<void> | undefined;

  constructor(path: string) {
    this.path = path;
  }

  /** Resolves when this text, or a newer one, is on the disk. Rejects when that failed; the old version is there then. */
  put(text: string): Promise<void> {
    this.#next = text;
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  /** Resolves when no write is under way. Never rejects. */
  async idle(): Promise<void> {
    await this.#writing?.catch(() => undefined);
  }

  async #writeAll(): Promise<void> {
    for (let text = this.#next; text !== undefined; text = this.#next) {
      this.#next = undefined;
      await this.#write(text);
    }
  }

  async #write(text: string): Promise<void> {
    const fresh = `${this.path}.new`;
    const file = await open(fresh, CREATE, 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(fresh, this.path);
  }
}

/** Undefined where there is no such file, or none that is ours to read. Follows no link. */
export function readPrivateFile(path: string): string | undefined {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const { size } = fstatSync(fd);
    return size > MAX_BYTES ? undefined : readFileSync(fd, 'utf8');
  } catch {
    return undefined;
  } finally {
    closeSync(fd);
  }
}
