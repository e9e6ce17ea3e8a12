import { readFile, stat } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { RpcLine } from './rpcLine.ts';

describe('line.screen', () => {
  test('T7 · shows the screen, what changed since, and how it was', async () => {
    await using line = await RpcLine.loggedIn();
    const { end } = await line.call('line.status');
    const outcome = await line.call('line.send', { input: ':emacs', quietMs: 500 });
    expect(outcome).toMatchObject({ activity: { kind: 'screen_program', name: 'emacs' } });
    await line.call('line.send', { input: 'Hello~-', quietMs: 500 });
    const now = await line.call('line.screen', {});
    expect(now.rows).toHaveLength(24);
    expect(now.rows[0]).toBe('Hello');
    expect(now.cursor).toEqual({ row: 0, column: 5 });
    expect(now.rows.some((row) => row.startsWith('EMACS  (Fundamental)'))).toBe(true);
    const before = await line.call('line.screen', { at: end });
    expect(before.rows.join('\n')).toContain(':login rms');
    const changed = await line.call('line.screen', { changedSince: now.offset });
    expect([changed.changed, (await line.call('line.screen')).changed.length]).toEqual([[], 24]);
  });

  test('an offset that the ring does not have is refused', async () => {
    await using line = await RpcLine.loggedIn();
    expect(await line.refusal('line.screen', { at: 1e9 })).toMatchObject({
      message: expect.stringContaining('1000000000'),
    });
  });
});

describe('line.send', () => {
  test('T7 · from a program that paints the answer is the rows it changed', async () => {
    await using line = await RpcLine.loggedIn();
    await line.call('line.send', { input: ':emacs', quietMs: 500 });
    const outcome = await line.call('line.send', { input: 'Hello~-', quietMs: 500 });
    if (!('screen' in outcome)) throw new Error('no screen');
    expect(outcome.output.text).toContain('Hello');
    expect(outcome.screen?.rows).toContain(0);
  });

  test('toFile: the whole text goes to a private file, its beginning into the answer', async () => {
    await using line = await RpcLine.loggedIn();
    const outcome = await line.call('line.send', {
      input: ':print info;pages text',
      toFile: 'pages.txt',
      maxPages: 50,
    });
    if (!('file' in outcome) || outcome.file === undefined) throw new Error('no file');
    const text = await readFile(outcome.file, 'utf8');
    expect(text.length).toBeGreaterThan(1_000);
    expect(text.startsWith(outcome.output.text.slice(0, 100))).toBe(true);
    expect(text).not.toContain('--More--');
    expect(outcome.output.text.length).toBeLessThanOrEqual(1_000);
    expect((await stat(outcome.file)).mode & 0o777).toBe(0o600);
  });

  test('I10 · U+001F is refused with its place, and only ~x1F passes', async () => {
    await using line = await RpcLine.loggedIn();
    const before = line.received.length;
    expect(await line.refusal('line.send', { input: 'ab\u001fc' })).toMatchObject({ data: { position: 2 } });
    expect(line.received.length).toBe(before);
    await line.call('line.send', { input: '~x1F~-', timeoutMs: 300 });
    expect(line.received.endsWith('\x1f')).toBe(true);
  });

  test('I15 · BELs while something is typed are told', async () => {
    await using line = await RpcLine.loggedIn();
    const sent = line.call('line.send', { input: ':vk' });
    line.fake.send('\x07\x07\x07');
    expect(await sent).toMatchObject({ bells: 3 });
  });

  test('dryRun says what would go and sends nothing', async () => {
    await using line = await RpcLine.loggedIn();
    const before = line.received.length;
    const { dryRun } = (await line.call('line.send', { input: ':vk~r:vk', dryRun: true })) as {
      dryRun: { warnings: string[]; bytes: number };
    };
    expect([dryRun.bytes, dryRun.warnings, line.received.length]).toEqual([
      8,
      [expect.stringContaining('2 commands')],
      before,
    ]);
  });

  test('I17 · what would bring ITS down is refused, whole, character by character, and by two callers', async () => {
    await using line = await RpcLine.loggedIn();
    const before = line.received.length;
    expect(await line.refusal('line.send', { input: ':lock' })).toMatchObject({ data: { line: ':lock' } });
    expect(line.received.length).toBe(before);
    const other = line.connect('other');
    for (const [key, session] of [
      [':', undefined],
      ['l', other],
      ['o', undefined],
      ['c', other],
      ['k', undefined],
    ] as const)
      await line.call(
        'line.send',
        { input: `${key}~-`, timeoutMs: 200, quietMs: 50 },
        session === undefined ? {} : { session },
      );
    expect(await line.refusal('line.send', { input: '~r~-' })).toMatchObject({ data: { line: ':lock' } });
    expect(line.received.slice(before).endsWith('\r')).toBe(false);
  });
});

describe('line.read', () => {
  test('I01 · flush sends a rubout to DDT’s pager, and nothing where there is none', async () => {
    await using line = await RpcLine.loggedIn();
    await line.call('line.send', { input: ':print info;pages text', autoMore: false });
    const flushed = await line.call('line.read', { flush: true });
    expect(flushed).toMatchObject({ reason: 'prompt' });
    expect(flushed.output.text).toContain('Flushed');
    expect(line.received.endsWith('\x7f')).toBe(true);
    expect(await line.refusal('line.read', { flush: true })).toMatchObject({
      message: expect.stringContaining('does not stand at a pager'),
    });
  });
});

describe('line.status and line.unstick', () => {
  test('L18 · after an open it says that the line may hold an earlier session', async () => {
    await using line = await RpcLine.start();
    await line.call('line.open');
    expect(await line.call('line.status')).toMatchObject({
      activity: { kind: 'unknown' },
      advice: expect.stringContaining('earlier session'),
    });
  });

  test('I16 · what the system said is in it', async () => {
    await using line = await RpcLine.loggedIn();
    line.fake.notice('going_down');
    await line.call('line.read', { timeoutMs: 300 });
    expect((await line.call('line.status')).goingDown).toContain('GOING DOWN');
    line.fake.notice('revived');
    await line.call('line.read', { timeoutMs: 300 });
    expect((await line.call('line.status')).goingDown).toBeUndefined();
  });

  test('13c · unstick sends IAC NOP, and only on an open telnet line', async () => {
    await using line = await RpcLine.start();
    expect(await line.refusal('line.unstick')).toMatchObject({ name: 'RpcError' });
    await line.call('line.open');
    await line.call('line.unstick');
    await line.call('line.send', { input: '~z' });
    expect((await line.call('line.status')).activity.kind).toBe('ddt');
  });
});
