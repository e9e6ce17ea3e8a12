/** The journal's folder: private, ours, and a folder; anything else is refused with the remedy (S09). */
import { lstat, mkdir } from 'node:fs/promises';

const WRITABLE_BY_OTHERS = 0o022;

/** Makes the folder, mode 0700, where there is none. Rejects with an error that names the path and what to do. */
export async function secureFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw new Error(
      `the journal's folder ${path} cannot be made; see that its parent is a folder you may write to`,
      {
        cause: error,
      },
    );
  });
  const status = await lstat(path);
  const uid = process.getuid?.();
  const refuse = (found: string, remedy: string): never => {
    throw new Error(`the journal's folder ${path} ${found}; ${remedy}`);
  };
  if (status.isSymbolicLink()) refuse('is a symbolic link, which is never followed', 'remove the link');
  if (!status.isDirectory()) refuse('is not a folder', 'move it away');
  if (uid !== undefined && status.uid !== uid) {
    refuse(`belongs to user ${status.uid}, not to ${uid}`, `run: chown ${uid} ${path}, or move it away`);
  }
  if ((status.mode & WRITABLE_BY_OTHERS) !== 0) {
    refuse('can be written by others', `look what is in it, then run: chmod 700 ${path}`);
  }
}
