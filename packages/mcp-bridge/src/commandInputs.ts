/**
 * Arguments of the tools for commands. Names are those of mcp-runner where it has them, so that its users are at home. Bounds
 * are the daemon's own; it checks what is not checked here.
 */
import { DEFAULT_MAX_CHARS, MAX_INPUT_CHARS, MAX_WAIT_MS } from '@pidp10/protocol/limits';
import * as z from 'zod';
import { strict } from './toolInputs.ts';

/** Longest waits for the answer to an input by default, in ms: a program that says nothing, a pattern that is waited for. */
export const ANSWER_MS = 2_000;
export const MATCH_MS = 10_000;
const MAX_ROWS = 1_000;
const MAX_BYTES = 65_536;
const MAX_GRACE_MS = 600_000;

const END = 'RE2 regex that ends the wait; silence then does not';

let made: ReturnType<typeof makeInputs> | undefined;

/** Made when a client first asks for the tools, like those of the line (`toolInputs.ts`). */
export function commandInputs(): ReturnType<typeof makeInputs> {
  made ??= makeInputs();
  return made;
}

function makeInputs() {
  const waitMs = z.int().min(0).max(MAX_WAIT_MS);
  const offset = z.int().min(0);
  const size = z.int().min(1).max(MAX_ROWS);
  /** An id or a name. Bounds that the daemon checks too cost each conversation tokens: it says what it refuses. */
  const session = z.string();
  const expect = z.string().max(1_000).optional();

  const reading = {
    session_id: session,
    strip_ansi: z.boolean().default(true).describe('false: control sequences too, visible (␛)'),
    timeout_ms: waitMs.default(ANSWER_MS).describe('Longest wait for new output; 0: none'),
    expect: expect.describe(END),
    max_chars: z.int().min(1).default(DEFAULT_MAX_CHARS).describe('The next call gives the rest'),
    from: offset.optional().describe('Read again from there; what counts as read stays as it is'),
  };
  /** The same without words: the tool stands behind the other. */
  const readingErrors = {
    session_id: session,
    strip_ansi: z.boolean().default(true),
    timeout_ms: waitMs.default(ANSWER_MS),
    expect,
    max_chars: z.int().min(1).default(DEFAULT_MAX_CHARS),
    from: offset.optional(),
  };

  return {
    start: strict({
      command: z.string().describe('Program: a path or a name in PATH; no shell, no arguments'),
      args: z.array(z.string()).default([]).describe('One element for each argument'),
      split_stderr: z
        .boolean()
        .default(false)
        .describe('Keep stderr apart, for read_stderr; not with use_pty'),
      use_pty: z.boolean().default(false).describe('Run on a terminal'),
      stream_log: z.boolean().default(false).describe('Also send output as log messages to the client'),
      cwd: z.string().optional().describe('Absolute path; default: the home folder'),
      env: z.record(z.string(), z.string()).optional().describe('Variables to add'),
      name: z.string().optional().describe('To use instead of the id'),
      rows: size.optional().describe('Of the terminal; default 24'),
      cols: size.optional().describe('Default 80'),
      timeout_ms: waitMs.min(1).optional().describe('Stop the program after so long; default: never'),
      wait_ms: waitMs
        .optional()
        .describe(`Longest wait for first output; default 1000, with expect ${MATCH_MS}; 0: none`),
      expect: expect.describe(END),
    }),
    send: strict({
      session_id: session,
      input: z.string().max(MAX_INPUT_CHARS).optional().describe('Text; Enter is added. No escapes'),
      bytes: z
        .array(z.int().min(0).max(255))
        .max(MAX_BYTES)
        .optional()
        .describe('Instead of input: bytes as they are, no Enter; [3] is Ctrl-C, [27] ESC'),
      no_enter: z.boolean().default(false),
      elicit: z.boolean().default(false).describe('A person types a secret that you never see'),
      elicit_message: z.string().max(500).optional().describe('What the person is asked for'),
      await_response_ms: waitMs
        .optional()
        .describe(`Longest wait for the answer; default ${ANSWER_MS}, with expect ${MATCH_MS}; 0: none`),
      expect: expect.describe(END),
      close_input: z.boolean().default(false).describe('Then end of input (Ctrl-D)'),
    }),
    signal: strict({
      session_id: session,
      signal: z.string().describe('SIGINT, SIGTERM, SIGKILL, SIGSTOP, SIGCONT, SIGHUP, …'),
      target: z
        .enum(['group', 'leader', 'foreground'])
        .optional()
        .describe(
          'foreground: who has the terminal, as keys do; default for SIGINT, SIGQUIT, SIGTSTP. group: default for others',
        ),
    }),
    read: strict(reading),
    readErrors: strict(readingErrors),
    stop: strict({
      session_id: session,
      grace_ms: z
        .int()
        .min(0)
        .max(MAX_GRACE_MS)
        .default(3_000)
        .describe('Time to end by itself before it is killed; 0: kill at once'),
    }),
    session: strict({ session_id: session }),
    resize: strict({ session_id: session, rows: size, cols: size }),
  };
}

type Inputs = ReturnType<typeof makeInputs>;
export type StartArgs = z.output<Inputs['start']>;
export type SendInputArgs = z.output<Inputs['send']>;
export type SignalArgs = z.output<Inputs['signal']>;
export type ReadOutputArgs = z.output<Inputs['read']>;
export type StopArgs = z.output<Inputs['stop']>;
export type SessionArgs = z.output<Inputs['session']>;
export type ResizeArgs = z.output<Inputs['resize']>;
