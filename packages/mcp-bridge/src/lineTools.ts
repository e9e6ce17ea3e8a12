/** The six tools of the line. Names, parameters and defaults are those of pidp10-mcp (the Python one), so that its users are at home. */
import { DEFAULT_MAX_CHARS, MAX_INPUT_CHARS, MAX_WAIT_MS } from '@pidp10/protocol/limits';
import * as z from 'zod';
import { defineTool, type Tool } from './defineTool.ts';
import type { LineCalls } from './lineCalls.ts';
import { MAX_OUTPUT_CHARS } from './toolResult.ts';

const host = z.string().max(253).optional();
const port = z.int().min(1).max(65_535).optional();
const waitMs = z.int().min(0).max(MAX_WAIT_MS);
const waiting = {
  expect: z
    .string()
    .max(1_000)
    .optional()
    .describe('RE2 regex that ends the wait as soon as new output matches'),
  quiet_ms: waitMs.default(700).describe('Silence after some output that ends the wait'),
  auto_more: z.boolean().default(true).describe('Answer --More-- with a space, up to 20 pages'),
  max_chars: z
    .int()
    .min(1)
    .default(DEFAULT_MAX_CHARS)
    .describe(`Most characters to return (never above ${MAX_OUTPUT_CHARS}); read gives the rest`),
};

const inputs = {
  open: strict({
    host: host.describe('Default: as configured, else pidp10.local'),
    port: port.describe('Default: as configured, else 10018'),
    timeout_ms: waitMs.min(1).default(5_000),
  }),
  send: strict({
    input: z
      .string()
      .max(MAX_INPUT_CHARS)
      .describe('Text to type; ~ escapes for control characters; a CR is appended unless it ends in ~-'),
    timeout_ms: waitMs.default(10_000).describe('Longest wait after the input went out'),
    raw: z.boolean().default(false).describe('Send exactly the expanded bytes: no CR, LF stays LF'),
    dry_run: z.boolean().default(false).describe('Only show the bytes, send nothing'),
    settle_ms: waitMs.max(10_000).default(150).describe('Silence after a match or prompt before returning'),
    echo: z.enum(['strip', 'keep']).default('strip').describe("The line's echo of the input"),
    ...waiting,
  }),
  read: strict({
    timeout_ms: waitMs.default(2_000),
    from: z
      .int()
      .min(0)
      .optional()
      .describe('Read again from this offset; what counts as read stays as it is'),
    ...waiting,
  }),
  peek: strict({ last_n_chars: z.int().min(1).default(2_000) }),
  nothing: strict({}),
};

export type OpenArgs = z.output<typeof inputs.open>;
export type SendArgs = z.output<typeof inputs.send>;
export type ReadArgs = z.output<typeof inputs.read>;
export type PeekArgs = z.output<typeof inputs.peek>;

export function defineLineTools(calls: LineCalls): readonly Tool[] {
  return [
    defineTool({
      name: 'open',
      title: 'Open the ITS line',
      description: `Connects to the PiDP-10's terminal line, and starts the daemon that holds it if need be. Call it first. If the line is open already (another agent or an earlier session may have opened it) it changes nothing and says so. Returns the simulator's greeting. ITS itself says nothing until you send "~z". Refusals such as line_busy say who holds the line and what to do; it never retries by itself.`,
      input: inputs.open,
      hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
      run: (args, call) => calls.open(args, call),
    }),
    defineTool({
      name: 'send',
      title: 'Type on the ITS line',
      description: `Types input on the line and returns what it produced. A CR (Enter) is appended; end the input in "~-" for none. Control characters: ~z ^Z, ~e ESC (altmode, shown as $), ~c ^C, ~g ^G, ~d rubout, ~s ^S, ~o ^O, ~r CR, ~n LF, ~t TAB, ~xNN any byte in hex, ~~ a tilde. A wrong escape is an error and nothing is sent.

Returns at the first of: expect matched (only output after the input and its echo counts), DDT's "*" prompt, quiet_ms of silence after output, timeout_ms. The last line in [ ] names the reason. "quiet" without a prompt is normal after errors and after :login. "timeout" with little output: call read, or send "~g~-" to quit. "limit" and "still_waiting": call read for the rest. Older output that nobody read comes first, labelled.

Examples: "~z" wakes DDT; ":login rms"; ":listf sys"; ":print rms;notes text"; "~g~-"; "~x18~c~-" leaves EMACS. Send one command at a time. Never send what shuts ITS down (:LOCK, $U and the like).`,
      input: inputs.send,
      hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
      run: (args, call) => calls.send(args, call),
    }),
    defineTool({
      name: 'read',
      title: 'Read more output',
      description: `Returns output that you have not been given yet, without typing anything; waits for some if there is none. Use it after "still_waiting", "limit", "more_limit" or "timeout", or to see what came in unasked. It ends like send: expect, prompt, quiet, timeout. With auto_more it answers --More-- with a space if your own send led there. from=OFFSET shows older output again (offsets stand in the last line of each result).`,
      input: inputs.read,
      // It may answer a pager, and it moves this agent's place in the output.
      hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
      run: (args, call) => calls.read(args, call),
    }),
    defineTool({
      name: 'peek',
      title: 'Show recent output again',
      description: `Shows the newest last_n_chars characters of the line again, whoever they were for. Nothing counts as read by it, and nothing is typed. Use it when you have lost the thread.`,
      input: inputs.peek,
      hints: { readOnlyHint: true, idempotentHint: true, openWorldHint: true },
      run: (args, call) => calls.peek(args, call),
    }),
    defineTool({
      name: 'status',
      title: 'Line status',
      description: `Says whether the line is open and to where, since when, what died and why, how much output you have not read, and which daemon holds it. Touches nothing and starts nothing.`,
      input: inputs.nothing,
      hints: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
      run: (_args, call) => calls.status(call),
    }),
    defineTool({
      name: 'close',
      title: 'Close the ITS line',
      description: `Resets the connection for everybody, so that the simulator frees the line at once. It does not log anybody out: send ":logout" first. The output stays readable. There is no need to close at the end of your work: the daemon holds the line, and others may be using it.`,
      input: inputs.nothing,
      hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
      run: (_args, call) => calls.close(call),
    }),
  ];
}

/** A misspelt argument is an error that names the right ones: silently ignored it would do something else than meant. */
function strict<S extends z.ZodRawShape>(shape: S): z.ZodObject<S, z.core.$strict> {
  const allowed = Object.keys(shape).join(', ') || 'none';
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `Unknown argument ${issue.keys.join(', ')}; allowed: ${allowed}`
        : undefined,
  });
}
