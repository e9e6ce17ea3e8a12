/** A disk that is full, broken or read-only, below a whole daemon: the line goes on, and nothing is hidden. */
import { join } from 'node:path';
import type { MethodResult } from '@pidp10/protocol/methods';
import type { DaemonClient } from '@pidp10/protocol/node/daemonClient';
import { describe, expect, test } from 'vitest';
import { type NumberedLine, startNumberedLine } from '../support/numberedLine.ts';
import { eventually } from '../support/processes.ts';
import { Sandbox } from '../support/sandbox.ts';
import { fill, folderOf, onSmallDisk, whyNoSmallDisk } from '../support/smallDisk.ts';
import { holesOf, isAsSent, storedOutput } from '../support/storedOutput.ts';
import { needsTool } from '../support/tools.ts';

/** Of a line that a disk keeps up with easily, in bytes a second. */
const SLOW = 20_000;
/** Of one that fills the queue of 8 MiB in a second or two. */
const FAST = 8_000_000;
const DISK_BYTES = 48 * 1024 * 1024;
/** A new attempt is made every second; the rest is for a machine that is busy, in ms. */
const BACK_MS = 10_000;

type Storage = NonNullable<MethodResult<'daemon.status'>['storage']>;

async function storageOf(client: DaemonClient): Promise<Storage> {
  const { storage } = await client.request('daemon.status', {});
  if (storage === undefined) throw new Error('this daemon does not tell of its storage');
  return storage;
}

function until(client: DaemonClient, what: string, isSo: (storage: Storage) => boolean): Promise<void> {
  return eventually(what, async () => isSo(await storageOf(client)), BACK_MS);
}

function argsFor({ port }: NumberedLine): readonly string[] {
  return ['--host', '127.0.0.1', '--port', String(port), '--telnet', 'off'];
}

/** Ends the line, so that nothing more comes, and waits until what has come is on the disk. */
async function allSynced(client: DaemonClient): Promise<number> {
  await client.request('line.close', {});
  const { end } = await client.request('line.status', {});
  await until(client, 'all on the disk', ({ state, syncedEnd }) => state === 'ok' && syncedEnd === end);
  return end;
}

describe('S04 · a full disk', () => {
  test('the line goes on from memory, degraded; what found no room is a gap of exact size; space brings it back', async (context) => {
    const why = whyNoSmallDisk();
    if (why !== undefined) return context.skip(why);
    await using sandbox = await Sandbox.create();
    await using line = await startNumberedLine(SLOW);
    const launcher = onSmallDisk(sandbox, DISK_BYTES);
    const daemon = await sandbox.daemon({ args: argsFor(line), launcher });
    await using client = await sandbox.connect();
    await client.request('line.open', { timeoutMs: 10_000 });
    const folder = folderOf(daemon, sandbox);
    {
      using _full = fill(folder);
      await until(client, 'degraded', ({ state }) => state === 'degraded');
      const { detail, gapBytes } = await storageOf(client);
      expect(detail).toContain('(ENOSPC)');
      expect(detail).toContain(join('journal', 'line'));
      expect(gapBytes).toBe(0);
      // What comes meanwhile is there for everybody.
      const { end } = await client.request('line.status', {});
      await line.whenSent(SLOW / 10);
      const { output } = await client.request('line.read', { from: end, timeoutMs: 5_000, expect: 'fox' });
      expect(output).toMatchObject({ start: end, truncated: false, text: expect.stringContaining('fox') });
      await client.request('line.mark', { text: 'while the disk was full' });
      line.bytesPerSecond = FAST;
      await until(client, 'a gap longer than memory', (storage) => storage.gapBytes > 1_048_576);
      line.bytesPerSecond = SLOW;
      expect(await client.request('line.status', {})).toMatchObject({ lineState: { state: 'open' } });
    }
    const { end: freed } = await client.request('line.status', {});
    // The gap ends with the first byte for which the queue has room again.
    await until(
      client,
      'all as before',
      ({ state, syncedEnd }) => state === 'ok' && (syncedEnd ?? 0) > freed,
    );
    const end = await allSynced(client);
    const files = storedOutput(folder);
    const holes = holesOf(files, end);
    expect(holes).toHaveLength(1);
    expect((await storageOf(client)).gapBytes).toBe(holes.reduce((sum, { from, to }) => sum + to - from, 0));
    expect(isAsSent(files, 0, line.sent[0] ?? Buffer.alloc(0))).toBe(true);
    expect(line.sent).toHaveLength(1);
    const { entries } = await client.request('line.history', { limit: 1_000 });
    expect(entries.map(({ text }) => text)).toContain('while the disk was full');
    // Memory has dropped its beginning.
    const past = await client.request('line.read', { from: (holes[0]?.from ?? 0) - 10, maxChars: 100 });
    expect(past.output.truncated).toBe(true);
  });
});

/** Faults of the first data file only. `-D`: our child is the program itself. */
function injecting(sandbox: Sandbox, inject: string): readonly string[] {
  const file = join(sandbox.stateDir, 'journal', 'line', `out-${'0'.repeat(20)}`);
  return ['strace', '-D', '-f', '-qq', '-o', '/dev/null', '-P', file, '-e', `inject=${inject}`];
}

describe('under strace', needsTool('strace'), () => {
  test.each([
    ['S05 · EIO of one sync', 'fdatasync:error=EIO:when=1', 'EIO'],
    ['S06 · EROFS of two writes', 'write,writev,pwrite64,pwritev:error=EROFS:when=1..2', 'EROFS'],
    ['S04 · ENOSPC of two writes', 'write,writev,pwrite64,pwritev:error=ENOSPC:when=1..2', 'ENOSPC'],
  ])('%s: said with the path, the line goes on, nothing is lost', async (_what, inject, code) => {
    await using sandbox = await Sandbox.create();
    await using line = await startNumberedLine(SLOW);
    const daemon = await sandbox.daemon({
      args: argsFor(line),
      launcher: injecting(sandbox, inject),
      env: { UV_THREADPOOL_SIZE: '1' }, // strace counts for each thread
    });
    await using client = await sandbox.connect();
    await client.request('line.open', { timeoutMs: 10_000 });
    await daemon.until('the fault', ({ stderr }) => stderr.includes(`(${code})`));
    expect(daemon.stderr).toContain(`out-${'0'.repeat(20)} failed (${code})`);
    expect(await client.request('line.status', {})).toMatchObject({ lineState: { state: 'open' } });
    await until(client, 'ok again', ({ state }) => state === 'ok');
    const end = await allSynced(client);
    const files = storedOutput(join(sandbox.stateDir, 'journal', 'line'));
    expect(holesOf(files, end)).toEqual([]);
    expect(isAsSent(files, 0, line.sent[0] ?? Buffer.alloc(0))).toBe(true);
    expect(await storageOf(client)).toMatchObject({ state: 'ok', gapBytes: 0 });
  });
});
