/**
 * Name of the bridge's reader, the place in the scrollback that the daemon keeps for it (CONTRACT 3): the same client in the
 * same folder goes on where it was, whatever became of the bridge in between.
 */
import { createHash } from 'node:crypto';
import { MAX_READER_NAME_CHARS } from '@pidp10/protocol/limits';

/** Hexadecimal digits of the folder's hash: enough for one person's folders. */
const HASH_CHARS = 8;
/** The daemon adds `#2` … for further live claimants. */
const SUFFIX_CHARS = 4;

/** Letters, digits and `. _ @ : + -` only, a letter or digit first. */
export function deriveReaderName(clientName: string, folder: string): string {
  const hash = createHash('sha256').update(folder).digest('hex').slice(0, HASH_CHARS);
  const plain = clientName.replace(/[^A-Za-z0-9._@:+-]+/g, '-').replace(/^[^A-Za-z0-9]+|-+$/g, '');
  const room = MAX_READER_NAME_CHARS - HASH_CHARS - SUFFIX_CHARS - 1;
  return `${plain.slice(0, room) || 'client'}-${hash}`;
}
