/** Node, this program, the daemon that runs and the files that are installed (U08). */
import { type Check, fail, ok, warn } from './check.ts';

/** Oldest minor of each major that works (the `engines` of the packages); a major from the last one on works as it is. */
const OLDEST_MINORS: readonly (readonly [major: number, minor: number])[] = [
  [20, 19],
  [22, 12],
];
const ANY_FROM_MAJOR = 24;

export function checkNode(version: string, path: string): Check {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  const oldest = OLDEST_MINORS.find(([known]) => known === major);
  const isSupported = major >= ANY_FROM_MAJOR || (oldest !== undefined && minor >= oldest[1]);
  const what = `Node ${version}, ${path}`;
  if (isSupported) return ok('node', what);
  return fail(
    'node',
    `${what} is not supported`,
    'Install Node 20.19, 22.12, 24 or later, then: pidp10ctl doctor --repair',
  );
}

export interface DaemonFacts {
  readonly version: string;
  readonly pid: number;
  /** ISO 8601. */
  readonly startedAt: string;
  /** The script that it was started from, where the system tells. */
  readonly script: string | undefined;
}

export interface VersionFacts {
  readonly own: string;
  readonly daemon: DaemonFacts | undefined;
  /** What lies at the daemon's script now. */
  readonly installed: { readonly version: string; readonly changedMs: number } | undefined;
}

export function checkVersions({ own, daemon, installed }: VersionFacts): Check[] {
  if (daemon === undefined) return [ok('version', `pidp10ctl ${own}`)];
  const running = `the daemon that runs is ${daemon.version}, pid ${daemon.pid}`;
  const restart = 'Hand the line over to what is installed: pidp10ctl upgrade.';
  if (daemon.version !== own) return [warn('version', `pidp10ctl is ${own}, ${running}`, restart)];
  const isReplaced =
    installed !== undefined &&
    (installed.version !== daemon.version || installed.changedMs > Date.parse(daemon.startedAt));
  if (!isReplaced) return [ok('version', `pidp10ctl and daemon ${own}`)];
  const now = `its files ${daemon.script ?? ''} were replaced since (${installed.version} now)`;
  return [warn('version', `${running}, and ${now}`, restart)];
}
