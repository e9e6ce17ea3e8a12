/** What install and uninstall have in common: rights, saying what will be done, running commands, asking what runs. */
import type { MethodResult } from '@pidp10/protocol/methods';
import type { Answer, Arguments } from '../command.ts';
import { EXIT } from '../exitCodes.ts';
import { neutralize } from '../neutralize.ts';
import {
  type CommandResult,
  hasServiceManager,
  type ManagerFacts,
  runCommand,
  systemctl,
  type Words,
} from './commands.ts';
import { mayInstall, type ServiceContext, toSudoCommand } from './facts.ts';
import type { InstallPlan, ServiceFacts } from './plan.ts';

export type DaemonStatus = MethodResult<'daemon.status'>;

export function assertRights(action: string, args: Arguments, facts: ServiceFacts): void {
  if (args.flag('dry-run') || mayInstall(facts, process.getuid?.())) return;
  throw new Error(`Only root may do that for the whole system: ${toSudoCommand(action, args, facts)}`);
}

export function toManager({ facts, places }: Pick<InstallPlan, 'facts' | 'places'>): ManagerFacts {
  return { scope: facts.scope, platform: facts.platform, places, uid: process.getuid?.() };
}

/** At once, before anything is done; programs get it with the result. */
export function announce(steps: readonly string[], args: Arguments, { stderr }: ServiceContext): void {
  if (args.flag('json')) return;
  for (const step of steps) stderr.write(`pidp10ctl: will ${neutralize(step)}\n`);
}

export interface RunFacts {
  readonly facts: ServiceFacts;
  readonly signal: AbortSignal;
}

export async function runAll(
  commands: readonly Words[],
  { facts, signal }: RunFacts,
): Promise<{ readonly results: readonly CommandResult[]; readonly notes: readonly string[] }> {
  if (facts.root !== '/' || !hasServiceManager(facts.platform)) {
    const why = facts.root === '/' ? 'systemd is not running here' : `the files are below ${facts.root}`;
    const notes = commands.map((command) => `${why}; where they are to work: ${command.join(' ')}`);
    return { results: [], notes };
  }
  const results: CommandResult[] = [];
  for (const command of commands) results.push(await runCommand(command, signal));
  const failed = results.filter(({ exitCode }) => exitCode !== 0);
  return { results, notes: failed.map(({ command, output }) => `${command} failed: ${output}`) };
}

export function toExitCode(results: readonly CommandResult[]): number {
  return results.every(({ exitCode }) => exitCode === 0) ? EXIT.ok : EXIT.error;
}

export function toDryRunAnswer(steps: readonly string[], notes: readonly string[], texts = ''): Answer {
  const output = `${texts}${texts === '' ? '' : '---\n'}${steps.map((step) => `would ${step}\n`).join('')}`;
  return {
    wire: { dryRun: steps },
    output,
    notes: ['dry run: nothing was done', ...notes],
    exitCode: EXIT.ok,
  };
}

export async function tryStatus({ daemon, signal }: ServiceContext): Promise<DaemonStatus | undefined> {
  try {
    await using client = await daemon.connectWithoutHello();
    return await client.request('daemon.status', {}, { signal });
  } catch {
    return undefined; // none, or one that is not ours to ask
  }
}

export async function readMainPid(manager: ManagerFacts, root: string): Promise<number | undefined> {
  if (root !== '/' || manager.platform !== 'linux' || !hasServiceManager('linux')) return undefined;
  const { output } = await runCommand(
    systemctl(manager, 'show', '--property=MainPID', '--value', manager.places.unitName),
  );
  return /^[1-9]\d*$/.test(output) ? Number(output) : undefined;
}
