import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { ChannelDriver } from '../src/channelDriver.ts';
import type { Lookup } from '../src/io/addresses.ts';

const never = new Promise<never>(() => undefined);

function driverWith(lookup: Lookup): ChannelDriver {
  return new ChannelDriver({ telnet: 'auto', bits: 7, ringBytes: 65_536, filesDir: '/nonexistent', lookup });
}

function open(driver: ChannelDriver, port: number, timeoutMs: number): Promise<unknown> {
  const request = { kind: 'open', reader: '#1', host: 'pidp10.local', port, timeoutMs } as const;
  return driver.wait(request, new AbortController().signal).settled;
}

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return address.port;
}

describe('an attempt that runs out of time', () => {
  test('L19 · names each address that was tried, and what came of it', async () => {
    using driver = driverWith((_host, family) => (family === 4 ? Promise.resolve(['127.0.0.1']) : never));
    const port = await closedPort();
    await expect(open(driver, port, 300)).rejects.toMatchObject({
      data: { name: 'connect_timeout' },
      message: expect.stringContaining(
        `No TCP connection to pidp10.local:${port} in time (127.0.0.1: ECONNREFUSED).`,
      ),
    });
    expect(driver.channel.facts).toMatchObject({
      state: 'dead',
      detail: expect.stringContaining('127.0.0.1'),
    });
  });

  test('L19 · says so when not even the name was found out', async () => {
    using driver = driverWith(() => never);
    await expect(open(driver, 1, 30)).rejects.toThrow('(looking up pidp10.local)');
  });
});

test('I9 · a wait whose signal was aborted before it began ends as cancelled', async () => {
  using driver = driverWith(() => never);
  const request = { kind: 'open', reader: '#1', host: 'pidp10.local', port: 1, timeoutMs: 60_000 } as const;
  const { settled } = driver.wait(request, AbortSignal.abort());
  expect(await settled).toMatchObject({ reason: 'cancelled' });
});

test('I9 · disposing ends every wait and leaves no timer', async () => {
  const driver = driverWith(() => never);
  const waiting = open(driver, 1, 86_400_000);
  driver[Symbol.dispose]();
  await expect(waiting).rejects.toMatchObject({ data: { name: 'open_aborted' } });
  expect(driver.channel.deadlineMs()).toBeUndefined();
});
