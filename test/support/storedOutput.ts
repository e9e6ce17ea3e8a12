/** What stands in the files of a journal, read as anybody could: without a line of ours. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Stretch {
  readonly from: number;
  readonly to: number;
}

export interface StoredBytes extends Stretch {
  readonly bytes: Buffer;
}

/** The raw output in the folder: each file's bytes from its offset on, up to where the next file begins. */
export function storedOutput(folder: string): readonly StoredBytes[] {
  const names = readdirSync(folder).filter((name) => /^out-\d{20}$/.test(name));
  const keys = names.map((name) => Number(name.slice(4))).sort((a, b) => a - b);
  return keys.map((from, index) => {
    const all = readFileSync(join(folder, `out-${String(from).padStart(20, '0')}`));
    const bytes = all.subarray(0, (keys[index + 1] ?? Number.POSITIVE_INFINITY) - from);
    return { from, to: from + bytes.length, bytes };
  });
}

/** What lies between the files, up to `end`. */
export function holesOf(files: readonly Stretch[], end: number): readonly Stretch[] {
  const holes: Stretch[] = [];
  let at = 0;
  for (const { from, to } of [...files, { from: end, to: end }]) {
    if (from > at) holes.push({ from: at, to: from });
    at = Math.max(at, to);
  }
  return holes;
}

/** Whether what is kept of `[start, start + sent.length)` is what was sent there. */
export function isAsSent(files: readonly StoredBytes[], start: number, sent: Buffer): boolean {
  return files.every(({ from, to, bytes }) => {
    const [a, b] = [Math.max(from, start), Math.min(to, start + sent.length)];
    return a >= b || bytes.subarray(a - from, b - from).equals(sent.subarray(a - start, b - start));
  });
}
