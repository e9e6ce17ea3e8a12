/** Clients of a special kind on a line that others use: with an urgent key, without the right to type, and gone. */
import { startScripted } from '@pidp10/fakeline';
import { DaemonClient } from '@pidp10/protocol/node/daemonClient';
import { describe, expect, test } from 'vitest';
import { proseOf, typedSince } from '../support/itsRig.ts';
import { LineRig } from '../support/lineRig.ts';
import { RawClient } from '../support/rawClient.ts';
import { BIN } from '../support/sandbox.ts';
import { Clients, LONG, refusal, SLOW, send } from './floorRig.ts';

describe('urgent keys', () => {
  test('L15 · ^G of another client is on the wire within 100 ms while 20 KB go out, which end `interrupted`', async () => {
    await using far = await startScripted({ onConnect: () => undefined });
    await using rig = await LineRig.start({ port: far.port, args: ['--telnet', 'off'] });
    await rig.open();
    await using other = await rig.sandbox.connect({ reader: 'other' });
    const [connection] = far.connections;
    if (connection === undefined) throw new Error('no line');
    const cut = rig.send(`${'x'.repeat(20_000)}~-`, { paste: true });
    await connection.waitForBytes(1);
    const startMs = performance.now();
    const key = send(other, '~g', { quietMs: 50, timeoutMs: 300 });
    await connection.waitForBytes('\x07');
    expect(performance.now() - startMs).toBeLessThan(100);
    const { reason, sent = 0 } = await cut;
    expect(reason).toBe('interrupted');
    expect((await key).sent).toBe(2);
    expect(connection.received.toString('latin1')).toBe(`${'x'.repeat(sent)}\x07\r`);
  });

  test('L15 · I8 · the floor stays where it is, and the holder goes on typing', async () => {
    await using clients = await Clients.start(SLOW);
    const { a, b, line } = clients;
    const before = line.receivedBytes().length;
    const cut = send(a, LONG, { paste: true });
    await clients.typing(before);
    const key = send(b, '~g~-', { quietMs: 50, timeoutMs: 2_000 });
    const { reason, sent = 0 } = await cut;
    expect(reason).toBe('interrupted');
    await key;
    expect((await a.request('floor.status', {})).holder?.client).toBe('anna');
    await send(a, 'Z~-', { floor: 'fail', quietMs: 50, timeoutMs: 2_000 });
    expect(typedSince(line, before)).toBe(`${LONG.replaceAll('\n', '\r').slice(0, sent)}\x07Z`);
  });
});

describe('a spy', () => {
  test('may not type by any method, and says so', async () => {
    await using clients = await Clients.start();
    const { line, rig } = clients;
    await using spy = await DaemonClient.connect({
      socket: rig.sandbox.socket(),
      client: { name: 'spy', version: '1' },
      access: 'read',
    });
    const before = line.receivedBytes().length;
    for (const [method, params] of [
      ['line.open', {}],
      ['line.send', { input: ':vk' }],
      ['line.send', { input: '~g~-', urgent: true }],
      ['line.read', { flush: true }],
      ['line.close', { force: true }],
      ['line.putFile', { file: 'rms;a b', text: 'x\n' }],
      ['line.getFile', { file: 'rms;a b' }],
      ['line.unstick', {}],
      ['floor.request', { force: true }],
      ['floor.release', {}],
    ] as const) {
      expect([method, (await refusal(spy.request(method, params))).data['name']]).toEqual([
        method,
        'read_only',
      ]);
    }
    expect(await spy.request('line.status', {})).toMatchObject({ lineState: { state: 'open' } });
    expect(line.receivedBytes().length).toBe(before);
  });

  test('W14 · its read never answers a pager, be its reader the one that has the floor', async () => {
    await using clients = await Clients.start();
    const { a, line, rig } = clients;
    await a.request('floor.request', {});
    await send(a, ':print info;pages text', { autoMore: false });
    await a.close();
    await using spy = await DaemonClient.connect({
      socket: rig.sandbox.socket(),
      client: { name: 'spy', version: '1' },
      reader: 'anna',
      access: 'read',
    });
    expect(spy.hello.reader?.name).toBe('anna');
    expect((await spy.request('floor.status', {})).holder?.isYou).toBe(true);
    const before = line.receivedBytes().length;
    await spy.request('line.read', { timeoutMs: 1_000, autoMore: true });
    expect(line.receivedBytes().length).toBe(before);
  });

  test('a bystander who may type does not answer it either while another has the floor', async () => {
    await using clients = await Clients.start();
    const { a, b, line } = clients;
    await a.request('floor.request', {});
    await send(a, ':print info;pages text', { autoMore: false });
    const before = line.receivedBytes().length;
    await b.request('line.read', { from: 0, timeoutMs: 500, quietMs: 300 });
    expect(line.receivedBytes().length).toBe(before);
    await a.request('line.read', { timeoutMs: 2_000 });
    expect(typedSince(line, before)).toMatch(/^ +$/);
  });
});

describe('a client that goes', () => {
  test('killed in the middle of a call, it leaves the floor free for who waits', async () => {
    await using clients = await Clients.start();
    const { b, line, rig } = clients;
    const ctl = rig.sandbox.run(BIN.ctl, {
      args: ['send', ':vk', '--expect', 'never comes', '--timeout-ms', '60000'],
    });
    await line.waitFor(() => line.receivedBytes().toString('latin1').endsWith(':vk\r'), { what: ':vk' });
    const waiting = send(b, ':nosuch');
    await clients.queued();
    ctl.kill('SIGKILL');
    expect((await waiting).reason).toBe('prompt');
  });

  test('I11 · gone with half a file typed, the file is given up before the next one types', async () => {
    await using clients = await Clients.start(SLOW);
    const { b, line, rig } = clients;
    const raw = await RawClient.greet(rig.sandbox.socket());
    const before = line.receivedBytes().length;
    raw.request(1, 'line.putFile', { file: 'rms;half text', text: proseOf(4_000) });
    await line.waitFor(() => line.receivedBytes().length > before + 300, { what: 'the first of the file' });
    raw.socket.destroy();
    const after = await send(b, ':nosuch', { floorWaitMs: 20_000 });
    expect(after.reason).toBe('prompt');
    const typed = typedSince(line, before);
    expect([typed.slice(typed.lastIndexOf('\x1a'))]).toContain('\x1a:kill\r:nosuch\r');
    expect((await refusal(b.request('line.getFile', { file: 'rms;half text' }))).data['name']).toBe(
      'file_failed',
    );
  }, 60_000);

  test('what it had asked for by name is its own again when it comes back', async () => {
    await using clients = await Clients.start();
    const { a, b, rig } = clients;
    const { token } = await a.request('floor.request', {});
    await a.close();
    expect((await refusal(send(b, ':vk', { floor: 'fail' }))).data['name']).toBe('floor_held');
    await using again = await rig.sandbox.connect({ reader: 'anna' });
    expect((await send(again, ':nosuch', { token })).reason).toBe('prompt');
  });
});
