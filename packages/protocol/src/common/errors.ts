/**
 * Every error of the system, in one table (docs/errors.md is made from it).
 * `RpcError` crosses the wire and carries a number; `LocalError` is found by a client on its own side and never does.
 * Application codes are positive, so that they can never be taken for JSON-RPC's own range (-32768 to -32000).
 */

export interface ErrorEntry {
  readonly code: number;
  readonly meaning: string;
  readonly remedy: string;
}

export const RPC_ERRORS = {
  parse_error: {
    code: -32700,
    meaning: 'The frame is not JSON.',
    remedy: 'Send one JSON text a line, in UTF-8.',
  },
  invalid_request: {
    code: -32600,
    meaning: 'The JSON is not a JSON-RPC 2.0 request.',
    remedy: 'Send {"jsonrpc":"2.0","id":1,"method":"…","params":{…}}; batches are not supported.',
  },
  method_not_found: {
    code: -32601,
    meaning: 'The daemon has no such method.',
    remedy: 'See docs/protocol.md; an older daemon may need an upgrade.',
  },
  invalid_params: {
    code: -32602,
    meaning: 'A parameter is missing, of the wrong type or out of range.',
    remedy: 'The message names the parameter and what was expected.',
  },
  internal_error: {
    code: -32603,
    meaning: 'A fault in the daemon itself.',
    remedy: 'The line is not affected. Please report it with the daemon log.',
  },
  protocol_mismatch: {
    code: 1001,
    meaning: 'Client and daemon speak different major versions.',
    remedy: 'Upgrade the older side; daemon.status and daemon.shutdown work regardless.',
  },
  hello_required: {
    code: 1002,
    meaning: 'The first request on a connection was not hello.',
    remedy: 'Send hello first.',
  },
  shutting_down: {
    code: 1003,
    meaning: 'The daemon is stopping.',
    remedy: 'Start it again, then repeat the call.',
  },
  too_many_requests: {
    code: 1004,
    meaning: 'The connection has too many requests in flight.',
    remedy: 'Wait for answers before sending more.',
  },
  too_many_clients: {
    code: 1005,
    meaning: 'The daemon serves its maximum of connections.',
    remedy: 'Close clients that are no longer needed.',
  },
  frame_too_long: {
    code: 1006,
    meaning: 'A frame was longer than the limit and was skipped up to its end.',
    remedy: 'Send less in one request.',
  },
  upgrading: {
    code: 1007,
    meaning: 'The daemon is handing everything to a new version; nothing was done.',
    remedy: 'Connect again in a moment and repeat the call; line, output and readers are all there.',
  },
  upgrade_failed: {
    code: 1008,
    meaning: 'The new version did not take over; the running one goes on as before.',
    remedy: 'The message says what failed; mend it, then try again.',
  },
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

export type RpcErrorName = keyof typeof RPC_ERRORS;

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

export type LocalErrorName = keyof typeof LOCAL_ERRORS;

/** An error that crosses the wire: `{code, message, data: {name, …}}`. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(code: number, message: string, data: Readonly<Record<string, unknown>> = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.data = data;
  }
}

/**
 * An error of the table. `detail` says what was attempted, on what, what was found; the table's remedy is appended,
 * so that whoever sees only the message knows what to do.
 */
export function rpcError(name: RpcErrorName, detail?: string, data: Record<string, unknown> = {}): RpcError {
  const { code, meaning, remedy } = RPC_ERRORS[name];
  return new RpcError(code, `${detail ?? meaning} ${remedy}`, { name, ...data });
}

/** The table's name of a code, or undefined for a code of a newer daemon. */
export function rpcErrorName(code: number): RpcErrorName | undefined {
  for (const [name, entry] of Object.entries(RPC_ERRORS)) {
    if (entry.code === code) return name as RpcErrorName;
  }
  return undefined;
}

/** An error on the client's own side; never sent. */
export class LocalError extends Error {
  override readonly name = 'LocalError';
  readonly code: LocalErrorName;

  constructor(code: LocalErrorName, detail?: string, cause?: unknown) {
    const { meaning, remedy } = LOCAL_ERRORS[code];
    super(`${detail ?? meaning} ${remedy}`, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}
