/** Who is connected, and the places of readers: seen, forgotten, renamed, over the wire. */
import { startFakeline } from '@pidp10/fakeline';
import { RpcError } from '@pidp10/protocol/errors';
import { expect, test } from 'vitest';
import { LineRig } from '../support/lineRig.ts';
import { eventually } from '../support/processes.ts';

async function nameOfError(call: Promise<unknown>): Promise<unknown> {
  const error: unknown = await call.catch((reason: unknown) => reason);
  return error instanceof RpcError ? error.data['name'] : error;
}

test('readers are listed with their owners, removed when nobody holds them, and go on where they were', async () => {
  await using line = await startFakeline();
  await using rig = await LineRig.start({ port: line.port });
  await rig.open();
  const anna = await rig.sandbox.connect({ reader: 'anna' });
  await using bob = await rig.sandbox.connect({ reader: 'bob' });
  line.send('one');
  expect((await bob.request('line.read', { timeoutMs: 2_000, quietMs: 100 })).output.text).toBe('one');
  const { end } = await bob.request('line.status', {});
  const listed = (await bob.request('reader.list', {})).readers;
  expect(listed).toEqual([
    { name: 'anna', owner: 'test', offset: end - 3, committed: end - 3, lag: 3 },
    { name: 'bob', owner: 'test', offset: end, committed: end, lag: 0 },
  ]);
  expect(await nameOfError(bob.request('reader.remove', { name: 'anna' }))).toBe('reader_in_use');
  await anna.close();
  await eventually(
    'anna is gone',
    async () => (await bob.request('reader.list', {})).readers[0]?.owner === undefined,
  );
  await bob.request('reader.rename', { name: 'anna', to: 'anne' });
  await using anne = await rig.sandbox.connect({ reader: 'anne' });
  expect((await anne.request('line.read', { timeoutMs: 2_000, quietMs: 100 })).output.text).toBe('one');
  expect(await nameOfError(bob.request('reader.rename', { name: 'bob', to: 'anne' }))).toBe('reader_in_use');
  expect(await nameOfError(bob.request('reader.remove', { name: 'nobody' }))).toBe('reader_unknown');
});

test('a reader that is renamed under its client goes on reading, committing and having the floor', async () => {
  await using line = await startFakeline();
  await using rig = await LineRig.start({ port: line.port });
  await rig.open();
  await using anna = await rig.sandbox.connect({ reader: 'anna', commit: 'manual' });
  await anna.request('floor.request', {});
  await anna.request('reader.rename', { name: 'anna', to: 'anne' });
  line.send('one');
  const { output } = await anna.request('line.read', { timeoutMs: 2_000, quietMs: 100 });
  expect(output.text).toBe('one');
  await anna.request('reader.commit', { end: output.end });
  expect((await anna.request('line.status', {})).reader).toEqual({
    name: 'anne',
    offset: output.end,
    unread: 0,
  });
  expect((await anna.request('floor.status', {})).holder).toMatchObject({ reader: 'anne', isYou: true });
  expect(await nameOfError(rig.client.request('line.send', { input: 'x', floor: 'fail' }))).toBe(
    'floor_held',
  );
});

test('clients are listed by their own words, with what they hold', async () => {
  await using line = await startFakeline();
  await using rig = await LineRig.start({ port: line.port });
  await using anna = await rig.sandbox.connect({ reader: 'anna' });
  await anna.request('line.watch', {});
  await anna.request('floor.request', {});
  const { clients } = await rig.client.request('daemon.clients', {});
  expect(clients.map(({ since: _since, ...rest }) => rest)).toEqual([
    { client: 'test', version: '0', access: 'full', watches: 0, holdsFloor: false, isYou: true },
    {
      client: 'test',
      version: '0',
      reader: 'anna',
      access: 'full',
      watches: 1,
      holdsFloor: true,
      isYou: false,
    },
  ]);
});
