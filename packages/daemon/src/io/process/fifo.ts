/**
 * Pipes for a child. What Node makes for `stdio: 'pipe'` are sockets, and a program that opens /dev/stdout or /dev/stderr by
 * name fails on those. Real pipes are had as FIFOs that are opened at both ends and then removed.
 */
import { execFile } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface PipeEnds {
  /** Our end: does not block. */
  readonly ours: number;
  /** The child's end: blocks, as programs expect. */
  readonly theirs: number;
}

const { O_RDONLY, O_WRONLY, O_RDWR, O_NONBLOCK } = constants;

/** One pipe for each direction asked for: `in` is what the child reads, `out` what it writes. Throws what the system says. */
export async function makePipes(
  directions: readonly ('in' | 'out')[],
  folder: string = tmpdir(),
): Promise<readonly PipeEnds[]> {
  const home = mkdtempSync(join(folder, 'pidp10-pipes-'));
  const made: PipeEnds[] = [];
  try {
    const paths = directions.map((_, index) => join(home, String(index)));
    await promisify(execFile)('mkfifo', ['-m', '600', '--', ...paths]);
    for (const [index, direction] of directions.entries()) made.push(openBoth(paths[index] ?? '', direction));
    return made;
  } catch (error) {
    for (const { ours, theirs } of made) {
      closeSync(ours);
      closeSync(theirs);
    }
    throw error;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function openBoth(path: string, direction: 'in' | 'out'): PipeEnds {
  // With an end for both directions open, no other open waits for its counterpart.
  const both = openSync(path, O_RDWR | O_NONBLOCK);
  try {
    const ours = openSync(path, (direction === 'in' ? O_WRONLY : O_RDONLY) | O_NONBLOCK);
    return { ours, theirs: openSync(path, direction === 'in' ? O_RDONLY : O_WRONLY) };
  } finally {
    closeSync(both);
  }
}
