import { rpcError } from '@pidp10/protocol/errors';
import { METHODS } from '@pidp10/protocol/methods';
import { describe, expect, test } from 'vitest';
import type { Ask } from '../../src/rpc/asking.ts';
import { ownExpectation } from '../../src/rpc/expectation.ts';
import { sendAll } from '../../src/rpc/sending.ts';
import { bytesOf } from '../core/bytes.ts';
import { RpcLine } from './rpcLine.ts';

describe('several commands in one send', () => {
  test('each is answered before the next goes, and each has its own answer', async () => {
    await using line = await RpcLine.loggedIn();
    const outcome = await line.call('line.send', { input: ':vk~r:nosuch~r:vk', echo: 'strip' });
    expect(outcome).toMatchObject({ reason: 'prompt', accepted: 16, sent: 16 });
    if (!('commands' in outcome)) throw new Error('no outcome');
    expect(outcome.commands?.map(({ reason, output }) => [reason, output.text.trim()])).toEqual([
      ['prompt', '*'],
      ['prompt', expect.stringContaining('FILE NOT FOUND')],
      ['prompt', '*'],
    ]);
    expect(outcome.output.text).toBe(outcome.commands?.map(({ output }) => output.text).join(''));
  });

  test('I09 · text behind ^Z goes when DDT has answered it', async () => {
    await using line = await RpcLine.start({ ctrlZMs: 200 });
    await line.call('line.open');
    const outcome = await line.call('line.send', { input: '~z:login rms' });
    if (!('commands' in outcome)) throw new Error('no outcome');
    expect(outcome.commands?.map(({ reason }) => reason)).toEqual(['prompt', 'prompt']);
    expect(outcome.output.text).toContain('KA ITS.1652. DDT.1549.');
    expect(outcome.activity.kind).toBe('ddt');
  });

  test('14d · a pager in the middle is turned and eats nothing of the next command', async () => {
    await using line = await RpcLine.loggedIn();
    const outcome = await line.call('line.send', { input: ':print info;pages text~r:vk', timeoutMs: 20_000 });
    if (!('commands' in outcome)) throw new Error('no outcome');
    expect(outcome.commands?.map(({ reason }) => reason)).toEqual(['prompt', 'prompt']);
    expect(outcome.pages).toBeGreaterThan(0);
    expect(line.received).toMatch(/:vk\r$/);
  });

  test('a pager that is not to be turned stops the rest', async () => {
    await using line = await RpcLine.loggedIn();
    const outcome = await line.call('line.send', {
      input: ':print info;pages text~r:vk~r:vk',
      autoMore: false,
    });
    expect(outcome).toMatchObject({ reason: 'pager', accepted: 31, sent: 23 });
    expect(outcome).toMatchObject({ hint: expect.stringContaining('command 1 of 3') });
    expect(line.received).not.toContain(':vk');
  });

  test('a question stops the rest, and nothing is typed at it', async () => {
    await using line = await RpcLine.loggedIn();
    await line.call('line.send', { input: ':detach' });
    await line.call('line.send', { input: '~z' });
    const outcome = await line.call('line.send', { input: ':login rms~r:vk' });
    expect(outcome).toMatchObject({
      reason: 'question',
      activity: { kind: 'question', yes: 'Space', no: 'Rubout' },
    });
    expect(line.received).toMatch(/:login rms\r$/);
  });

  test('L15 · an urgent key while one is answered stops the rest, which ends `interrupted`', async () => {
    await using line = await RpcLine.loggedIn();
    const series = line.call('line.send', { input: ':sleep 300~r:vk~r:vk', timeoutMs: 20_000 });
    await line.fake.waitFor(() => line.received.endsWith(':sleep 300\r'), { what: 'the first command' });
    await line.call('line.send', { input: '~g~-', timeoutMs: 1_000 }, { session: line.connect('other') });
    expect(await series).toMatchObject({
      reason: 'interrupted',
      accepted: 19,
      sent: 11,
      hint: expect.stringContaining('command 1 of 3'),
    });
    expect(line.received).not.toContain(':vk');
  });

  test('I12 · the floor lost between two of them ends the call `preempted`, and what was sent is told', async () => {
    await using line = await RpcLine.loggedIn();
    let asked = 0;
    const ask: Ask = async (request) => {
      asked += 1;
      if (asked > 1) throw rpcError('floor_lost');
      return await line.driver.wait({ ...request, reader: 'me' }, new AbortController().signal).settled;
    };
    const input = {
      bytes: bytesOf(':vk\r:vk\r'),
      expectation: ownExpectation({ quietMs: 100, timeoutMs: 2_000 }),
      params: METHODS['line.send'].params.parse({ input: '' }),
      isUrgent: false,
    };
    const outcome = await sendAll(line.driver, ask, () => undefined, input);
    expect(outcome).toMatchObject({ reason: 'preempted', accepted: 8, sent: 4 });
    await expect(sendAll(line.driver, ask, () => undefined, input)).rejects.toThrow('floor');
  });

  test('paste and raw go as they are, in one piece', async () => {
    await using line = await RpcLine.loggedIn();
    await line.call('line.send', { input: ':create rms;paste text', quietMs: 1_000 });
    const outcome = await line.call('line.send', { input: 'one~rtwo~rthree', paste: true });
    expect(outcome).toMatchObject({ reason: 'quiet', accepted: 14, echoed: 14 });
    expect(outcome).not.toHaveProperty('commands');
  });
});

test('T7 · 400 characters pasted into EMACS at the line’s speed: all are seen echoed, none is lost', async () => {
  await using line = await RpcLine.loggedIn({ inputCps: 300 });
  await line.call('line.send', { input: ':emacs', quietMs: 700 });
  const text = Array.from(
    { length: 8 },
    (_, n) => `line ${n} of a text that is pasted, * and all of it!`,
  ).join('~r');
  const outcome = await line.call('line.send', {
    input: `${text}~-`,
    paste: true,
    quietMs: 700,
    timeoutMs: 20_000,
  });
  if (!('accepted' in outcome)) throw new Error('no outcome');
  expect(outcome).toMatchObject({
    reason: 'quiet',
    bells: 0,
    activity: { kind: 'screen_program', name: 'emacs' },
  });
  expect([outcome.sent, outcome.echoed]).toEqual([outcome.accepted, outcome.accepted]);
  expect(outcome.output.text).toContain('line 7 of a text');
});

describe('I17 · a line that needs a person’s word', () => {
  test('begun earlier: what stands of it is cancelled, and the error counts it', async () => {
    await using line = await RpcLine.loggedIn();
    await line.call('line.send', { input: ':lo~-' });
    const before = line.received.length;
    const refusal = await line.refusal('line.send', { input: 'ck' });
    expect(refusal).toMatchObject({
      message: expect.stringMatching(
        /Nothing of this input was sent\. The 3 characters of it .* were cancelled\. Ask/,
      ),
      data: { name: 'confirmation_required', line: ':lock', typedChars: 3 },
    });
    expect(line.received.slice(before)).toBe('\x04');
  });

  test('behind a line that stands: that one is nobody’s danger, and stays as it is', async () => {
    await using line = await RpcLine.loggedIn();
    await line.call('line.send', { input: ':v~-' });
    const before = line.received.length;
    const refusal = await line.refusal('line.send', { input: 'k\n:lock' });
    expect(refusal).toMatchObject({
      message: expect.stringMatching(/was sent\. Ask/),
      data: { typedChars: 0 },
    });
    expect(line.received.slice(before)).toBe('');
    expect(await line.call('line.send', { input: 'k' })).toMatchObject({ reason: 'prompt' });
  });
});
