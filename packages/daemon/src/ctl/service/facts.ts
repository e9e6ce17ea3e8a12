/** Arguments and surroundings into the facts that a plan is made of. */
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type Arguments, type Context, UsageError } from '../command.ts';
import { toTarget } from '../daemonAccess.ts';
import { findPackaging, findProgram } from './assets.ts';
import { readSystemdVersion, toShellWord } from './commands.ts';
import type { Scope } from './places.ts';
import type { ServiceFacts } from './plan.ts';

/** Links to Node that an upgrade of Node keeps, unlike the folder of its version that they point at. */
const STABLE_NODES = [
  '/usr/bin/node',
  '/usr/local/bin/node',
  '/opt/homebrew/bin/node',
  '/opt/local/bin/node',
];

export type ServiceContext = Pick<Context, 'daemon' | 'env' | 'signal' | 'stderr'>;

export function toScope(args: Arguments): Scope {
  if (args.flag('user') && args.flag('system')) throw new UsageError('--user or --system, not both');
  return args.flag('system') ? 'system' : 'user';
}

/** Throws a usage error, and an error that names the files that are not where they should be. */
export async function gatherFacts(args: Arguments, context: ServiceContext): Promise<ServiceFacts> {
  const { env, daemon } = context;
  const scope = toScope(args);
  return {
    scope,
    name: daemon.paths.name,
    platform: process.platform,
    homedir: env['HOME'] || homedir(),
    env,
    root: resolve(args.text('root') ?? '/'),
    node: toStableNode(process.execPath),
    program: findProgram(),
    packaging: findPackaging(),
    user: scope === 'system' ? toUser(args, env) : undefined,
    settings: toSettings(args, env),
    systemdVersion: await readSystemdVersion(),
  };
}

/** A link that leads to this Node, where there is one: the service then outlives an upgrade of Node. */
export function toStableNode(execPath: string, realpath: (path: string) => string = realpathSync): string {
  return STABLE_NODES.find((path) => isSame(path, execPath, realpath)) ?? execPath;
}

/** Whether this run may write below its root. */
export function mayInstall({ scope, root }: ServiceFacts, uid: number | undefined): boolean {
  return scope === 'user' || uid === 0 || root !== '/';
}

/** The same command with the rights it needs. Absolute paths: sudo has a PATH of its own. */
export function toSudoCommand(
  action: string,
  args: Arguments,
  { node, program, name }: ServiceFacts,
): string {
  const options = ['run-as', 'host', 'socket', 'state-dir'].flatMap((option) => {
    const value = args.text(option);
    return value === undefined ? [] : [`--${option}`, value];
  });
  const port = args.number('port');
  const ctl = join(dirname(program), 'pidp10ctl.js');
  const command = ['sudo', node, ctl, 'service', action, '--system', '--name', name];
  const words = [
    ...command,
    ...options,
    ...(port === undefined ? [] : ['--port', String(port)]),
    ...(args.flag('force') ? ['--force'] : []),
  ];
  return words.map(toShellWord).join(' ');
}

/** As `toSudoCommand`, for doctor. */
export function toRepairCommand({ node, program, name }: ServiceFacts): string {
  const words = ['sudo', node, join(dirname(program), 'pidp10ctl.js'), 'doctor', '--repair', '--name', name];
  return words.map(toShellWord).join(' ');
}

function toUser(args: Arguments, env: ServiceContext['env']): string | undefined {
  const user = args.text('run-as') ?? (env['SUDO_USER'] || undefined);
  if (user !== undefined && !/^[A-Za-z_][\w.-]*\$?$/.test(user)) {
    throw new UsageError(`--run-as needs the name of a user, found "${user}"`);
  }
  return user;
}

/** What was said about the daemon, as its environment. Only the command line counts for the places: a variable of this shell would be frozen. */
function toSettings(args: Arguments, env: ServiceContext['env']): Readonly<Record<string, string>> {
  const { host, port } = toTarget(args, env);
  const values = {
    PIDP10_HOST: host,
    PIDP10_PORT: port === undefined ? undefined : String(port),
    PIDP10D_SOCKET: toAbsolute(args.text('socket')),
    PIDP10_STATE_DIR: toAbsolute(args.text('state-dir')),
  };
  const given = Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]));
  return Object.fromEntries(given);
}

function toAbsolute(path: string | undefined): string | undefined {
  return path === undefined ? undefined : resolve(path);
}

function isSame(path: string, execPath: string, realpath: (path: string) => string): boolean {
  try {
    return path === execPath || realpath(path) === realpath(execPath);
  } catch {
    return false;
  }
}
