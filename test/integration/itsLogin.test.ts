/** Opening a real line and logging in on it: what it may hold, and what is never done unasked. */
import { startFakeline } from '@pidp10/fakeline';
import { describe, expect, test } from 'vitest';
import { startLoggedIn, typedSince } from '../support/itsRig.ts';
import { LineRig } from '../support/lineRig.ts';

describe('open with a login', () => {
  test('T10 · on a free line it logs in and tells terminal type and who else is on', async () => {
    await using line = await startFakeline();
    await using rig = await LineRig.start({ port: line.port });
    const opened = await rig.open({ login: 'RMS' });
    expect(opened).toMatchObject({
      reason: 'prompt',
      login: {
        state: 'logged_in',
        terminal: 'VT52',
        others: "You're all alone, Fair share = 99%",
        banner: expect.stringMatching(/^KA ITS\.1652\. DDT\.1549\.[^]*Happy hacking!$/),
      },
      activity: { kind: 'ddt' },
      echo: 'on',
    });
    expect(opened.hint).toBeUndefined();
    expect(line.receivedBytes().toString('latin1')).toBe('\x1a:login rms\r:tctyp\r');
  });

  test('T10 · with a terminal type it sets that, and it is what the line has then', async () => {
    await using line = await startFakeline({ terminalType: 'la36' });
    await using rig = await LineRig.start({ port: line.port });
    const opened = await rig.open({ login: 'rms', terminal: 'vt52' });
    expect(opened.login).toMatchObject({ state: 'logged_in', terminal: 'VT52' });
    expect((await rig.send(':tctyp', { echo: 'strip' })).output.text).toBe('VT52\n:KILL\n*');
  });

  test('T10 · with only a terminal type nobody is logged in', async () => {
    await using line = await startFakeline();
    await using rig = await LineRig.start({ port: line.port });
    const opened = await rig.open({ terminal: 'aaa' });
    expect(opened.login).toMatchObject({ terminal: 'AAA' });
    expect(line.receivedBytes().toString('latin1')).not.toContain(':login');
  });

  test('where somebody is logged in already it says so, and starts no second DDT', async () => {
    await using line = await startFakeline();
    await using rig = await startLoggedIn(line);
    await rig.client.request('line.close', {});
    const opened = await rig.open({ login: 'rms' });
    expect(opened).toMatchObject({
      login: { state: 'was_logged_in', terminal: 'VT52' },
      activity: { kind: 'ddt' },
    });
    expect(opened.login?.banner).toBeUndefined();
    expect((await rig.send(':vk')).reason).toBe('prompt');
  });

  test('inside a program it stops, says so, and types nothing into it', async () => {
    await using line = await startFakeline();
    await using rig = await startLoggedIn(line);
    await rig.send(':create rms;half done', { expect: 'end input' });
    await rig.client.request('line.close', {});
    const before = line.receivedBytes().length;
    const opened = await rig.open({ login: 'rms' });
    expect(opened.login).toEqual({ state: 'stopped' });
    expect(opened.hint).toMatch(/stopped.*nothing more was typed/);
    expect(opened.output.text).toMatch(/\^Z[^]*\.IOT/);
    expect(typedSince(line, before)).toBe('\x1a');
  });

  test('a detached tree is a question for the user: it stops there', async () => {
    await using line = await startFakeline();
    await using rig = await startLoggedIn(line);
    await rig.send(':detach');
    const before = line.receivedBytes().length;
    const opened = await rig.open({ login: 'rms', terminal: 'vt52' });
    expect(opened).toMatchObject({
      login: { state: 'stopped', banner: expect.stringContaining('Happy hacking!') },
      activity: { kind: 'question', text: '--Attach Your Detached Tree--', yes: 'Space', no: 'Rubout' },
      hint: expect.stringContaining('stopped'),
    });
    expect(typedSince(line, before)).toBe('\x1a:login rms\r');
    expect(await rig.send(' ~-')).toMatchObject({ reason: 'prompt', activity: { kind: 'ddt' } });
  });

  test('on a guest that is not booted it ends, and sends ^Z once', async () => {
    await using line = await startFakeline();
    line.faults.set('silence');
    await using rig = await LineRig.start({ port: line.port });
    const opened = await rig.open({ login: 'rms' });
    expect(opened.login).toEqual({ state: 'stopped' });
    expect(line.receivedBytes().toString('latin1')).toBe('\x1a');
  });

  test('a message while logging in does not stop it', async () => {
    await using line = await startFakeline({ messagesEveryMs: 250, seed: 2 });
    await using rig = await LineRig.start({ port: line.port });
    const opened = await rig.open({ login: 'rms' });
    expect(opened.login).toMatchObject({ state: 'logged_in', terminal: 'VT52' });
    expect(opened.notices?.length).toBeGreaterThan(0);
    expect(opened.output.text).not.toContain('[Message from');
  });
});

describe('a connection again', () => {
  test('L18 · lands in the old job: no ^Z by itself, activity unknown, and status says what the line may hold', async () => {
    await using line = await startFakeline();
    await using rig = await startLoggedIn(line);
    await rig.send(':emacs');
    await rig.client.request('line.close', {});
    const before = line.receivedBytes().length;
    const opened = await rig.open();
    expect(opened).toMatchObject({
      lineState: { state: 'open' },
      activity: { kind: 'unknown', why: expect.stringContaining('earlier user') },
      echo: 'unknown',
    });
    const status = await rig.client.request('line.status', {});
    expect(status).toMatchObject({
      activity: { kind: 'unknown' },
      advice: expect.stringContaining('earlier session'),
    });
    expect(typedSince(line, before)).toBe('');
    // It is still EMACS that has the line.
    const outcome = await rig.send('~x18~c~-');
    expect(outcome.output.text).toMatch(/\*$/);
    expect(line.connectionCount).toBe(2);
  });

  test('L18 · what the old job had still to say belongs to the greeting, not to the first send', async () => {
    await using line = await startFakeline();
    line.faults.set('stale-greeting', '\x1bKlast words of an old listing\r\n\x1bK*');
    await using rig = await LineRig.start({ port: line.port });
    const opened = await rig.open({ login: 'rms' });
    expect(opened.login?.state).toBe('logged_in');
    expect(opened.output.text).toContain('last words of an old listing');
  });
});
