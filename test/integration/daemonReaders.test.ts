/** Places in the output (CONTRACT 3): where a client goes on, who else is there, one call at a time. */
import { startFakeline } from '@pidp10/fakeline';
import type { DaemonClient } from '@pidp10/protocol/node/daemonClient';
import type { Outcome, Slice } from '@pidp10/protocol/schemas';
import { describe, expect, test } from 'vitest';
import { LineRig } from '../support/lineRig.ts';
import { RawClient } from '../support/rawClient.ts';

/** Long enough for bytes that are there, short enough to wait for none. */
const READ = { timeoutMs: 2_000, quietMs: 100 } as const;

function read(client: DaemonClient): Promise<Outcome> {
  return client.request('line.read', READ);
}

async function heard(rig: LineRig, text: string): Promise<void> {
  for (;;) {
    const { output } = await rig.client.request('line.peek', {});
    if (output.text.endsWith(text)) return;
  }
}

describe('readers', () => {
  test('a reader goes on where its last connection left', async () => {
    await using line = await startFakeline();
    await using rig = await LineRig.start({ port: line.port });
    await rig.open();
    const first = await rig.sandbox.connect({ reader: 'me' });
    line.send('one');
    await heard(rig, 'one');
    expect((await read(first)).output.text).toBe('one');
    await first.close();
    line.send('two');
    await heard(rig, 'two');
    await using second = await rig.sandbox.connect({ reader: 'me' });
    expect(second.hello.reader?.name).toBe('me');
    expect((await read(second)).output.text).toBe('two');
  });

  test('a new reader begins at the end', async () => {
    await using line = await startFakeline();
    await using rig = await LineRig.start({ port: line.port });
    await rig.open();
    line.send('old');
    await heard(rig, 'old');
    await using late = await rig.sandbox.connect({ reader: 'late' });
    const { end } = await rig.client.request('line.status', {});
    expect(late.hello.reader).toEqual({ name: 'late', offset: end });
    expect((await late.request('line.status', {})).reader).toEqual({ name: 'late', offset: end, unread: 0 });
  });

  test('a second live claimant becomes NAME#2 where NAME is committed, and the lowest free number is taken', async () => {
    await using line = await startFakeline();
    await using rig = await LineRig.start({ port: line.port });
    await rig.open();
    await using first = await rig.sandbox.connect({ reader: 'me' });
    line.send('one');
    await heard(rig, 'one');
    const offset = first.hello.reader?.offset;
    const second = await rig.sandbox.connect({ reader: 'me' });
    await using third = await rig.sandbox.connect({ reader: 'me' });
    expect([second, third].map(({ hello }) => hello.reader)).toEqual([
      { name: 'me#2', offset },
      { name: 'me#3', offset },
    ]);
    expect((await read(second)).output.text).toBe('one');
    expect((await read(first)).output.text).toBe('one');
    await second.close();
    await using fourth = await rig.sandbox.connect({ reader: 'me' });
    expect(fourth.hello.reader?.name).toBe('me#2');
  });

  test('with manual commit, what was not committed comes again after a crash, and offsets show it', async () => {
    await using line = await startFakeline();
    await using rig = await LineRig.start({ port: line.port });
    await rig.open();
    const first = await rig.sandbox.connect({ reader: 'me', commit: 'manual' });
    line.send('one');
    await heard(rig, 'one');
    const { output: one } = await read(first);
    await first.request('reader.commit', { end: one.end });
    line.send('two');
    await heard(rig, 'two');
    const { output: two } = await read(first);
    await first.close();
    await using second = await rig.sandbox.connect({ reader: 'me', commit: 'manual' });
    expect(second.hello.reader?.offset).toBe(one.end);
    expect((await read(second)).output).toEqual(two);
    await second.request('reader.commit', { end: two.end });
    expect((await second.request('line.status', {})).reader).toMatchObject({ unread: 0 });
  });

  test('a commit behind the end, and one without a named reader, are refused', async () => {
    await using line = await startFakeline();
    await using rig = await LineRig.start({ port: line.port });
    await using named = await rig.sandbox.connect({ reader: 'me', commit: 'manual' });
    await expect(named.request('reader.commit', { end: 1_000_000 })).rejects.toMatchObject({
      data: { name: 'offset_out_of_range' },
    });
    expect(await rig.failure('reader.commit', { end: 0 })).toMatchObject({ name: 'reader_required' });
  });

  test('I5 · what one client reads is neither taken from another nor moves its place', async () => {
    await using line = await startFakeline();
    await using rig = await LineRig.start({ port: line.port });
    await rig.open();
    await using a = await rig.sandbox.connect({ reader: 'a' });
    await using b = await rig.sandbox.connect({ reader: 'b' });
    await using anonymous = await rig.sandbox.connect();
    line.send('one');
    await heard(rig, 'one');
    expect((await read(a)).output.text).toBe('one');
    line.send('two');
    await heard(rig, 'two');
    expect((await read(a)).output.text).toBe('two');
    expect((await read(b)).output.text).toBe('onetwo');
    expect((await read(anonymous)).output.text).toBe('onetwo');
  });

  test('closing and opening the line leave the readers where they are', async () => {
    await using line = await startFakeline();
    await using rig = await LineRig.start({ port: line.port });
    await rig.open();
    await using reader = await rig.sandbox.connect({ reader: 'me' });
    line.send('before');
    await heard(rig, 'before');
    await rig.client.request('line.close', {});
    await rig.open();
    expect((await read(reader)).output.text).toMatch(/^before[^]*Connected to the/);
  });

  test('a peek and a read from an offset move no place', async () => {
    await using line = await startFakeline();
    await using rig = await LineRig.start({ port: line.port });
    await rig.open();
    await using reader = await rig.sandbox.connect({ reader: 'me' });
    line.send('abc');
    await heard(rig, 'abc');
    const from = (reader.hello.reader?.offset ?? 0) + 1;
    expect((await reader.request('line.read', { ...READ, from })).output.text).toBe('bc');
    expect((await read(reader)).output.text).toBe('abc');
  });
});

describe('one call at a time', () => {
  test('M19 · of ten sends and reads at once each byte is in exactly one answer, in the order of the calls', async () => {
    await using line = await startFakeline();
    await using rig = await LineRig.start({ port: line.port });
    await rig.open();
    await rig.send('~z', { expect: 'Happy hacking' });
    await using client = await rig.sandbox.connect({ reader: 'me' });
    const start = client.hello.reader?.offset;
    const calls = Array.from({ length: 10 }, (_, n) =>
      n % 2 === 0
        ? client.request('line.send', { input: `:mark${n}`, quietMs: 150 })
        : client.request('line.read', { timeoutMs: 200, quietMs: 100 }),
    );
    const outcomes = await Promise.all(calls);
    const slices = outcomes.flatMap((outcome): readonly Slice[] => {
      if ('dryRun' in outcome) throw new Error('a dry run');
      return outcome.before === undefined ? [outcome.output] : [outcome.before, outcome.output];
    });
    const { reader } = await client.request('line.status', {});
    expect(slices.map((slice) => slice.start)).toEqual([start, ...slices.slice(0, -1).map(({ end }) => end)]);
    expect(slices.at(-1)?.end).toBe(reader?.offset);
    const marks = [
      ...line
        .receivedBytes()
        .toString('latin1')
        .matchAll(/:mark(\d)\r/g),
    ].map((match) => match[1]);
    expect(marks).toEqual(['0', '2', '4', '6', '8']);
  });

  test('a call that waits for its turn can be cancelled or time out, and then nothing of it was sent', async () => {
    await using line = await startFakeline();
    await using rig = await LineRig.start({ port: line.port });
    await rig.open();
    const stop = new AbortController();
    const first = rig.client.request('line.read', { timeoutMs: 60_000 }, { signal: stop.signal });
    const late = await rig.send('late', { returnAfterMs: 50 });
    expect(late).toMatchObject({ reason: 'still_waiting', accepted: 0, sent: 0 });
    const controller = new AbortController();
    const cancelled = rig.client.request('line.send', { input: 'cancelled' }, { signal: controller.signal });
    await rig.client.request('daemon.status', {});
    controller.abort();
    expect(await cancelled).toMatchObject({ reason: 'cancelled', accepted: 0, sent: 0 });
    stop.abort();
    expect(await first).toMatchObject({ reason: 'cancelled' });
    expect(line.receivedBytes()).toHaveLength(0);
  });

  test('I11 · the waits of a client that is gone end with it, and its reader is free at once', async () => {
    await using line = await startFakeline();
    await using rig = await LineRig.start({ port: line.port });
    await rig.open();
    const gone = await RawClient.greet(rig.sandbox.socket(), { reader: 'me' });
    gone.request(1, 'line.read', { timeoutMs: 60_000 });
    gone.request(2, 'line.send', { input: 'never' });
    await gone.call('line.status');
    gone[Symbol.dispose]();
    for (;;) if ((await rig.client.request('daemon.status', {})).clients === 1) break;
    await using next = await rig.sandbox.connect({ reader: 'me' });
    expect(next.hello.reader?.name).toBe('me');
    line.send('here');
    await heard(rig, 'here');
    expect((await read(next)).output.text).toBe('here');
    expect(line.receivedBytes()).toHaveLength(0);
  });
});
