import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type SessionEffect, SessionState } from '../../src/core/sessionState.ts';
import {
  isSame,
  listProcesses,
  type ProcessInfo,
  parsePsLine,
  parseStat,
  readProcess,
} from '../../src/io/process/processTable.ts';
import { membersOf, ProcessTree, signalGroup, signalLeader } from '../../src/io/processTree.ts';
import { onPipes, onPty, type Recorder, until } from './process/recorder.ts';

/** Carries the effects of a session's state out, as its driver does. */
async function stop(child: Recorder, graceMs: number): Promise<SessionEffect & { kind: 'stopped' }> {
  const state = new SessionState({ isPty: false, streams: ['out'], startedMs: performance.now() });
  const tree = child.tree();
  tree.scan();
  let isExitTold = false;
  const lives = new Set<string>();
  let result: (SessionEffect & { kind: 'stopped' }) | undefined;
  const carryOut = (effects: readonly SessionEffect[]) => {
    for (const effect of effects) {
      if (effect.kind === 'signal') tree.signal(effect.signals);
      if (effect.kind === 'look')
        carryOut(state.handle({ kind: 'members', alive: tree.scan() }, performance.now()));
      if (effect.kind === 'stopped') result = effect;
    }
  };
  carryOut(state.handle({ kind: 'stop', graceMs }, performance.now()));
  await until('the stop', () => {
    if (child.exit !== undefined && !isExitTold) {
      isExitTold = true;
      carryOut(state.handle({ kind: 'exit', exit: {} }, performance.now()));
    }
    if ((state.nextDeadlineMs ?? Number.POSITIVE_INFINITY) <= performance.now())
      carryOut(state.handle({ kind: 'tick' }, performance.now()));
    if (result === undefined) lives.add(`${isExitTold ? 'reaped' : 'not reaped'}: ${state.life}`);
    return result !== undefined;
  });
  if (result === undefined) throw new Error('no result');
  // P09: until it is reaped it is stopping, whatever was sent.
  expect(['not reaped: stopping', 'reaped: exited']).toEqual(expect.arrayContaining([...lives]));
  return result;
}

function alive(name: string, argument: string): readonly ProcessInfo[] {
  return listProcesses().filter(
    (info) => info.name === name && !info.isZombie && argumentsOf(info.pid).includes(argument),
  );
}

function argumentsOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

/** A number of seconds that nobody else on the machine sleeps. */
let seconds = 1_000_000 + process.pid * 100;
const sleepTime = () => String((seconds += 1));

describe('stopping', () => {
  test.each(['pipes', 'a PTY'])(
    'P07 · foreground job, background job and pipeline end, on %s',
    async (where) => {
      const time = sleepTime();
      const script = `sleep ${time} & sleep ${time} | sleep ${time} & echo ready; sleep ${time}; echo never`;
      const child = await (where === 'pipes' ? onPipes : onPty)(['sh', '-c', script]);
      await child.said('ready');
      await until('four sleepers', () => alive('sleep', time).length === 4);
      const since = performance.now();
      expect((await stop(child, 3_000)).survivors).toEqual([]);
      expect(performance.now() - since).toBeLessThan(5_000);
      expect(alive('sleep', time)).toEqual([]);
      await child.over();
    },
  );

  test('P07 · an interactive shell, which ignores SIGTERM, and its stopped job', async () => {
    const time = sleepTime();
    const child = await onPty(['bash', '--norc', '-i']);
    child.handle.write(Buffer.from(`sleep ${time}\r`));
    await until('the job', () => alive('sleep', time).length === 1);
    child.handle.write(Buffer.from('\x1a'));
    await child.said('Stopped');
    expect((await stop(child, 300)).survivors).toEqual([]);
    expect(alive('sleep', time)).toEqual([]);
    expect(child.exit?.signal).toMatch(/SIGHUP|SIGKILL/);
  });

  test('P08 · who left the session is found by the chain of parents', async () => {
    const time = sleepTime();
    const child = await onPipes(['sh', '-c', `setsid sleep ${time} & echo ready; wait`], {
      env: { PATH: '/usr/bin:/bin' },
    });
    await child.said('ready');
    await until('the sleeper', () => alive('sleep', time).length === 1);
    expect((await stop(child, 3_000)).survivors).toEqual([]);
    expect(alive('sleep', time)).toEqual([]);
  });

  test('P08 · and, when the parents are gone, by the mark in its environment', async () => {
    const time = sleepTime();
    const child = await onPipes(['sh', '-c', `setsid sleep ${time} >/dev/null 2>&1 </dev/null & echo ready`]);
    await child.over();
    await until('the sleeper', () => alive('sleep', time)[0]?.session !== child.handle.pid);
    const [sleeper] = alive('sleep', time);
    expect(
      child
        .tree()
        .scan()
        .map(({ pid }) => pid),
    ).toEqual([sleeper?.pid]);
    expect((await stop(child, 3_000)).survivors).toEqual([]);
    expect(alive('sleep', time)).toEqual([]);
  });

  test('P09 · who ignores SIGTERM and SIGHUP is killed behind the grace, and reaped', async () => {
    const child = await onPty(['sh', '-c', 'trap "" TERM HUP; echo ready; while :; do sleep 0.1; done']);
    await child.said('ready');
    expect((await stop(child, 200)).survivors).toEqual([]);
    expect(child.exit).toEqual({ code: undefined, signal: 'SIGKILL' });
    expect(readProcess(child.handle.pid)).toBeUndefined();
  });

  test('one that is stopped hears it', async () => {
    const child = await onPipes(['sleep', '60']);
    child.handle.signal('SIGSTOP', 'group');
    expect((await stop(child, 3_000)).survivors).toEqual([]);
    expect(child.exit?.signal).toBe('SIGTERM');
  });
});

describe('P10 · a number that is somebody else’s now', () => {
  test('is not signalled', async () => {
    const child = await onPipes(['sleep', '60']);
    const { pid, startTime = 0 } = child.handle;
    const former = { pid, startTime: startTime - 1 };
    expect(isSame(former)).toBe(false);
    expect(signalGroup(former, 'SIGKILL')).toEqual({ kind: 'gone' });
    expect(signalLeader(former, 'SIGKILL')).toEqual({ kind: 'gone' });
    expect(new ProcessTree({ leader: former }).signal(['SIGKILL'])).toEqual([]);
    expect(isSame({ pid, startTime })).toBe(true);
    expect(child.exit).toBeUndefined();
  });

  const info = (pid: number, startTime: number, more: Partial<ProcessInfo> = {}): ProcessInfo => ({
    pid,
    startTime,
    parent: 1,
    group: pid,
    session: pid,
    foreground: -1,
    isZombie: false,
    name: 'x',
    ...more,
  });
  const leader = { pid: 10, startTime: 100 };

  test.each<[what: string, table: ProcessInfo[], members: number[]]>([
    [
      'the leader, its group, its session',
      [info(10, 100), info(11, 101, { group: 10 }), info(12, 101, { session: 10 })],
      [10, 11, 12],
    ],
    ['the group behind the leader’s end', [info(11, 101, { group: 10, session: 10 })], [11]],
    [
      'children of children in other sessions',
      [info(10, 100), info(11, 101, { parent: 10 }), info(12, 102, { parent: 11 })],
      [10, 11, 12],
    ],
    [
      'nobody of a session whose number was given away',
      [info(10, 200), info(11, 201, { group: 10, session: 10 })],
      [],
    ],
    ['nobody who began before', [info(10, 100), info(9, 99, { parent: 10 })], [10]],
    [
      'no zombies, but their children',
      [info(10, 100, { isZombie: true }), info(11, 101, { parent: 10 })],
      [11],
    ],
  ])('%s', (_what, table, members) => {
    expect(membersOf(leader, table).map(({ pid }) => pid)).toEqual(members);
  });

  test('who was known before, if it is the same still, and who carries the mark', () => {
    const table = [info(20, 150), info(21, 150), info(22, 150)];
    const known = [
      { pid: 20, startTime: 150 },
      { pid: 21, startTime: 149 },
    ];
    const members = membersOf(leader, table, { known, isMarked: (pid) => pid === 22 });
    expect(members.map(({ pid }) => pid)).toEqual([20, 22]);
  });
});

describe('the table of processes', () => {
  test('knows this one', () => {
    const own = readProcess(process.pid);
    expect(own).toMatchObject({ pid: process.pid, parent: process.ppid, isZombie: false });
    expect(listProcesses().find(({ pid }) => pid === process.pid)?.startTime).toBe(own?.startTime);
  });

  test('a name may hold blanks and parentheses', () => {
    const fields = Array.from({ length: 49 }, (_, index) => String(index + 4)).join(' ');
    expect(parseStat(`12 (a) b (c)) Z ${fields}`)).toEqual({
      pid: 12,
      parent: 4,
      group: 5,
      session: 6,
      foreground: 8,
      startTime: 22,
      isZombie: true,
      name: 'a) b (c)',
    });
    expect(parseStat('nonsense')).toBeUndefined();
  });

  test('lines of ps are read as macOS prints them', () => {
    expect(parsePsLine('  501     1   501      0  -1 Ss   Tue Dec  1 10:00:05 2026     my prog')).toEqual({
      pid: 501,
      parent: 1,
      group: 501,
      session: 0,
      foreground: -1,
      isZombie: false,
      name: 'my prog',
      startTime: Date.parse('Tue Dec  1 10:00:05 2026') / 1_000,
    });
    expect(parsePsLine('')).toBeUndefined();
  });

  test('zombies are told apart', async () => {
    const child = spawn('sh', ['-c', 'sleep 0 & exec sleep 60'], { stdio: 'ignore' });
    await until('a zombie', () =>
      listProcesses().some(({ parent, isZombie }) => parent === child.pid && isZombie),
    );
    child.kill('SIGKILL');
    await until('its end', () => child.signalCode !== null);
    expect(readProcess(child.pid ?? 0)).toBeUndefined();
  });
});
