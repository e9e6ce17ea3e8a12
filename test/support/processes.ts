/** What the system says about a process, and waiting for it to say something else. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Ticks of `/proc/PID/stat` in a second; fixed for all architectures that we know. */
const TICKS_PER_SECOND = 100;
const POLL_MS = 10;

/** Open descriptors as `/proc` names them, sorted. */
export function descriptors(pid: number): readonly string[] {
  return readdirSync(`/proc/${pid}/fd`)
    .map((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`);
      } catch {
        return ''; // closed between the two calls
      }
    })
    .filter((target) => target !== '')
    .sort();
}

/** Processor time used so far, in s. */
export function cpuSeconds(pid: number): number {
  // The name, in parentheses, may hold anything; utime and stime are the 12th and 13th field behind it.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Resident memory, in bytes. */
export function residentBytes(pid: number): number {
  const kibibytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kibibytes) * 1_024;
}

/** Whether the system still has a TCP socket with this local port: a reset leaves none, a FIN waits for its answer. */
export function hasTcpSocket(localPort: number): boolean {
  const port = `:${localPort.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = readFileSync('/proc/net/tcp', 'utf8').split('\n');
  return rows.some((row) => row.trim().split(/\s+/)[1]?.endsWith(port));
}

/** State letter of the process: T is stopped. */
export function processState(pid: number): string {
  return readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .charAt(0);
}

/** Waits until the condition holds; for what gives no event. Rejects naming `what`. */
export async function eventually(
  what: string,
  isThere: () => boolean | Promise<boolean>,
  timeoutMs = 15_000,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await isThere())) {
    if (performance.now() > deadline) throw new Error(`not within ${timeoutMs} ms: ${what}`);
    await pause(POLL_MS);
  }
}
