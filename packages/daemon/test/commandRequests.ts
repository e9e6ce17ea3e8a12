/** Requests and a table of command sessions, without the test's own help: also for a program that plays the daemon. */
import { join } from 'node:path';
import { createLog } from '../src/io/log.ts';
import type { SessionRequest } from '../src/rpc/sessionService.ts';
import { CommandTable, type SessionTableOptions } from '../src/sessionTable.ts';

export function openPlain(folder: string, options: Partial<SessionTableOptions> = {}): Promise<CommandTable> {
  return CommandTable.open({
    commands: 'local',
    spawnPolicy: {},
    maxRunning: 64,
    keepMs: 86_400_000,
    quotaBytes: 1024 ** 3,
    ringBytes: 65_536,
    root: join(folder, 'sessions'),
    hasJournal: true,
    filesDir: join(folder, 'files'),
    env: process.env,
    log: createLog('silent', 'test'),
    ...options,
  });
}

export function request(
  argv: readonly [string, ...string[]],
  more: Partial<SessionRequest> = {},
): SessionRequest {
  const [command, ...args] = argv;
  return {
    command,
    args,
    cwd: '/',
    env: {},
    name: undefined,
    isPty: false,
    size: { rows: 24, columns: 80 },
    splitStderr: false,
    timeLimitMs: undefined,
    client: 'test',
    ...more,
  };
}
