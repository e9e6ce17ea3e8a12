/** `service install`: say it, do it, say what is left to do. */
import type { Answer, Arguments } from '../command.ts';
import { EXIT } from '../exitCodes.ts';
import { toAdvice } from './advice.ts';
import { applyInstall, KEPT_SUFFIX } from './apply.ts';
import { type CommandResult, toReloadCommands, toStartCommands } from './commands.ts';
import { gatherFacts, type ServiceContext } from './facts.ts';
import { type InstallPlan, type PlannedFile, planInstall, type ServiceFacts } from './plan.ts';
import {
  announce,
  assertRights,
  readMainPid,
  runAll,
  toDryRunAnswer,
  toExitCode,
  toManager,
  tryStatus,
} from './steps.ts';

export async function install(args: Arguments, context: ServiceContext): Promise<Answer> {
  const facts = await gatherFacts(args, context);
  assertRights('install', args, facts);
  if (facts.scope === 'system' && facts.user === undefined) {
    throw new Error(
      'Whose line is it to be? The service runs as a user, and only he can use it: --run-as USER.',
    );
  }
  const plan = planInstall(facts);
  const manager = toManager(plan);
  const running = await tryStatus(context);
  const isService = running !== undefined && running.pid === (await readMainPid(manager, facts.root));
  const commands = toStartCommands(manager, { now: running === undefined || isService });
  const steps = [...plan.files.map(describeFile), ...commands.map((command) => `run ${command.join(' ')}`)];
  if (args.flag('dry-run')) return describeDryRun(plan, steps);
  const foreign = plan.files.filter(({ state }) => state === 'foreign').map(({ path }) => path);
  if (foreign.length > 0 && !args.flag('force')) return refuse(plan, foreign);
  announce(steps, args, context);
  applyInstall(plan);
  const after = await runAll(commands, { facts, signal: context.signal });
  const notes = [...after.notes, ...toAdvice({ plan, manager, running, isService })];
  return toAnswer({ plan, notes, results: after.results });
}

/** For doctor: writes the files again with the paths of now and tells the manager. Returns what it did. */
export async function repair(facts: ServiceFacts, signal: AbortSignal): Promise<readonly string[]> {
  const plan = planInstall(facts);
  const foreign = plan.files.filter(({ state }) => state === 'foreign');
  if (foreign.length > 0)
    return [`not repaired: ${foreign.map(({ path }) => path).join(', ')} was not written by us`];
  applyInstall(plan);
  const { notes } = await runAll(toReloadCommands(toManager(plan)), { facts, signal });
  const written = plan.files.filter(({ state }) => state !== 'same').map(({ path }) => `wrote ${path}`);
  return [...written, ...notes];
}

function describeFile({ path, state }: PlannedFile): string {
  switch (state) {
    case 'absent':
      return `write ${path}`;
    case 'same':
      return `leave ${path} as it is`;
    case 'ours':
      return `replace ${path}, written by an earlier installation`;
    case 'foreign':
      return `replace ${path}, which is not ours, and keep it as ${path}${KEPT_SUFFIX}`;
    default:
      return state satisfies never;
  }
}

function describeDryRun({ files, places }: InstallPlan, steps: readonly string[]): Answer {
  const shown = files.filter(({ path }) => path === places.unit || path === places.settings);
  const texts = shown.map(({ path, text }) => `--- ${path}\n${text}`);
  return toDryRunAnswer([...steps], [], texts.join(''));
}

function refuse({ facts }: InstallPlan, foreign: readonly string[]): Answer {
  const wire = { action: 'install', name: facts.name, scope: facts.scope, foreign };
  const notes = [
    'nothing was done: these were not written by pidp10ctl, or were changed since',
    ...foreign.map((path) => `  ${path}`),
    `--force replaces them and keeps them as *${KEPT_SUFFIX}; changes of yours belong into a drop-in (systemctl edit)`,
  ];
  return { wire, output: '', notes, exitCode: EXIT.error };
}

interface InstallResult {
  readonly plan: InstallPlan;
  readonly notes: readonly string[];
  readonly results: readonly CommandResult[];
}

function toAnswer({ plan, notes, results }: InstallResult): Answer {
  const { facts, places, files } = plan;
  const wire = {
    action: 'install',
    name: facts.name,
    scope: facts.scope,
    unit: places.unitName,
    files: files.map(({ path, state }) => ({ path, state })),
    results,
  };
  const output = `installed the service ${places.unitName} (${facts.scope}): ${places.unit}\n`;
  return { wire, output, notes, exitCode: toExitCode(results) };
}
