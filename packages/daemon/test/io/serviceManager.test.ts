import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { needsTool } from '../../../../test/support/tools.ts';
import { temporaryFolder } from '../../../protocol/test/support/folder.ts';
import { ServiceManager, toPingMs } from '../../src/io/serviceManager.ts';

function recorded(env: Record<string, string>, fault?: Error) {
  const sent: string[] = [];
  const faults: string[] = [];
  const manager = new ServiceManager({
    env,
    onFault: (error) => faults.push(error.message),
    carry: (assignments, onFault) => {
      sent.push(assignments.join(' '));
      if (fault !== undefined) onFault(fault);
    },
  });
  return { manager, sent, faults };
}

const NOTIFY_SOCKET = '/run/systemd/notify';

describe('U04: the watchdog is fed from the main loop, at least three times in its time', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('begins with ready and ends with stopping', () => {
    const { manager, sent } = recorded({ NOTIFY_SOCKET, WATCHDOG_USEC: '120000000' });
    vi.advanceTimersByTime(200_000);
    expect(sent).toEqual([]);
    manager.ready();
    expect(sent.splice(0)).toEqual(['READY=1']);
    vi.advanceTimersByTime(39_999);
    expect(sent).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(sent.splice(0)).toEqual(['READY=1 WATCHDOG=1']);
    vi.advanceTimersByTime(80_000);
    expect(sent.splice(0)).toHaveLength(2);
    manager.stopping();
    vi.advanceTimersByTime(400_000);
    expect(sent).toEqual(['STOPPING=1']);
  });

  test('ready after a reload does not double the pings', () => {
    const { manager, sent } = recorded({ NOTIFY_SOCKET, WATCHDOG_USEC: '60000000' });
    manager.ready();
    manager.reloading(7n);
    manager.ready();
    expect(sent.splice(0)).toEqual(['READY=1', 'RELOADING=1 MONOTONIC_USEC=7', 'READY=1']);
    vi.advanceTimersByTime(20_000);
    expect(sent).toHaveLength(1);
    manager[Symbol.dispose]();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('without a watchdog there is no timer', () => {
    const { manager, sent } = recorded({ NOTIFY_SOCKET });
    manager.ready();
    expect(vi.getTimerCount()).toBe(0);
    expect(sent).toEqual(['READY=1']);
  });
});

test.each([
  ['120000000', 40_000],
  ['3000', 1],
  ['2999', undefined],
  ['999999999999999', 2 ** 31 - 1],
  ['', undefined],
  ['-5', undefined],
  ['x', undefined],
  [undefined, undefined],
])('WATCHDOG_USEC=%s means a ping each %s ms', (usec, pingMs) => {
  expect(toPingMs(usec)).toBe(pingMs);
});

test('without NOTIFY_SOCKET nothing is sent', () => {
  const { manager, sent } = recorded({ WATCHDOG_USEC: '60000000' });
  manager.ready();
  manager.mainPid(7);
  manager.stopping();
  expect(sent).toEqual([]);
});

test('a fault is told once', () => {
  const { manager, faults } = recorded({ NOTIFY_SOCKET }, new Error('no such program'));
  manager.ready();
  manager.stopping();
  expect(faults).toEqual(['no such program']);
});

/** Receives datagrams at a Unix socket, which Node cannot. */
const LISTENER = `
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print('bound', flush=True)
while True:
    print(s.recv(4096).decode().replace(chr(10), ' '), flush=True)
`;

describe('systemd-notify carries the messages', needsTool('systemd-notify', 'python3'), () => {
  test('each as one datagram, without waiting for an answer', async () => {
    using folder = temporaryFolder();
    const socket = join(folder.path, 'notify');
    const listener = spawn('python3', ['-c', LISTENER, socket], { stdio: ['ignore', 'pipe', 'inherit'] });
    const heard: string[] = [];
    try {
      listener.stdout.setEncoding('utf8');
      await once(listener.stdout, 'data');
      vi.stubEnv('NOTIFY_SOCKET', socket);
      listener.stdout.on('data', (text: string) =>
        heard.push(...text.split('\n').filter((row) => row !== '')),
      );
      const faults: Error[] = [];
      using manager = new ServiceManager({ env: process.env, onFault: (error) => faults.push(error) });
      manager.ready();
      await vi.waitUntil(() => heard.length === 1, { timeout: 10_000 });
      manager.mainPid(4242);
      await vi.waitUntil(() => heard.length === 2, { timeout: 10_000 });
      expect(heard).toEqual(['READY=1', 'MAINPID=4242']);
      expect(faults).toEqual([]);
    } finally {
      vi.unstubAllEnvs();
      listener.kill('SIGKILL');
      await once(listener, 'exit');
    }
  });
});
