/**
 * Shapes of secrets: a client asks a person for a password that goes straight to the far end. It never sees it; whoever gives it
 * does so on a page of the daemon's, or with `pidp10ctl secret`.
 */
import * as z from 'zod';
import { MAX_WAIT_MS, outcomeSchema, sessionIdSchema } from './schemas.ts';
import { sessionOutcomeSchema } from './sessionSchemas.ts';

/** Characters of a secret: more than any password, and few enough to be looked for in all that comes back. */
export const MAX_SECRET_CHARS = 128;
/** Characters of what the person is told; he must see it whole. */
export const MAX_SECRET_MESSAGE_CHARS = 500;
/** Time for a person to answer, in ms: by default, and at most. */
export const DEFAULT_SECRET_MS = 300_000;
export const MAX_SECRET_MS = 3_600_000;

const secretId = z.string().regex(/^[A-Za-z0-9]{1,16}$/, 'the id of a secret');

/** One line of what a keyboard has; an error of it must not repeat it. */
export const secretValue = z
  .string('a secret is text')
  .min(1, 'a secret has a character at least')
  .max(MAX_SECRET_CHARS, `a secret has ${MAX_SECRET_CHARS} characters at most`)
  .regex(/^\P{Cc}*$/u, 'a secret has no control characters and is one line');

export const secretRequestParams = z.object({
  session: sessionIdSchema.optional().describe('For this session; default: the line.'),
  message: z
    .string()
    .min(1)
    .max(MAX_SECRET_MESSAGE_CHARS)
    .describe('What the person is told: which password, what for.'),
  expect: z
    .string()
    .min(1)
    .max(1_000)
    .optional()
    .describe(
      'Pattern of the prompt that must stand as the last words, unless echo is off; default: a password prompt.',
    ),
  enter: z.boolean().default(true).describe('Type Enter behind it.'),
  timeoutMs: z
    .int()
    .min(1_000)
    .max(MAX_SECRET_MS)
    .default(DEFAULT_SECRET_MS)
    .describe('Time for the person, in ms.'),
});

export const secretRequestResult = z.object({
  secret: z.string().describe('Its id.'),
  url: z.string().describe('Page for the person, on this machine only; works once.'),
  expiresAt: z.string().describe('ISO 8601.'),
});

export const secretStateSchema = z
  .enum(['pending', 'sent', 'refused', 'expired', 'cancelled'])
  .describe('`refused`: it was given and not typed, because it would have been seen.');

export const secretWaitParams = z.object({
  secret: secretId,
  returnAfterMs: z
    .int()
    .min(1)
    .max(MAX_WAIT_MS)
    .optional()
    .describe('Ends the wait (never the asking) with `pending` after so many ms.'),
  progressEveryMs: z.int().min(100).max(MAX_WAIT_MS).optional().describe('Asks for `$/progress`.'),
});

export const secretWaitResult = z.object({
  secret: z.string(),
  state: secretStateSchema,
  why: z.string().optional().describe('Why it was refused, or not sent.'),
  masked: z.int().min(0).optional().describe('Bytes of it that came back in the output and were masked.'),
  hint: z.string().optional(),
  outcome: z.union([sessionOutcomeSchema, outcomeSchema]).optional().describe('What it produced.'),
});

export const secretGiveParams = z.object({ secret: secretId, value: secretValue });

export const secretGiveResult = z.object({
  state: z.enum(['sent', 'refused']),
  why: z.string().optional().describe('Why it was not sent.'),
});

export const secretCancelParams = z.object({ secret: secretId });

export const secretListResult = z.object({
  secrets: z.array(
    z.object({
      secret: z.string(),
      client: z.string().describe('Who asks.'),
      session: z.string().optional().describe('What it is for; absent: the line.'),
      message: z.string(),
      lastLine: z.string().describe('What stands there as the last words now.'),
      expiresAt: z.string(),
    }),
  ),
});
