/** The line as a client sees it through the real daemon: opening, refusals, silence, bytes, death. */
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import {
  REFUSALS,
  type ScriptedConnection,
  startFakeline,
  startScripted,
  startSilent,
} from '@pidp10/fakeline';
import { describe, expect, test } from 'vitest';
import { IS_SOAK, LineRig } from '../support/lineRig.ts';

/** IAC WILL LINEMODE, WILL SGA, WILL ECHO, WILL BINARY, DO BINARY, and the text of a real KA10. */
const GREETING = Buffer.from(
  '\xff\xfb\x22\xff\xfb\x03\xff\xfb\x01\xff\xfb\x00\xff\xfd\x00\n\r\nConnected to the KA-10 simulator MTY device, line 9\r\n\n',
  'latin1',
);

async function writeByteByByte(connection: ScriptedConnection, text: string): Promise<void> {
  for (const byte of Buffer.from(text, 'latin1')) {
    connection.write(Uint8Array.of(byte));
    await turn();
  }
}

describe('opening', () => {
  test('L10 · opening and closing write nothing to the line, not even telnet', async () => {
    await using line = await startFakeline();
    await using rig = await LineRig.start({ port: line.port });
    await rig.open();
    await rig.client.request('line.read', { timeoutMs: 300 });
    await rig.client.request('line.close', {});
    await line.waitFor((events) => events.some(({ kind }) => kind === 'closed'), { what: 'the close' });
    expect(line.receivedBytes()).toEqual(Buffer.alloc(0));
  });

  test('L01 · a line that stays busy is refused each time with the literal text, and never tried by itself', async () => {
    await using line = await startFakeline();
    line.faults.set('refuse', 'busy');
    await using rig = await LineRig.start({ port: line.port });
    const opens = IS_SOAK ? 30 : 5;
    for (let n = 1; n <= opens; n += 1) {
      const failure = await rig.failure('line.open', {});
      const answeredMs = performance.now();
      expect(failure).toMatchObject({
        name: 'line_busy',
        message: expect.stringContaining('"Line connection busy"'),
      });
      const refused = line.events.filter((event) => event.kind === 'refused');
      expect(answeredMs - (refused.at(-1)?.atMs ?? 0)).toBeLessThan(1_000);
      expect(line.connectionCount).toBe(n);
      const { lineState, connectedAt } = await rig.client.request('line.status', {});
      expect(lineState).toMatchObject({ state: 'dead', reason: 'line_busy' });
      expect(connectedAt).toBeUndefined();
      if (IS_SOAK) await pause(1_000);
    }
    line.faults.clear();
    expect((await rig.open()).lineState.state).toBe('open');
    expect(line.connectionCount).toBe(opens + 1);
  });

  test('L02 · each refusal of the simulator gives its own error, whole and byte by byte, and never an open line', async () => {
    let speak: (connection: ScriptedConnection) => Promise<void> | void = () => undefined;
    await using far = await startScripted({ onConnect: (connection) => speak(connection) });
    await using rig = await LineRig.start({ port: far.port });
    for (const [name, sentence] of Object.entries(REFUSALS)) {
      for (const isWhole of [true, false]) {
        speak = async (connection) => {
          if (isWhole) connection.write(`${sentence}\r\n`);
          else await writeByteByByte(connection, `${sentence}\r\n`);
          connection.end();
        };
        const failure = await rig.failure('line.open', {});
        expect(failure).toMatchObject({
          name: `line_${name}`,
          message: expect.stringContaining(`"${sentence}"`),
        });
      }
    }
    speak = (connection) => connection.end();
    expect(await rig.failure('line.open', {})).toMatchObject({ name: 'line_closed_silent' });
    speak = (connection) => connection.reset();
    expect(await rig.failure('line.open', {})).toMatchObject({ name: 'line_reset' });
    expect(rig.daemon.stderr).not.toContain('"state":"open"');
    expect(far.connections).toHaveLength(12);
  });

  test('L03 · a halted simulator ends in no_greeting with one socket, on which a second open waits and which close resets', async () => {
    await using far = await startSilent();
    await using rig = await LineRig.start({ port: far.port });
    const failure = await rig.failure('line.open', { timeoutMs: 300 });
    expect(failure).toMatchObject({
      name: 'no_greeting',
      message: expect.stringMatching(/TCP .* is up, but the simulator is not servicing the port/),
    });
    expect(await rig.client.request('line.status', {})).toMatchObject({
      lineState: { state: 'connecting', phase: 'greeting' },
      advice: expect.stringContaining('halted'),
    });
    const second = rig.open();
    await rig.client.request('line.status', {});
    far.connections[0]?.write(GREETING);
    expect((await second).output.text).toContain('Connected to the KA-10 simulator');
    expect(far.connections).toHaveLength(1);
    // Reading, so that this end can see how the other one goes away.
    far.connections[0]?.resume();
    await rig.client.request('line.close', {});
    await far.waitFor((events) => events.some(({ kind, how }) => kind === 'closed' && how === 'reset'), {
      what: 'a reset',
    });
  });

  test('L05 · a guest that is not booted: the send runs into its timeout and says that nothing came since the greeting', async () => {
    await using line = await startFakeline();
    line.faults.set('silence');
    await using rig = await LineRig.start({ port: line.port });
    await rig.open();
    const outcome = await rig.send('~z', { timeoutMs: 500 });
    expect(outcome).toMatchObject({ reason: 'timeout', output: { text: '' }, accepted: 2, sent: 2 });
    expect(outcome.hint).toContain('No byte has come since the greeting');
    const status = await rig.client.request('line.status', {});
    expect(status.msSinceLastByte).toBeGreaterThanOrEqual(500);
    expect(status.advice).toContain('Nothing has come since the greeting');
    expect(line.receivedBytes()).toEqual(Buffer.from('\x1a\r'));
    expect(line.connectionCount).toBe(1);
  });

  test('L24 · what a buffered line replays at connect belongs to the greeting and never answers an expect', async () => {
    await using line = await startFakeline();
    const stale = `${'old output of a dead job. '.repeat(5)}\r\n\x1bK*`;
    line.faults.set('stale-greeting', stale);
    await using rig = await LineRig.start({ port: line.port });
    const opened = await rig.open();
    expect(opened.output.text).toMatch(/Connected to the [^]*old output[^]*\n\*$/);
    const outcome = await rig.send('x', { expect: '\\*', timeoutMs: 300 });
    expect(outcome).toMatchObject({ reason: 'timeout' });
    expect(outcome.match).toBeUndefined();
    expect(outcome.output.start).toBe(opened.output.end);
  });
});

describe('bytes', () => {
  test('L09 · send("x") puts exactly 78 0D on the wire', async () => {
    await using line = await startFakeline();
    await using rig = await LineRig.start({ port: line.port });
    await rig.open();
    await rig.send('x', { timeoutMs: 100 });
    expect(line.receivedBytes().toString('hex')).toBe('780d');
  });

  test('L11 · the text does not depend on how greeting and output were cut into packets, also behind a lone FF', async () => {
    const output = Buffer.from('A\xff\xffB\r\n\x1bKend', 'latin1');
    const all = Buffer.concat([GREETING, output]);
    const everySplit = Array.from({ length: all.length - 1 }, (_, index) => [
      all.subarray(0, index + 1),
      all.subarray(index + 1),
    ]);
    const behindFF = everySplit.filter(
      ([head]) => head?.at(-1) === 0xff || head?.at(-1) === 0x1b || head?.at(-1) === 0x0d,
    );
    const splits = IS_SOAK ? everySplit : behindFF;
    const pieces = [[all], ...splits, [...all].map((byte) => Buffer.of(byte))];
    let taken = () => Promise.resolve(0);
    await using far = await startScripted({
      onConnect: async (connection) => {
        const before = await taken();
        let written = 0;
        for (const piece of pieces[connection.id - 1] ?? []) {
          connection.write(piece);
          written += piece.length;
          while ((await taken()) < before + written);
        }
      },
    });
    await using rig = await LineRig.start({ port: far.port, args: ['--bits', '8'] });
    await using watcher = await rig.sandbox.connect();
    taken = async () => (await watcher.request('line.status', {})).bytesIn;
    const texts = new Set<string>();
    for (const _ of pieces) {
      const { output: greeting } = await rig.open();
      const rest = await rig.client.request('line.read', { timeoutMs: 400, quietMs: 100 });
      const { end } = await rig.client.request('line.close', {});
      texts.add(JSON.stringify([greeting.text + rest.output.text, end - greeting.start]));
    }
    expect(far.errors).toEqual([]);
    expect(texts.size).toBe(1);
    expect([...texts][0]).toContain('A\xffB\\nend');
  });

  test.each([
    { mode: 'telnet', noTelnet: false, args: ['--bits', '8'], wire: 'fffffa0d' },
    { mode: 'raw', noTelnet: true, args: ['--bits', '8', '--telnet', 'off'], wire: 'fffa0d' },
  ])('L12 · ~xFF~xFA goes out as $wire on a $mode line', async ({ mode, noTelnet, args, wire }) => {
    await using line = await startFakeline({ noTelnet });
    await using rig = await LineRig.start({ port: line.port, args });
    await rig.open();
    await rig.send('~xFF~xFA', { timeoutMs: 100 });
    expect(line.receivedBytes().toString('hex')).toBe(wire);
    expect((await rig.client.request('line.status', {})).lineState.codec).toBe(mode);
  });

  test('L12 · ~xFF is refused on a 7-bit line, with its position and before the first byte', async () => {
    await using line = await startFakeline();
    await using rig = await LineRig.start({ port: line.port });
    await rig.open();
    expect(await rig.failure('line.send', { input: 'ab~xFF' })).toMatchObject({
      name: expect.stringMatching(/seven_bit|bad_escape/),
    });
    expect(line.receivedBytes()).toHaveLength(0);
  });
});

describe('death', () => {
  test('L16 · a simulator that crashed and came back: reason and time are known, nothing is tried, an explicit open works', async () => {
    await using line = await startFakeline();
    await using rig = await LineRig.start({ port: line.port });
    await rig.open();
    const beforeMs = Date.now();
    line.stopListening();
    line.dropConnection('reset');
    expect(await rig.untilState('dead')).toMatchObject({ reason: 'reset' });
    const { diedAt } = await rig.client.request('line.status', {});
    expect(Date.parse(diedAt ?? '')).toBeGreaterThanOrEqual(beforeMs - 10);
    expect(await rig.failure('line.send', { input: 'x' })).toMatchObject({ name: 'line_not_open' });
    expect(await rig.failure('line.open', {})).toMatchObject({
      name: 'connect_refused',
      message: expect.stringContaining('127.0.0.1'),
    });
    if (IS_SOAK) await pause(5_000);
    await line.listenAgain();
    expect(line.connectionCount).toBe(1);
    expect(await rig.open()).toMatchObject({
      lineState: { state: 'open' },
      output: { text: expect.stringContaining('Connected') },
    });
    expect(line.connectionCount).toBe(2);
  });

  test('L17 · the words of an operator who disconnects the line are kept, and the reason is closed_by_simulator', async () => {
    await using line = await startFakeline();
    await using rig = await LineRig.start({ port: line.port });
    await rig.open();
    line.disconnectBySimulator();
    expect(await rig.untilState('dead')).toMatchObject({ reason: 'closed_by_simulator' });
    const status = await rig.client.request('line.status', {});
    expect(Date.parse(status.diedAt ?? '')).not.toBeNaN();
    const { output } = await rig.client.request('line.read', {});
    expect(output.text).toContain('Disconnected from the');
    expect((await rig.client.request('line.peek', {})).output.text).toContain('Disconnected from the');
    expect(line.connectionCount).toBe(1);
  });
});
