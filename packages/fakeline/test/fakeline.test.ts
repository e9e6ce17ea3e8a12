import { expect, test } from 'vitest';
import * as api from '../src/index.ts';
import { TestClient } from './client.ts';

/** What keeps a process alive, without what vitest itself holds. */
function resources(): readonly string[] {
  return process
    .getActiveResourcesInfo()
    .filter((name) => /TCP|Timeout|Immediate/.test(name))
    .sort();
}

test('I15: after close no timer, socket or listener is left, whatever was going on', async () => {
  const before = resources();
  const line = await api.startFakeline({ pollMs: 0, ctrlZMs: 0, inputCps: 50, baud: 1000 });
  line.faults.set('flood', 1000);
  line.faults.set('coalesce', 1000);
  const client = await TestClient.open(line.port);
  client.send('\x1a:sleep 30000\r');
  const second = await TestClient.open(line.port);
  await line.waitFor((events) => events.some((event) => event.kind === 'received'), { what: 'input' });
  const failure = line.waitFor(() => false, { what: 'what never comes' }).catch((error: unknown) => error);
  await line.close();
  await line.close();
  expect(String(await failure)).toContain('what never comes: the line was closed');
  expect(line.openConnections).toBe(0);
  await client.untilClosed();
  await second.untilClosed();
  // The test runner has timers of its own that come and go: some turns for them, none of them is ours.
  for (let turn = 0; turn < 100 && resources().length > before.length; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(resources().length).toBeLessThanOrEqual(before.length);
  expect(resources().filter((name) => name.includes('TCP'))).toEqual(
    before.filter((name) => name.includes('TCP')),
  );
});

test('a port in use and an unknown terminal type are refused', async () => {
  await using line = await api.startFakeline();
  await expect(api.startFakeline({ port: line.port })).rejects.toThrow('EADDRINUSE');
  await expect(api.startFakeline({ terminalType: 'zork' })).rejects.toThrow('"zork"');
});

test('the exports are these', () => {
  expect(Object.keys(api).sort()).toEqual([
    'FAULTS',
    'Faults',
    'REFUSALS',
    'parseTrace',
    'readTrace',
    'startFakeline',
    'startScripted',
    'startSilent',
    'startTrace',
  ]);
});
