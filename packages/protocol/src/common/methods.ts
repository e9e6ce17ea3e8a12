/**
 * The registry: every method of the wire with its parameters, its result, who may call it and since when; its rows stand in a
 * file for each area. docs/protocol.md is made from this table.
 */
import * as z from 'zod';
import { CLIENT_METHODS } from './clientMethods.ts';
import { DAEMON_METHODS } from './daemonMethods.ts';
import { LINE_METHODS } from './lineMethods.ts';
import type { MethodEntry } from './methodEntry.ts';
import { SECRET_METHODS } from './secretMethods.ts';
import { SESSION_METHODS } from './sessionMethods.ts';
import { SESSION_NOTIFICATIONS } from './sessionSchemas.ts';
import { WATCH_NOTIFICATIONS } from './watchSchemas.ts';

export type { Access, MethodEntry } from './methodEntry.ts';

export const METHODS = {
  ...DAEMON_METHODS,
  ...LINE_METHODS,
  ...CLIENT_METHODS,
  ...SESSION_METHODS,
  ...SECRET_METHODS,
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
  ...SESSION_NOTIFICATIONS,
} as const;

export type NotificationName = keyof typeof NOTIFICATIONS;
export type NotificationParams<N extends NotificationName> = z.output<(typeof NOTIFICATIONS)[N]['params']>;
