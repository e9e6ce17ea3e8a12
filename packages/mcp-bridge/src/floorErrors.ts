/** Refusals of the floor as a model reads them: who has it, that nothing was sent, and how to come to it. */
import { RPC_ERRORS, type RpcErrorName, rpcErrorName } from '@pidp10/protocol/errors';
import { type Floor, toHolderSentence, toQueue } from './floorText.ts';
import type { ToolName } from './toolError.ts';

type FloorErrorName = Extract<RpcErrorName, 'floor_held' | 'floor_lost' | 'floor_not_yours'>;

const ASK = 'ask for it with floor(action="take", message="why")';
const FORCE = 'only if the person said so, floor(action="take", force=true)';

export interface FloorRefusal {
  readonly code: number;
  /** The daemon's own, which is shown where the error does not carry who has the floor. */
  readonly message: string;
  readonly floor: Floor | undefined;
}

/** Undefined for any other error. */
export function toFloorError({ code, message, floor }: FloorRefusal, tool: ToolName): string | undefined {
  const name = rpcErrorName(code);
  switch (name) {
    case 'floor_held':
    case 'floor_lost':
    case 'floor_not_yours':
      return `${name}: ${toSituation(floor) ?? withoutRemedy(name, message)} ${toAdvice(name, tool)}`;
    default:
      return undefined;
  }
}

/** The table's remedy names methods of the daemon, which a model does not have; that nothing was sent the advice says. */
function withoutRemedy(name: FloorErrorName, message: string): string {
  return message
    .replace(RPC_ERRORS[name].remedy, '')
    .trim()
    .replace(/[.;] nothing was sent\.$/i, '.');
}

function toSituation(floor: Floor | undefined): string | undefined {
  if (floor?.holder === undefined) return undefined;
  const { holder, waiting } = floor;
  return `${toHolderSentence(holder)}.${waiting === 0 ? '' : ` ${toQueue(waiting)}.`}`;
}

function toAdvice(name: FloorErrorName, tool: ToolName): string {
  switch (name) {
    case 'floor_held':
      return toHeldAdvice(tool);
    case 'floor_lost':
      return 'What you took is no longer yours: somebody took it, or its time ran out. Nothing was sent. Call read (and history) to see what happened meanwhile; then repeat the call, which now waits its turn like any other, or take the floor again.';
    case 'floor_not_yours':
      return 'You do not have the floor, so there was nothing to give back.';
    default:
      return name satisfies never;
  }
}

function toHeldAdvice(tool: ToolName): string {
  switch (tool) {
    case 'floor':
      return 'You do not have it. A message that you gave is with the holder, who may give the floor back: call floor(action="take") again to wait on, or read to see what goes on.';
    case 'close':
      return `The line was not closed: others work on it. To close it all the same, ${ASK}, or, ${FORCE}, then close.`;
    default:
      return `Nothing was sent. Repeat the call to wait on; or ${ASK}; or, ${FORCE}.`;
  }
}
