/** Signals for a child by name, and never for whoever got its number later (P10). */
import { constants } from 'node:os';
import { signalForeground, signalGroup, signalLeader } from '../processTree.ts';
import type { SignalResult, SignalTarget } from './processHandle.ts';

export interface Child {
  readonly pid: number;
  /** Undefined: it was gone before one could look. */
  readonly startTime: number | undefined;
}

/** Throws a RangeError for a name that the system does not know. */
export function toSignal(name: string): NodeJS.Signals {
  if (!Object.hasOwn(constants.signals, name)) {
    throw new RangeError(
      `There is no signal ${name}. Names are ${Object.keys(constants.signals).join(', ')}.`,
    );
  }
  return name as NodeJS.Signals;
}

export function signalName(number: number): string | undefined {
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
}

export function signalChild(
  { pid, startTime, isAlive }: Child & { readonly isAlive: boolean },
  name: string,
  target: SignalTarget,
): SignalResult {
  const signal = toSignal(name);
  if (startTime === undefined) return { kind: 'gone' };
  const leader = { pid, startTime };
  switch (target) {
    case 'group':
      return signalGroup(leader, signal);
    case 'leader':
      return isAlive ? signalLeader(leader, signal) : { kind: 'gone' };
    case 'foreground':
      return signalForeground(leader, signal);
    default:
      return target satisfies never;
  }
}
