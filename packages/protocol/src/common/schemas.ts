/**
 * The shapes on the wire (CONTRACT: camelCase, absent instead of null). Unknown fields are ignored (I14), so these are
 * plain objects, never strict ones.
 */
import * as z from 'zod';
import {
  DEFAULT_MAX_CHARS,
  MAX_INPUT_CHARS,
  MAX_MAX_CHARS,
  MAX_READER_NAME_CHARS,
  MAX_WAIT_MS,
} from './limits.ts';
import { isTerminalType, TERMINAL_TYPE_NEEDED } from './terminalTypes.ts';

export { DEFAULT_MAX_CHARS, MAX_INPUT_CHARS, MAX_MAX_CHARS, MAX_READER_NAME_CHARS, MAX_WAIT_MS };

const waitMs = z.int().min(0).max(MAX_WAIT_MS);
export const offset = z.int().min(0);
const host = z.string().min(1).max(253);
const port = z.int().min(1).max(65_535);

export const streamSchema = z.enum(['out', 'err']);

export const sessionIdSchema = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,64}$/, 'the id or name of a session')
  .describe('Id of the session, or its name.');

export const reasonSchema = z.enum([
  'matched',
  'prompt',
  'quiet',
  'timeout',
  'more_limit',
  'pager',
  'question',
  'limit',
  'still_waiting',
  'dead',
  'cancelled',
  'preempted',
  'interrupted',
]);

export const sliceSchema = z.object({
  start: offset.describe(
    'Offsets of the bytes that the text was made from, `start` inclusive, `end` exclusive.',
  ),
  end: offset,
  text: z.string().describe('The text of those bytes, without control sequences.'),
  truncated: z
    .boolean()
    .describe(
      'Bytes that were asked for are not there: dropped as the oldest, or lost when a daemon was killed.',
    ),
  lines: z.int().min(0).describe('Line ends in `text`.'),
});

export const lineStateSchema = z.object({
  state: z.enum(['closed', 'connecting', 'open', 'dead']),
  phase: z.enum(['tcp', 'greeting']).optional().describe('While connecting: what is waited for.'),
  reason: z
    .string()
    .optional()
    .describe(
      'Why the line is dead: `closed_by_peer`, `closed_by_simulator`, `reset`, `keepalive_timeout`, or a refusal.',
    ),
  detail: z.string().optional().describe('What the far end or the system said about it, for people.'),
  host: z.string().optional(),
  port: z.int().optional(),
  codec: z
    .enum(['telnet', 'raw', 'unknown'])
    .describe('Whether IAC has a meaning on this line; unknown until the greeting tells.'),
});

export const activitySchema = z.object({
  kind: z.enum(['free', 'ddt', 'program', 'screen_program', 'pager', 'question', 'unknown']),
  name: z.string().optional().describe('Of the program, as it was typed.'),
  pager: z
    .enum(['ddt', 'system', 'other'])
    .optional()
    .describe('DDT’s `--More--`, ITS’s `**MORE**`, or one that a program made and that is never answered.'),
  text: z.string().optional().describe('Of the question.'),
  yes: z.string().optional().describe('The key that means yes to the question.'),
  no: z.string().optional().describe('The key that means no to the question.'),
  why: z.string().optional().describe('Why it is not known.'),
});

export const cursorSchema = z.object({ row: z.int().min(0), column: z.int().min(0) });

/** Who typed or spoke: the client's name and its reader. */
export const authorSchema = z.object({ client: z.string(), reader: z.string().optional() });

export const messageSchema = z.object({
  from: authorSchema,
  text: z.string(),
  at: z.string().describe('ISO 8601.'),
});

export const holderSchema = z.object({
  client: z.string(),
  reader: z.string().optional(),
  isYou: z.boolean(),
  kind: z
    .enum(['call', 'lease', 'asked'])
    .describe(
      '`call`: a call types or waits for its answer; `lease`: the short time behind it; `asked`: by floor.request.',
    ),
  since: z.string().describe('ISO 8601.'),
  expiresInMs: z.number().min(0).optional().describe('Absent while a call of the holder is at work.'),
  lastInput: z.string().optional().describe('What it typed last, with `~` escapes.'),
});

export const floorSchema = z.object({
  state: z.enum(['free', 'held']),
  holder: holderSchema.optional(),
  waiting: z.int().min(0).describe('Calls that queue for the floor.'),
  requests: z
    .array(messageSchema)
    .optional()
    .describe('What others asked the holder for with floor.request.'),
});

export const channelFacts = {
  lineState: lineStateSchema,
  activity: activitySchema,
  goingDown: z.string().optional().describe('What the system said about going down, while that stands.'),
  echo: z
    .enum(['on', 'off', 'unknown'])
    .describe('Whether the far end echoes input; off where a password is typed.'),
  epoch: z
    .string()
    .describe("Random name of the stream's birth: offsets of another epoch mean nothing here."),
};

export const outcomeSchema = z.object({
  reason: reasonSchema,
  before: sliceSchema.optional().describe('Unread output that was there before the send.'),
  output: sliceSchema,
  echoEnd: offset.optional().describe('Offset at which the recognised echo of the input ends.'),
  match: z.object({ start: offset, end: offset }).optional().describe('Where the pattern was found.'),
  accepted: z.int().min(0).optional().describe('Input bytes taken over.'),
  sent: z
    .int()
    .min(0)
    .optional()
    .describe('Input bytes written to the socket; not yet a proof that they arrived.'),
  remaining: z.int().min(0).optional().describe('Bytes of output that wait behind `output.end`.'),
  pages: z.int().min(0).optional().describe('Pager prompts that were answered, and their text left out.'),
  bells: z.int().min(0).optional().describe('BELs in `output`.'),
  echoed: z.int().min(0).optional().describe('Characters of the input whose echo came.'),
  overflow: z
    .object({ offset: z.int().min(0) })
    .optional()
    .describe('Input was certainly lost: bytes of it before the first that was. Go on there.'),
  notices: z
    .array(z.object({ offset, text: z.string() }))
    .optional()
    .describe('Messages of other users and of the system that came meanwhile; they are not in `output`.'),
  folds: z.int().min(0).optional().describe('Lines that ITS had folded at column 79 and that are one again.'),
  screen: z
    .object({ rows: z.array(z.int().min(0)), cursor: cursorSchema })
    .optional()
    .describe('A program paints the screen: `output.text` is the rows that changed, these, from 0.'),
  file: z.string().optional().describe('Where `toFile` put the whole text; `output.text` is its beginning.'),
  commands: z
    .array(z.object({ input: z.string(), reason: reasonSchema, output: sliceSchema }))
    .optional()
    .describe('Several lines were sent: the answer to each.'),
  login: z
    .object({
      state: z
        .enum(['logged_in', 'was_logged_in', 'stopped'])
        .describe('`was_logged_in`: DDT was running already; `stopped`: something unexpected stands there.'),
      banner: z.string().optional(),
      others: z.string().optional().describe('What the banner says of other users.'),
      terminal: z.string().optional().describe('Terminal type, as :TCTYP tells it.'),
    })
    .optional(),
  floor: floorSchema.optional().describe('Who may type, as it is now.'),
  news: z
    .array(z.string())
    .optional()
    .describe(
      'What befell the caller since his last result: who asked for the floor, took it, gave it back.',
    ),
  messages: z
    .array(messageSchema)
    .optional()
    .describe('What other clients said (line.say) since the last result.'),
  hint: z
    .string()
    .optional()
    .describe('One sentence for people and models: what this ending means or what to do next.'),
  ...channelFacts,
});

export const waiting = {
  expect: z
    .string()
    .min(1)
    .max(1_000)
    .optional()
    .describe('Pattern to wait for, RE2 syntax, multiline; never found in older output or in the echo.'),
  quietMs: waitMs
    .default(700)
    .describe('Silence after output that ends the wait, in ms; without any output it does not count.'),
  autoMore: z.boolean().default(true).describe('Answer a trailing `--More--` with a space, up to 20 pages.'),
  maxPages: z
    .int()
    .min(0)
    .max(1_000)
    .default(20)
    .describe('Pages to go through before the wait ends with `more_limit`.'),
  until: z
    .enum(['prompt'])
    .optional()
    .describe(
      'Silence is no end: only the pattern, a known ending or the timeout is. For a program that thinks.',
    ),
  toFile: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'letters, digits and . _ - only')
    .optional()
    .describe('Writes the whole text to this file below the state folder and answers with its beginning.'),
  settleMs: waitMs
    .max(10_000)
    .default(150)
    .describe('Silence after a match or prompt before the answer is given, in ms.'),
  maxChars: z
    .int()
    .min(1)
    .max(MAX_MAX_CHARS)
    .default(DEFAULT_MAX_CHARS)
    .describe('More output than this stays for the next call, reason `limit`.'),
  tidy: z
    .boolean()
    .default(true)
    .describe('Collapse runs of blank lines and trailing blanks in this answer.'),
  returnAfterMs: waitMs
    .min(1)
    .optional()
    .describe('Ends the wait (never the input) with `still_waiting` after so many ms.'),
  progressEveryMs: waitMs.min(100).optional().describe('Asks for `$/progress` every so many ms.'),
};

/** Default and ceiling of the time a call queues for the floor, in ms. */
export const DEFAULT_FLOOR_WAIT_MS = 30_000;

/** How a call that types comes to the floor. */
export const typing = {
  floor: z
    .enum(['wait', 'fail'])
    .default('wait')
    .describe('While somebody else has the floor: queue for it, or fail at once with `floor_held`.'),
  floorWaitMs: waitMs
    .default(DEFAULT_FLOOR_WAIT_MS)
    .describe('Longest time in that queue, in ms; apart from `timeoutMs`.'),
  token: z
    .int()
    .min(1)
    .optional()
    .describe(
      'Of floor.request: the call is refused, and nothing typed, when the floor has changed hands since.',
    ),
};

export const openParams = z.object({
  host: host.optional().describe("Default: the daemon's configuration."),
  port: port.optional().describe("Default: the daemon's configuration."),
  timeoutMs: waitMs.min(1).default(5_000).describe('Time for TCP and greeting together, in ms.'),
  login: z
    .string()
    .regex(/^[A-Za-z0-9]{1,6}$/, 'an ITS user name: up to six letters and digits')
    .optional()
    .describe('Then call DDT and log in, unless somebody is logged in already.'),
  terminal: z
    .string()
    .refine(isTerminalType, TERMINAL_TYPE_NEEDED)
    .optional()
    .describe('Terminal type to set after logging in, one that `:TCTYP ?` lists; it stays on the line.'),
  ...typing,
});

export const screenParams = z.object({
  changedSince: offset.optional().describe('Only rows that changed behind this offset.'),
  at: offset.optional().describe('The screen as it was at this offset, as far back as the ring goes.'),
});
export const screenResult = z.object({
  rows: z.array(z.string()).describe('Top to bottom, without trailing blanks.'),
  changed: z.array(z.int().min(0)).describe('Rows changed since `changedSince`, from 0; without it, all.'),
  cursor: cursorSchema,
  size: z
    .object({ rows: z.int().min(1), columns: z.int().min(1) })
    .optional()
    .describe("Of the line's terminal, as the daemon is configured."),
  offset: offset.describe('The bytes before it made this screen.'),
  unknown: z.int().min(0).describe('Escape sequences that were not understood.'),
  ...channelFacts,
});

export const sendParams = z.object({
  input: z
    .string()
    .max(MAX_INPUT_CHARS)
    .describe('Text with `~` escapes; CR is appended unless it ends in `~-`.'),
  timeoutMs: waitMs
    .default(10_000)
    .describe('Longest wait after the last byte of the input went out, in ms.'),
  raw: z.boolean().default(false).describe('The expanded bytes as they are: no CR appended, LF stays LF.'),
  dryRun: z.boolean().default(false).describe('Only say what would be sent.'),
  echo: z
    .enum(['keep', 'strip'])
    .default('keep')
    .describe('Leave the recognised echo in `output` or out of it.'),
  paste: z
    .boolean()
    .default(false)
    .describe('Text entry into one program: lines follow each other without waiting for an answer.'),
  urgent: z
    .boolean()
    .optional()
    .describe(
      'Pass everything that is still going out, and give that up (`interrupted`). Default: only for ^G and ^S alone.',
    ),
  confirm: z.boolean().default(false).describe('A person has agreed to a line that the guard would stop.'),
  ...typing,
  ...waiting,
});

export const readParams = z.object({
  timeoutMs: waitMs.default(2_000).describe('Longest wait, in ms.'),
  from: offset
    .optional()
    .describe("Read from this offset instead of the reader's cursor, which then stays where it is."),
  flush: z
    .boolean()
    .default(false)
    .describe('Answer a standing `--More--` with a rubout: the rest is not shown.'),
  ...typing,
  ...waiting,
});

export const closeParams = z.object({
  force: z.boolean().default(false).describe('Also while somebody else is at work on the line.'),
});

export const peekParams = z.object({ chars: z.int().min(1).max(MAX_MAX_CHARS).default(2_000) });

export const peekResult = z.object({ output: sliceSchema, ...channelFacts });

export const dryRunResult = z.object({
  dryRun: z.object({
    hex: z.string().describe('The bytes that would go out, before telnet encoding, in hexadecimal.'),
    bytes: z.int().min(0),
    warnings: z.array(z.string()),
  }),
});

export const lineStatusResult = z.object({
  ...channelFacts,
  end: offset.describe('End of the stream: the offset that the next byte will get.'),
  oldest: offset.describe('Oldest offset that can still be read.'),
  reader: z.object({ name: z.string(), offset, unread: z.int().min(0) }).optional(),
  uptimeMs: z.number().min(0).optional().describe('ms since the line opened.'),
  msSinceLastByte: z.number().min(0).optional(),
  bytesIn: z.int().min(0),
  bytesOut: z.int().min(0),
  pendingBytes: z.int().min(0).describe('Input that waits for the socket.'),
  floor: floorSchema.optional(),
  readers: z.int().min(0).optional().describe('Readers that the daemon keeps; reader.list names them.'),
  advice: z
    .string()
    .optional()
    .describe("No byte came since the connection was made, or it may hold somebody's earlier session."),
  connectedAt: z.string().optional(),
  diedAt: z.string().optional(),
});

export type Slice = z.infer<typeof sliceSchema>;
export type LineState = z.infer<typeof lineStateSchema>;
export type Reason = z.infer<typeof reasonSchema>;
export type Outcome = z.infer<typeof outcomeSchema>;
