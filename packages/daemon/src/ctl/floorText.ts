/** Who may type on the line, in plain words. */
import type { MethodResult } from '@pidp10/protocol/methods';

type Floor = MethodResult<'floor.status'>;

/** A clause without a full stop. */
export function describeFloorHolder({ holder }: Floor): string {
  if (holder === undefined) return 'nobody has the floor';
  if (holder.isYou) return 'you have the floor';
  return `${describeAuthor(holder)} has the floor`;
}

/** `claude (agent)`, by client and reader. */
export function describeAuthor({ client, reader }: { client: string; reader?: string | undefined }): string {
  return reader === undefined || reader === client ? client : `${client} (${reader})`;
}
