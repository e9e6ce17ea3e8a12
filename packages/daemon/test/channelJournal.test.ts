import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFakeline } from '@pidp10/fakeline';
import { expect, test, vi } from 'vitest';
import { Clients } from '../src/rpc/clients.ts';
import { Watches } from '../src/rpc/watches.ts';
import { createWatchHandlers } from '../src/rpc/watchHandlers.ts';
import { RpcLine } from './rpc/rpcLine.ts';

/** A fake ITS and a folder that outlive the daemons in front of them. */
async function stage() {
  const folder = await mkdtemp(join(tmpdir(), 'pidp10d-kept-'));
  const fake = await startFakeline({ pollMs: 5, ctrlZMs: 5 });
  return {
    fake,
    folder,
    [Symbol.asyncDispose]: async () => {
      await fake.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

test('I2 · C1 · a restarted daemon goes on with the epoch, the output, the screen, the readers and the record', async () => {
  await using at = await stage();
  const first = await RpcLine.kept(at.fake, at.folder);
  await first.call('line.open', { login: 'rms' });
  await first.call('line.send', { input: ':listf' });
  first.driver.note('mark', { client: 'me', reader: 'me' }, 'here');
  const before = first.driver.channel.conversation;
  const was = {
    epoch: first.driver.epoch,
    end: before.scrollback.end,
    text: before.scrollback.text(0, before.scrollback.end).text,
    screen: before.transcript.screens.at(before.scrollback.end).rows,
    committed: before.readers.committed('me'),
  };
  await first.stop();

  const second = await RpcLine.kept(at.fake, at.folder);
  const { driver } = second;
  const after = driver.channel.conversation;
  expect({
    epoch: driver.epoch,
    end: after.scrollback.end,
    text: after.scrollback.text(0, after.scrollback.end).text,
    screen: after.transcript.screens.at(after.scrollback.end).rows,
    committed: after.readers.committed('me'),
  }).toEqual(was);
  const kinds = after.timeline.since(0).map((entry) => (entry.kind === 'mark' ? entry.text : entry.kind));
  expect(kinds).toEqual(expect.arrayContaining(['input', 'state', 'here']));
  expect(new Set(after.timeline.since(0).map(({ seq }) => seq)).size).toBe(kinds.length);
  await second.stop();
});

test('L18 · a daemon that was not told to end leaves a line that is dead, with the time and what became of it', async () => {
  await using at = await stage();
  const first = await RpcLine.kept(at.fake, at.folder);
  await first.call('line.open');
  // Nothing is closed: the files are as a killed daemon leaves them.
  const second = await RpcLine.kept(at.fake, at.folder);
  expect(second.driver.channel.facts).toMatchObject({
    state: 'dead',
    reason: 'daemon_ended',
    detail: expect.stringMatching(
      /killed, crashed, or the power was cut\) at \d{4}-.*output up to then is kept/,
    ),
  });
  await first.stop();
  await second.stop();
});

test('C6 · what the ring has lost is read, shown and watched all the same, exactly', async () => {
  await using at = await stage();
  const line = await RpcLine.kept(at.fake, at.folder);
  const { conversation } = line.driver.channel;
  const { scrollback, transcript } = conversation;
  await line.call('line.open', { login: 'rms' });
  await line.call('line.send', { input: ':listf' });
  const early = scrollback.safeEnd;
  const text = scrollback.text(0, early).text;
  const screen = transcript.screens.at(early).rows.map((row) => row.trimEnd());
  at.fake.faults.set('flood', 'max');
  await vi.waitUntil(() => scrollback.oldest > early, { timeout: 20_000 });
  at.fake.faults.clear();
  const read = await line.call('line.read', { from: 0, tidy: false, maxChars: 1_000_000 });
  expect(read).toMatchObject({ reason: 'limit', output: { start: 0, truncated: false } });
  expect(read.output.text.slice(0, text.length)).toBe(text);
  expect((await line.call('line.screen', { at: early })).rows).toEqual(screen);
  await line.stop();
});

test('C6 · a watch of the past gives the bytes once, ends where it was to end, and of form none tells no output', async () => {
  await using at = await stage();
  const line = await RpcLine.kept(at.fake, at.folder);
  const clients = new Clients();
  const watches = new Watches(clients);
  await line.call('line.open', { login: 'rms' });
  await line.call('line.send', { input: ':listf' });
  const { scrollback } = line.driver.channel.conversation;
  const until = scrollback.safeEnd - 100;
  for (const form of ['bytes', 'none'] as const) {
    const told: { name: string; params: { bytes?: string | number; offset?: number } }[] = [];
    const session = line.connect(`watcher-${form}`);
    session.outlet = {
      unsentBytes: 0,
      notify: (name, params) => void told.push({ name, params: params as (typeof told)[number]['params'] }),
      whenDrained: () => undefined,
    };
    const sent: (() => void)[] = [];
    const call = {
      id: 1,
      signal: new AbortController().signal,
      session,
      sendProgress: () => undefined,
      afterSend: (callback: () => void) => void sent.push(callback),
    };
    await createWatchHandlers(line.driver, watches, 7)['line.watch']({ from: 0, until, form }, call);
    for (const callback of sent) callback();
    await vi.waitUntil(() => told.at(-1)?.name === 'line.watchEnded');
    expect(told.at(-1)?.params.offset).toBe(until);
    const output = told
      .filter(({ name }) => name === 'line.output')
      .map(({ params }) => String(params.bytes));
    const bytes = Buffer.concat(output.map((text) => Buffer.from(text, 'base64')));
    expect(bytes).toEqual(form === 'none' ? Buffer.alloc(0) : Buffer.from(scrollback.bytes(0, until)));
    expect(output.length > 0).toBe(form === 'bytes');
    watches.forget(session);
  }
  await line.stop();
});
