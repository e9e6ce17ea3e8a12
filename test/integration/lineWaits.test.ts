/** Waiting through the real daemon: echoes and pagers in the way, floods, hostile patterns, input that cannot go out. */
import { startFakeline, startScripted } from '@pidp10/fakeline';
import { describe, expect, test } from 'vitest';
import { IS_SOAK, LineRig } from '../support/lineRig.ts';
import { cpuSeconds, eventually, residentBytes } from '../support/processes.ts';

const MIB = 1_048_576;
/** A request that is answered at once takes at most so long, in ms, on a machine with other things to do. */
const PROMPT_ANSWER_MS = 1_000;

describe('what looks like the end and is none', () => {
  test('I04 · --More-- inside a printed text, and as its last words, gets no space', async () => {
    const text = 'before\n--More--\nmiddle --More-- of a line\nthe last words are --More--\n--More--\n';
    await using line = await startFakeline({
      files: [{ directory: 'RMS', name1: 'A', name2: 'TEXT', text }],
    });
    await using rig = await LineRig.start({ port: line.port });
    await rig.open();
    await rig.send('~z', { expect: 'Happy hacking' });
    const outcome = await rig.send(':print rms;a text');
    expect(outcome).toMatchObject({ reason: 'prompt', pages: 0 });
    expect(outcome.output.text).toContain('the last words are --More--\n--More--\n');
    expect(line.receivedBytes().toString('latin1')).toBe('\x1a\r:print rms;a text\r');
  });

  test('I04 · a real pager is answered once each, for the sender, and its text left out', async () => {
    await using line = await startFakeline();
    await using rig = await LineRig.start({ port: line.port });
    await rig.open();
    await rig.send('~z', { expect: 'Happy hacking' });
    const outcome = await rig.send(':print info;pages text');
    expect(outcome).toMatchObject({ reason: 'prompt', pages: 3 });
    expect(outcome.output.text).not.toContain('--More--');
    expect(line.receivedBytes().toString('latin1')).toMatch(/text\r {3}$/);
  });

  test('I08 · the echo of the command does not match; the answer behind it does, and the result says where', async () => {
    await using far = await startScripted({
      onConnect: async (connection) => {
        await connection.waitForBytes('\r');
        connection.write(':print *\r\n\x1bKnothing yet\r\n');
        await connection.waitForBytes('go\r');
        connection.write('goTHE ANSWER *\r\n');
      },
    });
    await using rig = await LineRig.start({ port: far.port, args: ['--telnet', 'off'] });
    await rig.open();
    const first = await rig.send(':print *', { expect: '\\*', timeoutMs: 400 });
    expect(first).toMatchObject({ reason: 'timeout', output: { text: ':print *\nnothing yet\n' } });
    const start = first.output.start;
    expect(first.echoEnd).toBe(start + ':print *\r'.length);
    const second = await rig.send('go', { expect: '\\*' });
    expect(second.reason).toBe('matched');
    expect(second.match?.start).toBe(second.output.start + 'goTHE ANSWER '.length);
  });

  test('I08 · with echo: strip the recognised echo is left out', async () => {
    await using line = await startFakeline();
    await using rig = await LineRig.start({ port: line.port });
    await rig.open();
    await rig.send('~z', { expect: 'Happy hacking' });
    expect((await rig.send(':vk', { echo: 'keep' })).output.text).toContain(':vk');
    expect((await rig.send(':vk', { echo: 'strip' })).output.text).not.toContain(':vk');
  });
});

/** Memory that a flood of 128 MiB may take at its peak. */
const MAX_GROWTH_BYTES = 112 * MIB;

interface Flooded {
  readonly cpuPerMiB: number;
  readonly peakBytes: number;
  /** Before the flood. */
  readonly startBytes: number;
}

/** The daemon's cost of a flood, while a client waits again and again with or without a pattern. */
async function flood(megabytes: number, pattern: string | undefined): Promise<Flooded> {
  await using line = await startFakeline();
  await using rig = await LineRig.start({ port: line.port });
  await rig.open();
  const { pid } = rig.daemon;
  line.faults.set('flood', 'max');
  const begin = (await rig.client.request('line.status', {})).end;
  const cpu = cpuSeconds(pid);
  const startBytes = residentBytes(pid);
  let peakBytes = 0;
  let end = begin;
  while (end < begin + megabytes * MIB) {
    const outcome = await rig.client.request('line.read', {
      ...(pattern !== undefined && { expect: pattern }),
      quietMs: 86_400_000,
      timeoutMs: 60_000,
      maxChars: 1_000_000,
    });
    expect(outcome.reason).toBe('limit');
    peakBytes = Math.max(peakBytes, residentBytes(pid));
    ({ end } = await rig.client.request('line.status', {}));
  }
  return { cpuPerMiB: (cpuSeconds(pid) - cpu) / ((end - begin) / MIB), peakBytes, startBytes };
}

describe('floods', () => {
  test('X01 · X04 · a pattern that never matches costs at most twice the CPU of waiting without one, and no memory', async () => {
    const megabytes = IS_SOAK ? 1_024 : 128;
    const without = await flood(megabytes, undefined);
    const runs: Flooded[] = [];
    // Whatever else the machine does only adds to the CPU time: the cheapest run of three is the nearest to the truth.
    const ratio = () => Math.min(...runs.map(({ cpuPerMiB }) => cpuPerMiB)) / without.cpuPerMiB;
    while (runs.length === 0 || (ratio() > 2 && runs.length < 3)) {
      runs.push(await flood(megabytes, 'no such words as (these|those)\\d+$'));
    }
    expect(ratio()).toBeLessThanOrEqual(2);
    for (const { peakBytes } of runs) expect(peakBytes).toBeLessThan(without.peakBytes + 32 * MIB);
    // Far less than what has come: what the garbage collector has not looked at yet, and the ring.
    expect(without.peakBytes - without.startBytes).toBeLessThan(MAX_GROWTH_BYTES);
  }, 300_000);

  test('I7 · while a line floods, status is answered and a client that does not wait costs nothing', async () => {
    await using line = await startFakeline();
    await using rig = await LineRig.start({ port: line.port });
    await rig.open();
    line.faults.set('flood', 'max');
    await eventually('64 MiB', async () => {
      const startMs = performance.now();
      const { end } = await rig.client.request('line.status', {});
      expect(performance.now() - startMs).toBeLessThan(PROMPT_ANSWER_MS);
      return end > 64 * MIB;
    });
    expect(residentBytes(rig.daemon.pid)).toBeLessThan(256 * MIB);
  });
});

describe('hostile input', () => {
  test.each([
    '(a+)+$',
    '(a*)*b',
    '(a|a)*b',
    '(.*)(.*)(.*)(.*)(.*)b',
    '\\w+\\* $',
    '.*ITS.*DDT',
    'ITS[\\s\\S]*DDT',
    '(x{0,50}){0,19}y',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
  ])('X02 · the pattern %s on 300 kB of what it hates leaves the daemon answering', async (pattern) => {
    await using line = await startFakeline();
    await using rig = await LineRig.start({ port: line.port });
    await rig.open();
    await using watcher = await rig.sandbox.connect();
    const reading = rig.client.request('line.read', {
      expect: pattern,
      maxChars: 1_000_000,
      quietMs: 300,
      timeoutMs: 20_000,
    });
    let isOver = false;
    void reading.finally(() => {
      isOver = true;
    });
    line.send('ITS'.concat('a'.repeat(100_000)));
    line.send('a'.repeat(200_000));
    while (!isOver) {
      const startMs = performance.now();
      await watcher.request('line.status', {});
      expect(performance.now() - startMs).toBeLessThan(PROMPT_ANSWER_MS);
    }
    expect(['quiet', 'matched']).toContain((await reading).reason);
  });

  test.each([
    { what: '100,000 blanks', text: `${' '.repeat(100_000)}x` },
    { what: '100,000 tabs and blanks', text: `${' \t'.repeat(50_000)}x` },
    { what: '200,000 NULs', text: '\0'.repeat(200_000) },
    { what: '100,000 line ends', text: '\r\n'.repeat(100_000) },
    { what: '60,000 motions', text: '\x1bH\x1bK'.repeat(60_000) },
    { what: 'an escape without end', text: `\x1b${'Y'.repeat(100_000)}` },
    { what: '200,000 backspaces', text: '\b'.repeat(200_000) },
  ])('I18 · $what from the line leave the daemon answering', async ({ text }) => {
    await using line = await startFakeline();
    await using rig = await LineRig.start({ port: line.port });
    const { output } = await rig.open();
    line.send(text);
    await eventually(
      'all of it',
      async () => (await rig.client.request('line.status', {})).end >= output.end + text.length,
    );
    const startMs = performance.now();
    const outcome = await rig.client.request('line.read', { maxChars: 1_000_000, quietMs: 0 });
    await rig.client.request('line.peek', {});
    expect(performance.now() - startMs).toBeLessThan(PROMPT_ANSWER_MS);
    expect(outcome.output.end).toBe(output.end + text.length);
  });

  test('I18 · a large ring that is full leaves the daemon answering to peek, to read and to send', async () => {
    const ringBytes = 64 * MIB;
    await using line = await startFakeline();
    await using rig = await LineRig.start({ port: line.port, args: ['--ring-bytes', String(ringBytes)] });
    await rig.open();
    line.faults.set('flood', 'max');
    await eventually(
      'a full ring',
      async () => (await rig.client.request('line.status', {})).end > ringBytes,
    );
    line.faults.clear();
    await eventually(
      'silence',
      async () => ((await rig.client.request('line.status', {})).msSinceLastByte ?? 0) > 200,
    );
    const startMs = performance.now();
    await rig.client.request('line.peek', {});
    const { before } = await rig.send('x', { timeoutMs: 1 });
    expect(before?.truncated).toBe(true);
    expect((await rig.client.request('line.read', { from: 0, quietMs: 0 })).reason).toBe('limit');
    expect(performance.now() - startMs).toBeLessThan(PROMPT_ANSWER_MS);
  });

  test('I12 · input that the far end does not take is counted, bounded, and can be given up', async () => {
    await using line = await startFakeline();
    line.faults.set('stop-reading');
    await using rig = await LineRig.start({ port: line.port });
    await rig.open();
    const controller = new AbortController();
    const sends = Array.from({ length: 60 }, () =>
      rig.send('x'.repeat(200_000), { returnAfterMs: 1 }).catch((error: unknown) => error),
    );
    const results = await Promise.all(sends);
    expect(results).toContainEqual(
      expect.objectContaining({ data: expect.objectContaining({ name: 'input_queue_full' }) }),
    );
    const { pendingBytes, bytesOut } = await rig.client.request('line.status', {});
    expect(pendingBytes).toBeGreaterThan(0);
    expect(pendingBytes).toBeLessThanOrEqual(MIB);
    const last = rig.client.request('line.send', { input: 'end' }, { signal: controller.signal });
    await rig.client.request('daemon.status', {});
    controller.abort();
    expect(await last).toMatchObject({ reason: 'cancelled', accepted: 4, sent: 0 });
    expect(bytesOut).toBeGreaterThan(0);
    expect((await rig.client.request('line.status', {})).lineState.state).toBe('open');
  });
});
