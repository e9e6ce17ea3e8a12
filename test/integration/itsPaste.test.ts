/** Input on its way to a real ITS line: nothing is lost, and whoever typed it knows how far it came. */
import { startFakeline } from '@pidp10/fakeline';
import { describe, expect, test } from 'vitest';
import { proseOf, startLoggedIn, typedSince } from '../support/itsRig.ts';
import { IS_SOAK, LineRig } from '../support/lineRig.ts';
import { eventually, residentBytes } from '../support/processes.ts';

const MIB = 1_048_576;
const FILE = 'rms;big text';
const CREATING = 'Type \\^C to end input';
const PASTE_CHARS = IS_SOAK ? 100_000 : 2_000;
/** A screenful is painted anew for each message, and each round ends in silence. */
const EMACS_SOAK_CHARS = 10_000;
/** What one message of another user rings; the rest would be characters that were lost. */
const BELLS_OF_A_MESSAGE = 5;

function bellsIn(bytes: Uint8Array): number {
  return bytes.filter((byte) => byte === 7).length;
}

describe('a paste', () => {
  test.each(IS_SOAK ? [1, 2, 3, 4, 5] : [3])(
    'L13 · P9 · into CREATE, which stops reading now and then, arrives whole while messages come (seed %i)',
    async (seed) => {
      await using line = await startFakeline({
        inputCps: 1_000,
        stallEvery: 400,
        stallMs: 120,
        messagesEveryMs: IS_SOAK ? 2_000 : 350,
        seed,
      });
      await using rig = await startLoggedIn(line);
      const text = proseOf(PASTE_CHARS);
      await rig.send(`:create ${FILE}`, { expect: CREATING });
      const outcome = await rig.send(`${text}~-`, { paste: true, timeoutMs: 600_000, maxChars: 1_000_000 });
      expect(outcome).toMatchObject({
        reason: 'quiet',
        accepted: text.length,
        sent: text.length,
        bells: 0,
      });
      // A message can stand in the place of an echo; the character has arrived all the same.
      expect(outcome.echoed).toBeGreaterThanOrEqual(IS_SOAK ? text.length - 5 : text.length);
      expect(outcome.overflow).toBeUndefined();
      expect(outcome.notices?.length).toBeGreaterThan(0);
      expect(outcome.folds).toBeGreaterThan(0);
      const messages = line.sentBytes().toString('latin1').split('[Message from').length - 1;
      expect(bellsIn(line.sentBytes())).toBe(messages * BELLS_OF_A_MESSAGE);
      await rig.send('~c~-');
      expect((await rig.client.request('line.getFile', { file: FILE })).text).toBe(text);
    },
    1_800_000,
  );

  test.each([
    ['of ordinary lines', 70, IS_SOAK ? EMACS_SOAK_CHARS : 2_000],
    ['of lines that go on in the next row', 110, 2_000],
  ])(
    'L13 · P9 · into EMACS, which stops reading now and then, text %s arrives whole while messages come',
    async (_title, longestLine, chars) => {
      await using line = await startFakeline({
        inputCps: 1_000,
        stallEvery: 400,
        stallMs: IS_SOAK ? 1_500 : 300,
        messagesEveryMs: 700,
        seed: 5,
      });
      await using rig = await startLoggedIn(line);
      const text = proseOf(chars, longestLine);
      await rig.send(':emacs');
      const outcome = await rig.send(`${text}~-`, { paste: true, timeoutMs: 600_000, maxChars: 1_000_000 });
      expect(outcome).toMatchObject({ accepted: text.length, sent: text.length });
      expect(outcome.overflow).toBeUndefined();
      await rig.send(`~x18~x17${FILE}`);
      await rig.send('~x18~c~-');
      expect((await rig.client.request('line.getFile', { file: FILE })).text).toBe(text);
    },
    1_800_000,
  );

  test('L13 · lines that follow each other are one command each without paste, and one input with it', async () => {
    await using line = await startFakeline();
    await using rig = await startLoggedIn(line);
    await rig.send(`:create ${FILE}`, { expect: CREATING });
    const outcome = await rig.send('one\ntwo\nthree', { paste: true });
    expect(outcome.commands).toBeUndefined();
    expect(outcome).toMatchObject({ accepted: 14, sent: 14, echoed: 14 });
  });
});

describe('the far end stops reading', () => {
  test('L14 · L13 · what was accepted, what is on the wire and what was echoed are told apart, and the rest can be given up', async () => {
    await using line = await startFakeline();
    await using rig = await startLoggedIn(line);
    await rig.send(`:create ${FILE}`, { expect: CREATING });
    line.faults.set('stop-reading');
    const input = `${'x'.repeat(10_000)}~-`;
    const before = residentBytes(rig.daemon.pid);
    const waiting = await rig.send(input, { paste: true, returnAfterMs: 300 });
    expect(waiting).toMatchObject({ reason: 'still_waiting', accepted: 10_000, echoed: 0 });
    expect(waiting.sent).toBeLessThanOrEqual(64);
    const { pendingBytes } = await rig.client.request('line.status', {});
    expect(pendingBytes).toBeGreaterThan(9_000);
    const controller = new AbortController();
    const second = rig.client.request('line.send', { input }, { signal: controller.signal });
    await rig.client.request('daemon.status', {});
    controller.abort();
    expect(await second).toMatchObject({ reason: 'cancelled', accepted: 10_000, sent: 0, echoed: 0 });
    expect((await rig.client.request('line.status', {})).pendingBytes).toBe(pendingBytes);
    expect(residentBytes(rig.daemon.pid)).toBeLessThan(before + 32 * MIB);
  });

  test('L14 · a send that is cancelled in the middle stops at once and says how far it came', async () => {
    await using line = await startFakeline({ inputCps: 500 });
    await using rig = await startLoggedIn(line);
    await rig.send(`:create ${FILE}`, { expect: CREATING });
    const controller = new AbortController();
    const input = 'y'.repeat(2_000);
    const from = line.receivedBytes().length;
    const typed = () => typedSince(line, from).split('y').length - 1;
    const sending = rig.client.request('line.send', { input, paste: true }, { signal: controller.signal });
    await line.waitFor(() => typed() > 200, { what: '200 characters' });
    controller.abort();
    const outcome = await sending;
    if ('dryRun' in outcome) throw new Error('a dry run');
    expect(outcome.reason).toBe('cancelled');
    expect(outcome.sent).toBeGreaterThanOrEqual(200);
    expect(outcome.sent).toBeLessThan(2_000);
    expect(outcome.echoed).toBeLessThanOrEqual(outcome.sent ?? 0);
    await rig.send('~c~-');
    expect(typed()).toBe(outcome.sent);
  });
});

describe('echo', () => {
  test('I12 · an upper-case echo is an echo: 400 characters go at the full speed of the line', async () => {
    const seconds = async (upperCaseEcho: boolean): Promise<number> => {
      await using line = await startFakeline({ inputCps: 500, upperCaseEcho });
      await using rig = await startLoggedIn(line);
      await rig.send(`:create ${FILE}`, { expect: CREATING });
      const startMs = performance.now();
      const outcome = await rig.send(`${'abcd '.repeat(80)}~-`, { paste: true, quietMs: 300 });
      expect(outcome).toMatchObject({ sent: 400, echoed: 400, echo: 'on' });
      return (performance.now() - startMs) / 1_000;
    };
    const plain = await seconds(false);
    expect(await seconds(true)).toBeLessThan(plain * 1.5 + 0.5);
  });

  test('I13 · a password is not echoed: it goes, nothing stalls, and echo is off', async () => {
    await using line = await startFakeline();
    await using rig = await startLoggedIn(line);
    const asked = await rig.send(':pword');
    expect(asked.output.text).toContain('Password:');
    const startMs = performance.now();
    const outcome = await rig.send('xyzzy', { echo: 'strip' });
    expect(performance.now() - startMs).toBeLessThan(2_000);
    expect(outcome).toMatchObject({ reason: 'prompt', accepted: 6, sent: 6, echoed: 0, echo: 'off' });
    expect(outcome.output.text).toBe('\nOK\n:KILL\n*');
    expect(line.receivedBytes().toString('latin1')).toMatch(/xyzzy\r$/);
    expect(await rig.send(':vk')).toMatchObject({ reason: 'prompt', echoed: 4, echo: 'on' });
  });

  test.runIf(IS_SOAK)('I13 · a password longer than the window goes by the clock', async () => {
    await using line = await startFakeline();
    await using rig = await startLoggedIn(line);
    await rig.send(':pword');
    const outcome = await rig.send('p'.repeat(100), { timeoutMs: 60_000 });
    expect(outcome).toMatchObject({ reason: 'prompt', sent: 101, echoed: 0, echo: 'off' });
  });

  test('I13 · a line that never echoes takes a long input by the clock, without a loss', async () => {
    await using line = await startFakeline();
    line.faults.set('no-echo');
    await using rig = await LineRig.start({ port: line.port });
    await rig.open();
    await rig.send('~z', { expect: 'Happy hacking' });
    // A prompt behind what was not echoed: DDT reads all the same.
    expect(await rig.send(':vk')).toMatchObject({ reason: 'prompt', echo: 'off' });
    const input = `:print ${'n'.repeat(60)}`;
    const outcome = await rig.send(input);
    expect(outcome).toMatchObject({ reason: 'prompt', sent: input.length + 1, echoed: 0, echo: 'off' });
    expect(outcome.output.text).toContain('FILE NOT FOUND');
    expect(line.receivedBytes().toString('latin1').endsWith(`${input}\r`)).toBe(true);
  });

  test('I14 · a command of 200 characters is echoed over three lines: counted right, joined, and expect works across', async () => {
    await using line = await startFakeline();
    await using rig = await startLoggedIn(line);
    const input = `:print ${'0123456789'.repeat(20)}`.slice(0, 200);
    const outcome = await rig.send(input);
    expect(outcome).toMatchObject({ reason: 'prompt', sent: 201, echoed: 201, folds: 2 });
    expect(outcome.output.text.split('\n')[0]).toBe(input);
    const stripped = await rig.send(input, { echo: 'strip', expect: 'NOT FOUND' });
    expect(stripped).toMatchObject({ reason: 'matched', echoed: 201 });
    expect(stripped.output.text).not.toContain('0123456789');
    expect(stripped.match?.start).toBeGreaterThan(stripped.echoEnd ?? Number.MAX_SAFE_INTEGER);
  });

  test('I15 · BELs during a send are counted, and the answer warns', async () => {
    await using line = await startFakeline();
    await using rig = await startLoggedIn(line);
    // DDT sleeps and does not read: ITS keeps 65 characters, the rest is lost.
    await rig.send(':sleep 60', { quietMs: 300 });
    // Only what is urgent goes without asking for room.
    for (const letter of ['a', 'b'])
      await rig.send(`${letter.repeat(30)}~-`, { urgent: true, timeoutMs: 1_000, quietMs: 300 });
    const outcome = await rig.send(`${'c'.repeat(20)}~-`, { urgent: true, timeoutMs: 1_000, quietMs: 500 });
    expect(outcome.bells).toBe(15);
    expect(outcome).toMatchObject({ accepted: 20, sent: 20 });
    expect(outcome.hint).toMatch(/15 bells.*lost/);
    await eventually('the end of the sleep', async () => {
      const { activity } = await rig.client.request('line.status', {});
      return activity.kind === 'ddt';
    });
  });
});
