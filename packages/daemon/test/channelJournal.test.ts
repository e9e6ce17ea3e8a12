import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFakeline } from '@pidp10/fakeline';
import { expect, test, vi } from 'vitest';
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
