import { expect, test } from 'vitest';
import type { FaultName } from '../src/faults.ts';
import { Faults, parseFault, unescapeText } from '../src/faults.ts';
import { startFakeline } from '../src/index.ts';
import { TestClient } from './client.ts';

const GREETING_END = 'line 9\r\n\n';

test('a fault is parsed with and without a value; an unknown one names those there are', () => {
  expect(parseFault('split=7')).toEqual({ name: 'split', value: '7' });
  expect(parseFault('close')).toEqual({ name: 'close', value: '' });
  expect(parseFault('stale-greeting=a\\r\\n\\x1bK')).toEqual({ name: 'stale-greeting', value: 'a\r\n\x1bK' });
  expect(() => parseFault('zork')).toThrow(/"zork"; there are close, reset/);
  expect(unescapeText('\\e\\\\\\t')).toBe('\x1b\\\t');
});

test('setting and clearing tell the listener; clearing what is not set does not', () => {
  const told: [FaultName, string | undefined][] = [];
  const faults = new Faults((name, value) => told.push([name, value]));
  faults.set('split', 3);
  faults.clear('flood');
  faults.clear();
  expect(told).toEqual([
    ['split', '3'],
    ['split', undefined],
  ]);
});

test.each([
  ['busy', 'Line connection busy\r\n'],
  ['all_busy', 'All connections busy\r\n'],
  ['not_available', 'Line connection not available\r\n'],
  ['no_answer', 'No answer on any connection\r\n'],
  ['rejected', 'Rejecting connection from unexpected source\r\n'],
  ['Go away', 'Go away\r\n'],
])('refuse=%s answers its sentence and FIN', async (value, expected) => {
  await using line = await startFakeline({ pollMs: 0 });
  line.faults.set('refuse', value);
  await using client = await TestClient.open(line.port);
  await client.untilClosed();
  expect(client.text).toBe(expected);
  expect(client.ended).toBe('fin');
  await line.waitFor((events) => events.at(-1)?.kind === 'closed', {
    what: 'the end of the refused connection',
  });
  expect(line.events.map((event) => event.kind)).toEqual(['accepted', 'refused', 'sent', 'closed']);
});

test.each([
  ['close', 'fin'],
  ['reset', 'reset'],
] as const)('%s ends the open connection and each later one behind its greeting', async (name, how) => {
  await using line = await startFakeline({ pollMs: 0 });
  await using first = await TestClient.open(line.port);
  await first.untilEnd(GREETING_END);
  line.faults.set(name);
  await first.untilClosed();
  expect(first.ended).toBe(how);
  await using second = await TestClient.open(line.port);
  await second.untilClosed();
  expect(second.ended).toBe(how);
  // With RST the kernel may throw away what was sent just before.
  expect(second.text.endsWith(GREETING_END) || how === 'reset').toBe(true);
  await line.waitFor(() => line.openConnections === 0, { what: 'both connections closed' });
  expect(line.events.filter((event) => event.kind === 'closed').map((event) => event.how)).toEqual([
    how,
    how,
  ]);
});

test('never-greet is silent and reads nothing; clearing it greets, and what was sent meanwhile acts', async () => {
  await using line = await startFakeline({ pollMs: 0, ctrlZMs: 0 });
  line.faults.set('never-greet');
  await using client = await TestClient.open(line.port);
  client.send('\x1a');
  await line.waitFor(() => line.connectionCount === 1, { what: 'the accept' });
  await new Promise((resolve) => setImmediate(resolve));
  expect(line.receivedBytes().length + client.received.length).toBe(0);
  line.faults.clear('never-greet');
  await client.untilEnd('hacking!\r\n\x1bK\x1bK\x1bK');
});

test('no-greeting serves the line without a greeting', async () => {
  await using line = await startFakeline({ pollMs: 0, ctrlZMs: 0 });
  line.faults.set('no-greeting');
  await using client = await TestClient.open(line.port);
  client.send('\x1a');
  await client.untilEnd('\x1bK\x1bK\x1bK');
  expect(client.text.startsWith('\x1bH\x1bJ\x1bKKA ITS')).toBe(true);
});

test('stale-greeting follows each greeting', async () => {
  await using line = await startFakeline({ pollMs: 0 });
  line.faults.set('stale-greeting', 'rest\r\n\x1bK*');
  await using client = await TestClient.open(line.port);
  await expect(client.untilEnd(`${GREETING_END}rest\r\n\x1bK*`)).resolves.toBeUndefined();
});

test('accept-delay waits before the greeting', async () => {
  await using line = await startFakeline({ pollMs: 0 });
  line.faults.set('accept-delay', 60);
  await using client = await TestClient.open(line.port);
  await client.untilEnd(GREETING_END);
  const [accepted, greeted] = ['accepted', 'greeted'].map((kind) =>
    line.events.find((event) => event.kind === kind),
  );
  expect((greeted?.atMs ?? 0) - (accepted?.atMs ?? 0)).toBeGreaterThan(50);
});

test('split and byte-at-a-time change the pieces and not the bytes', async () => {
  await using line = await startFakeline({ pollMs: 0 });
  const pieces: number[][] = [];
  for (const [name, value] of [
    ['split', 7],
    ['split', 7],
    ['byte-at-a-time', ''],
  ] as const) {
    line.faults.clear();
    line.faults.set(name, value);
    await using client = await TestClient.open(line.port);
    await client.untilEnd(GREETING_END);
    expect(client.received.length).toBe(72);
    const own = line.events.filter(
      (event) => event.kind === 'sent' && event.connection === line.connectionCount,
    );
    pieces.push(own.map((event) => event.bytes?.length ?? 0));
    await client[Symbol.asyncDispose]();
    await line.waitFor(() => line.openConnections === 0, { what: 'the line free' });
  }
  expect(pieces[0]?.length).toBeGreaterThan(2);
  expect(pieces[1]).toEqual(pieces[0]);
  expect(pieces[2]).toEqual(Array.from({ length: 72 }, () => 1));
});

test('coalesce gathers what is printed into one write', async () => {
  await using line = await startFakeline({ pollMs: 0, ctrlZMs: 0 });
  await using client = await TestClient.open(line.port);
  await client.untilEnd(GREETING_END);
  line.faults.set('coalesce', 30);
  for (const text of ['one ', 'two ', 'three']) {
    line.send(text);
    await Promise.resolve();
  }
  await client.untilEnd('one two three');
  expect(line.events.at(-1)?.bytes?.toString()).toBe('one two three');
});

test('flood sends without end until it is cleared, at a rate if one is given', async () => {
  await using line = await startFakeline({ pollMs: 0 });
  await using client = await TestClient.open(line.port);
  await client.untilEnd(GREETING_END);
  line.faults.set('flood', 'max');
  await client.until(() => client.received.length > 2_000_000, 'two megabytes');
  line.faults.clear('flood');
  const sent = (): number => line.events.reduce((sum, each) => sum + (each.byteCount ?? 0), 72);
  await client.until(() => client.received.length === sent(), 'the rest of the flood');
  const fromMs = performance.now();
  line.faults.set('flood', 20_000);
  const from = client.received.length;
  await client.until(() => client.received.length >= from + 2000, 'two kilobytes');
  expect(performance.now() - fromMs).toBeGreaterThan(80);
});

test('silence swallows what the guest prints; no-echo only the echo', async () => {
  await using line = await startFakeline({ pollMs: 0, ctrlZMs: 0 });
  await using client = await TestClient.open(line.port);
  client.send('\x1a');
  await client.untilEnd('\x1bK\x1bK\x1bK');
  line.faults.set('no-echo');
  client.send(':vk\r');
  await client.untilEnd('\x1bK\x1bK\x1bK\x1bK*');
  line.faults.set('silence');
  client.send(':vk\r');
  await line.waitFor(() => line.receivedBytes().length === 9, { what: 'the command' });
  line.faults.clear();
  line.send('end');
  await expect(client.untilEnd('\x1bK\x1bK\x1bK\x1bK*end')).resolves.toBeUndefined();
});

test('stop-reading holds the client back by TCP; clearing it takes everything', async () => {
  await using line = await startFakeline({ pollMs: 0 });
  await using client = await TestClient.open(line.port);
  await client.untilEnd(GREETING_END);
  line.faults.set('stop-reading');
  const bytes = Buffer.alloc(16_000_000, 0x41);
  client.send(bytes);
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(line.receivedBytes().length).toBe(0);
  expect(client.socket.writableLength).toBeGreaterThan(0);
  line.faults.clear('stop-reading');
  const received = (): number =>
    line.events.reduce((sum, each) => sum + (each.kind === 'received' ? (each.bytes?.length ?? 0) : 0), 0);
  await line.waitFor(() => received() === bytes.length, { what: 'all bytes', timeoutMs: 10_000 });
});
