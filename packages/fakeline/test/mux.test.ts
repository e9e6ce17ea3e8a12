import { expect, test } from 'vitest';
import type { Fakeline, FakelineOptions } from '../src/index.ts';
import { startFakeline } from '../src/index.ts';
import { TestClient } from './client.ts';
import { pagedLines, readRecording, toSteps } from './recordings.ts';

const GREETING_END = 'line 9\r\n\n';
const BANNER_END = 'hacking!\r\n\x1bK\x1bK\x1bK';

function start(options: FakelineOptions = {}): Promise<Fakeline> {
  return startFakeline({ pollMs: 0, ctrlZMs: 0, ...options });
}

async function openDdt(line: Fakeline): Promise<TestClient> {
  const client = await TestClient.open(line.port);
  client.send('\x1a');
  await client.untilEnd(BANNER_END);
  return client;
}

test('a second client is refused as recorded in 09b and the holder notices nothing', async () => {
  await using line = await start();
  await using holder = await openDdt(line);
  const before = holder.received.length;
  await using second = await TestClient.open(line.port);
  await second.untilClosed();
  expect(second.text).toBe(toSteps(readRecording('09b-second'))[0]?.received);
  expect(second.ended).toBe('fin');
  holder.send(':vk\r');
  await holder.untilEnd(':vk\r\n\x1bK\x1bK*');
  expect(holder.received.length).toBe(before + 10);
});

test.each(['fin', 'reset'] as const)(
  'after a %s of the client the line is free and the job is still there',
  async (how) => {
    await using line = await start();
    await using first = await openDdt(line);
    if (how === 'fin') first.socket.end();
    else first.socket.resetAndDestroy();
    await line.waitFor((events) => events.at(-1)?.kind === 'closed', { what: 'the end' });
    expect(line.events.at(-1)).toMatchObject({ connection: 1, how });
    await using second = await TestClient.open(line.port);
    await second.untilEnd(GREETING_END);
    second.send('\x1a');
    await second.untilEnd('\n^Z?? ');
  },
);

test('output is held while nobody is connected and comes behind the next greeting', async () => {
  await using line = await start();
  line.send('old answer\r\n');
  await using client = await TestClient.open(line.port);
  await expect(client.untilEnd(`${GREETING_END}old answer\r\n`)).resolves.toBeUndefined();
});

test('a typeout cut by the end of the connection goes on for the next client', async () => {
  const text = Array.from({ length: 20_000 }, (_, i) => `line ${i}\n`).join('');
  const files = [{ directory: 'SYS', name1: 'BIG', name2: 'TEXT', text }];
  await using line = await start({ files, terminalType: 'la36' });
  await using first = await TestClient.open(line.port);
  first.send('\x1a:print sys;big text\r');
  await first.until(() => first.text.includes('line 100\r\n'), 'the beginning');
  first.socket.destroy();
  await line.waitFor(() => line.openConnections === 0, { what: 'the end' });
  await using second = await TestClient.open(line.port);
  await expect(second.untilEnd('line 19999\r\n*')).resolves.toBeUndefined();
});

test('the simulator says goodbye and sends FIN', async () => {
  await using line = await start();
  await using client = await openDdt(line);
  line.disconnectBySimulator();
  await client.untilClosed();
  expect(client.text.endsWith('\r\nDisconnected from the KA-10 simulator\r\n\r\n')).toBe(true);
  expect(client.ended).toBe('fin');
});

test('without telnet nothing is greeted and FF is a character of seven bits', async () => {
  await using line = await start({ noTelnet: true });
  await using client = await TestClient.open(line.port);
  client.send(Buffer.from([0x1a]));
  await client.untilEnd(BANNER_END);
  expect(client.text.startsWith('\x1bH\x1bJ')).toBe(true);
  client.send(Buffer.from([0x41, 0xff, 0x42]));
  await client.untilEnd('A\r \rB');
});

test('input is taken at the given rate and TCP holds the rest', async () => {
  await using line = await start({ inputCps: 500 });
  await using client = await openDdt(line);
  const fromMs = performance.now();
  client.send('x'.repeat(60));
  await client.until(() => client.text.endsWith('x'.repeat(60)), 'the echo');
  expect(performance.now() - fromMs).toBeGreaterThan(100);
  const before = line.receivedBytes().length;
  client.send(Buffer.alloc(16_000_000, 0x78));
  await line.waitFor(() => line.receivedBytes().length > before, { what: 'the first of it' });
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(client.socket.writableLength).toBeGreaterThan(0);
  expect(line.receivedBytes().length - before).toBeLessThan(2_000_000);
});

test('output keeps to the baud rate', async () => {
  await using line = await start({ baud: 50_000 });
  await using client = await TestClient.open(line.port);
  await client.untilEnd(GREETING_END);
  const fromMs = performance.now();
  line.send('x'.repeat(1000));
  await client.untilEnd('x'.repeat(1000));
  expect(performance.now() - fromMs).toBeGreaterThan(150);
});

test('the listener can go and come back on the same port', async () => {
  await using line = await start();
  const { port } = line;
  line.stopListening();
  await expect(TestClient.open(port)).rejects.toThrow('ECONNREFUSED');
  await line.listenAgain();
  expect(line.port).toBe(port);
  await using client = await TestClient.open(port);
  await client.untilEnd(GREETING_END);
});

test('the events tell the whole story of a connection', async () => {
  await using line = await start();
  await using client = await openDdt(line);
  const { localPort } = client.socket;
  line.dropConnection('reset');
  await client.untilClosed();
  await line.waitFor((events) => events.at(-1)?.kind === 'closed', { what: 'the end' });
  const kinds = line.events.map((event) => event.kind);
  expect(new Set(kinds)).toEqual(new Set(['accepted', 'greeted', 'sent', 'received', 'closed']));
  expect(line.events.every((event) => event.connection === 1 && event.remotePort === localPort)).toBe(true);
  expect(line.receivedBytes(1)).toEqual(Buffer.from('\x1a'));
  expect(line.receivedBytes(2)).toEqual(Buffer.alloc(0));
  expect(line.sentBytes(1)).toEqual(client.received);
  expect(client.ended).toBe('reset');
  expect(line.connectionCount).toBe(1);
  expect(line.openConnections).toBe(0);
});

test('10b: what was still to be done when the client reset comes to the next one, with its --More--', async () => {
  const recording = readRecording('10b-after-rst');
  const listings = { SYS: pagedLines(recording, 'KA   SYS').slice(1) };
  await using line = await start({ listings });
  await using first = await openDdt(line);
  first.send(':login rms\r:sleep 5\r:listf sys\r');
  await first.until(() => first.text.endsWith(':listf sys\r\n\x1bK'), 'the echo of what is typed ahead');
  first.socket.resetAndDestroy();
  await line.waitFor((events) => events.at(-1)?.kind === 'closed', { what: 'the reset' });
  await using second = await TestClient.open(line.port);
  await second.untilEnd('--More-- (Space=yes, Rubout=no)');
  const recorded = toSteps(recording);
  const listing = (text: string): string => text.slice(text.indexOf('\x1bH\x1bJKA'));
  expect(second.text.startsWith('\xff\xfb')).toBe(true);
  expect(listing(second.text)).toBe(listing(recorded[0]?.received ?? ''));
  second.send(' ');
  await expect(second.untilEnd(recorded[1]?.received ?? 'nothing')).resolves.toBeUndefined();
});

test('10e, 10f: a flood cut by the end of one connection goes on in the next without a gap', async () => {
  const text = Array.from({ length: 20_000 }, (_, i) => `line ${i}\n`).join('');
  const files = [{ directory: 'SYS', name1: 'BIG', name2: 'TEXT', text }];
  await using line = await start({ files, terminalType: 'la36', baud: 4_000_000 });
  await using first = await TestClient.open(line.port);
  first.send('\x1a:print sys;big text\r');
  await first.until(() => first.text.includes('line 100\r\n'), 'the beginning');
  first.socket.destroy();
  await line.waitFor(() => line.openConnections === 0, { what: 'the end' });
  await using second = await TestClient.open(line.port);
  await second.untilEnd('line 19999\r\n*');
  const whole =
    line.sentBytes(1).toString('latin1') +
    second.text.slice(second.text.indexOf(GREETING_END) + GREETING_END.length);
  expect(whole).toContain(text.replaceAll('\n', '\r\n'));
});
