/** Errors of command sessions, 1200 to 1229, and of secrets, 1230 to 1239. */
import type { ErrorEntry } from './errorEntry.ts';

export const SESSION_ERRORS = {
  session_unknown: {
    code: 1200,
    meaning: 'There is no session of that id or name.',
    remedy: 'session.list names those that are kept.',
  },
  session_exited: {
    code: 1201,
    meaning: 'The program has exited; nothing was done.',
    remedy: 'Its output can still be read; start it again if it is needed.',
  },
  session_running: {
    code: 1202,
    meaning: 'The program is still running, so its session was not deleted.',
    remedy: 'Stop it first, or delete it with `stop`.',
  },
  session_name_taken: {
    code: 1203,
    meaning: 'A session of that name is kept already; nothing was started.',
    remedy: 'Choose another name, or delete that session.',
  },
  too_many_sessions: {
    code: 1204,
    meaning: 'The daemon runs or keeps its maximum of sessions; nothing was started.',
    remedy: 'Stop or delete those that are no longer needed.',
  },
  start_failed: {
    code: 1205,
    meaning: 'The program could not be started; nothing is left of it.',
    remedy: 'The message says which path and why.',
  },
  commands_off: {
    code: 1206,
    meaning: "The daemon's configuration lets this client start no commands.",
    remedy: 'The owner of the daemon can change `commands` in its configuration.',
  },
  command_refused: {
    code: 1207,
    meaning: "The daemon's configuration does not list this program or folder; nothing was started.",
    remedy: 'The owner of the daemon can add it to its configuration.',
  },
  pty_unavailable: {
    code: 1208,
    meaning: 'No terminal can be made; nothing was started.',
    remedy: 'The message says what to install. Without `pty` everything works.',
  },
  terminal_line_too_long: {
    code: 1209,
    meaning:
      'The terminal collects lines and would drop the end of this one without a word; nothing was sent.',
    remedy: 'Send shorter lines, or let the program set its terminal to raw mode.',
  },
  not_a_terminal: {
    code: 1210,
    meaning: 'The session is on pipes and has no terminal.',
    remedy: 'Start it with `pty`.',
  },
  signal_refused: {
    code: 1211,
    meaning: 'The system did not let the signal through.',
    remedy: 'The program may run as another user.',
  },
  sessions_running: {
    code: 1212,
    meaning: 'Commands are running, and they would not outlive an upgrade; nothing was done.',
    remedy: 'Wait for them, stop them, or upgrade with `endSessions`.',
  },
  input_closed: {
    code: 1213,
    meaning: 'The program takes no more input: it, or a client, has closed it; nothing was sent.',
    remedy: 'Read its output; start it again if it is needed.',
  },
  secret_unknown: {
    code: 1230,
    meaning: 'Nobody asks, or asked, for a secret of that id.',
    remedy: 'secret.list names those that are asked for; ask anew with secret.request.',
  },
  secret_over: {
    code: 1231,
    meaning: 'The secret is not asked for any more; nothing was sent.',
    remedy: 'It has to be asked for anew.',
  },
  too_many_secrets: {
    code: 1232,
    meaning: 'The daemon asks for its maximum of secrets at once.',
    remedy: 'Answer or cancel one of them first.',
  },
  secret_unfit: {
    code: 1233,
    meaning: 'The secret cannot be typed there; nothing was sent, and it is still asked for.',
    remedy: 'The message says which characters may be used.',
  },
} as const satisfies Record<string, ErrorEntry>;
