/** Commands to a real ITS: known ends, several in one send, programs that think, and what a cold agent stumbled over. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startFakeline } from '@pidp10/fakeline';
import { describe, expect, test } from 'vitest';
import { startLoggedIn, typedSince } from '../support/itsRig.ts';
import { LineRig } from '../support/lineRig.ts';

/** A known end is known 100 ms after it, and answered 150 ms of silence after that at the latest; quiet would take 700. */
const KNOWN_END_MS = 600;
const SOURCE = {
  directory: 'RMS',
  name1: 'FOO',
  name2: '1',
  text: 'title foo\nfoo:\tasciz /hi there/\n\tend\n',
};

describe('known ends', () => {
  test.each([
    { what: 'a command of DDT', input: ':vk', words: /^\*$/ },
    { what: 'a program that ends', input: ':time', words: /:KILL\n\*$/ },
    { what: 'a program that is not there', input: ':nosuch', words: /TS NOSUCH - FILE NOT FOUND\n$/ },
    { what: 'a file that is not there', input: ':print no such', words: /NO SUCH - FILE NOT FOUND\n$/ },
    { what: 'a word that is no symbol', input: 'date', words: /\?U\?$/ },
    { what: 'a command without its colon', input: 'logout', words: /you must type the colon\)\.$/ },
    { what: 'no job', input: ':kill', words: /JOB\?$/ },
    { what: 'an address without a job', input: '100/~-', words: /JOB\?$/ },
    { what: 'a rubout of nothing', input: '~d~-', words: /\?\?$/ },
    { what: '^D', input: 'abc~x04~-', words: /XXX\?$/ },
    { what: '^G', input: 'abc~g~-', words: /QUIT\?$/ },
    { what: '^Z to DDT', input: '~z~-', words: /\?\?$/ },
    { what: 'a second login', input: ':login rms', words: /Already logged in as "RMS"\?$/ },
    { what: 'a new job', input: 'foo~ej~-', words: /!\n\*$/ },
    { what: 'a value', input: '1+2=~-', words: /3$/ },
    { what: 'a logout', input: ':logout', words: /Console 52 Free\. \d\d:\d\d:\d\d\n$/ },
  ])(
    'T3 · T11 · $what ends with reason prompt, without expect and without waiting for quiet',
    async ({ input, words }) => {
      await using line = await startFakeline();
      await using rig = await startLoggedIn(line);
      const startMs = performance.now();
      const outcome = await rig.send(input, { echo: 'strip' });
      expect(performance.now() - startMs).toBeLessThan(KNOWN_END_MS);
      expect(outcome.reason).toBe('prompt');
      expect(outcome.output.text).toMatch(words);
      expect(outcome.activity.kind).toBe(input === ':logout' ? 'free' : 'ddt');
    },
  );

  test('T3 · ^Z in a program ends with prompt where DDT says where it stopped, and :kill ends it', async () => {
    await using line = await startFakeline();
    await using rig = await startLoggedIn(line);
    await rig.send(':create rms;x y', { expect: 'end input' });
    expect(await rig.send('~z~-')).toMatchObject({
      reason: 'prompt',
      output: { text: expect.stringMatching(/\d+\) {3}\.IOT/) },
      activity: { kind: 'ddt' },
    });
    expect((await rig.send(':kill')).reason).toBe('prompt');
  });

  test('T1 · T2 · what was there before stands apart, and the answer goes on to its end behind a match', async () => {
    await using line = await startFakeline();
    await using rig = await startLoggedIn(line);
    line.send('old words: Today\r\n\x1bK');
    await line.waitFor(() => line.sentBytes().includes('old words'), { what: 'the old words' });
    const outcome = await rig.send(':time', { expect: 'Today' });
    expect(outcome.reason).toBe('matched');
    expect(outcome.before?.text).toBe('old words: Today\n');
    expect(outcome.match?.start).toBeGreaterThan(outcome.echoEnd ?? Number.MAX_SAFE_INTEGER);
    expect(outcome.output.text).toMatch(/:KILL\n\*$/);
  });
});

describe('a program that thinks', () => {
  test('T3 · until prompt waits through a silence longer than quietMs; without it quiet ends the wait', async () => {
    await using line = await startFakeline({ midasMs: 1_000, files: [SOURCE] });
    await using rig = await startLoggedIn(line);
    const patient = await rig.send(':midas rms;ts foo_rms;foo 1', { until: 'prompt', quietMs: 200 });
    expect(patient.reason).toBe('prompt');
    expect(patient.output.text).toMatch(/Run time[^]*:KILL\n\*$/);
    const hasty = await rig.send(':midas rms;ts foo_rms;foo 1', { quietMs: 200 });
    expect(hasty).toMatchObject({ reason: 'quiet', activity: { kind: 'program', name: 'midas' } });
    const rest = await rig.client.request('line.read', { until: 'prompt', timeoutMs: 10_000 });
    expect(rest.reason).toBe('prompt');
    expect((await rig.send(':foo', { echo: 'strip' })).output.text).toBe('hi there\n:KILL\n*');
  });
});

describe('several commands in one send', () => {
  test('go one by one, are labelled, and an error in the middle does not lose the next', async () => {
    await using line = await startFakeline();
    await using rig = await startLoggedIn(line);
    const outcome = await rig.send(':time\n:nosuch\n:date', { echo: 'strip' });
    expect(outcome.reason).toBe('prompt');
    expect(outcome.commands?.map(({ input, reason }) => [input, reason])).toEqual([
      ['":time" CR', 'prompt'],
      ['":nosuch" CR', 'prompt'],
      ['":date" CR', 'prompt'],
    ]);
    const texts = outcome.commands?.map(({ output }) => output.text) ?? [];
    expect(texts[0]).toMatch(/^The time is/);
    expect(texts[1]).toBe('SYS: SYS3; TS NOSUCH - FILE NOT FOUND\n');
    expect(texts[2]).toMatch(/:KILL\n\*$/);
    expect(outcome).toMatchObject({ accepted: 20, sent: 20, echoed: 20 });
  });

  test('a pager in the first one does not eat the second', async () => {
    await using line = await startFakeline();
    await using rig = await startLoggedIn(line);
    const outcome = await rig.send(':print info;pages text\n:time');
    expect(outcome).toMatchObject({ reason: 'prompt', pages: 3 });
    expect(outcome.commands?.[0]?.output.text).toContain('Line 80 of');
    expect(outcome.commands?.[1]?.output.text).toContain('The time is');
  });

  test('a question stops them: nothing more is sent, and the answer says so', async () => {
    await using line = await startFakeline();
    await using rig = await startLoggedIn(line);
    await rig.send(':detach');
    const before = line.receivedBytes().length;
    const outcome = await rig.send('~z:login rms\n:time\n:date');
    expect(outcome).toMatchObject({
      reason: 'question',
      activity: { kind: 'question', text: '--Attach Your Detached Tree--', yes: 'Space', no: 'Rubout' },
      sent: 12,
      accepted: 24,
    });
    expect(outcome.hint).toMatch(/2 of 4.*2 were not sent/);
    expect(typedSince(line, before)).toBe('\x1a:login rms\r');
    expect((await rig.send(' ~-')).output.text).toContain('Reowned');
  });

  test('expect is for the last one', async () => {
    await using line = await startFakeline();
    await using rig = await startLoggedIn(line);
    const outcome = await rig.send(':time\n:date', { expect: 'KILL' });
    expect(outcome.commands?.map(({ reason }) => reason)).toEqual(['prompt', 'matched']);
    expect(outcome.match?.start).toBeGreaterThan(outcome.commands?.[1]?.output.start ?? 0);
  });

  test('I09 · ~z:login rms in one send logs in on a free line', async () => {
    await using line = await startFakeline({ ctrlZMs: 300 });
    await using rig = await LineRig.start({ port: line.port });
    await rig.open();
    const outcome = await rig.send('~z:login rms');
    expect(outcome).toMatchObject({ reason: 'prompt', activity: { kind: 'ddt' } });
    expect(outcome.output.text).toMatch(/Happy hacking![^]*To see system messages/);
    expect((await rig.send(':who', { echo: 'strip' })).output.text).toContain('RMS');
    expect(line.receivedBytes().toString('latin1')).toBe('\x1a:login rms\r:who\r');
  });

  test('I09 · ~z and a command to a DDT that is there: its ?? is an answer too, and nothing is lost', async () => {
    await using line = await startFakeline();
    await using rig = await startLoggedIn(line);
    const outcome = await rig.send('~z:who');
    expect(outcome.reason).toBe('prompt');
    expect(outcome.output.text).toMatch(/\^Z\?\? ?:who\n[^]*RMS/);
  });

  test('I10 · U+001F is refused with its position and nothing is sent; ~x1F passes', async () => {
    await using line = await startFakeline();
    await using rig = await startLoggedIn(line);
    const before = line.receivedBytes().length;
    expect(await rig.failure('line.send', { input: ':vk\n\u001fC' })).toMatchObject({
      name: 'input_not_seven_bit',
      message: expect.stringMatching(/U\+001F at position 4.*~x1F.*Nothing was sent/),
    });
    expect(typedSince(line, before)).toBe('');
    await rig.send('~x1F~-', { timeoutMs: 300 });
    expect(typedSince(line, before)).toBe('\x1f');
  });
});

describe('long answers', () => {
  test('T12 · toFile writes the whole text, counts its lines, and answers with the beginning', async () => {
    await using line = await startFakeline();
    await using rig = await startLoggedIn(line);
    const outcome = await rig.send(':print info;pages text', { toFile: 'pages.txt' });
    expect(outcome).toMatchObject({
      reason: 'prompt',
      file: join(rig.sandbox.stateDir, 'files', 'pages.txt'),
    });
    const text = await readFile(outcome.file ?? '', 'utf8');
    expect(text).toMatch(/^\n?Line 1 of INFO[^]*\nLine 80 of INFO;PAGES TEXT: a text of several pages\.\n$/);
    expect(text).not.toMatch(/--More--|:print/);
    expect(outcome.output.lines).toBe(text.split('\n').length - 1);
    expect(outcome.output.text).toBe(text.slice(0, 1_000));
  });

  test('T12 · several commands go to a file one by one as well', async () => {
    await using line = await startFakeline();
    await using rig = await startLoggedIn(line);
    const outcome = await rig.send(':print info;pages text\n:nosuch\n:time', { toFile: 'three.txt' });
    const text = await readFile(outcome.file ?? '', 'utf8');
    expect(text).toMatch(/Line 80 of[^]*FILE NOT FOUND\nThe time is[^]*:KILL ?\n$/);
  });

  test('T12 · maxChars leaves the rest for read, and nothing is lost between them', async () => {
    await using line = await startFakeline();
    await using rig = await startLoggedIn(line);
    const first = await rig.send(':print info;pages text', { maxChars: 1_000, echo: 'strip' });
    expect(first.reason).toBe('limit');
    const rest = await rig.client.request('line.read', { timeoutMs: 5_000 });
    const text = first.output.text + rest.output.text;
    const numbers = [...text.matchAll(/^Line (\d+) of/gm)].map((match) => Number(match[1]));
    expect(numbers).toEqual(Array.from({ length: 80 }, (_, index) => index + 1));
  });
});
