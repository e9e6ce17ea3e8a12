/** `doctor`: examines, repairs if asked to, and says how it stands. */
import type { Answer, Arguments } from '../command.ts';
import { EXIT } from '../exitCodes.ts';
import { mayInstall, type ServiceContext, toRepairCommand } from '../service/facts.ts';
import { repair } from '../service/install.ts';
import { type Check, renderChecks } from './check.ts';
import { examine } from './examine.ts';

export async function doctor(args: Arguments, context: ServiceContext): Promise<Answer> {
  const first = await examine(args, context);
  if (!args.flag('repair') || first.repairable === undefined) return toAnswer(first.checks, toHints(args));
  if (!mayInstall(first.repairable, process.getuid?.())) {
    const note = `only root may write ${first.repairable.scope} units: ${toRepairCommand(first.repairable)}`;
    return toAnswer(first.checks, [note]);
  }
  const done = await repair(first.repairable, context.signal);
  const second = await examine(args, context);
  return toAnswer(second.checks, [...done, ...toHints(args)]);
}

/** 0 also with warnings: they are for people to weigh; a script that minds them has `--json`. */
export function toDoctorExitCode(checks: readonly Check[]): number {
  return checks.some(({ verdict }) => verdict === 'fail') ? EXIT.error : EXIT.ok;
}

function toAnswer(checks: readonly Check[], notes: readonly string[]): Answer {
  return { wire: { checks, notes }, output: renderChecks(checks), notes, exitCode: toDoctorExitCode(checks) };
}

function toHints(args: Arguments): string[] {
  return args.flag('connect')
    ? []
    : [
        'the simulator itself was not asked; --connect makes one connection, if nobody holds the line, and resets it',
      ];
}
