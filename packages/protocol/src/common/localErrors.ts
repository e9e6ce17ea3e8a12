/** Errors that a client finds on its own side; they never cross the wire, and have no number. */
import type { ErrorEntry } from './errorEntry.ts';

export const LOCAL_ERRORS = {
  daemon_not_running: {
    meaning: 'No daemon answers at the socket.',
    remedy: 'Start it: pidp10d, or the command that the message gives.',
  },
  daemon_not_answering: {
    meaning: 'The daemon took the connection but does not answer.',
    remedy: 'Look at the process the message names; it may be stopped or overloaded.',
  },
  socket_not_usable: {
    meaning: 'The socket could not be used.',
    remedy: 'The message gives the error of the system; no daemon is started while it lasts.',
  },
  name_invalid: {
    meaning: 'A daemon cannot have this name.',
    remedy: 'Use up to 32 letters, digits and . _ -, a letter or digit first.',
  },
  socket_path_too_long: {
    meaning: 'The path of the socket exceeds 103 bytes.',
    remedy: 'Choose a shorter state or runtime folder, or give --socket.',
  },
  spawn_failed: { meaning: 'The daemon could not be started.', remedy: 'The message says what was tried.' },
  connection_lost: {
    meaning: 'The connection to the daemon ended before the answer came.',
    remedy: 'Repeat the call; it dials anew. Whether the request was carried out is not known.',
  },
  unexpected_result: {
    meaning: 'The daemon answered in a shape that this client does not know.',
    remedy: 'Upgrade the older side.',
  },
  cancelled: { meaning: 'The caller gave the request up.', remedy: 'None needed.' },
} as const satisfies Record<string, Omit<ErrorEntry, 'code'>>;
