/** Programs, libraries and the service unit that a daemon depends on. */
import { type Check, fail, ok, warn } from './check.ts';

export interface ToolFacts {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  readonly hasFlock: boolean;
  readonly hasSystemdNotify: boolean;
  /** systemd runs this machine. */
  readonly isSystemd: boolean;
  readonly hasPty: boolean;
}

export function checkTools(facts: ToolFacts): Check[] {
  const { platform, arch, hasFlock, hasSystemdNotify, isSystemd, hasPty } = facts;
  const checks: Check[] = [];
  if (platform === 'linux') {
    const remedy = 'Install util-linux: the daemon cannot start without its lock.';
    checks.push(
      hasFlock ? ok('flock', 'flock is there') : fail('flock', 'the program flock is missing', remedy),
    );
  }
  if (isSystemd) {
    const remedy = 'It comes with systemd; without it systemd gives up on the service after 90 s.';
    checks.push(
      hasSystemdNotify
        ? ok('systemd-notify', 'systemd-notify is there')
        : fail('systemd-notify', 'the program systemd-notify is missing', remedy),
    );
  }
  const library = `the PTY library for ${platform}-${arch}`;
  checks.push(
    hasPty
      ? ok('pty', `${library} is there`)
      : warn(
          'pty',
          `${library} is missing: commands in a PTY do not work, everything else does`,
          'npm install @lydell/node-pty beside pidp10d; it has no build for 32-bit ARM and musl.',
        ),
  );
  return checks;
}

export interface UnitFacts {
  /** Path of the unit file; undefined if no service is installed. */
  readonly unit: string | undefined;
  readonly program: { readonly file: string; readonly script: string | undefined } | undefined;
  /** Of `program`, those that are not there. */
  readonly missing: readonly string[];
  /** Written by `service install`, so that it can be written again. */
  readonly isOurs: boolean;
}

/** U06: an upgrade of Node took the path away that the unit starts. */
export function checkUnit({ unit, program, missing, isOurs }: UnitFacts): Check {
  if (unit === undefined) return ok('unit', 'no service is installed; clients start the daemon');
  if (program === undefined)
    return warn('unit', `${unit} has no absolute path that is started`, 'Write the whole path of node.');
  if (missing.length === 0) return ok('unit', `${unit} starts ${program.script ?? program.file}`);
  const remedy = isOurs
    ? 'pidp10ctl doctor --repair writes it again with the paths of now'
    : 'It was not installed by pidp10ctl: mend it where it came from.';
  return fail('unit', `${unit} starts ${missing.join(' and ')}, which is not there`, remedy);
}
