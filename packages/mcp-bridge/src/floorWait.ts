/** How long a call queues for the floor. The queue comes before the rest of a call, and both must fit into a client's patience. */
import type { ToolCall } from './defineTool.ts';
import type { Settings } from './settings.ts';

/** Time in the queue by default, in ms: a dialogue of others gives way after 15 s, and their last call may take its time. */
export const DEFAULT_FLOOR_WAIT_MS = 30_000;
/** Longest share of `returnAfterMs` that goes to the queue where the client asks for no progress: 30 s of 45. */
const FLOOR_SHARE = 2 / 3;

export interface FloorArgs {
  readonly floor: 'wait' | 'fail';
  readonly floor_wait_ms?: number | undefined;
}

export interface FloorWait {
  readonly floor: 'wait' | 'fail';
  readonly floorWaitMs: number;
}

export interface Patience extends Pick<Settings, 'returnAfterMs'>, Pick<ToolCall, 'notifyProgress'> {
  /** What else the call may take and the daemon does not count within `returnAfterMs`, in ms. Default: nothing. */
  readonly otherMs?: number;
}

/** Without progress the daemon counts the queue within `returnAfterMs`: a third of it at least is left for the answer. */
export function toFloorWait(
  { floor, floor_wait_ms: wantedMs = DEFAULT_FLOOR_WAIT_MS }: FloorArgs,
  { returnAfterMs, notifyProgress, otherMs = 0 }: Patience,
): FloorWait {
  if (floor === 'fail') return { floor, floorWaitMs: 0 };
  if (notifyProgress !== undefined) return { floor, floorWaitMs: wantedMs };
  const mostMs = Math.min(Math.floor(returnAfterMs * FLOOR_SHARE), Math.max(returnAfterMs - otherMs, 0));
  return { floor, floorWaitMs: Math.min(wantedMs, mostMs) };
}
