/**
 * The registry: every method of the wire with its parameters, its result, who may call it and since when.
 * docs/protocol.md is made from this table.
 */
import * as z from 'zod';
import {
  clientsResult,
  daemonStatusResult,
  helloParams,
  helloResult,
  readerListResult,
  readerRemoveParams,
  readerRenameParams,
  upgradeResult,
} from './daemonSchemas.ts';
import { getFileParams, getFileResult, putFileParams, putFileResult } from './fileSchemas.ts';
import { floorReleaseParams, floorRequestParams, floorRequestResult } from './floorSchemas.ts';
import {
  closeParams,
  dryRunResult,
  floorSchema,
  lineStatusResult,
  openParams,
  outcomeSchema,
  peekParams,
  peekResult,
  readParams,
  screenParams,
  screenResult,
  sendParams,
  streamSchema,
} from './schemas.ts';
import {
  historyParams,
  historyResult,
  markParams,
  markResult,
  sayParams,
  sayResult,
  searchParams,
  searchResult,
  unwatchParams,
  WATCH_NOTIFICATIONS,
  watchParams,
  watchResult,
} from './watchSchemas.ts';

/**
 * `any`: also before hello and across major versions, frozen for ever; `read`: sees output; `type`: changes what the
 * line does; `own`: changes only what belongs to the caller.
 */
export type Access = 'any' | 'read' | 'type' | 'own';

export interface MethodEntry {
  readonly summary: string;
  readonly params: z.ZodObject;
  readonly result: z.ZodType;
  readonly access: Access;
  /** Protocol version that brought it, `major.minor`. */
  readonly since: string;
}

const nothing = z.object({});

export const METHODS = {
  hello: {
    summary: 'Introduces the client, names its reader, agrees on the version. First request of a connection.',
    params: helloParams,
    result: helloResult,
    access: 'any',
    since: '1.0',
  },
  'daemon.status': {
    summary: 'Who the daemon is and how it does.',
    params: nothing,
    result: daemonStatusResult,
    access: 'any',
    since: '1.0',
  },
  'daemon.shutdown': {
    summary: 'Resets the line and ends the daemon.',
    params: nothing,
    result: nothing,
    access: 'any',
    since: '1.0',
  },
  'daemon.upgrade': {
    summary: 'Hands line, clients and state to a new process of the version that is installed now.',
    params: nothing,
    result: upgradeResult,
    access: 'type',
    since: '1.2',
  },
  'line.open': {
    summary: 'Opens the line, joins an attempt under way, or reports the line already open. Never retries.',
    params: openParams,
    result: outcomeSchema,
    access: 'type',
    since: '1.0',
  },
  'line.send': {
    summary: 'Sends input and returns what it produced.',
    params: sendParams,
    result: z.union([outcomeSchema, dryRunResult]),
    access: 'type',
    since: '1.0',
  },
  'line.read': {
    summary: 'Collects output without sending.',
    params: readParams,
    result: outcomeSchema,
    access: 'read',
    since: '1.0',
  },
  'line.peek': {
    summary: 'Shows the newest output again; no cursor moves.',
    params: peekParams,
    result: peekResult,
    access: 'read',
    since: '1.0',
  },
  'line.status': {
    summary: 'State of the line, and what the caller has not read yet.',
    params: nothing,
    result: lineStatusResult,
    access: 'read',
    since: '1.0',
  },
  'line.close': {
    summary: 'Resets the connection, so that the simulator frees the line at once.',
    params: closeParams,
    result: lineStatusResult,
    access: 'type',
    since: '1.0',
  },
  'line.screen': {
    summary: 'The VT52 screen that the bytes have painted, now or at an offset.',
    params: screenParams,
    result: screenResult,
    access: 'read',
    since: '1.1',
  },
  'line.putFile': {
    summary: 'Types a text file into ITS (:CREATE), reads it back and compares.',
    params: putFileParams,
    result: putFileResult,
    access: 'type',
    since: '1.1',
  },
  'line.getFile': {
    summary: 'Reads a text file of ITS (:PRINT), exactly.',
    params: getFileParams,
    result: getFileResult,
    access: 'type',
    since: '1.1',
  },
  'line.unstick': {
    summary: 'Cures a line that a stray 0xFF byte made deaf: ends the telnet command that it began.',
    params: nothing,
    result: lineStatusResult,
    access: 'type',
    since: '1.1',
  },
  'line.watch': {
    summary: 'Tells output, input, state, floor and marks as they come, as notifications with offsets.',
    params: watchParams,
    result: watchResult,
    access: 'read',
    since: '1.2',
  },
  'line.unwatch': {
    summary: 'Ends a watch of this connection.',
    params: unwatchParams,
    result: nothing,
    access: 'own',
    since: '1.2',
  },
  'line.history': {
    summary: 'What was typed, by whom, and what came back; marks, messages, states and changes of the floor.',
    params: historyParams,
    result: historyResult,
    access: 'read',
    since: '1.2',
  },
  'line.search': {
    summary: 'Finds a text or a pattern in everything that is kept, line by line.',
    params: searchParams,
    result: searchResult,
    access: 'read',
    since: '1.2',
  },
  'line.mark': {
    summary: 'Names the present place in the output.',
    params: markParams,
    result: markResult,
    access: 'own',
    since: '1.2',
  },
  'line.say': {
    summary: 'A message to the other clients: watchers get it at once, agents with their next result.',
    params: sayParams,
    result: sayResult,
    access: 'own',
    since: '1.2',
  },
  'floor.request': {
    summary: 'Asks for the floor: politely, waiting for it, or by force.',
    params: floorRequestParams,
    result: floorRequestResult,
    access: 'type',
    since: '1.2',
  },
  'floor.release': {
    summary: 'Gives the floor back.',
    params: floorReleaseParams,
    result: floorSchema,
    access: 'type',
    since: '1.2',
  },
  'floor.status': {
    summary: 'Who may type, since when, and who waits for it.',
    params: nothing,
    result: floorSchema,
    access: 'read',
    since: '1.2',
  },
  'daemon.clients': {
    summary: 'Who is connected.',
    params: nothing,
    result: clientsResult,
    access: 'read',
    since: '1.2',
  },
  'reader.list': {
    summary: 'All named readers, who holds them, and how far behind they are.',
    params: nothing,
    result: readerListResult,
    access: 'read',
    since: '1.2',
  },
  'reader.remove': {
    summary: 'Forgets a reader that nobody holds.',
    params: readerRemoveParams,
    result: nothing,
    access: 'own',
    since: '1.2',
  },
  'reader.rename': {
    summary: 'Gives a reader that nobody else holds another name.',
    params: readerRenameParams,
    result: nothing,
    access: 'own',
    since: '1.2',
  },
  'reader.commit': {
    summary: "Counts output up to `end` as delivered to the connection's reader (hello.commit: manual).",
    params: z.object({ stream: streamSchema.default('out'), end: z.int().min(0) }),
    result: nothing,
    access: 'own',
    since: '1.0',
  },
} as const satisfies Record<string, MethodEntry>;

export type MethodName = keyof typeof METHODS;
/** What a caller writes: defaults may be left out. */
export type MethodInput<M extends MethodName> = z.input<(typeof METHODS)[M]['params']>;
/** What a handler gets: defaults filled in. */
export type MethodParams<M extends MethodName> = z.output<(typeof METHODS)[M]['params']>;
export type MethodResult<M extends MethodName> = z.output<(typeof METHODS)[M]['result']>;

export function isMethodName(name: string): name is MethodName {
  return Object.hasOwn(METHODS, name);
}

/** Notifications, either way: no id, no answer. */
export const NOTIFICATIONS = {
  '$/cancelRequest': {
    summary: 'Client to daemon: give the request up. It is answered all the same, reason `cancelled`.',
    params: z.object({ id: z.union([z.string(), z.number()]) }),
    since: '1.0',
  },
  '$/progress': {
    summary: 'Daemon to client, while a request waits and asked for it with `progressEveryMs`.',
    params: z.object({
      id: z.union([z.string(), z.number()]),
      elapsedMs: z.number().describe('ms since the request was taken up.'),
      bytes: z.int().describe('Bytes of output since then.'),
      sent: z.int().optional().describe('Input bytes on the wire so far, of `accepted`.'),
      accepted: z.int().optional(),
    }),
    since: '1.0',
  },
  ...WATCH_NOTIFICATIONS,
} as const;

export type NotificationName = keyof typeof NOTIFICATIONS;
export type NotificationParams<N extends NotificationName> = z.output<(typeof NOTIFICATIONS)[N]['params']>;
