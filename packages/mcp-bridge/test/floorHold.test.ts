import { rpcError } from '@pidp10/protocol/errors';
import { expect, it } from 'vitest';
import { FloorHold } from '../src/floorHold.ts';

it('I8 · gives its token to what types, and forgets the one that was refused', async () => {
  const hold = new FloorHold();
  expect(await hold.use(async (held) => held)).toEqual({});
  hold.take(3);
  expect(await hold.use(async (held) => held)).toEqual({ token: 3 });
  await expect(hold.use(() => Promise.reject(rpcError('line_not_open')))).rejects.toThrow('not open');
  expect(hold.token).toBe(3);
  await expect(hold.use(() => Promise.reject(rpcError('floor_lost')))).rejects.toThrow('stale');
  expect(hold.token).toBeUndefined();
});

it('I8 · a late refusal of an old token leaves the new one alone', async () => {
  const hold = new FloorHold();
  hold.take(3);
  const late = hold.use(async () => {
    hold.take(5);
    throw rpcError('floor_lost');
  });
  await expect(late).rejects.toThrow('stale');
  expect(hold.token).toBe(5);
  hold.forget(3);
  expect(hold.token).toBe(5);
  hold.forget();
  expect(hold.token).toBeUndefined();
});
