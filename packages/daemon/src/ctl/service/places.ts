/** Where a service and what goes with it belong, for a user and for the whole system. Only names paths, looks at nothing. */
import { join } from 'node:path';
import { DEFAULT_NAME } from '@pidp10/protocol/node/paths';

export type Scope = 'user' | 'system';

export interface PlaceInputs {
  readonly scope: Scope;
  readonly name: string;
  readonly platform: NodeJS.Platform;
  readonly homedir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Places {
  /** Folder of unit files or property lists. */
  readonly units: string;
  /** File of the unit; of a name of its own, the template. */
  readonly unit: string;
  /** What systemctl or launchctl calls it. */
  readonly unitName: string;
  /** Settings of this daemon; on macOS they stand in the property list. */
  readonly settings: string | undefined;
  readonly man: string;
  readonly bash: string;
  readonly zsh: string;
  readonly fish: string;
  /** Record of what was installed. */
  readonly record: string;
  /** Where launchd puts what the daemon says. */
  readonly log: string;
}

export function toPlaces(inputs: PlaceInputs): Places {
  const { scope, name, platform, homedir, env } = inputs;
  const isUser = scope === 'user';
  const config = absolute(env['XDG_CONFIG_HOME']) ?? join(homedir, '.config');
  const share = isUser
    ? (absolute(env['XDG_DATA_HOME']) ?? join(homedir, '.local', 'share'))
    : '/usr/local/share';
  const common = {
    man: join(share, 'man'),
    bash: join(share, 'bash-completion', 'completions'),
    zsh: join(share, 'zsh', 'site-functions'),
    fish: join(share, 'fish', 'vendor_completions.d'),
    record: join(share, 'pidp10d', 'installed.json'),
  };
  if (platform === 'darwin') {
    const label = name === DEFAULT_NAME ? 'local.pidp10d' : `local.pidp10d.${name}`;
    const library = isUser ? join(homedir, 'Library') : '/Library';
    const units = join(library, isUser ? 'LaunchAgents' : 'LaunchDaemons');
    const log = join(library, 'Logs', `pidp10d-${name}.log`);
    return {
      ...common,
      units,
      unit: join(units, `${label}.plist`),
      unitName: label,
      settings: undefined,
      log,
    };
  }
  const units = isUser ? join(config, 'systemd', 'user') : '/etc/systemd/system';
  const isDefault = name === DEFAULT_NAME;
  return {
    ...common,
    units,
    unit: join(units, isDefault ? 'pidp10d.service' : 'pidp10d@.service'),
    unitName: isDefault ? 'pidp10d.service' : `pidp10d@${name}.service`,
    settings: join(isUser ? join(config, 'pidp10d') : '/etc/pidp10d', `${name}.env`),
    log: '',
  };
}

/** The XDG specification: what is empty or relative counts as unset. */
function absolute(path: string | undefined): string | undefined {
  return path?.startsWith('/') === true ? path : undefined;
}
