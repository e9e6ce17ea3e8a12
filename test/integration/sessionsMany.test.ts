/**
 * Many commands, one after the other and side by side: not a byte is missing, and nothing of them stays. `pnpm soak` runs the
 * numbers that the case names, the normal suite few.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DEFAULT_MAX_CHARS, MAX_MAX_CHARS } from '@pidp10/protocol/limits';
import { describe, expect, test } from 'vitest';
import { descriptors, eventually, residentBytes } from '../support/processes.ts';
import { PATIENCE_MS, SessionRig } from './sessionRig.ts';

const IS_SOAK = process.env['PIDP10_SOAK'] === '1';
const NUM_COMMANDS = IS_SOAK ? 4_000 : 40;
const NUM_SESSIONS = IS_SOAK ? 2_000 : 40;
/** Sessions before the baseline is taken: what is loaded with the first ones is no leak. */
const NUM_WARM_UP = IS_SOAK ? 200 : 8;
/** Commands at once. */
const NUM_LANES = 4;
/** Bytes that a command prints. */
const SIZES = [1, 100, 4_096, 65_536, 1_048_576] as const;
/** A collector that has not run yet, and pages that the allocator keeps, are no leak; 16 KiB kept of each session would be. */
const MEMORY_MARGIN_BYTES = 32 * 1_048_576;
/** Longest wait until all is as before, in ms. */
const SETTLING_MS = 60_000;

/** Every eight characters tell where they stand, so that what is lost, doubled or moved is seen. No line end: a PTY adds CR. */
function numbered(bytes: number): string {
  const blocks = Array.from({ length: Math.ceil(bytes / 8) }, (_, index) =>
    index.toString(36).padStart(7, '0'),
  );
  return `${blocks.join('.')}.`.slice(0, bytes);
}

/** Does `work` for 0 to `count` - 1, a few at a time. */
async function inLanes(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) {
      const index = next;
      next += 1;
      await work(index);
    }
  };
  await Promise.all(Array.from({ length: NUM_LANES }, lane));
}

/** All that a command says, in pieces of `maxChars` at most. */
async function readAll({ client }: SessionRig, session: string, maxChars: number): Promise<string> {
  let text = '';
  for (;;) {
    const options = { maxChars, timeoutMs: PATIENCE_MS, tidy: false };
    const { output, reason, remaining, outputState } = await client.request('session.read', {
      session,
      ...options,
    });
    text += output.text;
    // `held` is a guess that time makes: on a busy machine the last bytes may be on their way still.
    if (reason === 'timeout' || (outputState === 'ended' && remaining === 0)) return text;
  }
}

/** Processes whose parent is the daemon, zombies among them. */
function childrenOf(pid: number): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return (
          readFileSync(`/proc/${name}/stat`, 'utf8')
            .replace(/^.*\) /s, '')
            .split(' ')[1] === String(pid)
        );
      } catch {
        return false; // gone meanwhile
      }
    });
}

/** Terminals whose master the daemon holds: each has a file in `/dev/pts`. */
function terminalsOf(pid: number): number {
  return descriptors(pid).filter((target) => /^\/dev\/(?:pts\/)?ptmx$/.test(target)).length;
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true }).map(String).sort();
}

describe('many commands', () => {
  test(`P01 · of ${NUM_COMMANDS} on pipes and terminals, of 1 B to 1 MiB each, not a byte is missing`, async () => {
    await using rig = await SessionRig.start();
    const { client, sandbox } = rig;
    const text = numbered(Math.max(...SIZES));
    const file = join(sandbox.folder, 'text');
    await writeFile(file, text);
    // Each size on pipes and on a terminal.
    const sizes = Array.from(
      { length: NUM_COMMANDS },
      (_, index) => SIZES[Math.floor(index / 2) % SIZES.length] ?? 1,
    );
    const wrong: string[] = [];
    let numBytes = 0;
    await inLanes(NUM_COMMANDS, async (index) => {
      const bytes = sizes[index] ?? 0;
      const session = await rig.run(['head', '-c', String(bytes), file], { pty: index % 2 === 1 });
      const said = await readAll(rig, session, index % 4 < 2 ? MAX_MAX_CHARS : DEFAULT_MAX_CHARS);
      const { exit, end } = await client.request('session.status', { session });
      if (said !== text.slice(0, bytes) || end !== bytes || exit?.code !== 0)
        wrong.push(
          `${index}: ${said.length} of ${bytes} characters, ${end} bytes, exit ${JSON.stringify(exit)}`,
        );
      numBytes += end;
      await client.request('session.delete', { session });
    });
    expect(wrong).toEqual([]);
    expect(numBytes).toBe(sizes.reduce((sum, bytes) => sum + bytes, 0));
  }, 1_800_000);

  test(`P17 · ${NUM_SESSIONS} that were started and deleted leave no descriptor, process, terminal, file or memory`, async () => {
    await using rig = await SessionRig.start();
    const { client, daemon, sandbox } = rig;
    const silent: number[] = [];
    const live = async (index: number): Promise<void> => {
      const kind = index % 6;
      const options = [{}, { splitStderr: true }, { pty: true }][kind % 3];
      // One that ends by itself and is read, one that is stopped with what it started.
      const session = await rig.run(
        ['sh', '-c', kind < 3 ? 'echo hello; echo err >&2' : 'sleep 600 & sleep 600'],
        options,
      );
      if (kind < 3 && !(await rig.all(session)).startsWith('hello')) silent.push(index);
      await client.request('session.delete', { session, stop: true });
    };
    await inLanes(NUM_WARM_UP, live);
    const isIdle = () => childrenOf(daemon.pid).length === 0 && terminalsOf(daemon.pid) === 0;
    await eventually('no process and no terminal', isIdle, SETTLING_MS);
    const before = { descriptors: descriptors(daemon.pid), files: filesBelow(sandbox.stateDir) };
    const memory = residentBytes(daemon.pid);
    await inLanes(NUM_SESSIONS, live);
    await eventually('no process and no terminal', isIdle, SETTLING_MS);
    const isAsBefore = () => descriptors(daemon.pid).length <= before.descriptors.length;
    await eventually('descriptors as before', isAsBefore, SETTLING_MS);
    expect(descriptors(daemon.pid)).toEqual(before.descriptors);
    expect(filesBelow(sandbox.stateDir)).toEqual(before.files);
    expect((await client.request('session.list', {})).sessions).toEqual([]);
    expect(silent).toEqual([]);
    if (!IS_SOAK) return; // of few sessions the code that is compiled meanwhile is most of it
    const hasShrunk = () => residentBytes(daemon.pid) <= memory + MEMORY_MARGIN_BYTES;
    await eventually('memory as before', hasShrunk, SETTLING_MS);
  }, 1_800_000);
});
