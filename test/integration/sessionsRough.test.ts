/** Command sessions in rough hands: the largest that may be said, those that go in the middle of a call, and many at once. */
import { readFileSync } from 'node:fs';
import { MAX_INPUT_CHARS } from '@pidp10/protocol/schemas';
import { expect, test } from 'vitest';
import { eventually } from '../support/processes.ts';
import { nameOf, nameOfError, PATIENCE_MS, SessionRig } from './sessionRig.ts';

test('P04 · I6 · the longest input is taken whole, of the widest characters too', async () => {
  await using rig = await SessionRig.start();
  const session = await rig.run(['wc', '-c']);
  const sent = await rig.client.request('session.send', {
    session,
    input: '语'.repeat(MAX_INPUT_CHARS),
    closeInput: true,
    expect: '\\d+',
    timeoutMs: PATIENCE_MS,
  });
  expect([sent.accepted, sent.output.text.trim()]).toEqual([
    3 * MAX_INPUT_CHARS + 1,
    `${3 * MAX_INPUT_CHARS + 1}`,
  ]);
});

/** A program that has exited, while one that it started holds its output open. */
async function held(rig: SessionRig): Promise<{ session: string; holder: number }> {
  const session = await rig.run(['sh', '-c', 'echo hi; sleep 600 & exit 0']);
  const status = () => rig.client.request('session.status', { session, processes: true });
  await eventually('held output', async () => (await status()).outputState === 'held');
  return { session, holder: (await status()).processes?.[0]?.pid ?? 0 };
}

function isAlive(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

test('calls on a session that is deleted meanwhile end, also those that queue; so does a watch', async () => {
  await using rig = await SessionRig.start();
  const { session, holder } = await held(rig);
  const told: string[] = [];
  await using other = await rig.sandbox.connect({ onNotification: (name) => told.push(name) });
  await other.request('session.watch', { session, from: 0 });
  const patience = { session, timeoutMs: 10 * PATIENCE_MS };
  const calls = [
    ...['a', 'b', 'c'].map((expects) => rig.client.request('session.read', { ...patience, expect: expects })),
    other.request('session.wait', { ...patience, until: 'end' }),
  ];
  const ends = calls.map((call) => call.then(({ reason }) => reason, nameOf));
  await rig.client.request('session.status', { session }); // all of them have begun
  await other.request('session.delete', { session });
  process.kill(holder, 'SIGKILL');
  expect(await Promise.all(ends)).toEqual([
    'still_waiting',
    'session_unknown',
    'session_unknown',
    'session_unknown',
  ]);
  expect(told).toContain('session.watchEnded');
});

test('what holds the output of an exited one is stopped with it, where that is asked for', async () => {
  await using rig = await SessionRig.start();
  const { session, holder } = await held(rig);
  await rig.client.request('session.delete', { session, stop: true });
  expect(isAlive(holder)).toBe(false);
});

test('a send that waits for the floor learns that the program has exited', async () => {
  await using rig = await SessionRig.start();
  const session = await rig.run(['cat']);
  await rig.client.request('floor.request', { session, leaseMs: 10 * PATIENCE_MS });
  await using other = await rig.sandbox.connect();
  const input = { session, input: 'x', floorWaitMs: 10 * PATIENCE_MS };
  const waiting = nameOfError(other.request('session.send', input));
  await eventually('it waits', async () => {
    return (await rig.client.request('floor.status', { session })).waiting === 1;
  });
  await rig.client.request('session.stop', { session, graceMs: 0 });
  expect(await waiting).toBe('session_exited');
  expect(await nameOfError(other.request('session.send', input))).toBe('session_exited');
});
