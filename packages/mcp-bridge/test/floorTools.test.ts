/** The floor, from the tool's arguments to the daemon's and back, with a daemon that answers as it is told. */
import { rpcError } from '@pidp10/protocol/errors';
import { METHODS, type MethodName } from '@pidp10/protocol/methods';
import { describe, expect, it } from 'vitest';
import { outcome } from './support/answers.ts';
import { FREE, HELD, MINE } from './support/floors.ts';
import { ScriptedDaemon } from './support/scriptedDaemon.ts';

/** Calls that type, and how the daemon hears of them. */
const TYPING: readonly (readonly [tool: string, args: Record<string, unknown>, method: MethodName])[] = [
  ['open', { login: 'rms' }, 'line.open'],
  ['send', { input: ':vk' }, 'line.send'],
  ['read', { flush: true }, 'line.read'],
  ['put_file', { file: 'rms;x 1', text: 'x' }, 'line.putFile'],
  ['get_file', { file: 'rms;x 1' }, 'line.getFile'],
];

function withFiles(daemon: ScriptedDaemon): void {
  const file = { file: 'RMS;X 1', lines: 1, chars: 1 };
  daemon.scripts['line.putFile'] = () => ({ ...file, verified: true });
  daemon.scripts['line.getFile'] = () => ({ ...file, text: 'x' });
}

describe('take, type, release', () => {
  it('I8 · the token of the floor that was taken goes with all that types, until it is released', async () => {
    await using daemon = await ScriptedDaemon.start();
    withFiles(daemon);
    daemon.scripts['floor.request'] = () => ({ token: 7, floor: MINE });
    daemon.scripts['floor.release'] = () => FREE;
    for (const [tool, args, method] of TYPING) {
      await daemon.call(tool, args);
      expect(daemon.last(method)).not.toHaveProperty('token');
    }
    const taken = await daemon.call('floor', { action: 'take', message: 'an editor', lease_ms: 90_000 });
    expect(daemon.last('floor.request')).toEqual({
      force: false,
      leaseMs: 90_000,
      waitMs: 30_000,
      message: 'an editor',
    });
    expect(taken.text).toMatch(
      /^You have had the floor since 2026-01-01T00:00:00\.000Z: taken by you for longer/,
    );
    expect(taken.text).toContain('type nothing for 90 s');
    for (const [tool, args, method] of TYPING) {
      await daemon.call(tool, args);
      expect(daemon.last(method)).toMatchObject({ token: 7 });
    }
    // What types nothing needs none.
    await daemon.call('read');
    expect(daemon.last('line.read')).not.toHaveProperty('token');
    expect((await daemon.call('floor', { action: 'release' })).text).toMatch(
      /^You gave the floor back\. The floor is free/,
    );
    expect(daemon.last('floor.release')).toEqual({ token: 7 });
    await daemon.call('send', { input: ':vk' });
    expect(daemon.last('line.send')).not.toHaveProperty('token');
  });

  it('I8 · a lost floor types nothing, names who took it, and is forgotten', async () => {
    await using daemon = await ScriptedDaemon.start();
    daemon.scripts['floor.request'] = () => ({ token: 7, floor: MINE });
    await daemon.call('floor', { action: 'take' });
    daemon.scripts['line.send'] = ({ token }) => {
      if (token !== undefined) throw rpcError('floor_lost', undefined, { floor: HELD });
      return outcome();
    };
    const lost = await daemon.call('send', { input: ':vk' });
    expect(lost.isError).toBe(true);
    expect(lost.text).toMatch(/^floor_lost: .*"pidp10-mcp \(codex\)" \(reader codex-1\) has had/);
    expect(lost.text).toContain('Nothing was sent.');
    expect((await daemon.call('send', { input: ':vk' })).isError).toBe(false);
    // Nothing is left of it to give back by its token.
    daemon.scripts['floor.release'] = () => {
      throw rpcError('floor_not_yours', undefined, { floor: HELD });
    };
    const release = await daemon.call('floor', { action: 'release' });
    expect(daemon.last('floor.release')).toEqual({});
    expect(release.text).toMatch(/^floor_not_yours: "pidp10-mcp \(codex\)" .*You do not have the floor, so/);
  });

  it('M10 · a floor that comes just as the client gives up is given back', async () => {
    await using daemon = await ScriptedDaemon.start();
    const giveUp = new AbortController();
    daemon.scripts['floor.release'] = () => FREE;
    daemon.scripts['floor.request'] = () => {
      giveUp.abort();
      return { token: 7, floor: MINE };
    };
    const call = daemon.client.callTool(
      { name: 'floor', arguments: { action: 'take' } },
      { signal: giveUp.signal },
    );
    await expect(call).rejects.toThrow(/abort/i);
    await expect.poll(() => daemon.last('floor.release')).toEqual({ token: 7 });
    await daemon.call('send', { input: 'x' });
    expect(daemon.last('line.send')).not.toHaveProperty('token');
  });

  it('an error of another kind leaves the token alone', async () => {
    await using daemon = await ScriptedDaemon.start();
    daemon.scripts['floor.request'] = () => ({ token: 7, floor: MINE });
    await daemon.call('floor', { action: 'take' });
    daemon.scripts['line.send'] = () => {
      throw rpcError('line_not_open');
    };
    await daemon.call('send', { input: 'x' });
    await daemon.call('send', { input: 'x' });
    expect(daemon.last('line.send')).toMatchObject({ token: 7 });
  });

  it('force is asked for only when it was said, and a refused take holds nothing', async () => {
    await using daemon = await ScriptedDaemon.start();
    daemon.scripts['floor.request'] = ({ force }) => {
      if (force !== true) throw rpcError('floor_held', undefined, { floor: HELD });
      return { token: 8, floor: MINE };
    };
    const refused = await daemon.call('floor', { action: 'take', message: 'please' });
    expect(refused.isError).toBe(true);
    expect(refused.text).toMatch(
      /^floor_held: .*2 calls wait for it\. You do not have it\. .*call floor\(action="take"\) again/,
    );
    await daemon.call('send', { input: 'x' });
    expect(daemon.last('line.send')).not.toHaveProperty('token');
    expect((await daemon.call('floor', { action: 'take', force: true })).isError).toBe(false);
  });
});

describe('calls that find the floor taken', () => {
  it.each(TYPING)(
    '%s says who has it, what was typed last, how to come to it, and that nothing was sent',
    async (tool, args, method) => {
      await using daemon = await ScriptedDaemon.start();
      daemon.scripts[method] = () => {
        throw rpcError('floor_held', undefined, { floor: HELD });
      };
      const { text, isError } = await daemon.call(tool, { ...args, floor: 'fail' });
      expect(isError).toBe(true);
      expect(daemon.last(method)).toMatchObject({ floor: 'fail', floorWaitMs: 0 });
      expect(text).toBe(
        'floor_held: "pidp10-mcp (codex)" (reader codex-1) has had the floor since 2026-01-01T00:00:00.000Z: a call of it is at work; typed last ":midas rms;ts foo". 2 calls wait for it. Nothing was sent. Repeat the call to wait on; or ask for it with floor(action="take", message="why"); or, only if the person said so, floor(action="take", force=true).',
      );
    },
  );

  it('close is refused while others work, and says what to do', async () => {
    await using daemon = await ScriptedDaemon.start();
    daemon.scripts['line.close'] = () => {
      throw rpcError('floor_held', undefined, { holder: HELD.holder });
    };
    expect((await daemon.call('close')).text).toMatch(
      /^floor_held: "pidp10-mcp \(codex\)" .*The line was not closed/,
    );
  });

  it('of a newer daemon, whose facts cannot be read, it still says what to do', async () => {
    await using daemon = await ScriptedDaemon.start();
    daemon.scripts['line.send'] = () => {
      throw rpcError('floor_held', undefined, { floor: { state: 'shared' }, news: 4 });
    };
    expect((await daemon.call('send', { input: 'x' })).text).toMatch(
      /^floor_held: Another client has the floor\. Nothing was sent\. Repeat the call/,
    );
  });
});

describe('M09 · the queue for the floor and the patience of clients', () => {
  it('M09 · without a progress token it is at most two thirds of the time after which a call returns', async () => {
    await using daemon = await ScriptedDaemon.start();
    const sent = async (args: Record<string, unknown>, onprogress?: () => void) => {
      await daemon.call('send', { input: 'x', ...args }, onprogress);
      return daemon.last('line.send');
    };
    expect(await sent({})).toMatchObject({ floor: 'wait', floorWaitMs: 30_000, returnAfterMs: 45_000 });
    expect(await sent({ floor_wait_ms: 30_001 })).toMatchObject({ floorWaitMs: 30_000 });
    expect(await sent({ floor_wait_ms: 29_999 })).toMatchObject({ floorWaitMs: 29_999 });
    const patient = await sent({ floor_wait_ms: 600_000 }, () => {});
    expect(patient).toMatchObject({ floorWaitMs: 600_000 });
    expect(patient).not.toHaveProperty('returnAfterMs');
  });

  it('M09 · take waits at most so long as a call may, and without a limit for who sees progress', async () => {
    await using daemon = await ScriptedDaemon.start();
    daemon.scripts['floor.request'] = () => ({ token: 7, floor: MINE });
    await daemon.call('floor', { action: 'take', wait_ms: 45_001 });
    expect(daemon.last('floor.request')).toMatchObject({ waitMs: 45_000 });
    await daemon.call('floor', { action: 'take', wait_ms: 45_001 }, () => {});
    expect(daemon.last('floor.request')).toMatchObject({ waitMs: 45_001 });
  });

  it('M09 · open leaves to the queue what its attempt leaves, and reading does not wait for the floor at all', async () => {
    await using daemon = await ScriptedDaemon.start();
    await daemon.call('open', { timeout_ms: 5_000 });
    expect(daemon.last('line.open')).toMatchObject({ timeoutMs: 5_000, floorWaitMs: 30_000 });
    await daemon.call('open', { timeout_ms: 40_000 });
    expect(daemon.last('line.open')).toMatchObject({ timeoutMs: 40_000, floorWaitMs: 5_000 });
    await daemon.call('open', { timeout_ms: 60_000 });
    expect(daemon.last('line.open')).toMatchObject({ timeoutMs: 45_000, floorWaitMs: 0 });
    await daemon.call('read');
    expect(daemon.last('line.read')).toMatchObject({ floorWaitMs: 0 });
  });
});

it('arguments are those of the contract: what the tools send is what the daemon takes', async () => {
  await using daemon = await ScriptedDaemon.start();
  withFiles(daemon);
  daemon.scripts['floor.request'] = () => ({ token: 7, floor: MINE });
  await daemon.call('floor', { action: 'take', lease_ms: 3_600_000, message: 'x'.repeat(500) });
  for (const [tool, args] of TYPING) await daemon.call(tool, args);
  for (const method of ['floor.request', ...TYPING.map(([, , name]) => name)] as const) {
    const sent = daemon.last(method);
    expect(METHODS[method].params.parse(sent)).toMatchObject(sent ?? {});
  }
  expect((await daemon.call('floor', { action: 'take', lease_ms: 3_600_001 })).isError).toBe(true);
  expect((await daemon.call('floor', { action: 'take', lease_ms: 999 })).isError).toBe(true);
});
