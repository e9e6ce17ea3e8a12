/** Methods about those who are there: who may type, who is connected, who has read what. */
import * as z from 'zod';
import { clientsResult, readerListResult, readerRemoveParams, readerRenameParams } from './daemonSchemas.ts';
import {
  floorReleaseParams,
  floorRequestParams,
  floorRequestResult,
  floorStatusParams,
} from './floorSchemas.ts';
import { type MethodEntry, nothing } from './methodEntry.ts';
import { floorSchema, sessionIdSchema, streamSchema } from './schemas.ts';

export const CLIENT_METHODS = {
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
    params: floorStatusParams,
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
    params: z.object({
      stream: streamSchema.default('out'),
      end: z.int().min(0),
      session: sessionIdSchema.optional().describe('A session’s output; default: the line’s.'),
    }),
    result: nothing,
    access: 'own',
    since: '1.0',
  },
} as const satisfies Record<string, MethodEntry>;
