/**
 * Configuration: flags over environment over config.json over defaults (CONTRACT 4), each checked where it comes in.
 */
import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { type Paths, resolvePaths } from '@pidp10/protocol/node/paths';
import * as z from 'zod';
import { ConfigError, DEFAULT_HOST, DEFAULT_PORT, parseFlags } from './configFlags.ts';
import { compilePattern } from './core/pattern/pattern.ts';
import { MAX_SCREEN, MIN_SCREEN, type ScreenSize, tryParseScreenSize } from './core/screenSize.ts';
import { DEFAULT_RING_BYTES } from './core/scrollback.ts';
import { TELNET_MODES } from './core/telnet.ts';
import { PROFILES } from './core/transcript.ts';
import { DEFAULT_QUOTA_BYTES } from './io/journal/journalOptions.ts';
import { LOG_LEVELS, type LogLevel } from './io/log.ts';
import {
  DEFAULT_SESSION_KEEP_MS,
  DEFAULT_SESSION_QUOTA_BYTES,
  MAX_RUNNING,
  MAX_SESSION_KEEP_MS,
} from './sessionLimits.ts';

export { ConfigError, DEFAULT_HOST, DEFAULT_PORT } from './configFlags.ts';

/** sysexits.h EX_CONFIG: a service manager must not restart us, nothing will be better next time. */
export const EXIT_CONFIG = 78;
/** Smallest ring: one answer of the default size. Largest: what a Raspberry Pi can spare. */
const MIN_RING_BYTES = 32 * 1024;
const MAX_RING_BYTES = 256 * 1024 * 1024;
/** More characters without echo than ITS keeps unread would be lost (docs/its-line.md 14). */
const MAX_WINDOW_CHARS = 65;
/** A probe oftener than each second, or rarer than once a day, is a mistake. */
const MIN_NOP_AFTER_MS = 1_000;
const MAX_NOP_AFTER_MS = 86_400_000;
/** A few of the journal's files, which go as a whole. */
const MIN_QUOTA_BYTES = 64 * 1024 * 1024;
/** Each is looked at for every character that is typed. */
const MAX_GUARD_PATTERNS = 64;

export const COMMAND_POLICIES = ['off', 'local', 'all'] as const;
/** Entries of a list of programs or folders; each is looked at with each start. */
const MAX_COMMAND_PATHS = 1_000;

export interface Config {
  readonly host: string;
  readonly port: number;
  readonly telnet: (typeof TELNET_MODES)[number];
  readonly bits: 7 | 8;
  readonly ringBytes: number;
  readonly profile: (typeof PROFILES)[number];
  /** Absent: 24 x 80. */
  readonly screen?: ScreenSize;
  readonly windowChars?: number;
  readonly guard?: readonly string[];
  readonly nopAfterMs?: number;
  /** Whether everything is kept on disk, and how much of it at most, in bytes. */
  readonly journalMode: 'on' | 'off';
  readonly quotaBytes: number;
  readonly commands: CommandSettings;
  readonly logLevel: LogLevel;
  readonly paths: Paths;
}

/** Commands that the daemon runs for its clients. */
export interface CommandSettings {
  /** Who may start one: nobody, clients on the Unix socket, everybody. */
  readonly who: (typeof COMMAND_POLICIES)[number];
  /** Absolute paths; undefined: any. */
  readonly executables?: readonly string[];
  readonly folders?: readonly string[];
  readonly maxRunning: number;
  /** Exited ones that were read are cleaned away after so long, in ms. */
  readonly keepMs: number;
  /** Of all their files, in bytes. */
  readonly quotaBytes: number;
}

/** Flags and environment have texts; only what is written in digits is a number, and '' is none. */
const number = z.preprocess(
  (value) => (typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value),
  z.int({ error: ({ input }) => `needs a whole number, found ${JSON.stringify(input)}` }),
);

const SCREEN_NEEDED = `needs rows and columns, such as 24x80, from ${MIN_SCREEN.rows}x${MIN_SCREEN.columns} to ${MAX_SCREEN.rows}x${MAX_SCREEN.columns}`;
const screenSize = z
  .string({ error: SCREEN_NEEDED })
  .transform(tryParseScreenSize)
  .refine((size): size is ScreenSize => size !== undefined, SCREEN_NEEDED);
const paths = z
  .array(z.string().refine((path) => isAbsolute(path), 'is no absolute path'))
  .max(MAX_COMMAND_PATHS);

/** What flags, environment and file may say; all of it optional. */
const settingsSchema = z.strictObject({
  host: z.string().min(1).max(253).optional(),
  port: number.pipe(z.int().min(1).max(65_535)).optional(),
  telnet: z.enum(TELNET_MODES).optional(),
  bits: number.pipe(z.union([z.literal(7), z.literal(8)])).optional(),
  ringBytes: number.pipe(z.int().min(MIN_RING_BYTES).max(MAX_RING_BYTES)).optional(),
  profile: z.enum(PROFILES).optional(),
  screen: screenSize.optional(),
  windowChars: number.pipe(z.int().min(1).max(MAX_WINDOW_CHARS)).optional(),
  nopAfterMs: number.pipe(z.int().min(MIN_NOP_AFTER_MS).max(MAX_NOP_AFTER_MS)).optional(),
  journal: z.enum(['on', 'off']).optional(),
  quotaBytes: number.pipe(z.int().min(MIN_QUOTA_BYTES).max(Number.MAX_SAFE_INTEGER)).optional(),
  guard: z.array(z.string().refine(isPattern, 'is no RE2 pattern')).max(MAX_GUARD_PATTERNS).optional(),
  commands: z.enum(COMMAND_POLICIES).optional(),
  commandExecutables: paths.optional(),
  commandFolders: paths.optional(),
  commandMaxRunning: number.pipe(z.int().min(1).max(MAX_RUNNING)).optional(),
  sessionKeepMs: number.pipe(z.int().min(0).max(MAX_SESSION_KEEP_MS)).optional(),
  sessionQuotaBytes: number.pipe(z.int().min(MIN_QUOTA_BYTES).max(Number.MAX_SAFE_INTEGER)).optional(),
  logLevel: z.enum(LOG_LEVELS).optional(),
  socket: z.string().min(1).optional(),
});

type Settings = z.infer<typeof settingsSchema>;

const VARIABLES = {
  host: 'PIDP10_HOST',
  port: 'PIDP10_PORT',
  telnet: 'PIDP10_TELNET',
  bits: 'PIDP10_BITS',
  ringBytes: 'PIDP10_RING_BYTES',
  profile: 'PIDP10_PROFILE',
  screen: 'PIDP10_SCREEN',
  windowChars: 'PIDP10_WINDOW_CHARS',
  nopAfterMs: 'PIDP10_NOP_AFTER_MS',
  journal: 'PIDP10_JOURNAL',
  quotaBytes: 'PIDP10_QUOTA_BYTES',
  commands: 'PIDP10_COMMANDS',
  commandMaxRunning: 'PIDP10_COMMAND_MAX_RUNNING',
  sessionKeepMs: 'PIDP10_SESSION_KEEP_MS',
  sessionQuotaBytes: 'PIDP10_SESSION_QUOTA_BYTES',
  logLevel: 'PIDP10_LOG_LEVEL',
} as const satisfies Partial<Record<keyof Settings, string>>;

export interface ConfigInputs {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly uid: number | undefined;
  readonly homedir: string;
  readonly version: string;
}

/** Throws ConfigError with a sentence that names the place and what is allowed there. `--help` and `--version` exit. */
export function readConfig(inputs: ConfigInputs): Config {
  const { env } = inputs;
  const flags = parseFlags(inputs);
  const name = flags.name ?? env['PIDP10_NAME'];
  const stateDir = flags.stateDir ?? env['PIDP10_STATE_DIR'];
  const where = {
    ...inputs,
    side: 'daemon',
    name: name || undefined,
    stateDir: stateDir || undefined,
  } as const;
  const file = readSettingsFile(
    flags.config ?? env['PIDP10_CONFIG'] ?? pathsOf({ ...where, socket: flags.socket }).config,
    {
      isNamed: flags.config !== undefined || Boolean(env['PIDP10_CONFIG']),
    },
  );
  const settings: Settings = {
    ...file,
    ...fromEnvironment(env),
    ...defined(parseSettings('flags', flags.settings)),
  };
  const socket = flags.socket ?? (env['PIDP10D_SOCKET'] ? undefined : file.socket);
  return {
    host: settings.host ?? DEFAULT_HOST,
    port: settings.port ?? DEFAULT_PORT,
    telnet: settings.telnet ?? 'auto',
    bits: settings.bits ?? 7,
    ringBytes: settings.ringBytes ?? DEFAULT_RING_BYTES,
    profile: settings.profile ?? 'its',
    ...(settings.screen !== undefined && { screen: settings.screen }),
    ...(settings.windowChars !== undefined && { windowChars: settings.windowChars }),
    ...(settings.nopAfterMs !== undefined && { nopAfterMs: settings.nopAfterMs }),
    ...(settings.guard !== undefined && { guard: settings.guard }),
    journalMode: settings.journal ?? 'on',
    quotaBytes: settings.quotaBytes ?? DEFAULT_QUOTA_BYTES,
    commands: commandsOf(settings),
    logLevel: settings.logLevel ?? 'info',
    paths: pathsOf({ ...where, socket }),
  };
}

function commandsOf(settings: Settings): CommandSettings {
  const { commandExecutables: executables, commandFolders: folders } = settings;
  return {
    who: settings.commands ?? 'local',
    ...(executables !== undefined && { executables }),
    ...(folders !== undefined && { folders }),
    maxRunning: settings.commandMaxRunning ?? MAX_RUNNING,
    keepMs: settings.sessionKeepMs ?? DEFAULT_SESSION_KEEP_MS,
    quotaBytes: settings.sessionQuotaBytes ?? DEFAULT_SESSION_QUOTA_BYTES,
  };
}

function fromEnvironment(env: ConfigInputs['env']): Settings {
  const found = Object.entries(VARIABLES).flatMap(([key, variable]) =>
    env[variable] ? [[key, env[variable]]] : [],
  );
  return defined(
    parseSettings(`environment (${Object.values(VARIABLES).join(', ')})`, Object.fromEntries(found)),
  );
}

function readSettingsFile(path: string, { isNamed }: { isNamed: boolean }): Settings {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (!isNamed && error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw new ConfigError(`The configuration file ${path} cannot be read: ${String(error)}`, {
      cause: error,
    });
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new ConfigError(`The configuration file ${path} is not JSON: ${String(error)}`, { cause: error });
  }
  return defined(parseSettings(path, json));
}

function parseSettings(place: string, value: unknown): Settings {
  const parsed = settingsSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'it'}: ${issue.message}`);
  throw new ConfigError(`Wrong setting in ${place}: ${problems.join('; ')}`, { cause: parsed.error });
}

function pathsOf(inputs: Parameters<typeof resolvePaths>[0]): Paths {
  try {
    return resolvePaths(inputs);
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function defined(settings: Settings): Settings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

function isPattern(source: string): boolean {
  return compilePattern(source).kind === 'pattern';
}
