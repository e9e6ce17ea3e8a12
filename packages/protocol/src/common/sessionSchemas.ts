/**
 * Shapes of command sessions: programs that the daemon runs and holds, on pipes or on a PTY. Reading, waiting and the floor are
 * those of the line; the facts beside an answer are the session's.
 */
import * as z from 'zod';
import {
  floorSchema,
  MAX_INPUT_CHARS,
  MAX_WAIT_MS,
  offset,
  outcomeSchema,
  sessionIdSchema,
  streamSchema,
  typing,
  waiting,
} from './schemas.ts';
import { historyParams, inputSchema, searchParams, WATCH_NOTIFICATIONS, watchForm } from './watchSchemas.ts';

/** Arguments of a command, and the characters of all of them together; below what Linux takes (ARG_MAX, 2 MiB). */
export const MAX_ARGUMENTS = 1_000;
export const MAX_ARGUMENT_CHARS = 131_072;
/** Variables that a caller may add to a command's environment. */
export const MAX_VARIABLES = 200;
/** Rows and columns of a terminal: the emulation's and the kernel's sane range. */
export const MAX_TERMINAL_ROWS = 1_000;
/** Longest grace of a stop, in ms. */
export const MAX_GRACE_MS = 600_000;
/** Default terminal: what programs expect when nobody says otherwise. */
export const DEFAULT_TERMINAL = { rows: 24, columns: 80 } as const;

const waitMs = z.int().min(0).max(MAX_WAIT_MS);
const noNul = (text: string): boolean => !text.includes('\0');
const terminalSize = z.int().min(1).max(MAX_TERMINAL_ROWS);

const sessionName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9._-]{0,31}$/, 'letters, digits and . _ - only, a letter first, 32 at most')
  .refine((name) => !/^s\d+$/.test(name), 'looks like an id (s and a number)');

const signalName = z
  .string()
  .regex(/^SIG[A-Z0-9+-]{1,12}$/, 'a signal as kill -l names it, with SIG before it: SIGINT');

export const exitSchema = z.object({
  code: z.int().min(0).max(255).optional().describe('Of exit(3); absent when a signal ended it.'),
  signal: z.string().optional().describe('The signal that ended it.'),
  status: z.int().min(0).describe('As a shell has it: the code, or 128 and the number of the signal.'),
});

/** What stands beside every answer of a session. */
export const sessionFactsSchema = z.object({
  session: z.string().describe('Its id: never used again for another session.'),
  name: z.string().optional(),
  state: z
    .enum(['running', 'stopping', 'exited', 'lost'])
    .describe('`lost`: the daemon that ran it ended without a word, so nobody knows how it ended.'),
  exit: exitSchema.optional(),
  isPty: z.boolean(),
  outputState: z
    .enum(['open', 'held', 'ended'])
    .describe(
      '`held`: the program has exited, and others that it started hold its output open (pids in session.status).',
    ),
  epoch: z.string().describe("Random name of the streams' birth."),
});

const processSchema = z.object({ pid: z.int(), name: z.string() });

export const sessionStatusSchema = z.object({
  ...sessionFactsSchema.shape,
  command: z.string().describe('The program as it was asked for.'),
  args: z.array(z.string()).optional().describe('Only with `args: true`: they may hold secrets.'),
  cwd: z.string(),
  pid: z.int().optional().describe('Of the leader; absent once it was reaped.'),
  size: z.object({ rows: z.int(), columns: z.int() }).optional().describe('Of its terminal.'),
  splitStderr: z.boolean(),
  startedAt: z.string().describe('ISO 8601.'),
  startedBy: z.string().describe('Name of the client.'),
  exitedAt: z.string().optional(),
  /** Why it was stopped. */
  stopCause: z.enum(['asked', 'timeout', 'shutdown']).optional(),
  end: offset.describe('End of stream `out`.'),
  oldest: offset,
  errEnd: offset.optional().describe('End of stream `err`, where stderr is apart.'),
  unread: z.int().min(0).describe("Bytes of `out` behind the caller's cursor."),
  errUnread: z.int().min(0).optional(),
  pendingBytes: z.int().min(0).describe('Input that the program has not taken yet.'),
  msSinceLastByte: z.number().min(0).optional(),
  echo: z.enum(['on', 'off', 'unknown']),
  processes: z.array(processSchema).optional().describe('Who is alive of it, the leader first.'),
  floor: floorSchema.optional(),
  expiresAt: z.string().optional().describe('When an exited session is cleaned away.'),
});

/** Parts of the line's outcome that mean the same here. */
const COMMON = {
  before: true,
  output: true,
  echoEnd: true,
  match: true,
  accepted: true,
  sent: true,
  remaining: true,
  bells: true,
  echoed: true,
  file: true,
  floor: true,
  news: true,
  messages: true,
  hint: true,
} as const;

export const sessionOutcomeSchema = z.object({
  reason: outcomeSchema.shape.reason,
  stream: streamSchema,
  ...outcomeSchema.pick(COMMON).shape,
  ...sessionFactsSchema.shape,
});

const { expect, quietMs, settleMs, maxChars, tidy, returnAfterMs, progressEveryMs, toFile } = waiting;
/** Ways to wait; `prompt` and pagers are the line's alone. */
const sessionWaiting = {
  expect,
  quietMs: quietMs.describe('Silence after output that ends the wait, in ms; 0: no silence does.'),
  settleMs,
  maxChars,
  tidy,
  returnAfterMs,
  progressEveryMs,
  toFile,
  stripAnsi: z
    .boolean()
    .default(true)
    .describe('Leave control sequences out; false: the bytes as they came, decoded as UTF-8.'),
};

export const sessionStartParams = z.object({
  command: z
    .string()
    .min(1)
    .max(4_096)
    .refine(noNul, 'no NUL')
    .describe('A path, or a name found in the PATH. No shell.'),
  args: z
    .array(z.string().refine(noNul, 'no NUL'))
    .max(MAX_ARGUMENTS)
    .refine(
      (args) => args.reduce((sum, arg) => sum + arg.length, 0) <= MAX_ARGUMENT_CHARS,
      'too long together',
    )
    .default([]),
  cwd: z
    .string()
    .min(1)
    .max(4_096)
    .refine(noNul, 'no NUL')
    .optional()
    .describe('Absolute path; default: the home folder.'),
  env: z
    .record(z.string(), z.string())
    .refine((env) => Object.keys(env).length <= MAX_VARIABLES, `${MAX_VARIABLES} variables at most`)
    .default({})
    .describe('Added to a clean environment, which holds nothing of the daemon itself.'),
  name: sessionName.optional().describe('For people; unique among the sessions that are kept.'),
  pty: z.boolean().default(false).describe('Run it on a terminal of its own.'),
  rows: terminalSize.default(DEFAULT_TERMINAL.rows),
  columns: terminalSize.default(DEFAULT_TERMINAL.columns),
  splitStderr: z.boolean().default(false).describe('Keep stderr apart, as stream `err`; not on a PTY.'),
  timeLimitMs: waitMs.min(1).optional().describe('It is stopped after so many ms.'),
  /** First output in the same answer. */
  timeoutMs: waitMs
    .default(0)
    .describe('Wait so long, in ms, for its first output (or `expect`, or its exit); 0: answer at once.'),
  ...sessionWaiting,
});

export const sessionSendParams = z.object({
  session: sessionIdSchema,
  input: z
    .string()
    .max(MAX_INPUT_CHARS)
    .optional()
    .describe('Text, sent as UTF-8. Nothing is trimmed; no escapes.'),
  bytes: z
    .array(z.int().min(0).max(255))
    .max(65_536)
    .optional()
    .describe('Or bytes, verbatim: never an Enter behind them.'),
  enter: z.boolean().default(true).describe('One Enter behind `input`: LF on pipes, CR on a PTY.'),
  closeInput: z.boolean().default(false).describe('End of input behind it (^D at a line start on a PTY).'),
  urgent: z.boolean().default(false).describe('Pass input that is still going out, and give that up.'),
  timeoutMs: waitMs
    .default(10_000)
    .describe('Longest wait after the last byte went out, in ms; 0: answer when it is out.'),
  echo: z.enum(['keep', 'strip']).default('keep'),
  ...typing,
  ...sessionWaiting,
});

export const sessionReadParams = z.object({
  session: sessionIdSchema,
  stream: streamSchema.default('out'),
  timeoutMs: waitMs.default(2_000).describe('Longest wait, in ms; 0: only what is there.'),
  from: offset
    .optional()
    .describe("Read from this offset instead of the reader's cursor, which stays where it is."),
  ...sessionWaiting,
});

export const sessionWaitParams = z.object({
  session: sessionIdSchema,
  until: z
    .enum(['exit', 'end'])
    .default('exit')
    .describe('`exit`: the program has exited; `end`: and all its output has come.'),
  timeoutMs: waitMs.default(60_000),
  returnAfterMs,
  progressEveryMs,
});
export const sessionWaitResult = z.object({
  reason: z.enum(['exited', 'timeout', 'still_waiting', 'cancelled']),
  ...sessionFactsSchema.shape,
});

export const sessionSignalParams = z.object({
  session: sessionIdSchema,
  signal: signalName,
  target: z
    .enum(['group', 'leader', 'foreground'])
    .default('group')
    .describe('`group`: all of its process group; `foreground`: who reads from its terminal now.'),
});

export const sessionResizeParams = z.object({
  session: sessionIdSchema,
  rows: terminalSize,
  columns: terminalSize,
});

export const sessionStopParams = z.object({
  session: sessionIdSchema,
  graceMs: z
    .int()
    .min(0)
    .max(MAX_GRACE_MS)
    .default(3_000)
    .describe('Time between asking (SIGTERM) and killing, in ms; 0 kills at once.'),
});
export const sessionStopResult = z.object({
  survivors: z.array(processSchema).describe('Who is alive all the same: not even SIGKILL ended them yet.'),
  ...sessionFactsSchema.shape,
});

export const sessionDeleteParams = z.object({
  session: sessionIdSchema,
  stop: z
    .boolean()
    .default(false)
    .describe('Stop it first if it runs; without that a running one is refused.'),
});

export const sessionStatusParams = z.object({
  session: sessionIdSchema,
  args: z.boolean().default(false),
  processes: z.boolean().default(false),
});

export const sessionListParams = z.object({ args: z.boolean().default(false) });
export const sessionListResult = z.object({
  sessions: z.array(sessionStatusSchema),
  policy: z.enum(['off', 'local', 'all']).describe('Who may start commands.'),
  leftovers: z
    .array(z.object({ session: z.string(), ...processSchema.shape }))
    .describe('Processes of an earlier daemon, which ended without a word, that are still alive.'),
});

export const sessionScreenParams = z.object({ session: sessionIdSchema });
export const sessionScreenResult = z.object({
  rows: z.array(z.string()).describe('Top to bottom, without trailing blanks.'),
  cursor: z.object({ row: z.int().min(0), column: z.int().min(0) }),
  isAlternate: z.boolean().describe('A full-screen program has taken the screen.'),
  size: z.object({ rows: z.int(), columns: z.int() }),
  offset: offset.describe('The bytes before it made this screen.'),
  ...sessionFactsSchema.shape,
});

export const sessionSearchParams = searchParams.extend({
  session: sessionIdSchema,
  stream: streamSchema.default('out'),
});

export const sessionHistoryParams = historyParams.extend({ session: sessionIdSchema });

export const sessionWatchParams = z.object({
  session: sessionIdSchema,
  stream: streamSchema.default('out'),
  from: offset.optional().describe('Begin here; default: now.'),
  until: offset.optional(),
  form: watchForm.exclude(['ansi']).default('text'),
});
export const sessionWatchResult = z.object({
  watch: z.int().min(1),
  offset,
  truncated: z.boolean(),
  floor: floorSchema,
  ...sessionFactsSchema.shape,
});

const watched = { watch: z.int(), offset, at: z.string().describe('ISO 8601.') };

/** What a watch of a session tells, in the order in which it happened. */
export const SESSION_NOTIFICATIONS = {
  'session.output': {
    summary: 'Output of the watched stream, in the form that was asked for.',
    params: WATCH_NOTIFICATIONS['line.output'].params,
    since: '1.3',
  },
  'session.input': {
    summary: 'Somebody typed; secrets are masked.',
    params: z.object({ ...watched, ...inputSchema.shape }),
    since: '1.3',
  },
  'session.state': {
    summary: 'It was stopped, has exited, or its output has ended.',
    params: z.object({ ...watched, ...sessionFactsSchema.shape, text: z.string() }),
    since: '1.3',
  },
  'session.lagged': {
    summary: 'The watcher reads too slowly: session.watch from `offset` goes on without a loss.',
    params: WATCH_NOTIFICATIONS['line.lagged'].params,
    since: '1.3',
  },
  'session.watchEnded': {
    summary: 'The watch has come to its `until`, or all output has come, or the session was deleted.',
    params: WATCH_NOTIFICATIONS['line.watchEnded'].params,
    since: '1.3',
  },
} as const;

export type SessionFacts = z.infer<typeof sessionFactsSchema>;
export type SessionOutcome = z.infer<typeof sessionOutcomeSchema>;
export type SessionStatus = z.infer<typeof sessionStatusSchema>;
