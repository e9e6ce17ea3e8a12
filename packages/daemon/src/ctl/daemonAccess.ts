/**
 * The way to the daemon: finds its socket, connects as a reader, and starts a daemon where a command may and nobody
 * listens. Everything else is asked of the daemon.
 */
import { fileURLToPath } from 'node:url';
import { type ConnectOptions, DaemonClient } from '@pidp10/protocol/node/daemonClient';
import { isDaemonAbsent } from '@pidp10/protocol/node/dial';
import { type Paths, resolvePaths } from '@pidp10/protocol/node/paths';
import { startDaemon } from '@pidp10/protocol/node/spawnDaemon';
import { VERSION } from '../version.ts';
import { type Arguments, UsageError } from './command.ts';

/** Reader of whoever gives no name: successive shell commands go on where the last one stopped. */
const DEFAULT_READER = 'ctl';

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly homedir: string;
  readonly uid: number | undefined;
}

export interface Target {
  readonly host: string | undefined;
  readonly port: number | undefined;
}

export interface AccessOptions extends Surroundings {
  readonly args: Arguments;
  readonly signal: AbortSignal;
  /** Takes a sentence for people, at once. */
  readonly note: (text: string) => void;
}

/** How to introduce oneself; default: as a reader who may type. */
export interface ConnectAs extends Pick<ConnectOptions, 'access' | 'onNotification'> {
  readonly isReader?: boolean;
}

export class DaemonAccess {
  readonly paths: Paths;
  readonly #options: AccessOptions;

  /** Throws `name_invalid` and `socket_path_too_long`. */
  constructor(options: AccessOptions) {
    const { args, env, platform, homedir, uid } = options;
    this.#options = options;
    this.paths = resolvePaths({
      name: args.text('name') ?? set(env['PIDP10_NAME']),
      socket: args.text('socket'),
      stateDir: args.text('state-dir') ?? set(env['PIDP10_STATE_DIR']),
      side: 'client',
      env,
      platform,
      uid,
      homedir,
    });
  }

  /** Connects and says hello; `isReader: false` for who only looks, however long, and is to take nobody's name. */
  connect({ isReader = true, ...options }: ConnectAs = {}): Promise<DaemonClient> {
    const { args, env, signal } = this.#options;
    const reader = args.text('reader') ?? set(env['PIDP10_READER']) ?? DEFAULT_READER;
    return DaemonClient.connect({
      socket: this.paths.socket,
      client: { name: 'pidp10ctl', version: VERSION },
      reader: isReader ? reader : undefined,
      signal,
      ...options,
    });
  }

  /** For `daemon.status` and `daemon.shutdown` of a daemon of any version. */
  connectWithoutHello(): Promise<DaemonClient> {
    const { signal } = this.#options;
    return DaemonClient.connectWithoutHello({ socket: this.paths.socket, signal });
  }

  /** As `connect`; where no daemon listens, starts one, unless that is forbidden. `target` is what it gets told. */
  async connectOrStart(target: Target): Promise<DaemonClient> {
    try {
      return await this.connect();
    } catch (error) {
      if (!isDaemonAbsent(error) || this.#options.args.flag('no-spawn')) throw error;
    }
    const { note, signal, env, platform, homedir } = this.#options;
    const { pid, log } = await startDaemon({
      ...this.paths,
      args: toDaemonArguments(target),
      env,
      platform,
      homedir,
      candidates: DAEMON_CANDIDATES,
      signal,
    });
    note(`started pidp10d, pid ${pid}, log ${log}`);
    return await this.connect();
  }
}

/** Our package's own daemon, seen from the bundle and from a source or compiled file. */
const DAEMON_CANDIDATES = ['../bin/pidp10d.js', '../../bin/pidp10d.js'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

/** What was set explicitly: flag over environment. Throws a usage error. */
export function toTarget(args: Arguments, env: Surroundings['env']): Target {
  const port = args.number('port') ?? toPort(set(env['PIDP10_PORT']), 'PIDP10_PORT');
  return { host: args.text('host') ?? set(env['PIDP10_HOST']), port };
}

/** Throws a usage error that names `what`. */
export function toPort(text: string | undefined, what: string): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new UsageError(`${what} must be a port from 1 to 65535, found "${text}"`);
}

function toDaemonArguments({ host, port }: Target): readonly string[] {
  return [
    ...(host === undefined ? [] : ['--host', host]),
    ...(port === undefined ? [] : ['--port', String(port)]),
  ];
}

/** An empty variable is an unset one. */
function set(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}
