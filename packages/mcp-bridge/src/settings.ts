/** Configuration of a bridge: flags over environment over defaults. Read once, at start. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Paths } from '@pidp10/protocol/node/paths';
import type { StartOptions } from '@pidp10/protocol/node/spawnDaemon';
import { GROUPS, type Groups, parseGroups } from './groups.ts';

/** Clients give a call up after 60 s of silence; without a progress token this is when it returns, in ms. */
export const RETURN_AFTER_MS = 45_000;
/** Time between two signs of progress, in ms; clients that count them wait at least 10 s for the next. */
export const PROGRESS_EVERY_MS = 5_000;

/** Below it a bridge would do nothing but tell of its progress. */
const MIN_LIMIT_MS = 100;

export interface Flags {
  readonly name?: string | undefined;
  readonly socket?: string | undefined;
  readonly stateDir?: string | undefined;
  readonly host?: string | undefined;
  readonly port?: string | undefined;
  readonly reader?: string | undefined;
  readonly caps?: string | undefined;
  /** False after `--no-spawn`. */
  readonly spawn?: boolean | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Settings {
  /** Of a flag or the environment only: the default belongs to the daemon. */
  readonly host: string | undefined;
  readonly port: number | undefined;
  /** Undefined: made from the MCP client's name and the folder. */
  readonly reader: string | undefined;
  readonly folder: string;
  /** Tools that this bridge offers. */
  readonly groups: Groups;
  readonly maySpawn: boolean;
  readonly returnAfterMs: number;
  readonly progressEveryMs: number;
  /** Looks anew each time: a service may have come up. Throws `name_invalid` and `socket_path_too_long`. */
  readonly resolvePaths: () => Promise<Paths>;
  readonly spawn: Pick<StartOptions, 'args' | 'candidates' | 'env' | 'platform' | 'homedir'>;
}

/** Throws an `Error` whose message names the setting that is wrong. */
export function readSettings(flags: Flags, env: Environment): Settings {
  const host = flags.host ?? ifSet(env['PIDP10_HOST']);
  const port = readPort(flags.port ?? ifSet(env['PIDP10_PORT']));
  const stateDir = flags.stateDir ?? ifSet(env['PIDP10_STATE_DIR']);
  const args = [
    ...(host === undefined ? [] : ['--host', host]),
    ...(port === undefined ? [] : ['--port', String(port)]),
  ];
  return {
    host,
    port,
    reader: readReader(flags.reader ?? ifSet(env['PIDP10_READER'])),
    folder: currentFolder(),
    groups: parseGroups(flags.caps ?? ifSet(env['PIDP10_CAPS']) ?? GROUPS.join(',')),
    maySpawn: flags.spawn ?? true,
    // The two are for our tests alone, which cannot wait that long.
    returnAfterMs: readLimit(env, 'PIDP10_MCP_RETURN_AFTER_MS', RETURN_AFTER_MS),
    progressEveryMs: readLimit(env, 'PIDP10_MCP_PROGRESS_EVERY_MS', PROGRESS_EVERY_MS),
    resolvePaths: async () => {
      const { resolvePaths } = await import('@pidp10/protocol/node/paths');
      return resolvePaths({
        side: 'client',
        name: flags.name ?? ifSet(env['PIDP10_NAME']),
        socket: flags.socket,
        stateDir,
        env,
        platform: process.platform,
        uid: process.getuid?.(),
        homedir: homedir(),
      });
    },
    spawn: { args, candidates: daemonsBesideUs(), env, platform: process.platform, homedir: homedir() },
  };
}

/** Of a workspace, of a flat node_modules, of our own node_modules. This file is one level below the package. */
function daemonsBesideUs(): string[] {
  const ours = fileURLToPath(new URL('..', import.meta.url));
  const bin = join('bin', 'pidp10d.js');
  return [
    join(ours, '..', 'daemon', bin),
    join(ours, '..', '@pidp10', 'daemon', bin),
    join(ours, 'node_modules', '@pidp10', 'daemon', bin),
  ];
}

function readPort(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const port = Number(value);
  if (/^\d{1,5}$/.test(value) && port >= 1 && port <= 65_535) return port;
  throw new Error(`The port must be a number from 1 to 65535, not ${JSON.stringify(value)}.`);
}

function readReader(value: string | undefined): string | undefined {
  if (value === undefined || /^[A-Za-z0-9][A-Za-z0-9._@:+-]{0,63}$/.test(value)) return value;
  throw new Error(
    `The reader must have up to 64 letters, digits and . _ @ : + -, a letter or digit first, not ${JSON.stringify(value)}.`,
  );
}

function readLimit(env: Environment, variable: string, byDefault: number): number {
  const value = ifSet(env[variable]);
  if (value === undefined) return byDefault;
  const limit = Number(value);
  if (/^\d{1,9}$/.test(value) && limit >= MIN_LIMIT_MS) return limit;
  throw new Error(`${variable} must be a number of ms from ${MIN_LIMIT_MS}, not ${JSON.stringify(value)}.`);
}

/** An empty variable is an unset one. */
function ifSet(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}

/** The folder may have been removed under us; the name of a reader is no reason to fail. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return '';
  }
}
