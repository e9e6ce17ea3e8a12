/** Shapes of the floor: who may type (RFC 8855 has the words). */
import * as z from 'zod';
import { floorSchema, MAX_WAIT_MS, sessionIdSchema } from './schemas.ts';

/** Bounds and default of the lease that floor.request gives, in ms: a person who walks away blocks nobody for ever. */
export const MIN_LEASE_MS = 1_000;
export const MAX_LEASE_MS = 3_600_000;
export const DEFAULT_LEASE_MS = 60_000;
/** Longest message of floor.request and line.say, in characters. */
export const MAX_MESSAGE_CHARS = 500;

const session = sessionIdSchema.optional().describe("A command session's floor; default: the line's.");

export const floorRequestParams = z.object({
  session,
  message: z
    .string()
    .max(MAX_MESSAGE_CHARS)
    .optional()
    .describe('Why; the holder reads it with his next result and may release the floor.'),
  force: z.boolean().default(false).describe("Take it: the holder's running send ends with `preempted`."),
  leaseMs: z
    .int()
    .min(MIN_LEASE_MS)
    .max(MAX_LEASE_MS)
    .default(DEFAULT_LEASE_MS)
    .describe('The floor falls free after so many ms in which the holder types nothing.'),
  waitMs: z.int().min(0).max(MAX_WAIT_MS).default(0).describe('Longest time to queue for it, in ms.'),
});
export const floorRequestResult = z.object({
  token: z.int().min(1).describe('Fencing token: one higher with each change of hands.'),
  floor: floorSchema,
});
export const floorStatusParams = z.object({ session });
export const floorReleaseParams = z.object({
  session,
  token: z.int().min(1).optional().describe('Release only if the floor has not changed hands since.'),
});
