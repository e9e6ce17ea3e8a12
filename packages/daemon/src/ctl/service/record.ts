/**
 * What was installed, with a checksum of each file: only that is replaced or removed without a question, and only while it is
 * still as we wrote it. Several daemons share man pages, completion files and the template unit; the last one takes them.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as z from 'zod';

const recordSchema = z.object({
  version: z.literal(1),
  daemons: z.record(
    z.string(),
    z.object({
      /** Path to SHA-256 of the text. */
      files: z.record(z.string(), z.string()),
      settings: z.record(z.string(), z.string()),
      user: z.string().optional(),
    }),
  ),
  /** Folders that were made for the files. */
  folders: z.array(z.string()),
});

export type InstallRecord = z.infer<typeof recordSchema>;

export const EMPTY_RECORD: InstallRecord = { version: 1, daemons: {}, folders: [] };

/** Empty where nothing was installed. Throws when the file is there and is not one of ours. */
export function readRecord(path: string): InstallRecord {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return EMPTY_RECORD;
    throw error;
  }
  const parsed = recordSchema.safeParse(tryJson(text));
  if (parsed.success) return parsed.data;
  throw new Error(
    `${path} is damaged, so that it is not known what was installed; remove it and install again with --force`,
  );
}

export function checksum(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Whether a text that stands at `path` was written by us, for whichever daemon. */
export function isOurs(record: InstallRecord, path: string, text: string): boolean {
  const sum = checksum(text);
  return Object.values(record.daemons).some(({ files }) => files[path] === sum);
}

/** Files of this daemon that no other one needs. */
export function filesOnlyOf(record: InstallRecord, name: string): string[] {
  const others = Object.entries(record.daemons).filter(([other]) => other !== name);
  const shared = new Set(others.flatMap(([, { files }]) => Object.keys(files)));
  return Object.keys(record.daemons[name]?.files ?? {}).filter((path) => !shared.has(path));
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
