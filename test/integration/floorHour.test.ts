/**
 * Many clients, one voice: two agents whose bridges are killed, a person at attach, viewers that are stopped, and a spy, all
 * on one line, for an hour (`pnpm soak`; PIDP10_SOAK_MINUTES) or some seconds. What the line got, what is on record, and
 * what each client says it typed must be the same. PIDP10_SEED repeats the scripts, not the moments.
 */
import { startFakeline } from '@pidp10/fakeline';
import { describe, expect, test } from 'vitest';
import { HAS_TMUX, startAttached } from '../support/attached.ts';
import { isGone } from '../support/bridgeClient.ts';
import { startLoggedIn } from '../support/itsRig.ts';
import { IS_SOAK } from '../support/lineRig.ts';
import { cpuSeconds, eventually, residentBytes } from '../support/processes.ts';
import { AgentScript, MAX_DIALOGUE_LEASE_MS } from '../support/soak/agentScript.ts';
import { Chance } from '../support/soak/chance.ts';
import { Figures } from '../support/soak/figures.ts';
import { judge } from '../support/soak/judge.ts';
import { Ledger } from '../support/soak/ledger.ts';
import { LineTap } from '../support/soak/lineTap.ts';
import { PersonScript } from '../support/soak/personScript.ts';
import { readRecord, recordedBytes } from '../support/soak/record.ts';
import { Spy, Viewers } from '../support/soak/viewers.ts';
import { isSaid } from '../support/tmux.ts';

const SOAK_MS = Number(process.env['PIDP10_SOAK_MINUTES'] ?? '60') * 60_000;
const RUN_MS = IS_SOAK ? SOAK_MS : 20_000;
/** The last calls, each up to its own limit, and the reckoning. */
const END_MS = 180_000;
/** Characters in a second that the line takes: between a real one's 60 and what a test has time for. */
const INPUT_CPS = 600;
/** How long what was under way keeps the floor at most: longer than any call's limit and what it may have to type. */
const FLOOR_MS = 60_000;
/** How much longer than its limit a call may take, in ms, on a machine that has other things to do. */
const GRACE_MS = 10_000;

describe.runIf(HAS_TMUX)('the hour', () => {
  test(
    'D12 · D19 · D20 · L15 · I8 · nothing is mangled, every byte is its author’s, nobody waits beyond his own limit',
    async () => {
      const seed = Number(process.env['PIDP10_SEED'] ?? (Date.now() % 1_000_000) + 1);
      console.log(`seed ${seed}`);
      const chance = new Chance(seed);
      const [tap, ledger, figures, spy] = [new LineTap(), new Ledger(), new Figures(), new Spy()];
      await using line = await startFakeline({ inputCps: INPUT_CPS, onEvent: tap.handle });
      await using rig = await startLoggedIn(line);
      const { client, daemon, sandbox } = rig;
      await client.request('floor.release', {});
      const [last] = (await client.request('line.history', { limit: 1 })).entries;
      const from = tap.receivedBytes;
      const spying = await sandbox.connect({ access: 'read', onNotification: spy.listener });
      await spying.request('line.watch', { form: 'bytes' });
      await using tmux = await startAttached(rig);
      const shared = { sandbox, line, tap, ledger, figures, tmux, port: line.port };
      const agents = await Promise.all([
        AgentScript.start({ ...shared, name: 'alice', era: '2025-11-25', chance: chance.fork() }),
        AgentScript.start({ ...shared, name: 'bob', era: '2026-07-28', chance: chance.fork() }),
      ]);
      const person = new PersonScript({ ...shared, chance: chance.fork() });
      const viewers = new Viewers({ ...shared, chance: chance.fork() });

      using _beat = figures.beat();
      const startMs = performance.now();
      const before = { cpu: cpuSeconds(daemon.pid), rss: residentBytes(daemon.pid) };
      const isOver = () => performance.now() - startMs > RUN_MS || figures.faults.length > 0;
      await Promise.all(
        [...agents, person, viewers].map((each) => each.run(isOver)).concat(spy.run(spying, isOver)),
      );
      const used = cpuSeconds(daemon.pid) - before.cpu;

      // Whatever is still under way goes out, the lease of a killed bridge ends, and the record of it is complete.
      await eventually(
        'a free floor',
        async () => (await client.request('floor.status', {})).state === 'free',
        MAX_DIALOGUE_LEASE_MS + FLOOR_MS,
      );
      await client.request('line.read', { timeoutMs: 3_000, quietMs: 1_500 });
      const entries = await readRecord(client, last?.seq ?? -1);
      const record = recordedBytes(entries);
      const verdict = judge({ received: tap.typed(from), record, entries, sendings: ledger.sendings });
      const seen = await viewers.finish(client);
      figures.count('inputs', verdict.inputs);
      figures.count('inputs cut off', verdict.cut);
      figures.count('bytes typed', record.length);
      figures.count('bytes of secrets', verdict.masked);
      figures.count(
        'changes of the floor by force',
        entries.filter(({ text }) => text?.includes('by force')).length,
      );
      const rss = [before.rss, residentBytes(daemon.pid)].map((bytes) => Math.round(bytes / 1_048_576));
      const seconds = Math.round((performance.now() - startMs) / 1_000);
      console.log(
        `${seconds} s\n${figures.describe()}\ndaemon: ${used.toFixed(1)} s of CPU, ${rss.join(' -> ')} MiB`,
      );

      expect([...figures.faults, ...verdict.faults, ...spy.faults, ...seen]).toEqual([]);
      expect(verdict.inputs).toBeGreaterThan(10);
      expect(figures.worstExcessMs).toBeLessThan(GRACE_MS + figures.worstLateMs);
      expect(spy.heard.equals(tap.saidLast(spy.heard.length))).toBe(true);
      const inputs = entries.flatMap(({ input }) => (input === undefined ? [] : [input]));
      expect(spy.inputs).toMatchObject(inputs);

      // Nothing is left of anybody.
      await Promise.all(agents.map((agent) => agent.close()));
      await spying.close();
      await tmux.type('\x05c.');
      await tmux.untilShown('the shell', (rows) => isSaid(rows, 'ended with 0'));
      await eventually(
        'nobody but us',
        async () => (await client.request('daemon.status', {})).clients === 1,
      );
      const pids = [...agents.flatMap((agent) => agent.pids), ...viewers.pids];
      await eventually('the end of every process', () => pids.every(isGone));
      const { readers } = await client.request('reader.list', {});
      expect(readers.filter(({ owner }) => owner !== undefined)).toEqual([]);
      await client.request('line.close', {});
      await eventually('a line that nobody is on', () => line.openConnections === 0);
    },
    RUN_MS + END_MS,
  );
});
