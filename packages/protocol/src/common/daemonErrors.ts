/** Errors of JSON-RPC itself (negative, its own codes) and of the daemon as a whole: 1000 to 1099. */
import type { ErrorEntry } from './errorEntry.ts';

export const DAEMON_ERRORS = {
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
} as const satisfies Record<string, ErrorEntry>;
