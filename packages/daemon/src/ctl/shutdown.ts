/**
 * `shutdown`: ends the daemon, whatever protocol version it speaks. Waits until its process is gone: only then is the
 * lock free, so that a daemon started right afterwards serves.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { LocalError } from '@pidp10/protocol/errors';
import type { DaemonClient } from '@pidp10/protocol/node/daemonClient';
import type { Command } from './command.ts';
import { EXIT } from './exitCodes.ts';

/** Time for the process to end after its answer, in ms; it has nothing left to wait for. */
const END_TIMEOUT_MS = 5_000;
const POLL_MS = 20;

export const shutdownCommand: Command = {
  name: 'shutdown',
  summary: 'Reset the line and end the daemon, of any protocol version',
  positionals: [],
  options: {},
  examples: [['shutdown', 'the next open or send starts a new one']],
  async run(_args, { daemon, signal }) {
    await using client = await daemon.connectWithoutHello();
    const { pid } = await client.request('daemon.status', {}, { signal });
    const result = await askToEnd(client, signal);
    const who = `pidp10d, pid ${pid},`;
    if (await isGoneInTime(pid, signal)) {
      return { wire: result, output: `${who} has ended\n`, notes: [], exitCode: EXIT.ok };
    }
    const note = `${who} agreed to end but still runs after ${END_TIMEOUT_MS} ms`;
    return { wire: result, output: '', notes: [note], exitCode: EXIT.error };
  },
};

async function askToEnd(client: DaemonClient, signal: AbortSignal): Promise<object> {
  try {
    return await client.request('daemon.shutdown', {}, { signal });
  } catch (error) {
    // It may be gone before its answer is out; whether it is, is looked at next.
    if (error instanceof LocalError && error.code === 'connection_lost') return {};
    throw error;
  }
}

async function isGoneInTime(pid: number, signal: AbortSignal): Promise<boolean> {
  for (let waitedMs = 0; isAlive(pid); waitedMs += POLL_MS) {
    if (waitedMs >= END_TIMEOUT_MS || signal.aborted) return false;
    await sleep(POLL_MS);
  }
  return true;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Not ours to signal, yet there.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  return !isZombie(pid);
}

/** It has ended and holds nothing any more; in a container nobody may ever collect it. */
function isZombie(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The state follows the name, which may itself contain parentheses.
    return stat.startsWith('Z', stat.lastIndexOf(')') + 2);
  } catch {
    return false; // no /proc: macOS, where launchd collects at once
  }
}
