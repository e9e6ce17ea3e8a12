import { expect, test } from 'vitest';
import { startScripted, startSilent } from '../src/index.ts';
import { TestClient } from './client.ts';

test('a script writes, waits for bytes and ends', async () => {
  await using server = await startScripted({
    onConnect: async (connection) => {
      connection.write('name? ');
      await connection.waitForBytes('\r');
      connection.write(connection.received);
      await connection.waitForBytes(6);
      connection.end();
    },
  });
  await using client = await TestClient.open(server.port);
  await client.untilEnd('name? ');
  client.send('rms\r');
  await client.untilEnd('rms\r');
  client.send('xx');
  await client.untilClosed();
  expect(client.ended).toBe('fin');
  expect(server.connections[0]?.received.toString()).toBe('rms\rxx');
  expect(server.errors).toEqual([]);
});

test('a script can reset', async () => {
  await using server = await startScripted({ onConnect: (connection) => connection.reset() });
  await using client = await TestClient.open(server.port);
  await client.untilClosed();
  expect(client.ended).toBe('reset');
});

test('what a script throws is kept and the client is reset; a client that leaves is no error', async () => {
  await using server = await startScripted({
    onConnect: async (connection) => {
      await connection.waitForBytes('x');
      throw new Error('script is wrong');
    },
  });
  await using client = await TestClient.open(server.port);
  client.send('x');
  await client.untilClosed();
  expect(client.ended).toBe('reset');
  expect(server.errors).toMatchObject([{ message: 'script is wrong' }]);
});

test('a silent server says and reads nothing', async () => {
  await using server = await startSilent();
  await using client = await TestClient.open(server.port);
  client.send('\x1a');
  await server.waitFor((events) => events.length > 0, { what: 'the accept' });
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(server.events.map((event) => event.kind)).toEqual(['accepted']);
  expect(client.received.length).toBe(0);
});
