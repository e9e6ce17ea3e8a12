/** Texts that clients ask to have written: private files in one folder of the daemon's. */
import { constants } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';

/** Replaces a file of that name, follows no link; resolves with its path. */
export async function saveText(folder: string, name: string, text: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, name);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;
  const file = await open(path, flags, 0o600);
  try {
    await file.writeFile(text);
  } finally {
    await file.close();
  }
  return path;
}
