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

export { DEFAULT_MAX_CHARS, MAX_INPUT_CHARS, MAX_MAX_CHARS, MAX_READER_NAME_CHARS, MAX_WAIT_MS };

const waitMs = z.int().min(0).max(MAX_WAIT_MS);
const offset = z.int().min(0);
const host = z.string().min(1).max(253);
const port = z.int().min(1).max(65_535);

export const streamSchema = z.enum(['out', 'err']);

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
  truncated: z.boolean().describe('Older bytes that were asked for are no longer there.'),
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

const channelFacts = {
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
  hint: z
    .string()
    .optional()
    .describe('One sentence for people and models: what this ending means or what to do next.'),
  ...channelFacts,
});

const waiting = {
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
    .regex(/^[A-Za-z0-9]{1,12}$/, 'a terminal type that :TCTYP knows')
    .optional()
    .describe('Terminal type to set after logging in; it stays on the line.'),
});

/** A file name as DDT takes it: `dir;name1 name2`, `name1 name2`; nothing that ends the line or edits it. */
const itsFile = z
  .string()
  .regex(/^[!-~]+(?: [!-~]+)*$/, 'a file name in printing ASCII, such as rms;hello text')
  .max(60);
/** Characters of one file that is put: some minutes at the line's speed. */
export const MAX_FILE_CHARS = 100_000;

export const putFileParams = z.object({
  file: itsFile,
  text: z
    .string()
    .max(MAX_FILE_CHARS)
    .describe('ASCII, tabs and line ends; nothing else can be typed into a file.'),
  progressEveryMs: waiting.progressEveryMs,
});
export const putFileResult = z.object({
  file: z.string().describe('As ITS names it.'),
  lines: z.int().min(0),
  chars: z.int().min(0),
  verified: z.boolean().describe('Read back and found the same.'),
});
export const getFileParams = z.object({ file: itsFile, progressEveryMs: waiting.progressEveryMs });
export const getFileResult = z.object({
  file: z.string(),
  text: z.string(),
  lines: z.int().min(0),
  chars: z.int().min(0),
});

export const screenParams = z.object({
  changedSince: offset.optional().describe('Only rows that changed behind this offset.'),
  at: offset.optional().describe('The screen as it was at this offset, as far back as the ring goes.'),
});
export const screenResult = z.object({
  rows: z.array(z.string()).describe('Top to bottom, without trailing blanks.'),
  changed: z.array(z.int().min(0)).describe('Rows changed since `changedSince`, from 0; without it, all.'),
  cursor: cursorSchema,
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
  ...waiting,
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
  advice: z
    .string()
    .optional()
    .describe("No byte came since the connection was made, or it may hold somebody's earlier session."),
  connectedAt: z.string().optional(),
  diedAt: z.string().optional(),
});

export const helloParams = z.object({
  protocol: z.object({ major: z.int().min(0), minor: z.int().min(0) }),
  client: z.object({ name: z.string().min(1).max(100), version: z.string().max(100) }),
  reader: z
    .string()
    .min(1)
    .max(MAX_READER_NAME_CHARS)
    .regex(/^[A-Za-z0-9][A-Za-z0-9._@:+-]*$/, 'letters, digits and . _ @ : + - only')
    .optional()
    .describe('Name of a cursor that outlives the connection; without one it dies with it.'),
  commit: z
    .enum(['manual', 'auto'])
    .default('auto')
    .describe('`auto`: output counts as read when the answer was written; `manual`: by `reader.commit`.'),
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
});

export type Slice = z.infer<typeof sliceSchema>;
export type LineState = z.infer<typeof lineStateSchema>;
export type Reason = z.infer<typeof reasonSchema>;
export type Outcome = z.infer<typeof outcomeSchema>;
