/**
 * Starts a daemon for a client that found none: detached, with its own log file, so that it outlives the client. Any number
 * of clients may do so at once; the daemons' lock leaves one, the others exit 0, and everybody finds that one's socket.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { LocalError } from '../common/errors.ts';
import { dial } from './dial.ts';
import { findServiceUnit } from './serviceUnit.ts';

/** Time for a new daemon to answer, in ms: some seconds on a Raspberry Pi that boots at the same time. */
export const START_TIMEOUT_MS = 10_000;
/** Characters of the log's end that a failure quotes. */
const LOG_TAIL_CHARS = 500;

export interface StartOptions {
  readonly name: string;
  readonly socket: string;
  readonly stateDir: string;
  /** Given to the daemon after `--name`, `--socket` and `--state-dir`. */
  readonly args?: readonly string[] | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly homedir: string;
  /** Where our own package may have brought the daemon; the first that exists is taken. */
  readonly candidates?: readonly string[] | undefined;
  /** Default: `START_TIMEOUT_MS`. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Stands for `/` where service units are looked for, in tests. */
  readonly root?: string | undefined;
}

export interface StartedDaemon {
  /** Of the process started here; another client's may be the one that serves. */
  readonly pid: number | undefined;
  /** File and first arguments, for a message to people. */
  readonly command: readonly string[];
  /** Where it writes what it has to say. */
  readonly log: string;
}

/**
 * Resolves when a daemon answers at the socket. Throws `daemon_not_running` if a service unit is installed (its message has
 * the command), `spawn_failed` and `cancelled`.
 */
export async function startDaemon(options: StartOptions): Promise<StartedDaemon> {
  const { name, socket, stateDir, args = [], timeoutMs = START_TIMEOUT_MS } = options;
  const unit = findServiceUnit(options);
  if (unit !== undefined) {
    const detail = `The service ${unit.path} is installed for "${name}" but is not running. Its command: ${unit.startCommand}.`;
    throw new LocalError('daemon_not_running', detail);
  }
  const command = findDaemon(options);
  const log = join(stateDir, `${name}.log`);
  const [file, ...first] = command;
  const child = launch(
    file,
    [...first, '--name', name, '--socket', socket, '--state-dir', stateDir, ...args],
    {
      log,
      stateDir,
      env: options.env,
    },
  );
  const failure = new AbortController();
  const fail = (what: string, cause?: unknown) => {
    const detail = `${command.join(' ')} ${what}. ${quoteTail(log)}`;
    failure.abort(new LocalError('spawn_failed', detail.trim(), cause));
  };
  child.once('error', (error) => fail(`did not start: ${error.message}`, error));
  child.once('exit', (code, signal) => {
    // Exit 0 is a daemon that lost the race against another: that one's socket is about to answer.
    if (code !== 0) fail(code === null ? `was killed by ${signal}` : `ended with exit code ${code}`);
  });
  const signals = options.signal === undefined ? [failure.signal] : [failure.signal, options.signal];
  try {
    const probe = await dial({ socket, retryForMs: timeoutMs, signal: AbortSignal.any(signals) });
    probe.destroy();
  } catch (error) {
    if (failure.signal.aborted) throw failure.signal.reason;
    if (options.signal?.aborted) throw error;
    const detail = `${command.join(' ')} was started, but nothing answers at ${socket} after ${timeoutMs} ms. ${quoteTail(log)}`;
    throw new LocalError('spawn_failed', detail.trim(), error);
  } finally {
    child.removeAllListeners('exit');
    child.unref();
  }
  return { pid: child.pid, command, log };
}

type Command = readonly [string, ...string[]];

interface LaunchOptions {
  readonly log: string;
  readonly stateDir: string;
  readonly env: NodeJS.ProcessEnv;
}

function launch(file: string, args: readonly string[], { log, stateDir, env }: LaunchOptions): ChildProcess {
  let logFd: number;
  try {
    mkdirSync(stateDir, { recursive: true, mode: 0o700 });
    logFd = openSync(log, 'a', 0o600);
  } catch (error) {
    throw new LocalError('spawn_failed', `The log ${log} could not be opened: ${String(error)}.`, error);
  }
  try {
    // Own session, no terminal, no pipe to us, and a folder that it needs anyway: nothing ties it to its starter.
    return spawn(file, args, { detached: true, stdio: ['ignore', logFd, logFd], cwd: stateDir, env });
  } finally {
    closeSync(logFd);
  }
}

/** `PIDP10D_BIN`, beside our own package, PATH. */
function findDaemon({ env, candidates = [] }: StartOptions): Command {
  const named = env['PIDP10D_BIN'];
  if (named !== undefined && named !== '') {
    if (existsSync(named)) return toCommand(named);
    throw new LocalError('spawn_failed', `PIDP10D_BIN names ${named}, which does not exist.`);
  }
  const beside = candidates.find((path) => existsSync(path));
  if (beside !== undefined) return toCommand(beside);
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  const found = folders.map((folder) => join(folder, 'pidp10d')).find(isExecutable);
  if (found !== undefined) return [found];
  const tried = ['PIDP10D_BIN (not set)', ...candidates, 'pidp10d in PATH'].join(', ');
  throw new LocalError('spawn_failed', `No daemon to start was found. Tried: ${tried}.`);
}

/** A script runs under the Node that runs us: its #! line might find another, or none (Claude Desktop's PATH). */
function toCommand(path: string): Command {
  return /\.[cm]?js$/.test(path) ? [process.execPath, path] : [path];
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function quoteTail(log: string): string {
  try {
    const tail = readFileSync(log, 'utf8').slice(-LOG_TAIL_CHARS).trim();
    return tail === '' ? '' : `The end of ${log}: ${tail}`;
  } catch {
    return '';
  }
}
