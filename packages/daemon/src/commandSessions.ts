/** The table of command sessions as the configuration wants it. */
import { join } from 'node:path';
import type { Config } from './config.ts';
import type { Log } from './io/log.ts';
import { makePrivateFolder } from './io/unixListener.ts';
import { CommandTable } from './sessionTable.ts';

export async function openCommands(
  config: Config,
  env: Readonly<Record<string, string | undefined>>,
  log: Log,
): Promise<CommandTable> {
  const { commands, paths, ringBytes, journalMode } = config;
  const { who, executables, folders, ...limits } = commands;
  makePrivateFolder(join(paths.stateDir, 'sessions'), process.getuid?.());
  return await CommandTable.open({
    ...limits,
    commands: who,
    spawnPolicy: { executables, folders },
    ringBytes,
    root: join(paths.stateDir, 'sessions', paths.name),
    hasJournal: journalMode === 'on',
    filesDir: join(paths.stateDir, 'files'),
    env,
    log,
  });
}
