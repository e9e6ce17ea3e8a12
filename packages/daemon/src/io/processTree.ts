/**
 * All processes that a session started: those of its group and session, those that left both (setsid: P08) as long as a chain
 * of parents or the session's mark in their environment leads back, and what was known before.
 *
 * What escapes: a process that left the session, lost its parent before anybody looked and cleared its environment.
 */
import { codeOf } from './process/executable.ts';
import type { SignalResult } from './process/processHandle.ts';
import { type SharedLook, sharedLook } from './process/processLook.ts';
import {
  isSame,
  listProcesses,
  type ProcessId,
  type ProcessInfo,
  readProcess,
} from './process/processTable.ts';

export interface ProcessTreeOptions {
  /** The child that was started, leader of its session and group. */
  readonly leader: ProcessId;
  /** `NAME=value` in the environment of that child and of nobody else's (`childEnvironment.ts`). */
  readonly mark?: string | undefined;
  /** Default: that of all trees. */
  readonly looks?: SharedLook | undefined;
}

export class ProcessTree {
  readonly #leader: ProcessId;
  readonly #mark: string | undefined;
  readonly #looks: SharedLook;
  #known: readonly ProcessInfo[] = [];

  constructor({ leader, mark, looks = sharedLook }: ProcessTreeOptions) {
    this.#leader = leader;
    this.#mark = mark;
    this.#looks = looks;
    looks.forget(); // the leader may have begun in this turn
  }

  /** Who is alive of them now, the leader first; zombies are not. */
  scan(): readonly ProcessInfo[] {
    const mark = this.#mark;
    const { look, isNew } = this.#looks.take();
    const isMarked = mark === undefined ? () => false : (pid: number) => look.startedWith(pid, mark);
    const members = membersOf(this.#leader, look.processes, { known: this.#known, isMarked });
    // Who was killed since the look, in this same turn, is gone.
    this.#known = isNew ? members : members.filter(isAlive);
    return this.#known;
  }

  /**
   * Sends each of `signals` to everybody, the group in one go; returns to whom. A process that began since is found by the
   * next one.
   */
  signal(signals: readonly NodeJS.Signals[]): readonly ProcessInfo[] {
    const members = this.scan();
    const inGroup = members.filter(({ group }) => group === this.#leader.pid);
    for (const signal of signals) {
      // While a member lives, the group's number cannot be anybody else's.
      if (inGroup.length > 0) sendSignal(-this.#leader.pid, signal);
      for (const member of members)
        if (member.group !== this.#leader.pid && isSame(member)) sendSignal(member.pid, signal);
    }
    return members;
  }
}

export interface MembershipOptions {
  /** Members of an earlier look. */
  readonly known?: readonly ProcessId[];
  /** Whether a process carries the session's mark. */
  readonly isMarked?: (pid: number) => boolean;
}

/** The leader's tree in a table of processes. */
export function membersOf(
  leader: ProcessId,
  table: readonly ProcessInfo[],
  { known = [], isMarked = () => false }: MembershipOptions = {},
): readonly ProcessInfo[] {
  // Nobody can have the leader's number while a process of its session or group lives: then it is another's (P10).
  const isRecycled = table.some(({ pid, startTime }) => pid === leader.pid && startTime !== leader.startTime);
  const isMember = (info: ProcessInfo): boolean =>
    (info.pid === leader.pid && info.startTime === leader.startTime) ||
    (!isRecycled && (info.session === leader.pid || info.group === leader.pid)) ||
    known.some(({ pid, startTime }) => pid === info.pid && startTime === info.startTime) ||
    isMarked(info.pid);
  const members = new Map<number, ProcessInfo>();
  const candidates = table.filter(({ startTime }) => startTime >= leader.startTime);
  for (const info of candidates) if (isMember(info)) members.set(info.pid, info);
  for (let isGrowing = true; isGrowing; ) {
    isGrowing = false;
    for (const info of candidates) {
      if (members.has(info.pid) || !members.has(info.parent)) continue;
      members.set(info.pid, info);
      isGrowing = true;
    }
  }
  return [...members.values()]
    .filter(({ isZombie }) => !isZombie)
    .sort((a, b) => Number(b.pid === leader.pid) - Number(a.pid === leader.pid) || a.pid - b.pid);
}

function isAlive({ pid, startTime }: ProcessId): boolean {
  const info = readProcess(pid);
  return info?.startTime === startTime && !info.isZombie;
}

/**
 * Signals the leader's group: also its stopped and its background members. Behind the leader's end only while a member of it
 * is left.
 */
export function signalGroup(leader: ProcessId, signal: NodeJS.Signals): SignalResult {
  if (isSame(leader)) return sendSignal(-leader.pid, signal);
  const isLeft = membersOf(leader, listProcesses()).some(({ group }) => group === leader.pid);
  return isLeft ? sendSignal(-leader.pid, signal) : { kind: 'gone' };
}

export function signalLeader(leader: ProcessId, signal: NodeJS.Signals): SignalResult {
  const info = readProcess(leader.pid);
  if (info?.startTime !== leader.startTime || info.isZombie) return { kind: 'gone' };
  return sendSignal(leader.pid, signal);
}

/** Signals the group that reads from the leader's terminal. */
export function signalForeground(leader: ProcessId, signal: NodeJS.Signals): SignalResult {
  const info = readProcess(leader.pid);
  if (info?.startTime !== leader.startTime || info.foreground <= 0) return { kind: 'gone' };
  return sendSignal(-info.foreground, signal);
}

function sendSignal(pid: number, signal: NodeJS.Signals): SignalResult {
  try {
    process.kill(pid, signal);
    return { kind: 'sent' };
  } catch (error) {
    const code = codeOf(error);
    return code === 'ESRCH' ? { kind: 'gone' } : { kind: 'refused', code };
  }
}
