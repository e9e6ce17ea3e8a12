/** Which sends are refused before their first byte. */
import type { CoreError, SendRequest } from './events.ts';
import type { Floor } from './floor.ts';
import type { Pacer } from './pacer.ts';

/** Why nothing of this send may go. An urgent key asks nobody (L15). */
export function refusalOf(
  { token, reader, bytes, isUrgent = false }: SendRequest,
  floor: Floor,
  pacer: Pacer,
): CoreError | undefined {
  if (token !== undefined && !floor.isCurrent(token)) {
    return {
      name: 'floor_lost',
      detail: 'The floor was taken from this call; nothing more of it was sent.',
    };
  }
  const { holder } = floor;
  if (token === undefined && !isUrgent && holder !== undefined && holder.author.reader !== reader) {
    return { name: 'floor_held', detail: `${holder.author.client} has the floor; nothing was sent.` };
  }
  if (isUrgent || pacer.hasRoomFor(bytes.length)) return undefined;
  const detail = `${pacer.pendingBytes} bytes of input wait already, so none of these ${bytes.length} was sent.`;
  return { name: 'input_queue_full', detail };
}
