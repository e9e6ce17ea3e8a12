import { describe, expect, test } from 'vitest';
import { RpcLine } from './rpcLine.ts';

describe('opening with a login', () => {
  test('T10 · a free line: banner, login, terminal type, who else is there', async () => {
    await using line = await RpcLine.start();
    const outcome = await line.call('line.open', { login: 'rms' });
    expect(outcome.login).toMatchObject({
      state: 'logged_in',
      others: expect.stringContaining('all alone'),
      terminal: 'VT52',
    });
    expect(outcome.login?.banner).toContain('KA ITS.1652. DDT.1549.');
    expect(outcome.activity.kind).toBe('ddt');
    expect(outcome.output.text).toMatch(/^\n*Connected to the KA-10/);
    expect(outcome.output.text).toContain(':login rms');
    expect(line.received).toBe('\x1a:login rms\r:tctyp\r');
  });

  test('a terminal type is set, and told as it is then', async () => {
    await using line = await RpcLine.start();
    const outcome = await line.call('line.open', { login: 'rms', terminal: 'la36' });
    expect(outcome.login).toMatchObject({ state: 'logged_in', terminal: 'LA36' });
  });

  test('a terminal type that ITS does not know: the types it knows, and nothing is done, not even the connection', async () => {
    await using line = await RpcLine.start();
    await expect(line.call('line.open', { login: 'rms', terminal: 'BADTYPE' })).rejects.toThrow(
      /no such terminal type; nothing was done. It knows AAA, .*VT52, Z19, 340D/,
    );
    expect([line.received, line.fake.connectionCount]).toEqual(['', 0]);
    expect((await line.call('line.open', { login: 'rms', terminal: 'Vt52' })).login).toMatchObject({
      terminal: 'VT52',
    });
  });

  test('somebody is logged in already: DDT says ??, and no name is typed over his', async () => {
    await using line = await RpcLine.loggedIn();
    await line.call('line.close');
    const outcome = await line.call('line.open', { login: 'rms' });
    expect(outcome.login).toMatchObject({ state: 'was_logged_in', terminal: 'VT52' });
    expect(outcome.login).not.toHaveProperty('banner');
    expect(outcome.hint).toMatch(/^RMS was logged in .* you go on in that session/);
  });

  test('somebody else is logged in: who, whose session it is, and what to do', async () => {
    await using line = await RpcLine.loggedIn();
    const outcome = await line.call('line.open', { login: 'foo' });
    expect([outcome.reason, outcome.login?.state]).toEqual(['prompt', 'was_logged_in']);
    expect(outcome.hint).toMatch(
      /^RMS is logged in on this line, so FOO was not: .* as RMS\. .*":logout" .* login FOO\.$/,
    );
  });

  test('DDT ran already, and no name was given: look before you type', async () => {
    await using line = await RpcLine.loggedIn();
    const outcome = await line.call('line.open', { terminal: 'vt52' });
    expect(outcome.login).toMatchObject({ state: 'was_logged_in' });
    expect(outcome.hint).toMatch(/^DDT was running on this line already, perhaps with somebody logged in/);
  });

  test('L18 · in the middle of a program it stops there, and types nothing more', async () => {
    await using line = await RpcLine.loggedIn();
    await line.call('line.send', { input: ':create rms;x text', quietMs: 1_000 });
    await line.call('line.close');
    const before = line.received.length;
    const outcome = await line.call('line.open', { login: 'rms' });
    expect(outcome.login?.state).toBe('stopped');
    expect(line.received.slice(before)).toBe('\x1a');
  });

  test.each([
    ['text entry', ':create rms;x text', 'program'],
    ['a program that paints', ':emacs', 'screen_program'],
    ['a pager', ':print info;pages text', 'pager'],
  ])(
    'L18 · %s has the line, which is open: it is not stopped, and nothing is typed',
    async (_what, input, kind) => {
      await using line = await RpcLine.loggedIn();
      await line.call('line.send', { input, quietMs: 1_000, autoMore: false });
      const { received } = line;
      const outcome = await line.call('line.open', { login: 'rms', terminal: 'vt52' });
      expect([outcome.login, outcome.activity.kind]).toEqual([{ state: 'stopped' }, kind]);
      expect(outcome.hint).toMatch(/something else stands on the line, and nothing more was typed/);
      expect(line.received).toBe(received);
    },
  );

  test('a detached tree: its question is not answered', async () => {
    await using line = await RpcLine.loggedIn();
    await line.call('line.send', { input: ':detach' });
    await line.call('line.close');
    const outcome = await line.call('line.open', { login: 'rms' });
    expect(outcome.login?.state).toBe('stopped');
    expect(outcome.activity).toMatchObject({ kind: 'question', text: '--Attach Your Detached Tree--' });
    expect(line.received).toMatch(/:login rms\r$/);
  });

  test('without a name nothing is typed', async () => {
    await using line = await RpcLine.start();
    const outcome = await line.call('line.open');
    expect([outcome.reason, outcome.login, line.received]).toEqual(['prompt', undefined, '']);
  });
});
