/** Long waits: what the client hears meanwhile, and giving up. */
import { type Fakeline, startFakeline } from '@pidp10/fakeline';
import { describe, expect, it } from 'vitest';
import { connectClient, ERAS, RawBridge } from '../support/bridgeClient.ts';
import { Sandbox } from '../support/sandbox.ts';

/** The limits of the real thing are 45 s and 5 s. */
const FAST = { PIDP10_MCP_RETURN_AFTER_MS: '1000', PIDP10_MCP_PROGRESS_EVERY_MS: '100' };

const FOR_EVER = { input: 'x', expect: 'THE END', timeout_ms: 300_000, quiet_ms: 300_000 };

function lineArgs(line: Fakeline): string[] {
  return ['--host', '127.0.0.1', '--port', String(line.port)];
}

describe('M09 · clients that give up after a minute', () => {
  it('M09 · without a progress token a long call returns in time with still_waiting; the input is out, and read goes on', async () => {
    await using line = await startFakeline();
    await using sandbox = await Sandbox.create();
    await sandbox.daemon();
    const bridge = await RawBridge.start(sandbox, { args: lineArgs(line), env: FAST });
    await bridge.call('open');
    const first = await bridge.call('send', FOR_EVER);
    expect(first.trailer).toMatch(/^\[still_waiting: call read again to go on · .*offsets \d+-\d+/);
    expect(line.receivedBytes().toString('latin1')).toBe('x\r');
    line.send('THE END\r\n');
    const second = await bridge.call('read', { expect: 'THE END', timeout_ms: 300_000 });
    expect(second.reason).toBe('matched');
    expect(second.facts?.start).toBe(first.facts?.end);
    expect(bridge.frames.filter(({ method }) => method === 'notifications/progress')).toEqual([]);
  });

  it('M09 · with a token progress comes in time and rises, and none follows the result', async () => {
    await using line = await startFakeline();
    await using sandbox = await Sandbox.create();
    await sandbox.daemon();
    const bridge = await RawBridge.start(sandbox, { args: lineArgs(line), env: FAST });
    await bridge.call('open');
    const id = bridge.beginCall('send', FOR_EVER, 'token');
    const progress = () => bridge.frames.filter(({ method }) => method === 'notifications/progress');
    // Well past the time at which a call without a token returns.
    await bridge.program.until('progress', () => progress().length >= 15);
    expect(bridge.find(id)).toBeUndefined();
    line.send('THE END\r\n');
    expect((await bridge.toolAnswer(id)).reason).toBe('matched');
    // Another call takes longer than several signs of progress would.
    await bridge.call('read', { timeout_ms: 500 });
    const frames = bridge.frames;
    const result = frames.findIndex((frame) => frame.id === id);
    expect(frames.findLastIndex(({ method }) => method === 'notifications/progress')).toBeLessThan(result);
    const values = progress().map(({ params }) => Number(params?.['progress']));
    expect(values.every((value, index) => index === 0 || value > (values[index - 1] ?? 0))).toBe(true);
    expect(progress().every(({ params }) => params?.['progressToken'] === 'token')).toBe(true);
    expect(progress().at(-1)?.params?.['message']).toMatch(/^waiting for \d+ s, \d+ bytes of output so far/);
  });

  it.each(ERAS)('M09 · the SDK client of %s hears the progress', async (era) => {
    await using line = await startFakeline();
    await using sandbox = await Sandbox.create();
    await sandbox.daemon();
    await using agent = await connectClient(era, sandbox, { args: lineArgs(line), env: FAST });
    await agent.call('open');
    const heard: number[] = [];
    const onProgress = (progress: number) => {
      heard.push(progress);
      if (heard.length === 5) line.send('THE END\r\n');
    };
    const answer = await agent.call('send', FOR_EVER, { onProgress });
    expect(answer.reason).toBe('matched');
    expect(heard.length).toBeGreaterThanOrEqual(5);
    expect(heard).toEqual([...new Set(heard)].sort((a, b) => a - b));
  });

  it('open waits no longer than the client does, and opening again joins the attempt', async () => {
    await using line = await startFakeline({ pollMs: 1_500 });
    await using sandbox = await Sandbox.create();
    await sandbox.daemon();
    const bridge = await RawBridge.start(sandbox, { args: lineArgs(line), env: FAST });
    const first = await bridge.call('open', { timeout_ms: 60_000 });
    expect(first.text).toMatch(/^no_greeting: .*Open again to wait on/);
    expect((await bridge.call('open', { timeout_ms: 60_000 })).output).toContain('Connected to');
    expect(line.connectionCount).toBe(1);
  });
});

describe('M10 · cancelling', () => {
  it('M10 · frees the waiter at once; unknown, finished and repeated ids do no harm and get no answer', async () => {
    await using line = await startFakeline();
    await using sandbox = await Sandbox.create();
    await sandbox.daemon();
    const bridge = await RawBridge.start(sandbox, { args: lineArgs(line) });
    await bridge.call('open');
    const waiting = bridge.beginCall('send', FOR_EVER);
    await line.waitFor(() => line.receivedBytes().includes('x'), { what: 'the input' });
    bridge.cancel(waiting);
    // One call of a reader at a time: this one would wait for five minutes behind the other.
    expect((await bridge.call('read', { timeout_ms: 50 })).isError).toBe(false);
    bridge.cancel(waiting);
    bridge.cancel('never was');
    bridge.cancel(1);
    bridge.writeFrame({ method: 'notifications/cancelled', params: {} });
    bridge.writeFrame({ method: 'notifications/cancelled' });
    // The same id twice: both are answered, or the cancelled ones are not.
    for (let i = 0; i < 2; i += 1) {
      bridge.writeFrame({ id: 'twice', method: 'tools/call', params: { name: 'send', arguments: FOR_EVER } });
    }
    bridge.cancel('twice');
    bridge.cancel('twice');
    expect((await bridge.request('ping')).result).toEqual({});
    expect((await bridge.call('peek')).isError).toBe(false);
    expect(bridge.find(waiting)).toBeUndefined();
    expect(bridge.frames.filter(({ id }) => id === null || id === 'never was')).toEqual([]);
    expect(bridge.program.hasExited).toBe(false);
  });

  it.each(ERAS)(
    'M10 · an SDK client of %s that aborts a call goes on with the next, and loses no output',
    async (era) => {
      await using line = await startFakeline();
      await using sandbox = await Sandbox.create();
      await sandbox.daemon();
      await using agent = await connectClient(era, sandbox, { args: lineArgs(line) });
      await agent.call('open');
      line.send('EARLIER OUTPUT\r\n');
      const giveUp = new AbortController();
      const call = agent.call('send', FOR_EVER, { signal: giveUp.signal }).catch((error: unknown) => error);
      await line.waitFor(() => line.receivedBytes().includes('x'), { what: 'the input' });
      giveUp.abort();
      expect(await call).toBeInstanceOf(Error);
      line.send('LATER OUTPUT\r\n');
      const next = await agent.call('read', { expect: 'LATER OUTPUT' });
      expect(next.text).toContain('EARLIER OUTPUT');
      expect(next.text).toContain('LATER OUTPUT');
    },
  );

  it('M10 · a cancelled call that waits its turn behind another is never sent', async () => {
    await using line = await startFakeline();
    await using sandbox = await Sandbox.create();
    await sandbox.daemon();
    const bridge = await RawBridge.start(sandbox, { args: lineArgs(line) });
    await bridge.call('open');
    const first = bridge.beginCall('send', FOR_EVER);
    await line.waitFor(() => line.receivedBytes().includes('x'), { what: 'the input' });
    const second = bridge.beginCall('send', { input: 'NEVER SENT' });
    bridge.cancel(second);
    expect((await bridge.call('status')).isError).toBe(false);
    line.send('THE END\r\n');
    expect((await bridge.toolAnswer(first)).reason).toBe('matched');
    await bridge.call('read', { timeout_ms: 100 });
    expect(line.receivedBytes().includes('NEVER SENT')).toBe(false);
    expect(bridge.find(second)).toBeUndefined();
  });
});
