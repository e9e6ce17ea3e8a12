/** Methods of the daemon as a whole, and the first request of a connection. */
import * as z from 'zod';
import { daemonStatusResult, helloParams, helloResult, upgradeResult } from './daemonSchemas.ts';
import { type MethodEntry, nothing } from './methodEntry.ts';

export const DAEMON_METHODS = {
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
    params: z.object({
      endSessions: z
        .boolean()
        .default(false)
        .describe('Stop running commands, which cannot be handed over; without it they make it refuse.'),
    }),
    result: upgradeResult,
    access: 'type',
    since: '1.2',
  },
} as const satisfies Record<string, MethodEntry>;
