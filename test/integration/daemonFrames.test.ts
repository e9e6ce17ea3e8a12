/** What a client may send: borders of frames, hostile frames, versions, times. The client here shares no code with ours. */
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { startFakeline } from '@pidp10/fakeline';
import { describe, expect, test } from 'vitest';
import { IS_SOAK, LineRig } from '../support/lineRig.ts';
import { descriptors, eventually, residentBytes } from '../support/processes.ts';
import { HELLO, RawClient } from '../support/rawClient.ts';
import { Sandbox } from '../support/sandbox.ts';

const MIB = 1_048_576;
/** What frames of any size may add to the daemon's memory: some copies of the longest one, and the collector's slack. */
const BOUNDED_BYTES = 64 * MIB;

/** What the daemon tells the next client about itself. */
async function statusOf(sandbox: Sandbox): Promise<unknown> {
  using client = await RawClient.greet(sandbox.socket());
  return (await client.call('daemon.status')).result;
}

describe('borders of frames', () => {
  test('D09 · a frame with non-ASCII text is understood under every split, none is delayed', async () => {
    await using sandbox = await Sandbox.create();
    await sandbox.daemon();
    using client = await RawClient.connect(sandbox.socket());
    const id = 'schlüssel-ключ-鍵-🔑';
    const frame = Buffer.from(
      `${JSON.stringify({ jsonrpc: '2.0', id, method: 'daemon.status', params: { 'ä🔑': 'é' } })}\n`,
    );
    for (let at = 1; at < frame.length; at += 1) {
      client.write(frame.subarray(0, at));
      await turn();
      client.write(frame.subarray(at));
      expect(await client.next()).toMatchObject({ id, result: { name: 'line' } });
    }
  });

  test('D10 · byte by byte, two frames in one write, CR LF and blank lines: each frame is answered', async () => {
    await using sandbox = await Sandbox.create();
    await sandbox.daemon();
    using client = await RawClient.connect(sandbox.socket());
    const frame = (id: number) => JSON.stringify({ jsonrpc: '2.0', id, method: 'daemon.status' });
    for (const byte of Buffer.from(`${frame(1)}\n`)) {
      client.write(Uint8Array.of(byte));
      // A frame of 50 bytes at one byte a second takes longer than a frame may: the soak sends as fast as it just may.
      await (IS_SOAK ? pause(150) : turn());
    }
    expect(await client.next()).toMatchObject({ id: 1, result: {} });
    client.write(`${frame(2)}\n${frame(3)}\r\n\n\r\n${frame(4)}\n`);
    expect([await client.next(), await client.next(), await client.next()]).toMatchObject([
      { id: 2 },
      { id: 3 },
      { id: 4 },
    ]);
  });

  test('D10 · half frames and port probes leave no trace in the log, and others are not affected', async () => {
    await using line = await startFakeline();
    await using rig = await LineRig.start({ port: line.port });
    const before = rig.daemon.stderr;
    const baseline = descriptors(rig.daemon.pid).length;
    for (let n = 0; n < 20; n += 1) {
      using probe = await RawClient.connect(rig.sandbox.socket());
      if (n % 2 === 0) probe.write('{"jsonrpc":"2.0","id":1,"meth');
      if (n % 3 === 0) probe.socket.end();
    }
    // Connections are accepted in their order: when this one is greeted, all probes were there.
    (await RawClient.greet(rig.sandbox.socket()))[Symbol.dispose]();
    await eventually(
      'the end of the probes',
      async () => (await rig.client.request('daemon.status', {})).clients === 1,
    );
    await eventually('the old descriptors', () => descriptors(rig.daemon.pid).length === baseline);
    expect(rig.daemon.stderr).toBe(before);
  });

  test.runIf(IS_SOAK)('D10 · a frame that is not finished in 10 s ends its connection', async () => {
    await using sandbox = await Sandbox.create();
    await sandbox.daemon();
    using client = await RawClient.connect(sandbox.socket());
    for (let n = 0; !client.isClosed; n += 1) {
      expect(n).toBeLessThan(15);
      client.write('x');
      await pause(1_000);
    }
  });
});

describe('hostile frames', () => {
  const request = (fields: object) =>
    JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'daemon.status', params: {}, ...fields });
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

  test.each([
    { what: 'no JSON', frame: 'hello there', code: -32_700, id: null },
    { what: 'an HTTP request', frame: 'GET / HTTP/1.1', code: -32_700, id: null },
    { what: 'invalid UTF-8', frame: Buffer.from([0x22, 0xff, 0x22]), code: -32_700, id: null },
    { what: 'a batch', frame: `[${request({})}]`, code: -32_600, id: null },
    { what: 'a number', frame: '42', code: -32_600, id: null },
    { what: 'null', frame: 'null', code: -32_600, id: null },
    { what: 'another JSON-RPC version', frame: request({ jsonrpc: '1.0' }), code: -32_600, id: 7 },
    { what: 'no version', frame: '{"id":7,"method":"hello"}', code: -32_600, id: 7 },
    { what: 'an id that is null', frame: request({ id: null }), code: -32_600, id: null },
    { what: 'a fractional id', frame: request({ id: 1.5 }), code: -32_600, id: null },
    {
      what: 'the id 2^53+1',
      frame: '{"jsonrpc":"2.0","id":9007199254740993,"method":"daemon.status"}',
      code: -32_600,
      id: null,
    },
    { what: 'an id that is an object', frame: request({ id: {} }), code: -32_600, id: null },
    { what: 'a method that is a number', frame: request({ method: 1 }), code: -32_600, id: 7 },
    { what: 'an unknown method', frame: request({ method: 'line.explode' }), code: -32_601, id: 7 },
    { what: 'the method __proto__', frame: request({ method: '__proto__' }), code: -32_601, id: 7 },
    { what: 'the method constructor', frame: request({ method: 'constructor' }), code: -32_601, id: 7 },
    {
      what: 'params nested 100,000 deep',
      frame: request({ params: 0 }).replace('"params":0', `"params":${nested(100_000)}`),
      code: -32_602,
      id: 7,
    },
    { what: 'a frame nested 100,000 deep', frame: nested(100_000), code: -32_600, id: null },
    { what: 'an open nest of 500,000', frame: '['.repeat(500_000), code: -32_700, id: null },
    { what: 'a frame of 64 MiB', frame: Buffer.alloc(64 * MIB, 'x'), code: 1_006, id: null },
  ])('D11 · $what is answered with $code, and the connection goes on', async ({ frame, code, id }) => {
    await using sandbox = await Sandbox.create();
    const daemon = await sandbox.daemon();
    using client = await RawClient.connect(sandbox.socket());
    const before = residentBytes(daemon.pid);
    client.write(frame);
    client.write('\n');
    expect(await client.next()).toMatchObject({ id, error: { code, data: { name: expect.any(String) } } });
    expect((await client.call('daemon.status')).result).toMatchObject({ pid: daemon.pid });
    expect(residentBytes(daemon.pid) - before).toBeLessThan(BOUNDED_BYTES);
  });

  test('D11 · keys named __proto__ and constructor change nothing', async () => {
    await using sandbox = await Sandbox.create();
    await sandbox.daemon();
    using client = await RawClient.connect(sandbox.socket());
    const hello = JSON.stringify(HELLO).slice(1, -1);
    client.write(
      `{"jsonrpc":"2.0","id":1,"__proto__":{"method":"x"},"method":"hello","params":{"__proto__":{"reader":"evil"},"constructor":{"prototype":{"reader":"evil"}},${hello}}}\n`,
    );
    const answer = await client.next();
    expect(answer).toMatchObject({ id: 1, result: { daemon: { name: 'line' } } });
    expect(answer?.result).not.toHaveProperty('reader');
    client.write(
      `{"jsonrpc":"2.0","id":2,"method":"hello","params":{"__proto__":${JSON.stringify(HELLO)}}}\n`,
    );
    expect(await client.next()).toMatchObject({ id: 2, error: { code: -32_602 } });
    expect(await statusOf(sandbox)).toMatchObject({ name: 'line' });
  });

  test('D11 · an id that is still in use is refused, and its request is answered all the same', async () => {
    await using sandbox = await Sandbox.create();
    const far = await startFakeline();
    await using _far = far;
    await sandbox.daemon({ args: ['--host', '127.0.0.1', '--port', String(far.port)] });
    using client = await RawClient.greet(sandbox.socket());
    await client.call('line.open');
    client.request(0, 'line.read', { timeoutMs: 300 });
    client.request(0, 'daemon.status');
    expect(await client.next()).toMatchObject({ id: null, error: { code: -32_600, data: { id: 0 } } });
    expect(await client.next()).toMatchObject({ id: 0, result: { reason: 'timeout' } });
  });

  test('D11 · a peer that sends nothing but bad frames is dropped, others are not', async () => {
    await using sandbox = await Sandbox.create();
    await sandbox.daemon();
    using client = await RawClient.connect(sandbox.socket());
    client.write('bad\n'.repeat(1_000));
    await client.closed();
    expect(await statusOf(sandbox)).toMatchObject({ name: 'line' });
  });

  test('D11 · a 65th request in flight is refused, not queued', async () => {
    await using sandbox = await Sandbox.create();
    await using line = await startFakeline();
    await sandbox.daemon({ args: ['--host', '127.0.0.1', '--port', String(line.port)] });
    using client = await RawClient.greet(sandbox.socket());
    await client.call('line.open');
    for (let id = 0; id <= 64; id += 1) client.request(id, 'line.read', { timeoutMs: 60_000 });
    expect(await client.next()).toMatchObject({ id: 64, error: { code: 1_004 } });
    expect(await statusOf(sandbox)).toMatchObject({ name: 'line' });
  });

  test('D12 · a client that asks and never reads is dropped before it costs more than its limit', async () => {
    await using line = await startFakeline();
    await using rig = await LineRig.start({ port: line.port });
    await rig.open();
    line.send('x'.repeat(250_000));
    await eventually('the output', async () => (await rig.client.request('line.status', {})).end > 250_000);
    using client = await RawClient.greet(rig.sandbox.socket());
    client.socket.pause();
    let id = 0;
    await eventually('the end of it', async () => {
      for (let n = 0; n < 20; n += 1) client.request(id++, 'line.peek', { chars: 250_000 });
      return (await rig.client.request('daemon.status', {})).clients === 1;
    });
    expect((await rig.send('~z', { expect: 'Happy hacking' })).reason).toBe('matched');
  });
});

describe('versions', () => {
  test('D14 · another major is refused with both versions; status and shutdown work all the same', async () => {
    await using sandbox = await Sandbox.create();
    const daemon = await sandbox.daemon();
    using client = await RawClient.connect(sandbox.socket());
    for (const major of [0, 2]) {
      const answer = await client.call('hello', { ...HELLO, protocol: { major, minor: 3 } });
      expect(answer.error).toMatchObject({ code: 1_001, data: { name: 'protocol_mismatch' } });
      expect(answer.error?.message).toMatch(new RegExp(`1\\.\\d+ .*${major}\\.3 `));
      expect(answer.error?.message).toContain('Upgrade the older side');
    }
    expect((await client.call('line.status')).error).toMatchObject({ code: 1_002 });
    expect((await client.call('daemon.status')).result).toMatchObject({
      pid: daemon.pid,
      protocol: { major: 1 },
    });
    expect((await client.call('daemon.shutdown')).result).toEqual({});
    expect(await daemon.exited).toEqual({ code: 0, signal: null });
  });

  test('D14 · a newer minor and fields that are not known yet are no obstacle', async () => {
    await using sandbox = await Sandbox.create();
    await sandbox.daemon();
    using client = await RawClient.connect(sandbox.socket());
    const hello = {
      ...HELLO,
      protocol: { major: 1, minor: 99 },
      colour: 'green',
      client: { ...HELLO.client, mood: 'good' },
    };
    expect((await client.call('hello', hello)).result).toMatchObject({ protocol: { major: 1 } });
    expect((await client.call('line.status', { depth: 9 })).result).toMatchObject({
      lineState: { state: 'closed' },
    });
  });

  test('I14 · nothing but status and shutdown works before hello, and hello works once', async () => {
    await using sandbox = await Sandbox.create();
    await sandbox.daemon();
    using client = await RawClient.connect(sandbox.socket());
    for (const method of [
      'line.open',
      'line.send',
      'line.read',
      'line.peek',
      'line.status',
      'line.close',
      'reader.commit',
    ]) {
      expect((await client.call(method, { input: 'x', end: 0 })).error).toMatchObject({ code: 1_002 });
    }
    expect((await client.call('hello', HELLO)).result).toBeDefined();
    expect((await client.call('hello', HELLO)).error).toMatchObject({ code: -32_600 });
  });
});

describe('times', () => {
  const wrong = [2 ** 31, 1e12, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, '10', null, true, [], {}];

  test.each(['line.open', 'line.send', 'line.read'])(
    'D17 · no wrong timeoutMs of %s is taken for a short one',
    async (method) => {
      await using sandbox = await Sandbox.create();
      await using line = await startFakeline();
      await sandbox.daemon({ args: ['--host', '127.0.0.1', '--port', String(line.port)] });
      using client = await RawClient.greet(sandbox.socket());
      await client.call('line.open');
      for (const timeoutMs of wrong) {
        const { error } = await client.call(method, { input: 'x', timeoutMs });
        expect({ timeoutMs, code: error?.code }).toEqual({ timeoutMs, code: -32_602 });
        expect(error?.message).toContain('timeoutMs');
      }
      expect(line.receivedBytes()).toHaveLength(0);
    },
  );

  test('D17 · the longest wait is not over at once', async () => {
    await using line = await startFakeline();
    await using rig = await LineRig.start({ port: line.port });
    await rig.open();
    const controller = new AbortController();
    const reading = rig.client.request(
      'line.read',
      { timeoutMs: 86_400_000, quietMs: 86_400_000 },
      { signal: controller.signal },
    );
    line.send('hello\r\n');
    await eventually('the output', async () =>
      (await rig.client.request('line.peek', {})).output.text.includes('hello'),
    );
    controller.abort();
    expect(await reading).toMatchObject({
      reason: 'cancelled',
      output: { text: expect.stringContaining('hello') },
    });
  });
});
