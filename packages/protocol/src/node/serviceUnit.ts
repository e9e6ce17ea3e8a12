/**
 * Finds an installed service unit for a daemon. Where there is one, clients never start a daemon themselves: two masters
 * would fight over one line, and a detached daemon would miss the unit's settings.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_NAME } from './paths.ts';

export interface ServiceInputs {
  readonly name: string;
  readonly platform: NodeJS.Platform;
  readonly homedir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Stands for `/` in tests. Default `/`. */
  readonly root?: string | undefined;
}

export interface ServiceUnit {
  readonly path: string;
  /** The shell command that starts it. */
  readonly startCommand: string;
}

const USER_FOLDERS = [
  '/etc/systemd/user',
  '/run/systemd/user',
  '/usr/local/lib/systemd/user',
  '/usr/lib/systemd/user',
];
const SYSTEM_FOLDERS = [
  '/etc/systemd/system',
  '/run/systemd/system',
  '/usr/local/lib/systemd/system',
  '/usr/lib/systemd/system',
  '/lib/systemd/system',
];

/** Undefined if no unit is installed. A user's own unit comes before a system's. */
export function findServiceUnit(inputs: ServiceInputs): ServiceUnit | undefined {
  if (inputs.platform === 'darwin') return findLaunchAgent(inputs);
  return inputs.platform === 'linux' ? findSystemdUnit(inputs) : undefined;
}

function findSystemdUnit({ name, homedir, env, root = '/' }: ServiceInputs): ServiceUnit | undefined {
  const configHome = env['XDG_CONFIG_HOME'] || join(homedir, '.config');
  const dataHome = env['XDG_DATA_HOME'] || join(homedir, '.local', 'share');
  const own = [join(configHome, 'systemd', 'user'), join(dataHome, 'systemd', 'user')];
  const user = [...own, ...USER_FOLDERS.map((folder) => join(root, folder))];
  const system = SYSTEM_FOLDERS.map((folder) => join(root, folder));
  const units =
    name === DEFAULT_NAME ? ['pidp10d.service', `pidp10d@${name}.service`] : [`pidp10d@${name}.service`];
  return findUnit(user, units, 'systemctl --user start') ?? findUnit(system, units, 'sudo systemctl start');
}

function findUnit(
  folders: readonly string[],
  units: readonly string[],
  command: string,
): ServiceUnit | undefined {
  for (const folder of folders) {
    // An instance of a template has no file of its own; enabling it leaves a link in a target's folder.
    for (const place of [
      folder,
      join(folder, 'default.target.wants'),
      join(folder, 'multi-user.target.wants'),
    ]) {
      for (const unit of units) {
        const path = join(place, unit);
        if (existsSync(path)) return { path, startCommand: `${command} ${unit}` };
      }
    }
  }
  return undefined;
}

function findLaunchAgent({ name, homedir, root = '/' }: ServiceInputs): ServiceUnit | undefined {
  // Labels are reverse domain names of the packager's choice that end in ours.
  const suffix = name === DEFAULT_NAME ? /pidp10d(?:[.@-]line)?\.plist$/ : undefined;
  const ends = [`pidp10d.${name}.plist`, `pidp10d@${name}.plist`, `pidp10d-${name}.plist`];
  const places = [
    { folder: join(homedir, 'Library', 'LaunchAgents'), domain: 'gui/$(id -u)', sudo: '' },
    { folder: join(root, 'Library', 'LaunchAgents'), domain: 'gui/$(id -u)', sudo: '' },
    { folder: join(root, 'Library', 'LaunchDaemons'), domain: 'system', sudo: 'sudo ' },
  ];
  for (const { folder, domain, sudo } of places) {
    const file = listFolder(folder).find(
      (entry) => suffix?.test(entry) ?? ends.some((end) => entry.endsWith(end)),
    );
    if (file === undefined) continue;
    const label = file.slice(0, -'.plist'.length);
    return { path: join(folder, file), startCommand: `${sudo}launchctl kickstart ${domain}/${label}` };
  }
  return undefined;
}

/** A folder that is missing or closed to us has no unit for us. */
function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
