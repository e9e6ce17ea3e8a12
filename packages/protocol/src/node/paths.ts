/**
 * Where a daemon and its clients find each other: the one place that knows. Both sides call it with the same name and come
 * to the same answer. Only looks, creates nothing.
 */
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { LocalError } from '../common/errors.ts';

/**
 * `sun_path` of macOS holds 104 bytes with its NUL, that of Linux 108. The smaller one holds everywhere, so that a set-up
 * can move. Node truncates longer paths silently and binds a file elsewhere (https://github.com/nodejs/node/issues/13670).
 */
export const MAX_SOCKET_PATH_BYTES = 103;
/** A daemon without `--name`. */
export const DEFAULT_NAME = 'line';
/** Folder of the system service's sockets: systemd's `RuntimeDirectory=pidp10d`. */
export const SYSTEM_RUNTIME_DIR = '/run/pidp10d';

/** Which of the places gave the socket. */
export type SocketSource = 'option' | 'environment' | 'service' | 'runtime' | 'state';

export interface PathInputs {
  /** Default: `line`. */
  readonly name?: string | undefined;
  /** Of a flag or a setting; relative ones count from the working directory. */
  readonly socket?: string | undefined;
  readonly stateDir?: string | undefined;
  /** A client uses the system service's socket if it is there; a daemon only if it is that service. */
  readonly side: 'client' | 'daemon';
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly uid: number | undefined;
  readonly homedir: string;
  readonly exists?: ((path: string) => boolean) | undefined;
}

export interface Paths {
  readonly name: string;
  readonly socket: string;
  readonly socketSource: SocketSource;
  readonly stateDir: string;
  /** Folder of the socket. */
  readonly runtimeDir: string;
  /** The folder is ours alone: create it, mode 0700. Otherwise somebody chose it, and its mode is his. */
  readonly ownsRuntimeDir: boolean;
  /** One daemon for each name and state folder. */
  readonly lock: string;
  readonly config: string;
}

/** Throws `name_invalid` and `socket_path_too_long`. */
export function resolvePaths(inputs: PathInputs): Paths {
  const name = inputs.name ?? DEFAULT_NAME;
  assertName(name);
  const stateDir = resolveStateDir(inputs);
  const { socket, socketSource } = resolveSocket(inputs, name, stateDir);
  assertSocketPath(socket);
  return {
    name,
    socket,
    socketSource,
    stateDir,
    runtimeDir: dirname(socket),
    ownsRuntimeDir: socketSource === 'runtime' || socketSource === 'state',
    lock: join(stateDir, `${name}.lock`),
    config: join(stateDir, 'config.json'),
  };
}

/** The name becomes file and unit names, hence no slash, no blank, no dot or hyphen first. */
export function assertName(name: string): void {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/.test(name)) {
    throw new LocalError('name_invalid', `A daemon cannot have the name ${JSON.stringify(name)}.`);
  }
}

export function assertSocketPath(path: string): void {
  const bytes = Buffer.byteLength(path);
  if (bytes <= MAX_SOCKET_PATH_BYTES) return;
  const detail = `The path of the socket has ${bytes} bytes, ${MAX_SOCKET_PATH_BYTES} are possible: ${path}.`;
  throw new LocalError('socket_path_too_long', detail);
}

function resolveStateDir({ stateDir, env, platform, homedir }: PathInputs): string {
  if (isSet(stateDir)) return resolve(stateDir);
  // systemd gives a list if the unit names several; the first is the unit's main one.
  const service = env['STATE_DIRECTORY']?.split(':')[0];
  if (isAbsolutePath(service)) return service;
  const xdg = env['XDG_STATE_HOME'];
  if (isAbsolutePath(xdg)) return join(xdg, 'pidp10d');
  if (platform === 'darwin') return join(homedir, 'Library', 'Application Support', 'pidp10d');
  return join(homedir, '.local', 'state', 'pidp10d');
}

function resolveSocket(
  inputs: PathInputs,
  name: string,
  stateDir: string,
): { readonly socket: string; readonly socketSource: SocketSource } {
  const { socket, env } = inputs;
  const file = `${name}.sock`;
  if (isSet(socket)) return { socket: resolve(socket), socketSource: 'option' };
  const named = env['PIDP10D_SOCKET'];
  if (isSet(named)) return { socket: resolve(named), socketSource: 'environment' };
  const service = serviceSocket(inputs, file);
  if (service !== undefined) return { socket: service, socketSource: 'service' };
  const runtime = env['XDG_RUNTIME_DIR'];
  if (isAbsolutePath(runtime) && !isForeignRuntime(runtime, inputs.uid)) {
    return { socket: join(runtime, 'pidp10d', file), socketSource: 'runtime' };
  }
  // macOS, cron, containers. Always there, and as private as the journal beside it.
  return { socket: join(stateDir, file), socketSource: 'state' };
}

function serviceSocket({ side, env, exists = existsSync }: PathInputs, file: string): string | undefined {
  if (side === 'daemon') {
    const given = env['RUNTIME_DIRECTORY']?.split(':')[0];
    return isAbsolutePath(given) ? join(given, file) : undefined;
  }
  const socket = join(SYSTEM_RUNTIME_DIR, file);
  return exists(socket) ? socket : undefined;
}

/** `sudo` and `su` may leave the caller's variable in place: a socket there would be in somebody else's folder. */
function isForeignRuntime(runtime: string, uid: number | undefined): boolean {
  const owner = /^\/run\/user\/(\d+)\/?$/.exec(runtime)?.[1];
  return owner !== undefined && uid !== undefined && owner !== String(uid);
}

/** An empty variable is an unset one, as the XDG specification and every shell user expect. */
function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== '';
}

/** The XDG specification: a relative path is to be ignored. */
function isAbsolutePath(path: string | undefined): path is string {
  return isSet(path) && isAbsolute(path);
}
