/** Pagers of ITS through the real daemon: which are answered, with what, and what of them stays in the text. */
import { startFakeline } from '@pidp10/fakeline';
import { describe, expect, test } from 'vitest';
import { startLoggedIn, typedSince } from '../support/itsRig.ts';
import { LineRig } from '../support/lineRig.ts';

const LINES = Array.from({ length: 60 }, (_, index) => `line ${index + 1}\tof the file`);
const FILES = [{ directory: 'RMS', name1: 'LONG', name2: 'TEXT', text: `${LINES.join('\n')}\n` }];
/** Prints by ITS's own pager, which acts once the screen was filled from its top. */
const LISTING = Array.from({ length: 70 }, (_, index) => `number ${index + 1}`);
const MIDAS = { midasListings: { 'RMS;BIG': [`first\n${LISTING.join('\n')}\n`] } };

describe('DDT’s --More--', () => {
  test('I01 · T5 · pages are turned by one space each, and every line of the file is there once and whole', async () => {
    await using line = await startFakeline({ files: FILES });
    await using rig = await startLoggedIn(line);
    const before = line.receivedBytes().length;
    const outcome = await rig.send(':print rms;long text', { echo: 'strip' });
    expect(outcome).toMatchObject({ reason: 'prompt', pages: 2, activity: { kind: 'ddt' } });
    expect(outcome.output.text.split('\n').slice(-61)).toEqual([...LINES, '*']);
    expect(typedSince(line, before)).toBe(':print rms;long text\r  ');
    const { output } = await rig.client.request('line.peek', { chars: 20_000 });
    expect(output.text).not.toContain('--More--');
    expect(line.sentBytes().toString('latin1')).toContain('--More--');
  });

  test('I02 · T4 · after an altmode login it has no tail, and is answered all the same', async () => {
    await using line = await startFakeline({ files: FILES });
    await using rig = await LineRig.start({ port: line.port });
    await rig.open();
    await rig.send('~z', { expect: 'Happy hacking' });
    await rig.send('rms~eu~-');
    const outcome = await rig.send(':print rms;long text', { echo: 'strip' });
    expect(line.sentBytes().toString('latin1')).not.toContain('(Space=yes');
    expect(outcome).toMatchObject({ reason: 'prompt', pages: 2 });
    expect(outcome.output.text.split('\n').slice(-61)).toEqual([...LINES, '*']);
  });

  test('T4 · maxPages ends with more_limit, says what goes on, and read goes on to the end', async () => {
    await using line = await startFakeline({ files: FILES });
    await using rig = await startLoggedIn(line);
    const first = await rig.send(':print rms;long text', { maxPages: 1, echo: 'strip' });
    expect(first).toMatchObject({
      reason: 'more_limit',
      pages: 1,
      activity: { kind: 'pager', pager: 'ddt' },
    });
    expect(first.hint).toMatch(/read goes on.*flush/);
    expect(first.output.text).toContain('line 46\t');
    const rest = await rig.client.request('line.read', {});
    expect(rest).toMatchObject({ reason: 'prompt', pages: 1 });
    expect(rest.output.text.split('\n').slice(-15)).toEqual([...LINES.slice(46), '*']);
  });

  test('I01 · flush sends one rubout, and the rest is not shown', async () => {
    await using line = await startFakeline({ files: FILES });
    await using rig = await startLoggedIn(line);
    await rig.send(':print rms;long text', { autoMore: false });
    const before = line.receivedBytes().length;
    const flushed = await rig.client.request('line.read', { flush: true });
    expect(flushed).toMatchObject({ reason: 'prompt', activity: { kind: 'ddt' } });
    expect(flushed.output.text).toMatch(/Flushed\n\*$/);
    expect(typedSince(line, before)).toBe('\x7f');
  });
});

describe('ITS’s own **MORE**', () => {
  test('I01 · is answered by a space, and stays out of the text', async () => {
    await using line = await startFakeline(MIDAS);
    await using rig = await startLoggedIn(line);
    const outcome = await rig.send(':midas rms;big', { until: 'prompt', echo: 'strip' });
    expect(outcome.reason).toBe('prompt');
    expect(outcome.pages).toBeGreaterThan(0);
    expect(line.sentBytes().toString('latin1')).toContain('**MORE**');
    expect(outcome.output.text).not.toContain('**MORE**');
    for (const number of LISTING) expect(outcome.output.text).toMatch(new RegExp(`^${number}$`, 'm'));
  });

  test('I01 · cannot be flushed: refused with the reason, and nothing is typed', async () => {
    await using line = await startFakeline(MIDAS);
    await using rig = await startLoggedIn(line);
    const stopped = await rig.send(':midas rms;big', { until: 'prompt', autoMore: false });
    expect(stopped).toMatchObject({ reason: 'pager', activity: { kind: 'pager', pager: 'system' } });
    expect(stopped.hint).toContain('**MORE**');
    const before = line.receivedBytes().length;
    expect(await rig.failure('line.read', { flush: true })).toMatchObject({
      name: 'invalid_params',
      message: expect.stringContaining('**MORE**'),
    });
    expect(typedSince(line, before)).toBe('');
  });
});

describe('a program’s own pager', () => {
  test('I05 · PEEK’s --More-- is not answered: reason pager, and the caller decides', async () => {
    await using line = await startFakeline({ peekJobs: 30 });
    await using rig = await startLoggedIn(line);
    const before = line.receivedBytes().length;
    const outcome = await rig.send(':peek');
    expect(outcome).toMatchObject({ reason: 'pager', pages: 0, activity: { kind: 'pager', pager: 'other' } });
    expect(typedSince(line, before)).toBe(':peek\r');
    const more = await rig.send(' ~-');
    expect(more.output.text).toContain('USER29');
    await rig.send('q~-', { expect: ':KILL' });
  });

  test('I05 · --MORE-- in the mode line of EMACS is not answered', async () => {
    await using line = await startFakeline();
    await using rig = await startLoggedIn(line);
    await rig.send(':emacs');
    const before = line.receivedBytes().length;
    const reading = rig.client.request('line.read', { timeoutMs: 5_000 });
    await rig.client.request('line.status', {});
    line.send('\x1bH\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\nEMACS  (Fundamental)  Main: --MORE--');
    expect(await reading).toMatchObject({ reason: 'pager', activity: { kind: 'pager', pager: 'other' } });
    expect(typedSince(line, before)).toBe('');
  });
});
