/** What the service manager has to be told, as commands that a person could type as well. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import type { Places, Scope } from './places.ts';

/** Starting waits until the daemon serves; systemd itself gives up after 90 s. In ms. */
const COMMAND_TIMEOUT_MS = 120_000;

export interface ManagerFacts {
  readonly scope: Scope;
  readonly platform: NodeJS.Platform;
  readonly places: Places;
  readonly uid: number | undefined;
}

export type Words = readonly [string, ...string[]];

/** `now: false`: from the next boot or login on, because a daemon serves already. */
export function toStartCommands(facts: ManagerFacts, { now }: { readonly now: boolean }): Words[] {
  const { platform, places } = facts;
  if (platform === 'darwin') return now ? [['launchctl', 'bootstrap', toDomain(facts), places.unit]] : [];
  return [...toReloadCommands(facts), systemctl(facts, 'enable', ...(now ? ['--now'] : []), places.unitName)];
}

/** After a unit file has changed. */
export function toReloadCommands(facts: ManagerFacts): Words[] {
  return facts.platform === 'darwin' ? [] : [systemctl(facts, 'daemon-reload')];
}

/** Before the files are removed. */
export function toStopCommands(facts: ManagerFacts): Words[] {
  const { platform, places } = facts;
  if (platform === 'darwin') return [['launchctl', 'bootout', `${toDomain(facts)}/${places.unitName}`]];
  return [systemctl(facts, 'disable', '--now', places.unitName)];
}

/** One shell line that makes the service run the files that are installed now. It resets the line. */
export function toRestartCommand(facts: ManagerFacts): string {
  const { platform, places, scope } = facts;
  if (platform === 'darwin') {
    return `${scope === 'system' ? 'sudo ' : ''}launchctl kickstart -k ${toDomain(facts)}/${places.unitName}`;
  }
  return `${scope === 'system' ? 'sudo ' : ''}${systemctl(facts, 'restart', places.unitName).join(' ')}`;
}

export function systemctl({ scope }: Pick<ManagerFacts, 'scope'>, ...words: readonly string[]): Words {
  return ['systemctl', ...(scope === 'user' ? ['--user'] : []), ...words];
}

function toDomain({ scope, uid }: ManagerFacts): string {
  return scope === 'system' ? 'system' : `gui/${uid ?? '$(id -u)'}`;
}

/** Whether there is a service manager to talk to (sd_booted(3)). */
export function hasServiceManager(platform: NodeJS.Platform): boolean {
  return platform === 'darwin' || (platform === 'linux' && existsSync('/run/systemd/system'));
}

export interface CommandResult {
  readonly command: string;
  /** Undefined when it could not be started, or not in time. */
  readonly exitCode: number | undefined;
  readonly output: string;
}

/** Never throws: a command that fails is told, with what it said. */
export function runCommand([file, ...args]: Words, signal?: AbortSignal): Promise<CommandResult> {
  const command = [file, ...args].map(toShellWord).join(' ');
  const options = { timeout: COMMAND_TIMEOUT_MS, cwd: homedir(), ...(signal !== undefined && { signal }) };
  return new Promise((resolve) => {
    execFile(file, args, options, (error, stdout, stderr) => {
      const output = `${stdout}${stderr}`.trim();
      if (error === null) return resolve({ command, exitCode: 0, output });
      const exitCode = typeof error.code === 'number' ? error.code : undefined;
      return resolve({ command, exitCode, output: output || error.message });
    });
  });
}

/** Majors of `systemd 252 (252.39-1)`; undefined without systemd. */
export async function readSystemdVersion(): Promise<number | undefined> {
  const { output } = await runCommand(['systemctl', '--version']);
  const major = /^systemd (\d+)/.exec(output)?.[1];
  return major === undefined ? undefined : Number(major);
}

export function toShellWord(word: string): string {
  return /^[\w/.@:+,=%-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
