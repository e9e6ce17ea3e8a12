/** Finds the file that execvp(3) would run, and says before anything is started why it would not. */
import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

export type SpawnFailure = 'not_found' | 'not_executable' | 'bad_folder' | 'no_pipes' | 'too_long' | 'failed';

/** A child that could not be started; nothing of it is left. The message says which path and what to do. */
export class SpawnError extends Error {
  override readonly name = 'SpawnError';
  readonly failure: SpawnFailure;
  readonly path: string;

  constructor(failure: SpawnFailure, path: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.failure = failure;
    this.path = path;
  }
}

/** What execvp takes when there is no PATH (confstr _CS_PATH). */
const DEFAULT_PATH = '/bin:/usr/bin';
/** Bytes of one argument or variable with its NUL (Linux: MAX_ARG_STRLEN, 32 pages of 4 KiB; macOS takes more). */
const MAX_STRING_BYTES = 131_072;
/** As much of a script's first line as the kernel reads (BINPRM_BUF_SIZE). */
const FIRST_LINE_BYTES = 256;

/** Absolute path of the file for `command`, links not followed. Throws a SpawnError. */
export function findExecutable(command: string, path: string | undefined, cwd: string): string {
  if (command === '' || command.includes('\0'))
    throw new SpawnError('not_found', command, 'The command is empty or holds a NUL. Name a program.');
  if (command.includes('/')) return assertExecutable(resolve(cwd, command), command);
  const folders = (path ?? DEFAULT_PATH).split(delimiter);
  let denied: string | undefined;
  for (const folder of folders) {
    const candidate = join(isAbsolute(folder) ? folder : resolve(cwd, folder), command);
    if (!isFile(candidate)) continue;
    if (mayExecute(candidate)) return assertExecutable(candidate, command);
    denied ??= candidate;
  }
  if (denied !== undefined) throw notExecutable(denied);
  throw new SpawnError(
    'not_found',
    command,
    `There is no program ${command} in the PATH (${folders.join(delimiter)}). ` +
      'Give its full path, or add its folder to PATH with env.',
  );
}

/**
 * Throws a SpawnError for an argument or a variable that execve(2) would refuse: behind a fork of the PTY library nobody could
 * tell that from the program's own failure.
 */
export function assertStrings(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): void {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  for (const text of [...args, ...variables]) {
    if (Buffer.byteLength(text) < MAX_STRING_BYTES) continue;
    throw new SpawnError(
      'too_long',
      file,
      `An argument or a variable for ${file} has ${Buffer.byteLength(text)} bytes; the system takes less than ` +
        `${MAX_STRING_BYTES}. Give the program its input, or a file.`,
    );
  }
}

/** Throws a SpawnError unless a process can start in `cwd`. */
export function assertFolder(cwd: string): void {
  try {
    if (statSync(cwd).isDirectory()) {
      accessSync(cwd, constants.X_OK);
      return;
    }
  } catch (error) {
    throw new SpawnError(
      'bad_folder',
      cwd,
      `The working folder ${cwd} cannot be used (${codeOf(error)}). Name one that exists and may be entered.`,
      error,
    );
  }
  throw new SpawnError('bad_folder', cwd, `The working folder ${cwd} is no folder. Name one.`);
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

function assertExecutable(file: string, command: string): string {
  if (!isFile(file)) {
    throw new SpawnError(
      'not_found',
      file,
      `There is no program ${command === file ? file : `${command} (${file})`}. Check the path.`,
    );
  }
  if (!mayExecute(file)) throw notExecutable(file);
  const interpreter = interpreterOf(file);
  if (interpreter !== undefined && !mayExecute(interpreter)) {
    throw new SpawnError(
      'not_found',
      interpreter,
      `${file} is a script for ${interpreter}, which is not there. Install it, or correct the first line.`,
    );
  }
  return file;
}

function notExecutable(file: string): SpawnError {
  const advice = `Allow it (chmod +x ${file}), or start its interpreter with it.`;
  return new SpawnError('not_executable', file, `${file} may not be executed. ${advice}`);
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function mayExecute(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return isFile(path);
  } catch {
    return false;
  }
}

function interpreterOf(file: string): string | undefined {
  const bytes = Buffer.alloc(FIRST_LINE_BYTES);
  let fd: number;
  try {
    fd = openSync(file, 'r');
  } catch {
    return undefined; // executable and not readable: no script
  }
  try {
    const line = bytes.subarray(0, readSync(fd, bytes)).toString('latin1');
    return /^#![ \t]*([^\s\0]+)/.exec(line)?.[1];
  } finally {
    closeSync(fd);
  }
}
