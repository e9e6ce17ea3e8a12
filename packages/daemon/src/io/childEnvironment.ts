/**
 * Environment of a child: what every program may expect, and what the caller gave. Nothing else of the daemon's own: it holds
 * tokens, the service manager's sockets and options for Node (C05).
 */
import { isAbsolute } from 'node:path';

/** What is handed on, besides `LC_*`. */
const PASSED_ON = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TMPDIR',
  'PAGER',
  'EDITOR',
  'VISUAL',
  'XDG_RUNTIME_DIR',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_CACHE_HOME',
  'XDG_STATE_HOME',
  'SSH_AUTH_SOCK',
  'DISPLAY',
  'WAYLAND_DISPLAY',
] as const;

/** What a PTY session's screen understands. */
export const PTY_TERM = 'xterm-256color';
/** What a program on pipes should know: nobody interprets anything. */
const PIPE_TERM = 'dumb';
/** Carries the session's mark, so that what it started can be found again (`processTree.ts`). */
export const MARK_NAME = 'COMMAND_SESSION_MARK';

const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin';

export interface ChildEnvironmentOptions {
  /** The daemon's own environment. */
  readonly base: Readonly<Record<string, string | undefined>>;
  /** The caller's: added, replaced; undefined removes. A name with `=` or NUL throws a RangeError. */
  readonly extra?: Readonly<Record<string, string | undefined>> | undefined;
  readonly cwd: string;
  readonly isPty: boolean;
  /** Random, the session's own. */
  readonly mark: string;
}

export function childEnvironment(options: ChildEnvironmentOptions): Record<string, string> {
  const { base, extra = {}, cwd, isPty, mark } = options;
  const environment = new Map<string, string>([['PATH', DEFAULT_PATH]]);
  for (const [name, value] of Object.entries(base))
    if (value !== undefined && isPassedOn(name)) environment.set(name, value);
  environment.set('TERM', isPty ? PTY_TERM : PIPE_TERM);
  if (isAbsolute(cwd)) environment.set('PWD', cwd);
  for (const [name, value] of Object.entries(extra)) {
    assertVariable(name, value);
    if (value === undefined) environment.delete(name);
    else environment.set(name, value);
  }
  environment.set(MARK_NAME, mark);
  return Object.fromEntries(environment);
}

function isPassedOn(name: string): boolean {
  return name.startsWith('LC_') || (PASSED_ON as readonly string[]).includes(name);
}

function assertVariable(name: string, value: string | undefined): void {
  if (name === '' || /[=\0]/.test(name) || value?.includes('\0'))
    throw new RangeError(`${JSON.stringify(name)} cannot be an environment variable (no "=", no NUL).`);
}
