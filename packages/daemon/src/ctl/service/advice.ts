/** What a person has to know after an installation. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type ManagerFacts, toRestartCommand } from './commands.ts';
import type { InstallPlan } from './plan.ts';
import type { DaemonStatus } from './steps.ts';

export interface AdviceFacts {
  readonly plan: InstallPlan;
  readonly manager: ManagerFacts;
  readonly running: DaemonStatus | undefined;
  readonly isService: boolean;
}

export function toAdvice({ plan, manager, running, isService }: AdviceFacts): string[] {
  const { facts, places } = plan;
  const isLinux = facts.platform === 'linux';
  const lingers = isLingering(facts.env['USER']);
  return [
    ...(running !== undefined && isService
      ? [
          `the daemon, pid ${running.pid}, goes on with the files it was started from; pidp10ctl upgrade hands the line to the new ones`,
        ]
      : []),
    ...(running !== undefined && !isService
      ? [
          `a daemon that is no service serves already, pid ${running.pid}; "pidp10ctl shutdown" ends it and resets the line, then ${toRestartCommand(manager)}`,
        ]
      : []),
    ...(isLinux && facts.scope === 'user' && !lingers
      ? [
          'a user service ends with your last session and starts with your next one; to have it from boot on: loginctl enable-linger',
        ]
      : []),
    ...(facts.env['SHELL']?.endsWith('zsh') === true && facts.scope === 'user'
      ? [`for zsh, before compinit in ~/.zshrc: fpath=(${places.zsh} $fpath)`]
      : []),
  ];
}

/** Whether the user's services run without a session of his (loginctl(1)). */
function isLingering(user: string | undefined): boolean {
  return Boolean(user) && existsSync(join('/var/lib/systemd/linger', user ?? ''));
}
