/** What happened, as it comes back from a file: one of the borders at which everything is checked (I16). */
import * as z from 'zod';

const author = z.object({ client: z.string(), reader: z.string() });
const causes = ['taken', 'released', 'expired', 'forced', 'left'] as const;
const entry = z.int().min(0);
const optional = <T extends z.ZodType>(schema: T) =>
  z.union([schema, z.undefined()]).default(undefined as never);

export const recordedEntry = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('input'),
    entry,
    author,
    bytes: optional(z.array(z.int().min(0).max(255))),
    length: z.int().min(0),
    isUrgent: z.boolean(),
    isAnswer: z.boolean(),
  }),
  z.object({ kind: z.literal('mark'), entry, author, text: z.string() }),
  z.object({ kind: z.literal('said'), entry, author, text: z.string() }),
  z.object({ kind: z.literal('life'), entry, text: z.string() }),
  z.object({
    kind: z.literal('state'),
    entry,
    facts: z.object({
      state: z.enum(['closed', 'connecting', 'open', 'dead']),
      phase: z.enum(['tcp', 'greeting']).exactOptional(),
      reason: z.string().exactOptional(),
      detail: z.string().exactOptional(),
      host: z.string().exactOptional(),
      port: z.number().exactOptional(),
      codec: z.enum(['telnet', 'raw', 'unknown']),
    }),
  }),
  z.object({
    kind: z.literal('outage'),
    entry,
    reason: z.string(),
    detail: z.string().exactOptional(),
    durationMs: z.number().min(0),
  }),
  z.object({
    kind: z.literal('floor'),
    entry,
    holder: optional(author),
    previous: optional(author),
    cause: z.enum(causes),
  }),
]);

/** The places of readers, as they were kept. */
export const recordedReaders = z.object({
  places: z.array(
    z.tuple([
      z.string(),
      z.object({
        committed: z.int().min(0),
        handed: z.int().min(0),
        isLive: z.boolean(),
        isPrivate: z.boolean(),
      }),
    ]),
  ),
});
