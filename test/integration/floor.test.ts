/** Several clients on one line: who types when, and how the floor changes hands. */
import type { DaemonClient } from '@pidp10/protocol/node/daemonClient';
import { describe, expect, test } from 'vitest';
import { proseOf, typedSince } from '../support/itsRig.ts';
import { Clients, FOR_EVER, LONG, refusal, SLOW, send } from './floorRig.ts';

describe('one voice', () => {
  test('D19 · I8 · two clients send 2 KB each: each arrives in one piece', async () => {
    await using clients = await Clients.start();
    const { a, b, line } = clients;
    await clients.creating();
    const before = line.receivedBytes().length;
    const [x, y] = [proseOf(2_000), proseOf(2_000).toUpperCase()].map((text) => text.replaceAll('\n', '\r'));
    const quick = { paste: true, raw: true, quietMs: 50 } as const;
    const sendWhole = async (client: DaemonClient, text = '') => {
      const outcome = await send(client, text, quick);
      await client.request('floor.release', {});
      return outcome;
    };
    const both = await Promise.all([sendWhole(a, x), sendWhole(b, y)]);
    expect(both.map(({ sent }) => sent)).toEqual([x?.length, y?.length]);
    expect([`${x}${y}`, `${y}${x}`]).toContain(typedSince(line, before));
  });

  test('D19 · a send waits while another call is at work; with `fail` it is told who, and nothing is sent', async () => {
    await using clients = await Clients.start();
    const { a, b, line } = clients;
    const given = new AbortController();
    const working = a.request('line.send', { input: ':vk', ...FOR_EVER }, { signal: given.signal });
    await line.waitFor(() => line.receivedBytes().toString('latin1').endsWith(':vk\r'), { what: ':vk' });
    const before = line.receivedBytes().length;
    const error = await refusal(send(b, ':listf', { floor: 'fail' }));
    expect(error.data).toMatchObject({
      name: 'floor_held',
      holder: { client: 'anna', reader: 'anna', isYou: false, kind: 'call', lastInput: ':vk' },
    });
    expect(error.message).toMatch(
      /^anna has had the floor for \d+ s and typed ":vk" last\. Nothing was sent\./,
    );
    expect((await refusal(send(b, ':listf', { floorWaitMs: 50 }))).data['name']).toBe('floor_held');
    const waiting = send(b, ':nosuch');
    await clients.queued();
    expect(line.receivedBytes().length).toBe(before);
    given.abort();
    expect(await working).toMatchObject({ reason: 'cancelled' });
    // The lease behind her call is hers: she gives it back.
    await a.request('floor.release', {});
    expect((await waiting).reason).toBe('prompt');
    expect(typedSince(line, before)).toBe(':nosuch\r');
  });

  test('I8 · the rest of an input whose call is over (`still_waiting`) goes out before anybody else types', async () => {
    await using clients = await Clients.start({ inputCps: 2_000 });
    const { a, b, line } = clients;
    await clients.creating();
    const before = line.receivedBytes().length;
    const begun = await send(a, LONG, { paste: true, returnAfterMs: 300 });
    expect(begun.reason).toBe('still_waiting');
    // Given back or not: what is under way is finished first.
    await a.request('floor.release', {});
    const rest = await send(b, 'Z~-', { quietMs: 50, floorWaitMs: 60_000, paste: true });
    expect(rest.sent).toBe(1);
    const typed = typedSince(line, before);
    expect(typed.length).toBe(LONG.length - 2 + 1);
    expect(typed.endsWith('Z')).toBe(true);
  }, 60_000);
});

describe('taking it', () => {
  test('by force: the send ends `preempted` and tells what went out; what was typed is told when it is given back', async () => {
    await using clients = await Clients.start(SLOW);
    const { a, b, line } = clients;
    const before = line.receivedBytes().length;
    const cut = send(a, LONG, { paste: true });
    await clients.typing(before);
    const { token } = await b.request('floor.request', { force: true });
    const preempted = await cut;
    expect(preempted).toMatchObject({ reason: 'preempted', accepted: LONG.length - 2 });
    expect(preempted.floor?.holder).toMatchObject({ client: 'bob', isYou: false, kind: 'asked' });
    expect(preempted.news).toEqual([expect.stringMatching(/^bob took the floor by force at /)]);
    await send(b, '~d~-', { token, quietMs: 100, timeoutMs: 1_000 });
    const typed = typedSince(line, before);
    expect(typed.slice(0, -1)).toBe(LONG.replaceAll('\n', '\r').slice(0, preempted.sent));
    await b.request('floor.release', { token });
    const { news } = await a.request('line.read', { timeoutMs: 50 });
    expect(news).toEqual([expect.stringMatching(/^bob gave the floor back at .*\. He had typed "~d~-"; /)]);
  });

  test('I12 · in the middle of a file: its call fails, and says that not everything was sent', async () => {
    await using clients = await Clients.start(SLOW);
    const { a, b, line } = clients;
    const before = line.receivedBytes().length;
    const failed = refusal(a.request('line.putFile', { file: 'rms;half text', text: proseOf(3_000) }));
    await line.waitFor(() => line.receivedBytes().length > before + 300, { what: 'the first of the file' });
    await b.request('floor.request', { force: true });
    const { data, message } = await failed;
    expect([data['name'], message]).toEqual([
      'floor_lost',
      expect.stringMatching(/^The floor was taken from this call; nothing more/),
    ]);
    const there = line.receivedBytes().length;
    await a.request('line.read', { timeoutMs: 200 });
    expect(line.receivedBytes().length - there).toBeLessThan(40); // what was on its way
  });

  test('I8 · a stale token types nothing, whatever its holder sends', async () => {
    await using clients = await Clients.start();
    const { a, b, line } = clients;
    const { token } = await a.request('floor.request', {});
    await b.request('floor.request', { force: true });
    const before = line.receivedBytes().length;
    for (const [method, params] of [
      ['line.send', { input: ':vk', token }],
      ['line.putFile', { file: 'rms;a b', text: 'x\n', token }],
      ['line.getFile', { file: 'rms;a b', token }],
      ['line.open', { login: 'rms', token }],
    ] as const) {
      expect((await refusal(a.request(method, params))).data['name']).toBe('floor_lost');
    }
    expect((await refusal(a.request('floor.release', { token }))).data['name']).toBe('floor_not_yours');
    expect(line.receivedBytes().length).toBe(before);
  });

  test('politely: the holder reads why with his next result, once', async () => {
    await using clients = await Clients.start();
    const { a, b } = clients;
    await a.request('floor.request', {});
    const error = await refusal(b.request('floor.request', { message: 'need it for a build' }));
    expect(error.data['name']).toBe('floor_held');
    const told = await send(a, ':nosuch');
    expect(told.news).toEqual(['bob asks for the floor: "need it for a build"']);
    expect(told.floor?.requests?.map(({ text }) => text)).toEqual(['need it for a build']);
    expect((await a.request('line.read', { timeoutMs: 50 })).news).toBeUndefined();
  });

  test('I5 · who gives a call up is told with the next one', async () => {
    await using clients = await Clients.start();
    const { a, b } = clients;
    await a.request('floor.request', {});
    await refusal(b.request('floor.request', { message: 'please' }));
    await a.request('line.say', { text: 'nothing to do with it' });
    const given = new AbortController();
    const read = a.request('line.read', FOR_EVER, { signal: given.signal });
    given.abort();
    const cancelled = await read;
    expect([cancelled.reason, cancelled.news]).toEqual(['cancelled', undefined]);
    expect((await a.request('line.read', { timeoutMs: 50 })).news).toEqual([
      'bob asks for the floor: "please"',
    ]);
  });

  test('line.close is refused while somebody else is at work, and only then', async () => {
    await using clients = await Clients.start();
    const { a, b } = clients;
    await send(a, ':nosuch');
    await b.request('line.close', {}); // only her lease is left
    await clients.rig.open();
    await a.request('floor.request', { waitMs: 10_000 });
    expect((await refusal(b.request('line.close', {}))).data['name']).toBe('floor_held');
    expect((await b.request('line.close', { force: true })).lineState.state).toBe('closed');
  });
});
