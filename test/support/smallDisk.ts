/** A small file system of its own for a daemon's journal, in a mount namespace that ends with the daemon. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Program, Sandbox } from './sandbox.ts';

/** Why no small disk can be had here; undefined where it can, or where `PIDP10_REQUIRE_TOOLS=1` says that it must. */
export function whyNoSmallDisk(): string | undefined {
  if (process.env['PIDP10_REQUIRE_TOOLS'] === '1' || isAllowed()) return undefined;
  return 'mounting in a namespace of its own needs Linux, unshare(1) and root';
}

function isAllowed(): boolean {
  if (process.platform !== 'linux') return false;
  return spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;
}

/** Launcher of a daemon whose journal lies on a tmpfs of so many bytes. The program's pid stays its own. */
export function onSmallDisk(sandbox: Sandbox, bytes: number): readonly string[] {
  const folder = journalFolder(sandbox);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const script = `mount -t tmpfs -o size=${bytes},mode=700 tmpfs "$1" && shift && exec "$@"`;
  return ['unshare', '-m', 'sh', '-c', script, 'sh', folder];
}

function journalFolder(sandbox: Sandbox): string {
  return join(sandbox.stateDir, 'journal', 'line');
}

/** The journal's folder as the daemon sees it. */
export function folderOf(daemon: Program, sandbox: Sandbox): string {
  return `/proc/${daemon.pid}/root${journalFolder(sandbox)}`;
}

/** Takes all the space that is left; disposing gives it back. */
export function fill(folder: string): Disposable {
  const filler = join(folder, 'filler');
  for (const size of [1_048_576, 65_536, 4_096, 1]) {
    const block = Buffer.alloc(size);
    try {
      for (;;) writeFileSync(filler, block, { flag: 'a' });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
    }
  }
  return { [Symbol.dispose]: () => rmSync(filler, { force: true }) };
}
