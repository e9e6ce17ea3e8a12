/** Flags of pidp10d, as they were given: what they mean is checked with what environment and file say (`config.ts`). */
import yargs from 'yargs';
import { DEFAULT_RING_BYTES } from './core/scrollback.ts';
import { DEFAULT_QUOTA_BYTES } from './io/journal/journalOptions.ts';
import { LOG_LEVELS } from './io/log.ts';
import { DEFAULT_SESSION_KEEP_MS, DEFAULT_SESSION_QUOTA_BYTES, MAX_RUNNING } from './sessionLimits.ts';

export const DEFAULT_HOST = 'pidp10.local';
/** The simulator's terminal line 9, a VT52, on a stock PiDP-10. */
export const DEFAULT_PORT = 10_018;

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export interface Flags {
  readonly name: string | undefined;
  readonly stateDir: string | undefined;
  readonly socket: string | undefined;
  readonly config: string | undefined;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Throws a ConfigError for flags that there are not. `--help` and `--version` exit. */
export function parseFlags({
  argv,
  version,
}: {
  readonly argv: readonly string[];
  readonly version: string;
}): Flags {
  const parser = yargs([...argv])
    .scriptName('pidp10d')
    .usage('$0 [options]\n\nHolds one terminal line of a PiDP-10 and serves it on a Unix socket.')
    .option('name', {
      type: 'string',
      describe: 'name of this instance (one line each)',
      defaultDescription: 'line',
    })
    .option('host', { type: 'string', describe: 'host of the simulator', defaultDescription: DEFAULT_HOST })
    .option('port', {
      type: 'string',
      describe: 'TCP port of the line',
      defaultDescription: String(DEFAULT_PORT),
    })
    .option('telnet', { type: 'string', describe: 'auto, on or off', defaultDescription: 'auto' })
    .option('bits', { type: 'string', describe: '7 or 8 bits a character', defaultDescription: '7' })
    .option('profile', {
      type: 'string',
      describe: 'its, or plain for another system',
      defaultDescription: 'its',
    })
    .option('screen', {
      type: 'string',
      describe: "rows x columns of the line's terminal",
      defaultDescription: '24x80',
    })
    .option('window-chars', {
      type: 'string',
      describe: 'characters that may be without echo',
      defaultDescription: '32',
    })
    .option('ring-bytes', {
      type: 'string',
      describe: 'scrollback in memory',
      defaultDescription: String(DEFAULT_RING_BYTES),
    })
    .option('nop-after-ms', {
      type: 'string',
      describe: 'silence after which an IAC NOP probes the line',
      defaultDescription: 'never',
    })
    .option('journal', {
      type: 'string',
      describe: 'on or off: keep everything on disk',
      defaultDescription: 'on',
    })
    .option('quota-bytes', {
      type: 'string',
      describe: 'most of it, then the oldest goes',
      defaultDescription: String(DEFAULT_QUOTA_BYTES),
    })
    .option('commands', {
      type: 'string',
      describe: 'who may start commands: off, local or all',
      defaultDescription: 'local',
    })
    .option('command-max-running', {
      type: 'string',
      describe: 'commands that run at once',
      defaultDescription: String(MAX_RUNNING),
    })
    .option('session-keep-ms', {
      type: 'string',
      describe: 'time until an exited command that was read is cleaned away',
      defaultDescription: String(DEFAULT_SESSION_KEEP_MS),
    })
    .option('session-quota-bytes', {
      type: 'string',
      describe: 'most output of commands on disk',
      defaultDescription: String(DEFAULT_SESSION_QUOTA_BYTES),
    })
    .option('socket', { type: 'string', describe: 'path of the Unix socket' })
    .option('state-dir', { type: 'string', describe: 'folder of journal, lock and configuration' })
    .option('config', { type: 'string', describe: 'configuration file (JSON)' })
    .option('log-level', { type: 'string', describe: LOG_LEVELS.join(', '), defaultDescription: 'info' })
    .version(version)
    .parserConfiguration({ 'duplicate-arguments-array': false })
    .strict()
    .epilogue(
      'Environment: PIDP10_HOST, PIDP10_PORT, PIDP10D_SOCKET and others; see README. Exit 78: configuration.',
    )
    .fail((message, error) => {
      throw new ConfigError(message ?? error?.message ?? 'unknown flags', { cause: error });
    });
  const parsed = parser.parseSync();
  const { name, socket, config, host, port, telnet, bits } = parsed;
  const settings = {
    host,
    port,
    telnet,
    bits,
    ringBytes: parsed.ringBytes,
    profile: parsed.profile,
    screen: parsed.screen,
    windowChars: parsed.windowChars,
    nopAfterMs: parsed.nopAfterMs,
    journal: parsed.journal,
    quotaBytes: parsed.quotaBytes,
    commands: parsed.commands,
    commandMaxRunning: parsed.commandMaxRunning,
    sessionKeepMs: parsed.sessionKeepMs,
    sessionQuotaBytes: parsed.sessionQuotaBytes,
    logLevel: parsed.logLevel,
  };
  return { name, socket, config, stateDir: parsed.stateDir, settings };
}
