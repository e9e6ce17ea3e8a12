/**
 * The registry: every method of the wire with its parameters, its result, who may call it and since when.
 * docs/protocol.md is made from this table.
 */
import * as z from 'zod';
import {
  daemonStatusResult,
  dryRunResult,
  getFileParams,
  getFileResult,
  helloParams,
  helloResult,
  lineStatusResult,
  openParams,
  outcomeSchema,
  peekParams,
  peekResult,
  putFileParams,
  putFileResult,
  readParams,
  screenParams,
  screenResult,
  sendParams,
  streamSchema,
} from './schemas.ts';

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
    params: nothing,
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
} as const;
