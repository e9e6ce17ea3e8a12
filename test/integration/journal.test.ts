/** For ever: what the daemon has read outlives its being killed at any moment. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Fakeline, startFakeline } from '@pidp10/fakeline';
import { describe, expect, test } from 'vitest';
import { IS_SOAK, LineRig } from '../support/lineRig.ts';
import { Sandbox } from '../support/sandbox.ts';

/** Daemons killed, one after the other, on one state folder. */
const KILLS = IS_SOAK ? 300 : 12;
/** What was read so long before the kill has to be there, in ms. */
const GRACE_MS = 20;

/** The raw output in the folder, segment after segment: `grep` would see the same. */
function stored(sandbox: Sandbox): string {
  const folder = join(sandbox.stateDir, 'journal', 'line');
  const names = readdirSync(folder).filter((name) => /^out-\d{20}$/.test(name));
  let text = '';
  for (const name of names.sort()) {
    expect(Number(name.slice(4))).toBe(text.length);
    text += readFileSync(join(folder, name), 'latin1');
  }
  return text;
}

describe('a daemon that is killed', () => {
  test('S02 · C1 · loses nothing that it had read 20 ms before, at whatever moment, and says how it ended', async () => {
    await using sandbox = await Sandbox.create();
    let end = 0;
    let epoch: string | undefined;
    for (let round = 0; round < KILLS; round += 1) {
      await using line: Fakeline = await startFakeline({ pollMs: 5, ctrlZMs: 5 });
      const daemon = await sandbox.daemon({ args: ['--host', '127.0.0.1', '--port', String(line.port)] });
      const client = await sandbox.connect();
      const found = await client.request('line.status', {});
      expect(found.epoch).toBe(epoch ?? found.epoch);
      expect(found.end).toBeGreaterThanOrEqual(end);
      // The first has nobody before it.
      const left = round === 0 ? { state: 'closed' } : { state: 'dead', reason: 'daemon_ended' };
      expect(found.lineState).toMatchObject(left);
      epoch = found.epoch;
      await client.request('line.open', {});
      line.faults.set('flood', 300_000);
      // A moment that nobody chose: so many bytes have come.
      const target = found.end + 2_000 + ((round * 7_919) % 40_000);
      let known = { end: found.end, atMs: performance.now() };
      const seen: { end: number; atMs: number }[] = [known];
      while (known.end < target) {
        known = { end: (await client.request('line.status', {})).end, atMs: performance.now() };
        seen.push(known);
      }
      const killedMs = performance.now();
      daemon.kill('SIGKILL');
      await daemon.exited;
      end = seen.findLast(({ atMs }) => atMs <= killedMs - GRACE_MS)?.end ?? found.end;
      expect(stored(sandbox).length).toBeGreaterThanOrEqual(end);
    }
    await sandbox.daemon();
    await using client = await sandbox.connect();
    const status = await client.request('line.status', {});
    const raw = stored(sandbox);
    expect(raw.length).toBe(status.end);
  });

  test('C2 · who typed what is known to the next daemon', async () => {
    await using line = await startFakeline({ pollMs: 5, ctrlZMs: 5 });
    await using rig = await LineRig.start({ port: line.port });
    await rig.open({ login: 'rms' });
    await rig.send(':listf');
    await rig.client.request('line.mark', { text: 'here' });
    await rig.client.request('daemon.shutdown', {});
    await rig.daemon.exited;
    await rig.sandbox.daemon({ args: ['--host', '127.0.0.1', '--port', String(line.port)] });
    await using client = await rig.sandbox.connect();
    const { entries } = await client.request('line.history', { outputChars: 200 });
    expect(entries.find(({ input }) => input?.text?.startsWith(':listf'))).toMatchObject({
      input: { author: { client: 'test' } },
    });
    expect(entries.some(({ kind, text }) => kind === 'mark' && text === 'here')).toBe(true);
    expect(await client.request('line.status', {})).toMatchObject({ lineState: { state: 'closed' } });
    const { storage } = await client.request('daemon.status', {});
    expect(storage).toMatchObject({ state: 'ok', gapBytes: 0 });
  });
});
