import { spawn } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { ProcessLook, SharedLook } from '../../../src/io/process/processLook.ts';
import { readProcess } from '../../../src/io/process/processTable.ts';
import { ProcessTree } from '../../../src/io/processTree.ts';
import { until } from './recorder.ts';

/** As many sessions as may run. */
const TREES = 64;

function counted() {
  const taken = { looks: 0 };
  const looks = new SharedLook(() => {
    taken.looks += 1;
    return new ProcessLook();
  });
  return { taken, looks };
}

function startedTree(looks: SharedLook) {
  const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const pid = child.pid ?? -1;
  return {
    child,
    pid,
    tree: new ProcessTree({ leader: { pid, startTime: readProcess(pid)?.startTime ?? -1 }, looks }),
  };
}

test('I18 · trees that look in the same turn share one look, and the next turn has its own', async () => {
  const { taken, looks } = counted();
  const leader = readProcess(process.pid) ?? { pid: -1, startTime: -1 };
  const trees = Array.from({ length: TREES }, () => new ProcessTree({ leader, looks }));
  for (const tree of trees) expect(tree.scan()[0]?.pid).toBe(process.pid);
  expect(taken.looks).toBe(1);
  await new Promise((resolve) => setImmediate(resolve));
  trees[0]?.scan();
  expect(taken.looks).toBe(2);
});

test('a process that began behind the look of its turn is found in that turn', () => {
  const { looks } = counted();
  startedTree(looks).tree.scan();
  const { pid, tree } = startedTree(looks);
  expect(tree.scan().map((info) => info.pid)).toEqual([pid]);
});

test('one that was killed behind the look of its turn is gone in that turn', async () => {
  const { taken, looks } = counted();
  const { child, tree } = startedTree(looks);
  const seen = tree.scan();
  child.kill('SIGKILL');
  // Nobody reaps it before the turn is over; it is a zombie as soon as the system has killed it.
  for (const ready = performance.now() + 10_000; tree.scan().length > 0 && performance.now() < ready; );
  expect([seen.length, tree.scan().length, taken.looks]).toEqual([1, 0, 1]);
  await until('its end', () => child.signalCode !== null);
});

test('environments are those that the processes were started with', () => {
  const look = new ProcessLook();
  const child = spawn('sleep', ['60'], {
    stdio: 'ignore',
    env: { PATH: '/bin:/usr/bin', LOOKED_FOR: 'yes' },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  expect(look.startedWith(child.pid ?? -1, 'LOOKED_FOR=yes')).toBe(process.platform === 'linux');
  expect(look.startedWith(child.pid ?? -1, 'LOOKED_FOR=no')).toBe(false);
  expect(look.startedWith(-1, 'LOOKED_FOR=yes')).toBe(false);
});
