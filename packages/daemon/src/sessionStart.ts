/** Starts a session's program: what may be started, in which environment, and what a failure is called on the wire. */
import { homedir } from 'node:os';
import { isAbsolute } from 'node:path';
import { rpcError } from '@pidp10/protocol/errors';
import { childEnvironment, MARK_NAME } from './io/childEnvironment.ts';
import { startPipeProcess } from './io/pipeProcess.ts';
import { SpawnError } from './io/process/executable.ts';
import { PtyUnavailableError } from './io/process/ptyLibrary.ts';
import { ProcessTree } from './io/processTree.ts';
import { startPtyProcess } from './io/ptyProcess.ts';
import { judgeSpawn, type SpawnPolicy } from './io/spawnPolicy.ts';
import type { SessionRequest } from './rpc/sessionService.ts';
import type { SessionDriver } from './sessionDriver.ts';
import { SessionTerminal } from './sessionTerminal.ts';

/** A program that may be started, with all that it gets. */
export interface Prepared {
  readonly file: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface PrepareOptions {
  readonly policy: SpawnPolicy;
  readonly base: Readonly<Record<string, string | undefined>>;
  readonly mark: string;
}

/** Throws an RpcError: `start_failed`, `command_refused`, `invalid_params`. Nothing is started. */
export function prepare(request: SessionRequest, { policy, base, mark }: PrepareOptions): Prepared {
  const { command, cwd = homedir(), isPty, env: extra } = request;
  if (!isAbsolute(cwd)) {
    throw rpcError('start_failed', `The working folder ${cwd} is no absolute path; nothing was started.`);
  }
  try {
    const env = childEnvironment({ base, extra, cwd, isPty, mark });
    const verdict = judgeSpawn({ command, cwd, path: env['PATH'] }, policy);
    if (verdict.kind === 'refused') throw rpcError('command_refused', verdict.text);
    return { file: verdict.file, cwd, env };
  } catch (error) {
    throw toStartError(error);
  }
}

/** Runs it, and gives it to the session. Throws an RpcError: `start_failed`, `pty_unavailable`; then nothing is left of it. */
export async function run(
  driver: SessionDriver,
  { file, cwd, env }: Prepared,
  request: SessionRequest,
): Promise<void> {
  const { args, isPty, size, splitStderr } = request;
  const common = { command: file, args, cwd, env };
  let terminal: SessionTerminal | undefined;
  try {
    terminal = isPty ? await SessionTerminal.create(size, (bytes) => driver.answer(bytes)) : undefined;
    const handle = isPty
      ? await startPtyProcess({ ...common, size }, driver.events)
      : await startPipeProcess({ ...common, splitStderr }, driver.events);
    const { pid, startTime = -1 } = handle;
    const tree = new ProcessTree({ leader: { pid, startTime }, mark: markOf(env[MARK_NAME] ?? '') });
    driver.begin({ handle, tree, terminal });
  } catch (error) {
    terminal?.[Symbol.dispose]();
    throw toStartError(error);
  }
}

/** As it stands in the environment of all that a session starts. */
export function markOf(mark: string): string {
  return `${MARK_NAME}=${mark}`;
}

function toStartError(error: unknown): unknown {
  if (error instanceof PtyUnavailableError) return rpcError('pty_unavailable', error.message);
  if (error instanceof SpawnError) {
    return rpcError('start_failed', error.message, { failure: error.failure, path: error.path });
  }
  if (error instanceof RangeError) return rpcError('invalid_params', error.message);
  return error;
}
