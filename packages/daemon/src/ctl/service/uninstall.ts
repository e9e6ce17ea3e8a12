/** `service uninstall`: takes away what was installed, nothing else. */
import type { Answer, Arguments } from '../command.ts';
import { applyRemoval } from './apply.ts';
import { toReloadCommands, toStopCommands } from './commands.ts';
import { gatherFacts, type ServiceContext } from './facts.ts';
import { planRemoval } from './plan.ts';
import { announce, assertRights, runAll, toDryRunAnswer, toExitCode, toManager } from './steps.ts';

export async function uninstall(args: Arguments, context: ServiceContext): Promise<Answer> {
  const facts = await gatherFacts(args, context);
  assertRights('uninstall', args, facts);
  const plan = planRemoval(facts);
  if (plan === undefined) {
    throw new Error(
      `Nothing was installed by "pidp10ctl service install" for "${facts.name}" (${facts.scope}).`,
    );
  }
  const manager = toManager(plan);
  const stop = toStopCommands(manager);
  const reload = toReloadCommands(manager);
  const steps = [
    ...stop.map((command) => `run ${command.join(' ')} (ends the daemon and resets its line)`),
    ...plan.remove.map((path) => `remove ${path}`),
    ...plan.keep.map((path) => `keep ${path}: it was changed since it was installed`),
    ...reload.map((command) => `run ${command.join(' ')}`),
  ];
  const keepsState =
    'configuration and scrollback stay where they are: pidp10ctl doctor shows the state folder';
  if (args.flag('dry-run')) return toDryRunAnswer(steps, [keepsState]);
  announce(steps, args, context);
  const before = await runAll(stop, { facts, signal: context.signal });
  applyRemoval(plan);
  const after = await runAll(reload, { facts, signal: context.signal });
  const results = [...before.results, ...after.results];
  const wire = {
    action: 'uninstall',
    name: facts.name,
    scope: facts.scope,
    removed: plan.remove,
    kept: plan.keep,
    results,
  };
  const output = `uninstalled the service "${facts.name}" (${facts.scope}), ${plan.remove.length} files\n`;
  return {
    wire,
    output,
    notes: [...before.notes, ...after.notes, keepsState],
    exitCode: toExitCode(results),
  };
}
