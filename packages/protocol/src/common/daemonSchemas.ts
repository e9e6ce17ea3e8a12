/** Shapes of a connection's introduction and of the daemon's own state. */
import * as z from 'zod';
import { lineStateSchema, MAX_READER_NAME_CHARS, offset } from './schemas.ts';

const readerName = z
  .string()
  .min(1)
  .max(MAX_READER_NAME_CHARS)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._@:+-]*$/, 'letters, digits and . _ @ : + - only');

export const helloParams = z.object({
  protocol: z.object({ major: z.int().min(0), minor: z.int().min(0) }),
  client: z.object({ name: z.string().min(1).max(100), version: z.string().max(100) }),
  reader: readerName
    .optional()
    .describe('Name of a cursor that outlives the connection; without one it dies with it.'),
  commit: z
    .enum(['manual', 'auto'])
    .default('auto')
    .describe('`auto`: output counts as read when the answer was written; `manual`: by `reader.commit`.'),
  access: z
    .enum(['full', 'read'])
    .default('full')
    .describe(
      '`read`: a spy, who never types; he is not promoted, but says hello anew on another connection.',
    ),
});

export const helloResult = z.object({
  protocol: z.object({ major: z.int(), minor: z.int() }),
  daemon: z.object({ version: z.string(), pid: z.int(), name: z.string() }),
  capabilities: z.array(z.string()).describe('What to test for instead of comparing versions.'),
  epoch: z.string(),
  reader: z
    .object({ name: z.string(), offset })
    .optional()
    .describe('The name that was given, which may be `NAME#2`, and its position.'),
});

export const daemonStatusResult = z.object({
  pid: z.int(),
  version: z.string(),
  protocol: z.object({ major: z.int(), minor: z.int() }),
  name: z.string(),
  startedAt: z.string(),
  uptimeMs: z.number(),
  clients: z.int().min(0),
  socket: z.string(),
  stateDir: z.string(),
  line: lineStateSchema,
  storage: z
    .object({
      state: z.enum(['ok', 'degraded', 'off']).describe('`off`: output is kept in memory only.'),
      detail: z.string().optional().describe('What fails, and where.'),
      bytes: z.int().min(0).describe('Of all files of the journal.'),
      segments: z.int().min(0),
      gapBytes: z.int().min(0).describe('Bytes that came and could not be kept.'),
      syncedEnd: offset.describe('Output before it outlives a power cut.'),
      writtenEnd: offset.optional().describe('Output before it outlives the daemon being killed.'),
      oldest: offset,
    })
    .optional(),
  loopDelayMs: z
    .object({ mean: z.number(), max: z.number() })
    .optional()
    .describe(
      'How late the daemon’s own timers fired, in ms, since it began: how long anything had to wait.',
    ),
});

export const clientsResult = z.object({
  clients: z.array(
    z.object({
      client: z.string(),
      version: z.string(),
      reader: z.string().optional(),
      access: z.enum(['full', 'read']),
      since: z.string().describe('When it said hello, ISO 8601.'),
      watches: z.int().min(0),
      holdsFloor: z.boolean(),
      isYou: z.boolean(),
    }),
  ),
});

/** Name that a reader gets; also one of those with `#2` behind it. */
const storedReaderName = z
  .string()
  .min(1)
  .max(MAX_READER_NAME_CHARS + 8);

export const readerListResult = z.object({
  readers: z.array(
    z.object({
      name: z.string(),
      owner: z.string().optional().describe('Name of the client that holds it now.'),
      offset: offset.describe('What it was given.'),
      committed: offset.describe('What certainly arrived.'),
      lag: z.int().min(0).describe('Bytes that it was not given yet.'),
    }),
  ),
});
export const readerRemoveParams = z.object({ name: storedReaderName });
export const readerRenameParams = z.object({ name: storedReaderName, to: readerName });

export const upgradeResult = z.object({
  pid: z.int().describe('Of the successor, which answers on the same socket.'),
  version: z.string(),
  end: offset.describe('Where the output stood when it took over.'),
});
