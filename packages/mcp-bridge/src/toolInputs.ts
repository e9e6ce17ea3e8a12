/** Arguments of the tools. Names and defaults are those of pidp10-mcp (the Python one) where it has them, so that its users are at home. */
import { DEFAULT_MAX_CHARS, MAX_INPUT_CHARS, MAX_WAIT_MS } from '@pidp10/protocol/limits';
import { isTerminalType, TERMINAL_TYPE_NEEDED } from '@pidp10/protocol/terminalTypes';
import * as z from 'zod';
import { DEFAULT_FLOOR_WAIT_MS } from './floorWait.ts';
import { MAX_OUTPUT_CHARS } from './toolResult.ts';

/** Characters of one file; the daemon's own limit. */
const MAX_FILE_CHARS = 100_000;

/** Bounds of the daemon's own: of a lease, in ms, and of a message, in characters. */
const MIN_LEASE_MS = 1_000;
const MAX_LEASE_MS = 3_600_000;
const MAX_MESSAGE_CHARS = 500;
const MAX_HISTORY_ENTRIES = 1_000;
const MAX_HISTORY_OUTPUT_CHARS = 10_000;

let made: ReturnType<typeof makeInputs> | undefined;

/** Made when a client first asks for the tools: a bridge answers `initialize` without them, while somebody waits. */
export function inputs(): ReturnType<typeof makeInputs> {
  made ??= makeInputs();
  return made;
}

function makeInputs() {
  const waitMs = z.int().min(0).max(MAX_WAIT_MS);
  const offset = z.int().min(0);

  /** While somebody else has the floor. */
  const floor = z.enum(['wait', 'fail']).default('wait');
  const message = z.string().min(1).max(MAX_MESSAGE_CHARS);
  const itsFile = z.string().max(60).describe('As DDT takes it: "rms;hello text"');
  const waiting = {
    expect: z.string().max(1_000).optional().describe('RE2 regex that ends the wait when new output matches'),
    quiet_ms: waitMs.default(700).describe('Silence after some output that ends the wait'),
    auto_more: z.boolean().default(true).describe('Answer --More-- and **MORE** with a space'),
    max_chars: z
      .int()
      .min(1)
      .default(DEFAULT_MAX_CHARS)
      .describe(`Most characters to return (never above ${MAX_OUTPUT_CHARS}); read gives the rest`),
    max_pages: z.int().min(0).max(1_000).default(20).describe('Pages to answer before "more_limit"'),
    until: z.enum(['prompt']).optional().describe('"prompt": silence does not end it (compilers)'),
    to_file: z
      .string()
      .regex(/^(?:[A-Za-z0-9][A-Za-z0-9._-]{0,63})?$/, 'letters, digits and . _ - only')
      .optional()
      .describe(
        'Name: all output of one command goes to that file on this host; you get its beginning, lines, path',
      ),
  };

  return {
    open: strict({
      host: z.string().max(253).optional().describe('Default: as configured, else pidp10.local'),
      port: z.int().min(1).max(65_535).optional().describe('Default: as configured, else 10018'),
      timeout_ms: waitMs.min(1).default(5_000),
      login: z
        .string()
        .regex(/^[A-Za-z0-9]{0,6}$/, 'an ITS user name: up to six letters and digits')
        .optional()
        .describe('Also call DDT and log in as this user'),
      terminal: z
        .string()
        .refine((type) => type === '' || isTerminalType(type), TERMINAL_TYPE_NEEDED)
        .optional()
        .describe('Set this terminal type, such as vt52; it stays on the line'),
      floor,
    }),
    send: strict({
      input: z
        .string()
        .max(MAX_INPUT_CHARS)
        .describe('Text to type; ~ escapes for control characters; a CR is appended unless it ends in ~-'),
      timeout_ms: waitMs.default(10_000).describe('Longest wait after the input went out, for each command'),
      raw: z.boolean().default(false).describe('Send exactly the expanded bytes: no CR, LF stays LF'),
      dry_run: z.boolean().default(false).describe('Only show the bytes, send nothing'),
      settle_ms: waitMs.max(10_000).default(150).describe('Silence after a match or prompt before returning'),
      echo: z.enum(['strip', 'keep']).default('strip').describe("The line's echo of the input"),
      paste: z
        .boolean()
        .default(false)
        .describe('Several lines are text for one program, not commands answered one by one'),
      floor: floor.describe('While another client types: wait for your turn, or fail at once'),
      floor_wait_ms: waitMs
        .default(DEFAULT_FLOOR_WAIT_MS)
        .describe('Longest wait for it; at most 30 s without a progress token'),
      ...waiting,
    }),
    sendSecret: strict({
      message: message.describe('What the person is asked for: which password, of whom, what for'),
      prompt: z.string().max(1_000).optional(),
    }),
    read: strict({
      timeout_ms: waitMs.default(2_000),
      from: offset.optional().describe('Read again from this offset; what counts as read stays as it is'),
      flush: z.boolean().default(false).describe('At --More--: drop the rest'),
      floor: floor.describe('Of flush'),
      ...waiting,
    }),
    peek: strict({ last_n_chars: z.int().min(1).default(2_000) }),
    screen: strict({
      changed_since: offset.optional().describe('Only rows changed after this offset'),
      at: offset.optional().describe('As it was at this offset'),
    }),
    putFile: strict({
      file: itsFile,
      text: z.string().max(MAX_FILE_CHARS).describe('ASCII, tabs, newlines'),
      floor,
    }),
    getFile: strict({ file: itsFile, floor }),
    floor: strict({
      action: z.enum(['status', 'take', 'release']).default('status'),
      message: z.string().max(MAX_MESSAGE_CHARS).optional().describe('take: why; the holder reads it'),
      force: z.boolean().default(false).describe('take: from whoever has it; only if the person said so'),
      wait_ms: waitMs
        .default(DEFAULT_FLOOR_WAIT_MS)
        .describe('take: longest wait for it; at most 45 s without a progress token'),
      lease_ms: z
        .int()
        .min(MIN_LEASE_MS)
        .max(MAX_LEASE_MS)
        .default(60_000)
        .describe('take: it falls free after so long without input'),
    }),
    say: strict({ text: message }),
    mark: strict({ text: message }),
    history: strict({
      from: offset.optional().describe('Offset to begin at'),
      to: offset.optional().describe('Offset to end at'),
      limit: z.int().min(1).max(MAX_HISTORY_ENTRIES).default(50).describe('Newest so many entries'),
      output_chars: z.int().min(0).max(MAX_HISTORY_OUTPUT_CHARS).default(0),
    }),
    nothing: strict({}),
  };
}

type Inputs = ReturnType<typeof makeInputs>;

export type OpenArgs = z.output<Inputs['open']>;
export type SendArgs = z.output<Inputs['send']>;
export type ReadArgs = z.output<Inputs['read']>;
export type PeekArgs = z.output<Inputs['peek']>;
export type ScreenArgs = z.output<Inputs['screen']>;
export type PutFileArgs = z.output<Inputs['putFile']>;
export type GetFileArgs = z.output<Inputs['getFile']>;
export type FloorToolArgs = z.output<Inputs['floor']>;
export type SayArgs = z.output<Inputs['say']>;
export type MarkArgs = z.output<Inputs['mark']>;
export type HistoryArgs = z.output<Inputs['history']>;

/** A misspelt argument is an error that names the right ones: silently ignored it would do something else than meant. */
export function strict<S extends z.ZodRawShape>(shape: S): z.ZodObject<S, z.core.$strict> {
  const allowed = Object.keys(shape).join(', ') || 'none';
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `Unknown argument ${issue.keys.join(', ')}; allowed: ${allowed}`
        : undefined,
  });
}
