/** Errors of the line and of what is typed and read on a channel: 1100 to 1199. */
import type { ErrorEntry } from './errorEntry.ts';

export const LINE_ERRORS = {
  line_busy: {
    code: 1101,
    meaning: 'The simulator says that the line is held by another connection.',
    remedy: 'Find out who holds it (another program, another daemon, a dead client); then open again.',
  },
  line_all_busy: {
    code: 1102,
    meaning: 'The simulator says that all its lines are held.',
    remedy: 'Close a terminal somewhere, then open again.',
  },
  line_not_available: {
    code: 1103,
    meaning: 'The simulator says that the line is not available.',
    remedy: 'Check the line in the simulator configuration.',
  },
  line_no_answer: {
    code: 1104,
    meaning: 'The simulator says that no line answers.',
    remedy: 'Check the line in the simulator configuration.',
  },
  line_rejected: {
    code: 1105,
    meaning: 'The simulator refuses connections from this address.',
    remedy: 'Connect from a machine the simulator allows.',
  },
  line_closed_silent: {
    code: 1106,
    meaning: 'The far end closed the connection without a word.',
    remedy: 'Check that the port belongs to the simulator.',
  },
  line_reset: {
    code: 1107,
    meaning: 'The far end reset the connection before its greeting.',
    remedy: 'Check the simulator; then open again.',
  },
  no_greeting: {
    code: 1108,
    meaning: 'TCP is up, but the simulator is not servicing the port: no greeting came in time.',
    remedy: 'The simulator may be halted (sim> prompt). Open again to wait on, or close to give up.',
  },
  connect_refused: {
    code: 1109,
    meaning: 'Nothing listens at that host and port.',
    remedy: 'Start the simulator, or correct host and port.',
  },
  connect_timeout: {
    code: 1110,
    meaning: 'No TCP connection came up in time.',
    remedy: 'Check the address and the network; then open again.',
  },
  host_unknown: {
    code: 1111,
    meaning: 'The host name has no address.',
    remedy: 'Check the name, or use an address.',
  },
  connect_failed: {
    code: 1112,
    meaning: 'The TCP connection could not be made.',
    remedy: 'The message names each address tried and its error.',
  },
  line_not_open: {
    code: 1120,
    meaning: 'The line is not open; nothing was sent.',
    remedy: 'Open the line, then repeat the call.',
  },
  line_open_elsewhere: {
    code: 1121,
    meaning: 'The line is open to another host or port.',
    remedy: 'Close it first if you really want the other one.',
  },
  open_aborted: {
    code: 1122,
    meaning: 'The line was closed while it was being opened.',
    remedy: 'Open again.',
  },
  bad_escape: {
    code: 1130,
    meaning: 'An unknown or unfinished ~ escape in the input; nothing was sent.',
    remedy: 'A plain tilde is ~~. The message gives the position.',
  },
  input_not_seven_bit: {
    code: 1131,
    meaning: 'A character that the line cannot carry; nothing was sent.',
    remedy: 'Use plain ASCII on a 7-bit line. The message gives position and character.',
  },
  input_too_long: {
    code: 1132,
    meaning: 'The input exceeds the limit for one send; nothing was sent.',
    remedy: 'Send it in pieces.',
  },
  pattern_invalid: {
    code: 1133,
    meaning: 'The pattern is not valid, or too large; nothing was sent.',
    remedy: 'The message gives the position. The syntax is RE2: no lookaround, no backreferences.',
  },
  input_queue_full: {
    code: 1134,
    meaning: 'The far end is not taking input and too much is waiting already; nothing was sent.',
    remedy: 'Read to see what the line says, and send again when it has taken what is waiting.',
  },
  not_at_ddt: {
    code: 1135,
    meaning: 'DDT is not waiting for a command, so nothing was begun.',
    remedy: 'Bring the line to DDT first (quit the program, answer the question), then repeat the call.',
  },
  file_failed: {
    code: 1136,
    meaning: 'ITS refused the file, or it came out different from what was sent.',
    remedy:
      'Nothing half-done is left: put right what ITS names, such as the file name, and repeat the call.',
  },
  confirmation_required: {
    code: 1138,
    meaning:
      'The line that this input completes needs a person’s word; nothing was sent, and what stood of that line was cancelled.',
    remedy: 'Ask the person whose machine it is; if the answer is yes, send it again with confirm.',
  },
  call_cancelled: {
    code: 1139,
    meaning: 'The call was cancelled before its turn came; nothing was sent.',
    remedy: 'None needed.',
  },
  codec_not_telnet: {
    code: 1137,
    meaning: 'The line is raw: telnet bytes would be typed into it.',
    remedy: 'None needed: a raw line cannot be made deaf by 0xFF.',
  },
  offset_out_of_range: {
    code: 1140,
    meaning: 'The offset lies behind the end of the stream.',
    remedy: 'Offsets run from 0 to the end that status gives.',
  },
  reader_required: {
    code: 1141,
    meaning: 'The connection has no named reader.',
    remedy: 'Name one in hello.',
  },
  reader_unknown: {
    code: 1142,
    meaning: 'There is no reader of that name.',
    remedy: 'reader.list names them all.',
  },
  reader_in_use: {
    code: 1143,
    meaning: 'A connection holds the reader, or the name that it should get.',
    remedy: 'Close that client first, or choose another name.',
  },
  floor_held: {
    code: 1150,
    meaning: 'Another client has the floor; nothing was sent.',
    remedy:
      'Wait and repeat, ask for it (floor.request with a message), or take it by force if a person says so.',
  },
  floor_lost: {
    code: 1151,
    meaning: 'The token is stale: the floor has changed hands since; nothing was sent.',
    remedy: 'Read what happened meanwhile, then request the floor again.',
  },
  floor_not_yours: {
    code: 1152,
    meaning: 'The caller does not have the floor, so there is nothing to give back.',
    remedy: 'floor.status says who has it.',
  },
  read_only: {
    code: 1153,
    meaning: 'The connection said hello as a spy and may not type.',
    remedy: 'Connect again with access `full`; a spy is never promoted.',
  },
  watch_unknown: {
    code: 1160,
    meaning: 'The connection has no such watch.',
    remedy: 'line.watch gives the number.',
  },
  too_many_watches: {
    code: 1161,
    meaning: 'The connection has its maximum of watches.',
    remedy: 'End one with line.unwatch.',
  },
} as const satisfies Record<string, ErrorEntry>;
