/** Shapes of watching the line, and of its history: what came, what was typed, by whom. */
import * as z from 'zod';
import { MAX_MESSAGE_CHARS } from './floorSchemas.ts';
import { authorSchema, floorSchema, lineStateSchema, MAX_WAIT_MS, offset } from './schemas.ts';

/** Watches of one connection. */
export const MAX_WATCHES = 16;
/** Entries of one answer of line.history. */
export const MAX_HISTORY_ENTRIES = 1_000;

export const watchForm = z
  .enum(['text', 'bytes', 'ansi', 'none'])
  .describe(
    '`text`: without control sequences; `bytes`: as they came, in base64; `ansi`: VT52 translated to ECMA-48; `none`: no output.',
  );

export const watchParams = z.object({
  from: offset.optional().describe('Begin here, as far back as output is kept; default: now.'),
  until: offset.optional().describe('End there, with `line.watchEnded`; default: never.'),
  form: watchForm.default('text'),
});
export const watchResult = z.object({
  watch: z.int().min(1).describe('Stands in every notification of this watch.'),
  offset: offset.describe('Where the first output begins.'),
  truncated: z.boolean().describe('`from` is older than what is kept.'),
  paint: z
    .string()
    .optional()
    .describe('Form `ansi`: what makes an empty terminal show the screen as it is at `offset`.'),
  size: z.object({ rows: z.int(), columns: z.int() }),
  lineState: lineStateSchema,
  floor: floorSchema,
  epoch: z.string(),
});
export const unwatchParams = z.object({ watch: z.int().min(1) });

export const inputSchema = z.object({
  author: authorSchema,
  text: z
    .string()
    .optional()
    .describe('With `~` escapes; absent where it is a secret or was typed without echo.'),
  bytes: z.int().min(0),
  masked: z.boolean().describe('Only the length is kept.'),
  urgent: z.boolean().optional(),
  isAnswer: z.boolean().optional().describe("The daemon's own answer to a pager, for this author's wait."),
});

export const markParams = z.object({ text: z.string().min(1).max(MAX_MESSAGE_CHARS) });
export const markResult = z.object({ offset });
export const sayParams = z.object({ text: z.string().min(1).max(MAX_MESSAGE_CHARS) });
export const sayResult = z.object({ clients: z.int().min(0).describe('Other clients that will read it.') });

export const historyParams = z.object({
  from: offset.optional().describe('Default: as far back as is kept.'),
  to: offset.optional().describe('Default: now.'),
  limit: z
    .int()
    .min(1)
    .max(MAX_HISTORY_ENTRIES)
    .default(100)
    .describe('The newest so many entries of the span.'),
  outputChars: z
    .int()
    .min(0)
    .max(10_000)
    .default(0)
    .describe('Show so many characters of what came back after each input.'),
});
/** The time between two connections. */
const outageSchema = z.object({
  since: z.string().describe('When the connection before had ended, ISO 8601.'),
  until: z.string().describe('When the next one was open.'),
  reason: z.string().describe('Why it had ended, as of a line that is dead; `closed`: somebody closed it.'),
  detail: z.string().optional(),
});

export const historyResult = z.object({
  entries: z.array(
    z.object({
      seq: z.int().min(0),
      offset: offset.describe('Where the output ended when it was typed or happened.'),
      at: z.string().describe('ISO 8601.'),
      kind: z.enum(['input', 'mark', 'said', 'state', 'outage', 'floor']),
      input: inputSchema.optional(),
      text: z.string().optional().describe('Of a mark or of what was said; what happened to line or floor.'),
      author: authorSchema.optional(),
      outage: outageSchema.optional(),
      output: z.string().optional().describe('What came until the next input, its beginning.'),
    }),
  ),
  truncated: z.boolean().describe('Older entries of the span exist or existed.'),
});

/** Matches of one answer of line.search, and lines of context around each. */
export const MAX_SEARCH_MATCHES = 1_000;
export const MAX_CONTEXT_LINES = 20;

export const searchParams = z.object({
  text: z.string().min(1).max(1_000).optional().describe('Words to look for, as they stand.'),
  pattern: z
    .string()
    .min(1)
    .max(1_000)
    .optional()
    .describe('Or a pattern, RE2 syntax, found within one line.'),
  ignoreCase: z.boolean().default(false),
  from: offset.optional().describe('Default: as far back as output is kept.'),
  to: offset.optional().describe('Default: now.'),
  since: z.iso.datetime({ offset: true }).optional().describe('Output that came then or later, ISO 8601.'),
  until: z.iso.datetime({ offset: true }).optional().describe('Output that came before then, ISO 8601.'),
  order: z.enum(['newest', 'oldest']).default('newest').describe('What is found first, and stands first.'),
  limit: z.int().min(1).max(MAX_SEARCH_MATCHES).default(20),
  context: z
    .int()
    .min(0)
    .max(MAX_CONTEXT_LINES)
    .default(0)
    .describe('Lines shown before and behind each match.'),
  progressEveryMs: z.int().min(100).max(MAX_WAIT_MS).optional(),
});
export const searchResult = z.object({
  matches: z.array(
    z.object({
      start: offset.describe(
        'Offset at which the line of the match begins; read or screen go on from there.',
      ),
      end: offset,
      line: z.string(),
      before: z.array(z.string()).optional(),
      after: z.array(z.string()).optional(),
      at: z.string().optional().describe('When it came, ISO 8601, as far as that is known.'),
    }),
  ),
  searched: z
    .object({ from: offset, to: offset })
    .describe(
      'What was looked through; less than was asked for when the limit was reached or the call cancelled.',
    ),
  isComplete: z.boolean().describe('There is nothing more to find in the span.'),
});

const watched = {
  watch: z.int(),
  offset: offset.describe('Where the output ended when it happened.'),
  at: z.string().describe('ISO 8601.'),
};

/** What a watch tells, in the order in which it happened. */
export const WATCH_NOTIFICATIONS = {
  'line.output': {
    summary: 'Output: the bytes from `start` to `end`, in the form that was asked for.',
    params: z.object({
      watch: z.int(),
      start: offset,
      end: offset,
      at: z.string(),
      text: z.string().optional().describe('Forms `text` and `ansi`.'),
      bytes: z.string().optional().describe('Form `bytes`, base64.'),
    }),
    since: '1.2',
  },
  'line.input': {
    summary: 'Somebody typed; secrets are masked.',
    params: z.object({ ...watched, ...inputSchema.shape }),
    since: '1.2',
  },
  'line.state': {
    summary: 'The line opened, closed or died.',
    params: z.object({ ...watched, lineState: lineStateSchema }),
    since: '1.2',
  },
  'line.outage': {
    summary: 'The line is open again; what lies between two connections.',
    params: z.object({ ...watched, ...outageSchema.shape }),
    since: '1.2',
  },
  'line.mark': {
    summary: 'Somebody named this place.',
    params: z.object({ ...watched, text: z.string(), author: authorSchema }),
    since: '1.2',
  },
  'line.said': {
    summary: 'Somebody spoke to the other clients.',
    params: z.object({ ...watched, text: z.string(), author: authorSchema }),
    since: '1.2',
  },
  'floor.changed': {
    summary: 'The floor was taken, given back, taken over, or its lease ran out.',
    params: z.object({ ...watched, floor: floorSchema, why: z.string() }),
    since: '1.2',
  },
  'line.lagged': {
    summary:
      'The watcher reads too slowly: this watch is over; line.watch from `offset` goes on without a loss.',
    params: z.object({ watch: z.int(), offset, end: offset }),
    since: '1.2',
  },
  'line.watchEnded': {
    summary: 'The watch has come to its `until`.',
    params: z.object({ watch: z.int(), offset }),
    since: '1.2',
  },
} as const;
