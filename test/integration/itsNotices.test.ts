/** What nobody on the line asked for: messages and notices of the system stand beside the answers, never in them. */
import { startFakeline, startScripted } from '@pidp10/fakeline';
import { describe, expect, test } from 'vitest';
import { startLoggedIn } from '../support/itsRig.ts';
import { LineRig } from '../support/lineRig.ts';

const MESSAGE =
  '\r\n\x1bK\x07\x07\x07\x07\x07[Message from FOO at KA  8:37pm]\r\n\x1bKhello * there\r\n\x1bK';

describe('messages', () => {
  test('I07 · between echo and answer: expect ends on the real prompt, and the message is given beside it', async () => {
    await using far = await startScripted({
      onConnect: async (connection) => {
        await connection.waitForBytes(':time\r');
        connection.write(`:time\r\n\x1bK`);
        connection.write(MESSAGE);
        connection.write('The time is 8:37.\r\n\x1bK:KILL \r\n\x1bK*');
      },
    });
    await using rig = await LineRig.start({ port: far.port, args: ['--telnet', 'off'] });
    await rig.open();
    const outcome = await rig.send(':time', { expect: '^\\*$' });
    expect(outcome).toMatchObject({ reason: 'matched', bells: 0 });
    expect(outcome.output.text).toBe(':time\nThe time is 8:37.\n:KILL\n*');
    expect(outcome.notices).toEqual([
      { offset: expect.any(Number), text: '[Message from FOO at KA  8:37pm]\nhello * there' },
    ]);
  });

  test('I07 · inside the prompt line: the prompt is still the end, for a send without expect too', async () => {
    await using far = await startScripted({
      onConnect: async (connection) => {
        await connection.waitForBytes(':vk\r');
        connection.write(`:vk\r\n\x1bK\x1bK*`);
        connection.write(MESSAGE);
      },
    });
    await using rig = await LineRig.start({ port: far.port, args: ['--telnet', 'off'] });
    await rig.open();
    const outcome = await rig.send(':vk');
    expect(outcome).toMatchObject({
      reason: 'prompt',
      output: { text: ':vk\n*' },
      activity: { kind: 'ddt' },
      notices: [{ text: expect.stringContaining('hello * there') }],
    });
  });

  test('I07 · in the middle of an output that goes on, nothing of the output is taken for the message', async () => {
    await using far = await startScripted({
      onConnect: async (connection) => {
        await connection.waitForBytes(':p\r');
        connection.write(`:p\r\n\x1bKone\r\n\x1bKtw${MESSAGE}o\r\n\x1bKthree\r\n\x1bKfour\r\n\x1bK\x1bK*`);
      },
    });
    await using rig = await LineRig.start({ port: far.port, args: ['--telnet', 'off'] });
    await rig.open();
    const outcome = await rig.send(':p');
    expect(outcome.reason).toBe('prompt');
    expect(outcome.output.text).toBe(':p\none\ntwo\nthree\nfour\n*');
    expect(outcome.notices).toHaveLength(1);
  });

  test('I07 · quiet is not fooled: a message does not count as the output that is waited for', async () => {
    await using line = await startFakeline({
      midasMs: 1_200,
      files: [{ directory: 'RMS', name1: 'FOO', name2: '1', text: 'title foo\n\tend\n' }],
    });
    await using rig = await startLoggedIn(line);
    const sending = rig.send(':midas rms;foo 1', { until: 'prompt' });
    await line.waitFor(() => line.receivedBytes().includes('foo 1\r'), { what: 'the command' });
    line.message('BAR', 'are you there?');
    const outcome = await sending;
    expect(outcome).toMatchObject({
      reason: 'prompt',
      notices: [{ text: expect.stringMatching(/^\[Message from BAR .*\]\nare you there\?$/) }],
    });
    expect(outcome.output.text).toMatch(/Run time[^]*:KILL\n\*$/);
  });

  test('I07 · at an idle prompt it is unread output of its own kind, and DDT is still ready', async () => {
    await using line = await startFakeline();
    await using rig = await startLoggedIn(line);
    line.message('FOO', 'at the prompt');
    const read = await rig.client.request('line.read', { timeoutMs: 500 });
    expect(read).toMatchObject({
      output: { text: '' },
      notices: [{ text: expect.stringContaining('at the prompt') }],
      activity: { kind: 'ddt' },
    });
    expect(await rig.send(':vk')).toMatchObject({ reason: 'prompt', output: { text: ':vk\n*' } });
  });
});

describe('notices of the system', () => {
  test('I16 · GOING DOWN stands in status and in every result until ITS is revived; the line stays', async () => {
    await using line = await startFakeline();
    await using rig = await startLoggedIn(line);
    line.notice('going_down', 5);
    const outcome = await rig.send(':vk');
    expect(outcome).toMatchObject({
      reason: 'prompt',
      goingDown: expect.stringContaining('GOING DOWN IN 5:00'),
      notices: [{ text: expect.stringContaining('GOING DOWN IN 5:00') }],
    });
    const status = await rig.client.request('line.status', {});
    expect(status).toMatchObject({ goingDown: outcome.goingDown, lineState: { state: 'open' } });
    line.notice('revived');
    const revived = await rig.send(':vk');
    expect(revived.notices?.[0]?.text).toContain('REVIVED');
    expect(revived.goingDown).toBeUndefined();
    expect((await rig.client.request('line.status', {})).goingDown).toBeUndefined();
  });

  test.each(['down', 'clock'] as const)(
    'I16 · the notice %s ends nothing: the line stays and DDT is ready',
    async (name) => {
      await using line = await startFakeline();
      await using rig = await startLoggedIn(line);
      line.notice(name);
      expect(await rig.send(':vk')).toMatchObject({
        reason: 'prompt',
        lineState: { state: 'open' },
        activity: { kind: 'ddt' },
      });
    },
  );

  test('I16 · the first one after a boot is greeted by IN OPERATION, as a notice', async () => {
    await using line = await startFakeline({ bootMessage: true });
    await using rig = await LineRig.start({ port: line.port });
    const opened = await rig.open({ login: 'rms' });
    expect(opened).toMatchObject({ login: { state: 'logged_in' }, lineState: { state: 'open' } });
    expect(opened.goingDown).toBeUndefined();
  });
});
