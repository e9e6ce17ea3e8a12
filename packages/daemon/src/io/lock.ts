/**
 * The lock that makes a daemon the only one of its name and state folder (docs/adr/0005-the-lock.md).
 *
 * A lock of flock(2) belongs to the open file, not to the process that asked for it: `flock` (util-linux) locks the
 * descriptor it inherits and exits, and the lock lives as long as this process keeps the descriptor, kill -9 included.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, constants, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';

/** O_EXLOCK of macOS (sys/fcntl.h), which Node does not name. */
const O_EXLOCK = 0x20;
/** Exit status of `flock -n` for a lock that somebody has. */
const FLOCK_TAKEN = 1;

export type LockResult =
  | { readonly kind: 'locked'; readonly lock: Lock }
  /** `holder`: the process id that the holder wrote down, for messages. */
  | { readonly kind: 'taken'; readonly holder: string };

export class Lock implements Disposable {
  readonly fd: number;

  constructor(fd: number) {
    this.fd = fd;
  }

  [Symbol.dispose](): void {
    closeSync(this.fd);
  }
}

/** The lock that a predecessor has handed over: it holds as long as somebody has the descriptor open. */
export function inheritLock(fd: number, pid: number): Lock {
  ftruncateSync(fd);
  writeSync(fd, `${pid}\n`, 0);
  return new Lock(fd);
}

/** Throws when the file cannot be opened or there is no `flock` program. */
export function acquireLock(path: string, pid: number, platform: NodeJS.Platform): LockResult {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW;
  const fd = platform === 'darwin' ? openLocked(path, flags) : openSync(path, flags, 0o600);
  if (fd === undefined) return { kind: 'taken', holder: holderOf(path) };
  if (platform !== 'darwin' && !lockDescriptor(fd, path)) {
    closeSync(fd);
    return { kind: 'taken', holder: holderOf(path) };
  }
  ftruncateSync(fd);
  writeSync(fd, `${pid}\n`, 0);
  return { kind: 'locked', lock: new Lock(fd) };
}

function openLocked(path: string, flags: number): number | undefined {
  try {
    return openSync(path, flags | O_EXLOCK | constants.O_NONBLOCK, 0o600);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return undefined;
    throw error;
  }
}

function lockDescriptor(fd: number, path: string): boolean {
  const { status, error } = spawnSync('flock', ['-n', '3'], { stdio: ['ignore', 'ignore', 'ignore', fd] });
  if (status === 0) return true;
  if (status === FLOCK_TAKEN) return false;
  throw new Error(
    `locking ${path} failed: the flock program of util-linux is needed (${error?.message ?? `status ${status}`})`,
    {
      cause: error,
    },
  );
}

function holderOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}
