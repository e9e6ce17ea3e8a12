/** Processes of sessions whose daemon is gone: found by their leader, and by the mark in their environment. */
import { sharedLook } from './process/processLook.ts';
import type { ProcessId, ProcessInfo } from './process/processTable.ts';
import { membersOf } from './processTree.ts';

export interface Orphaned {
  readonly id: string;
  /** Undefined: the daemon ended before it had written it down. */
  readonly leader: ProcessId | undefined;
  /** `NAME=value` */
  readonly mark: string;
}

/** Nobody's number: then only the mark tells. */
const UNKNOWN: ProcessId = { pid: -1, startTime: 0 };

/** Who is alive of each of them; one look at the table of processes for all. */
export function findLeftovers(sessions: readonly Orphaned[]): ReadonlyMap<string, readonly ProcessInfo[]> {
  if (sessions.length === 0) return new Map();
  const { look } = sharedLook.take();
  return new Map(
    sessions.map(({ id, leader = UNKNOWN, mark }) => [
      id,
      membersOf(leader, look.processes, { isMarked: (pid) => look.startedWith(pid, mark) }),
    ]),
  );
}
