/** Whose an installed unit is. */
import type { Scope } from './places.ts';

interface Home {
  readonly homedir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** By the folder that a unit file, or the link to a template, lies in. */
export function scopeOf(path: string, { homedir, env }: Home): Scope {
  const own = [homedir, env['XDG_CONFIG_HOME'], env['XDG_DATA_HOME']];
  const isOwn = own.some((folder) => folder !== undefined && folder !== '' && path.startsWith(`${folder}/`));
  return isOwn || /\/(?:systemd\/user|LaunchAgents)\//.test(path) ? 'user' : 'system';
}
