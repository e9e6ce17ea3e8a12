/** For ever: what the daemon has read outlives its being killed at any moment. */
import { join } from 'node:path';
import { startFakeline } from '@pidp10/fakeline';
import type { DaemonClient } from '@pidp10/protocol/node/daemonClient';
import { describe, expect, test } from 'vitest';
import { mulberry32 } from '../../packages/fakeline/src/random.ts';
import { IS_SOAK, LineRig } from '../support/lineRig.ts';
import { startNumberedLine } from '../support/numberedLine.ts';
import { BIN, Sandbox } from '../support/sandbox.ts';
import { holesOf, isAsSent, storedOutput } from '../support/storedOutput.ts';

/** Daemons killed, one after the other, on one state folder. */
const KILLS = IS_SOAK ? 300 : 60;
/**
 * What was read or answered so long before the kill has to be there, in ms. On a machine that has other things to do as well
 * the kernel may take its time to get round to a write: what the daemon says to have written is what counts.
 */
const GRACE_MS = 1_000;
/** On one that has not, in ms; the soak says how often it was more. */
const SOON_MS = 20;
/** Of the schedule; any would do. */
const SEED = 19_780_501;
/** Rates of the line, in bytes a second: of a slow one, and one that is faster than a disk that is busy. */
const MIN_RATE = 10_000;
const MAX_RATE = 10_000_000;
/** Longest life of a daemon behind its line's opening, in s. */
const MAX_LIFE_S = 0.15;
/** For all of it, in ms: half a second each, and six times that on a busy machine. */
const SCHEDULE_MS = KILLS * 3_000;
/** The kill comes so many turns of the event loop behind a piece of output, at most. */
const MAX_TURNS = 20;

interface Mark {
  readonly text: string;
  readonly offset: number;
  readonly atMs: number;
}

/** Of one daemon: where it began, what it said to have written, and what was known of it some time before it was killed. */
interface Life {
  readonly start: number;
  readonly written: number;
  readonly known: number;
  readonly soon: number;
  readonly marks: readonly Mark[];
}

/** Asks, notes and types, whatever comes, until the daemon is gone; what it answered, and when. */
async function livedBy(client: DaemonClient, random: () => number, typed: string[]) {
  const ends: { readonly end: number; readonly atMs: number }[] = [];
  let written = 0;
  const marks: Mark[] = [];
  let typing: Promise<unknown> | undefined;
  while (!client.isClosed) {
    const choice = random();
    try {
      if (choice < 0.3) {
        const { storage } = await client.request('daemon.status', {});
        written = storage?.writtenEnd ?? 0;
      } else if (choice < 0.7) {
        const { end } = await client.request('line.status', {});
        ends.push({ end, atMs: performance.now() });
      } else if (choice < 0.95) {
        const text = `mark ${random()}`;
        const { offset } = await client.request('line.mark', { text });
        marks.push({ text, offset, atMs: performance.now() });
      } else if (typing === undefined) {
        const input = `typed ${random()}`;
        typed.push(input);
        const sent = client.request('line.send', { input, timeoutMs: 10, quietMs: 5 });
        typing = sent
          .catch(() => undefined)
          .finally(() => {
            typing = undefined;
          });
      }
    } catch (error) {
      if (!client.isClosed) throw error;
    }
  }
  await typing;
  return { written, ends, marks };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

describe('a daemon that is killed', () => {
  test(
    'S02 · C1 · I2 · loses nothing that it had written, at whatever moment, and counts what it lost',
    async () => {
      await using sandbox = await Sandbox.create();
      await using line = await startNumberedLine(MIN_RATE);
      const args = ['--host', '127.0.0.1', '--port', String(line.port), '--telnet', 'off'];
      const random = mulberry32(SEED);
      const lives: Life[] = [];
      const typed: string[] = [];
      const late: number[] = [];
      let epoch: string | undefined;
      for (let round = 0; round < KILLS; round += 1) {
        const daemon = await sandbox.daemon({ args });
        await using client = await sandbox.connect();
        const found = await client.request('line.status', {});
        expect(found.epoch).toBe(epoch ?? found.epoch);
        expect(found.end).toBeGreaterThanOrEqual(lives.at(-1)?.written ?? 0);
        expect(found.end).toBeGreaterThanOrEqual(lives.at(-1)?.known ?? 0);
        const soon = lives.at(-1)?.soon ?? 0;
        if (found.end < soon) late.push(soon - found.end);
        // The first has nobody before it.
        const left = round === 0 ? { state: 'closed' } : { state: 'dead', reason: 'daemon_ended' };
        expect(found.lineState).toMatchObject(left);
        epoch = found.epoch;
        // An open ends with so many characters, or with silence.
        line.bytesPerSecond = MAX_RATE;
        await client.request('line.open', {});
        line.bytesPerSecond = MIN_RATE * (MAX_RATE / MIN_RATE) ** random();
        // A moment that nobody chose: so much was sent, and it is on its way.
        const dies = line.whenSent(line.bytesPerSecond * MAX_LIFE_S * random()).then(async () => {
          for (let turns = random() * MAX_TURNS; turns > 0; turns -= 1) await nextTurn();
          daemon.kill('SIGKILL');
          return performance.now();
        });
        const life = await livedBy(client, random, typed);
        const killedMs = await dies;
        await daemon.exited;
        const isOld = ({ atMs }: { readonly atMs: number }) => atMs <= killedMs - GRACE_MS;
        const wasSoon = ({ atMs }: { readonly atMs: number }) => atMs <= killedMs - SOON_MS;
        lives.push({
          start: found.end,
          written: life.written,
          known: life.ends.findLast(isOld)?.end ?? found.end,
          soon: life.ends.findLast(wasSoon)?.end ?? found.end,
          marks: life.marks.filter(isOld),
        });
      }
      await sandbox.daemon({ args });
      await using client = await sandbox.connect();
      const { end } = await client.request('line.status', {});
      const files = storedOutput(join(sandbox.stateDir, 'journal', 'line'));
      const holes = holesOf(files, end);
      for (const [index, { start, written, known, marks }] of lives.entries()) {
        const next = lives[index + 1]?.start ?? end;
        const sent = line.sent[index] ?? Buffer.alloc(0);
        // What is kept is what was sent, at its offset.
        expect(isAsSent(files, start, sent.subarray(0, next - start))).toBe(true);
        const own = holes.filter((hole) => hole.from < next && hole.to > start);
        for (const hole of own) expect(hole.from).toBeGreaterThanOrEqual(Math.max(written, known));
        const { entries } = await client.request('line.history', { from: start, to: next, limit: 1_000 });
        const noted = entries.filter(({ kind }) => kind === 'mark');
        for (const { text, offset } of marks)
          expect(noted).toContainEqual(expect.objectContaining({ text, offset }));
        for (const { input } of entries) {
          // A mark in the middle of what is being typed makes two entries of it.
          const text = input?.text?.replace(/~r$|~r~-$|~-$/, '') ?? '';
          expect(typed.filter((one) => `${one}~r`.includes(text))).not.toEqual([]);
        }
      }
      if (IS_SOAK)
        console.log(
          `${KILLS} kills; ${late.length} took what was older than ${SOON_MS} ms: ${late.join(', ')} bytes`,
        );
      const { storage } = await client.request('daemon.status', {});
      expect(storage?.gapBytes).toBe(holes.reduce((sum, { from, to }) => sum + to - from, 0));
      for (const hole of holes) {
        const { output } = await client.request('line.read', { from: hole.from, timeoutMs: 0, maxChars: 10 });
        expect(output.truncated).toBe(true);
      }
    },
    SCHEDULE_MS,
  );

  test('L16 · L18 · what lies between two connections is in the record, with reason and both times', async () => {
    await using line = await startFakeline({ pollMs: 5, ctrlZMs: 5 });
    await using rig = await LineRig.start({ port: line.port });
    const outages = async (client: DaemonClient) => {
      const { entries } = await client.request('line.history', {});
      return entries.filter(({ kind }) => kind === 'outage');
    };
    await rig.open();
    expect(await outages(rig.client)).toEqual([]);
    const { end } = await rig.client.request('line.status', {});
    line.faults.set('reset');
    const { reason } = await rig.untilState('dead');
    line.faults.clear();
    await rig.open();
    const [first] = await outages(rig.client);
    expect(first).toMatchObject({ offset: end, outage: { reason } });
    expect(Date.parse(first?.outage?.since ?? '')).toBeLessThanOrEqual(
      Date.parse(first?.outage?.until ?? ''),
    );
    // Also over the end of a daemon, however it came.
    const killedMs = Date.now();
    rig.daemon.kill('SIGKILL');
    await rig.daemon.exited;
    await rig.sandbox.daemon({ args: ['--host', '127.0.0.1', '--port', String(line.port)] });
    await using client = await rig.sandbox.connect();
    await client.request('line.open', {});
    const [again, second] = await outages(client);
    expect(again?.outage).toMatchObject({ reason });
    expect(second).toMatchObject({ outage: { reason: 'daemon_ended' } });
    expect(Date.parse(second?.outage?.until ?? '')).toBeGreaterThanOrEqual(killedMs);
    const shown = rig.sandbox.run(BIN.ctl, { args: ['log'] });
    await shown.exited;
    expect(shown.stderr).toMatch(new RegExp(`no connection from \\S+ to \\S+: ${reason}`));
    const listed = rig.sandbox.run(BIN.ctl, { args: ['history'] });
    await listed.exited;
    expect(listed.stdout).toMatch(new RegExp(`no connection since \\S+: ${reason}`));
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
