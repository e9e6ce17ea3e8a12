/**
 * Keeps our descriptors from children (P11).
 *
 * Node opens everything close-on-exec, but the PTY library does not (microsoft/node-pty#657, #867: a later version closes them in
 * the children that it starts itself), and neither is what our own parent left open. Nothing in Node sets the flag, so a
 * child that would inherit something is started by a shell that closes exactly those descriptors and then becomes the
 * program: same process, arguments untouched. Remove this when the PTY library marks its masters.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

export interface Invocation {
  readonly file: string;
  readonly args: readonly string[];
}

/** O_CLOEXEC in the octal flags of /proc/PID/fdinfo, on every architecture of ours. */
const CLOSE_ON_EXEC = 0o2000000;
const SHELLS = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'] as const;
/** `$1` are the descriptors, the rest is the program. Fixed text: nothing of the caller's is ever parsed. */
const CLOSE_AND_BECOME =
  'for descriptor in $1; do exec {descriptor}>&-; done; shift; unset descriptor; exec "$@"';

/** Descriptors above 2 that a child would get. Empty where the system does not tell (macOS closes them itself). */
export function inheritableDescriptors(): readonly number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc/self/fdinfo')
    .map(Number)
    .filter((fd) => fd > 2 && !isClosedOnExec(fd));
}

/** The invocation that ends up as `invocation` without `descriptors`; unchanged where there is no shell that can do it. */
export function withoutDescriptors(
  invocation: Invocation,
  descriptors: readonly number[] = inheritableDescriptors(),
): Invocation {
  const shell = SHELLS.find((path) => existsSync(path));
  if (descriptors.length === 0 || shell === undefined) return invocation;
  return {
    file: shell,
    // -p: no startup file and no function of the environment is read.
    args: [
      '-p',
      '-c',
      CLOSE_AND_BECOME,
      'pidp10d',
      descriptors.join(' '),
      invocation.file,
      ...invocation.args,
    ],
  };
}

function isClosedOnExec(fd: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1];
    return flags === undefined || (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) !== 0;
  } catch {
    return true; // the one that listed the folder, closed again
  }
}
