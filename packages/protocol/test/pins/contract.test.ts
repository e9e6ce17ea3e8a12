/** What others build upon, as literals: whoever changes one of these changes the contract, and does so knowingly. */
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LOCAL_ERRORS, RPC_ERRORS } from '../../src/common/errors.ts';
import { METHODS, NOTIFICATIONS } from '../../src/common/methods.ts';
import { reasonSchema } from '../../src/common/schemas.ts';
import { CAPABILITIES, PROTOCOL } from '../../src/common/version.ts';

test('the version and its capabilities', () => {
  expect(PROTOCOL).toEqual({ major: 1, minor: 3 });
  expect(CAPABILITIES).toEqual([
    'line',
    'readers',
    'progress',
    'cancel',
    'screen',
    'activity',
    'pacing',
    'files',
    'floor',
    'watch',
    'history',
    'journal',
    'search',
    'upgrade',
    'sessions',
    'secrets',
  ]);
});

test('the methods, with access and since', () => {
  expect(Object.entries(METHODS).map(([name, { access, since }]) => `${name} ${access} ${since}`)).toEqual([
    'hello any 1.0',
    'daemon.status any 1.0',
    'daemon.shutdown any 1.0',
    'daemon.upgrade type 1.2',
    'line.open type 1.0',
    'line.send type 1.0',
    'line.read read 1.0',
    'line.peek read 1.0',
    'line.status read 1.0',
    'line.close type 1.0',
    'line.screen read 1.1',
    'line.putFile type 1.1',
    'line.getFile type 1.1',
    'line.unstick type 1.1',
    'line.watch read 1.2',
    'line.unwatch own 1.2',
    'line.history read 1.2',
    'line.search read 1.2',
    'line.mark own 1.2',
    'line.say own 1.2',
    'floor.request type 1.2',
    'floor.release type 1.2',
    'floor.status read 1.2',
    'daemon.clients read 1.2',
    'reader.list read 1.2',
    'reader.remove own 1.2',
    'reader.rename own 1.2',
    'reader.commit own 1.0',
    'session.start type 1.3',
    'session.send type 1.3',
    'session.read read 1.3',
    'session.wait read 1.3',
    'session.signal type 1.3',
    'session.resize type 1.3',
    'session.stop type 1.3',
    'session.delete type 1.3',
    'session.status read 1.3',
    'session.list read 1.3',
    'session.screen read 1.3',
    'session.search read 1.3',
    'session.history read 1.3',
    'session.watch read 1.3',
    'session.unwatch own 1.3',
    'secret.request type 1.3',
    'secret.wait type 1.3',
    'secret.give type 1.3',
    'secret.cancel type 1.3',
    'secret.list read 1.3',
  ]);
  expect(Object.entries(NOTIFICATIONS).map(([name, { since }]) => `${name} ${since}`)).toEqual([
    '$/cancelRequest 1.0',
    '$/progress 1.0',
    'line.output 1.2',
    'line.input 1.2',
    'line.state 1.2',
    'line.outage 1.2',
    'line.mark 1.2',
    'line.said 1.2',
    'floor.changed 1.2',
    'line.lagged 1.2',
    'line.watchEnded 1.2',
    'session.output 1.3',
    'session.input 1.3',
    'session.state 1.3',
    'session.lagged 1.3',
    'session.watchEnded 1.3',
  ]);
});

test('the reasons for which a wait ends', () => {
  expect(reasonSchema.options.join(' ')).toBe(
    'matched prompt quiet timeout more_limit pager question limit still_waiting dead cancelled preempted interrupted',
  );
});

test('the errors that cross the wire, with their numbers', () => {
  const codes = Object.fromEntries(Object.entries(RPC_ERRORS).map(([name, { code }]) => [name, code]));
  expect(codes).toEqual({
    parse_error: -32700,
    invalid_request: -32600,
    method_not_found: -32601,
    invalid_params: -32602,
    internal_error: -32603,
    protocol_mismatch: 1001,
    hello_required: 1002,
    shutting_down: 1003,
    too_many_requests: 1004,
    too_many_clients: 1005,
    frame_too_long: 1006,
    upgrading: 1007,
    upgrade_failed: 1008,
    line_busy: 1101,
    line_all_busy: 1102,
    line_not_available: 1103,
    line_no_answer: 1104,
    line_rejected: 1105,
    line_closed_silent: 1106,
    line_reset: 1107,
    no_greeting: 1108,
    connect_refused: 1109,
    connect_timeout: 1110,
    host_unknown: 1111,
    connect_failed: 1112,
    line_not_open: 1120,
    line_open_elsewhere: 1121,
    open_aborted: 1122,
    bad_escape: 1130,
    input_not_seven_bit: 1131,
    input_too_long: 1132,
    pattern_invalid: 1133,
    input_queue_full: 1134,
    not_at_ddt: 1135,
    file_failed: 1136,
    codec_not_telnet: 1137,
    confirmation_required: 1138,
    call_cancelled: 1139,
    offset_out_of_range: 1140,
    reader_required: 1141,
    reader_unknown: 1142,
    reader_in_use: 1143,
    floor_held: 1150,
    floor_lost: 1151,
    floor_not_yours: 1152,
    read_only: 1153,
    watch_unknown: 1160,
    too_many_watches: 1161,
    session_unknown: 1200,
    session_exited: 1201,
    session_running: 1202,
    session_name_taken: 1203,
    too_many_sessions: 1204,
    start_failed: 1205,
    commands_off: 1206,
    command_refused: 1207,
    pty_unavailable: 1208,
    terminal_line_too_long: 1209,
    not_a_terminal: 1210,
    signal_refused: 1211,
    sessions_running: 1212,
    input_closed: 1213,
    secret_unknown: 1230,
    secret_over: 1231,
    too_many_secrets: 1232,
    secret_unfit: 1233,
  });
});

test('the errors that do not', () => {
  expect(Object.keys(LOCAL_ERRORS)).toEqual([
    'daemon_not_running',
    'daemon_not_answering',
    'socket_not_usable',
    'name_invalid',
    'socket_path_too_long',
    'spawn_failed',
    'connection_lost',
    'unexpected_result',
    'cancelled',
  ]);
});

test('what each module exports', async () => {
  const exported: Record<string, string> = {};
  for (const folder of ['common', 'node']) {
    for (const file of readdirSync(new URL(`../../src/${folder}/`, import.meta.url)).sort()) {
      if (file.endsWith('.d.ts')) continue;
      const names = Object.keys((await import(`../../src/${folder}/${file}`)) as object);
      exported[`${folder}/${file}`] = names.sort().join(' ');
    }
  }
  expect(exported).toEqual({
    'common/clientApi.ts': '',
    'common/clientMethods.ts': 'CLIENT_METHODS',
    'common/daemonErrors.ts': 'DAEMON_ERRORS',
    'common/daemonMethods.ts': 'DAEMON_METHODS',
    'common/daemonSchemas.ts':
      'clientsResult daemonStatusResult helloParams helloResult readerListResult readerRemoveParams ' +
      'readerRenameParams upgradeResult',
    'common/errorEntry.ts': '',
    'common/errors.ts': 'LOCAL_ERRORS LocalError RPC_ERRORS RpcError rpcError rpcErrorName',
    'common/escapes.ts': 'describeBytes expandEscapes toEscapes',
    'common/fileSchemas.ts': 'MAX_FILE_CHARS getFileParams getFileResult putFileParams putFileResult',
    'common/floorSchemas.ts':
      'DEFAULT_LEASE_MS MAX_LEASE_MS MAX_MESSAGE_CHARS MIN_LEASE_MS floorReleaseParams ' +
      'floorRequestParams floorRequestResult floorStatusParams',
    'common/framing.ts': 'FrameDecoder MAX_ANSWER_BYTES MAX_FRAME_BYTES encodeFrame exceedsBytes',
    'common/incomingRequests.ts': 'IncomingRequests MAX_IN_FLIGHT_REQUESTS',
    'common/jsonrpc.ts':
      'classifyMessage isRequestId toFailureText toNotificationText toRequestText toResultText',
    'common/limits.ts': 'DEFAULT_MAX_CHARS MAX_INPUT_CHARS MAX_MAX_CHARS MAX_READER_NAME_CHARS MAX_WAIT_MS',
    'common/lineErrors.ts': 'LINE_ERRORS',
    'common/lineMethods.ts': 'LINE_METHODS',
    'common/localErrors.ts': 'LOCAL_ERRORS',
    'common/methodEntry.ts': 'nothing',
    'common/methods.ts': 'METHODS NOTIFICATIONS isMethodName',
    'common/rpcPeer.ts': 'MAX_BAD_FRAMES RpcPeer',
    'common/schemas.ts':
      'DEFAULT_FLOOR_WAIT_MS DEFAULT_MAX_CHARS MAX_INPUT_CHARS MAX_MAX_CHARS MAX_READER_NAME_CHARS ' +
      'MAX_WAIT_MS activitySchema authorSchema channelFacts closeParams cursorSchema dryRunResult ' +
      'floorSchema holderSchema lineStateSchema lineStatusResult messageSchema offset openParams ' +
      'outcomeSchema peekParams peekResult readParams reasonSchema screenParams screenResult sendParams ' +
      'sessionIdSchema sliceSchema streamSchema typing waiting',
    'common/secretMethods.ts': 'SECRET_METHODS',
    'common/secretSchemas.ts':
      'DEFAULT_SECRET_MS MAX_SECRET_CHARS MAX_SECRET_MESSAGE_CHARS MAX_SECRET_MS secretCancelParams secretGiveParams secretGiveResult secretListResult secretRequestParams secretRequestResult secretStateSchema secretValue secretWaitParams secretWaitResult',
    'common/sessionErrors.ts': 'SESSION_ERRORS',
    'common/sessionMethods.ts': 'SESSION_METHODS',
    'common/sessionSchemas.ts':
      'DEFAULT_TERMINAL MAX_ARGUMENTS MAX_ARGUMENT_CHARS MAX_GRACE_MS MAX_TERMINAL_ROWS MAX_VARIABLES ' +
      'SESSION_NOTIFICATIONS exitSchema sessionDeleteParams sessionFactsSchema sessionHistoryParams ' +
      'sessionListParams sessionListResult sessionOutcomeSchema sessionReadParams sessionResizeParams ' +
      'sessionScreenParams sessionScreenResult sessionSearchParams sessionSendParams ' +
      'sessionSignalParams sessionStartParams sessionStatusParams sessionStatusSchema sessionStopParams ' +
      'sessionStopResult sessionWaitParams sessionWaitResult sessionWatchParams sessionWatchResult',
    'common/terminalTypes.ts': 'TERMINAL_TYPES TERMINAL_TYPE_NEEDED isTerminalType',
    'common/version.ts': 'CAPABILITIES PROTOCOL',
    'common/watchSchemas.ts':
      'MAX_CONTEXT_LINES MAX_HISTORY_ENTRIES MAX_SEARCH_MATCHES MAX_WATCHES WATCH_NOTIFICATIONS ' +
      'historyParams historyResult inputSchema markParams markResult sayParams sayResult searchParams ' +
      'searchResult unwatchParams watchForm watchParams watchResult',
    'node/ceiling.ts': 'ANSWER_GRACE_MS withCeiling',
    'node/daemonClient.ts': 'DaemonClient HELLO_TIMEOUT_MS',
    'node/daemonConnection.ts': 'DaemonConnection HELLO_TIMEOUT_MS waitOf',
    'node/deferred.ts': 'createDeferred',
    'node/dial.ts': 'CONNECT_TIMEOUT_MS dial isDaemonAbsent',
    'node/paths.ts':
      'DEFAULT_NAME MAX_SOCKET_PATH_BYTES SYSTEM_RUNTIME_DIR assertName assertSocketPath resolvePaths',
    'node/serviceUnit.ts': 'findServiceUnit',
    'node/spawnDaemon.ts': 'START_TIMEOUT_MS startDaemon',
  });
});
