import { METHODS } from '@pidp10/protocol/methods';
import { describe, expect, test } from 'vitest';
import { createDispatch, type Handlers } from '../../src/rpc/dispatch.ts';
import { StubLine } from './stubLine.ts';

function two() {
  const line = new StubLine();
  return { line, a: line.connect('a'), b: line.connect('b') };
}

describe('floor.request', () => {
  test('a free floor is granted, with a token', async () => {
    const { line, a, b } = two();
    expect(await line.call('floor.request', { leaseMs: 5_000 }, a)).toEqual({
      token: 1,
      floor: {
        state: 'held',
        waiting: 0,
        holder: {
          client: 'A',
          reader: 'a',
          isYou: true,
          kind: 'asked',
          since: expect.stringMatching(/Z$/),
          expiresInMs: 5_000,
        },
      },
    });
    expect(await line.call('floor.status', {}, b)).toMatchObject({ holder: { isYou: false } });
  });

  test('a held one is refused at once by default, with who has it and what he typed; the request stands there', async () => {
    const { line, a, b } = two();
    await line.call('floor.request', {}, a);
    await line.type(a, ':vk\r');
    line.pass(3_000);
    await expect(line.call('floor.request', { message: 'please' }, b)).rejects.toMatchObject({
      message: expect.stringMatching(
        /^A \(a\) has had the floor for 3 s and typed ":vk" last\. Nothing was sent\./,
      ),
      data: { name: 'floor_held', holder: { client: 'A', reader: 'a', lastInput: ':vk', isYou: false } },
    });
    expect((await line.call('floor.status', {}, a)).requests).toEqual([
      { from: { client: 'B', reader: 'b' }, text: 'please', at: expect.any(String) },
    ]);
  });

  test('waiting for it: granted when it is given back, refused when the time is over, dropped when the call is', async () => {
    const { line, a, b } = two();
    await line.call('floor.request', {}, a);
    const granted = line.call('floor.request', { waitMs: 10_000 }, b);
    expect((await line.call('floor.status', {}, a)).waiting).toBe(1);
    await line.call('floor.release', { token: 1 }, a);
    expect((await granted).token).toBe(2);
    const late = line.refusal('floor.request', { waitMs: 1_000 }, a);
    line.pass(1_000);
    expect(await late).toBe('floor_held');
    const given = new AbortController();
    const cancelled = line.call('floor.request', { waitMs: 1_000 }, a, given.signal);
    given.abort();
    await expect(cancelled).rejects.toMatchObject({ data: { name: 'call_cancelled' } });
    expect((await line.call('floor.status', {}, a)).waiting).toBe(0);
  });

  test('C04 · the refusal does not tell a secret', async () => {
    const { line, a, b } = two();
    await line.call('floor.request', {}, a);
    line.hear('\r\nPassword: ');
    await line.type(a, 'hunter2\r');
    const error: unknown = await line.call('floor.request', {}, b).catch((reason: unknown) => reason);
    expect(String(error)).toContain('has had the floor');
    expect(JSON.stringify(error) + String(error)).not.toContain('hunter');
    expect((await line.call('floor.status', {}, b)).holder).not.toHaveProperty('lastInput');
  });

  test('what somebody else typed last is not told as the holder’s', async () => {
    const { line, a, b } = two();
    await line.type(a, ':vk\r');
    line.pass(10_000);
    await line.call('floor.request', {}, b);
    expect((await line.call('floor.status', {}, a)).holder).not.toHaveProperty('lastInput');
  });
});

describe('floor.release', () => {
  test('only by its holder, and with the token that it has', async () => {
    const { line, a, b } = two();
    expect(await line.refusal('floor.release', {}, a)).toBe('floor_not_yours');
    await line.call('floor.request', {}, a);
    expect(await line.refusal('floor.release', {}, b)).toBe('floor_not_yours');
    expect(await line.refusal('floor.release', { token: 7 }, a)).toBe('floor_lost');
    expect(await line.call('floor.release', { token: 1 }, a)).toEqual({ state: 'free', waiting: 0 });
  });
});

test('a new connection of the same reader has what the old one asked for', async () => {
  const { line, a, b } = two();
  await line.call('floor.request', {}, a);
  line.disconnect(a);
  expect(await line.refusal('floor.request', {}, b)).toBe('floor_held');
  const again = line.connect('a');
  expect((await line.call('floor.status', {}, again)).holder?.isYou).toBe(true);
  expect(await line.call('floor.release', { token: 1 }, again)).toMatchObject({ state: 'free' });
});

test('a second client of the same name is another one', async () => {
  const { line, a } = two();
  await line.call('floor.request', {}, a);
  const second = line.connect('a');
  expect(second.reader).toBe('a#2');
  expect(await line.refusal('floor.request', {}, second)).toBe('floor_held');
});

test('a spy is refused on every method that types, and on no other', async () => {
  const line = new StubLine();
  const spy = line.connect('spy', { access: 'read' });
  const called: string[] = [];
  const handlers = Object.fromEntries(
    Object.keys(METHODS).map((name) => [name, () => void called.push(name)]),
  ) as unknown as Handlers;
  const dispatch = createDispatch(handlers, spy);
  const context = {
    id: 1,
    signal: new AbortController().signal,
    sendProgress: () => {},
    afterSend: () => {},
  };
  const refused: string[] = [];
  for (const name of Object.keys(METHODS)) {
    await dispatch(name, {}, context).catch((error: { data?: { name?: string } }) => {
      if (error.data?.name === 'read_only') refused.push(name);
    });
  }
  expect(refused).toEqual([
    'daemon.upgrade',
    'line.open',
    'line.send',
    'line.close',
    'line.putFile',
    'line.getFile',
    'line.unstick',
    'floor.request',
    'floor.release',
    'session.start',
    'session.send',
    'session.signal',
    'session.resize',
    'session.stop',
    'session.delete',
    'secret.request',
    'secret.wait',
    'secret.give',
    'secret.cancel',
  ]);
  expect(called).toEqual(expect.arrayContaining(['line.read', 'line.watch', 'line.history', 'floor.status']));
});
