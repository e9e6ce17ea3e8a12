/**
 * The system's table of processes: /proc on Linux (proc(5)), ps(1) on macOS.
 *
 * A pid alone names nobody for long; a pid and the time its process began do (P10). That time is in clock ticks since boot
 * on Linux, in seconds since 1970 on macOS; it is only ever compared.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessId {
  readonly pid: number;
  readonly startTime: number;
}

export interface ProcessInfo extends ProcessId {
  readonly parent: number;
  readonly group: number;
  /** Session id: the pid of its leader. 0 where the system does not tell. */
  readonly session: number;
  /** Foreground group of its terminal; -1: it has none. */
  readonly foreground: number;
  /** Ended, and its parent has not asked for its status yet. */
  readonly isZombie: boolean;
  /** First characters of the program's name. */
  readonly name: string;
}

/** The process that has this number now; undefined: none, or nobody tells. */
export function readProcess(pid: number): ProcessInfo | undefined {
  if (process.platform !== 'linux') return readWithPs(['-p', String(pid)])[0];
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return undefined;
  }
}

export function listProcesses(): readonly ProcessInfo[] {
  if (process.platform !== 'linux') return readWithPs(['-ax']);
  const found: ProcessInfo[] = [];
  for (const entry of readdirSync('/proc')) {
    const info = /^\d+$/.test(entry) ? readProcess(Number(entry)) : undefined;
    if (info !== undefined) found.push(info);
  }
  return found;
}

/** Whether it is the same process still, be it a zombie. */
export function isSame({ pid, startTime }: ProcessId): boolean {
  return readProcess(pid)?.startTime === startTime;
}

/** The environment that the process was started with, as `NAME=value`; empty when it is gone, or another user's. */
export function readEnvironment(pid: number): ReadonlySet<string> {
  try {
    return new Set(readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0'));
  } catch {
    return new Set();
  }
}

/** A line of /proc/PID/stat; the name may hold blanks and parentheses. */
export function parseStat(line: string): ProcessInfo | undefined {
  const open = line.indexOf('(');
  const close = line.lastIndexOf(')');
  if (open < 0 || close < open) return undefined;
  const fields = line.slice(close + 2).split(' ');
  const field = (number: number) => Number(fields[number - 3]); // counted as in proc(5)
  return {
    pid: Number(line.slice(0, open)),
    startTime: field(22),
    parent: field(4),
    group: field(5),
    session: field(6),
    foreground: field(8),
    isZombie: fields[0] === 'Z' || fields[0] === 'X',
    name: line.slice(open + 1, close),
  };
}

/** A line of `ps -o pid=,ppid=,pgid=,sess=,tpgid=,stat=,lstart=,ucomm=` in the C locale. */
export function parsePsLine(line: string): ProcessInfo | undefined {
  const [, pid, parent, group, session, foreground, state, started, name] =
    /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(-?\d+)\s+(\S+)\s+(\w+ +\w+ +\d+ +[\d:]+ +\d+)\s+(.*)$/.exec(line) ??
    [];
  if (pid === undefined || started === undefined) return undefined;
  return {
    pid: Number(pid),
    startTime: Date.parse(started) / 1_000,
    parent: Number(parent),
    group: Number(group),
    session: Number(session) || 0, // macOS prints an address
    foreground: Number(foreground) > 0 ? Number(foreground) : -1,
    isZombie: state?.startsWith('Z') ?? false,
    name: name?.trim() ?? '',
  };
}

const PS_COLUMNS = 'pid=,ppid=,pgid=,sess=,tpgid=,stat=,lstart=,ucomm=';

function readWithPs(which: readonly string[]): readonly ProcessInfo[] {
  try {
    const options = { encoding: 'utf8', env: { LC_ALL: 'C', PATH: '/bin:/usr/bin' } } as const;
    const table = execFileSync('ps', [...which, '-o', PS_COLUMNS], options);
    return table
      .split('\n')
      .map(parsePsLine)
      .filter((info) => info !== undefined);
  } catch {
    return []; // ps fails when there is none
  }
}
