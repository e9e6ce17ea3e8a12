/** Files of ITS over the line, through the real daemon: what is put is what is there, and what is got is what it says. */
import { startFakeline } from '@pidp10/fakeline';
import { describe, expect, test } from 'vitest';
import { startLoggedIn, typedSince } from '../support/itsRig.ts';
import { LineRig } from '../support/lineRig.ts';

const FILE = 'rms;tmp text';

/** The terminal type as somebody at the terminal would find it out. */
async function terminalOf(rig: LineRig): Promise<string | undefined> {
  return /^[A-Z0-9]+$/m.exec((await rig.send(':tctyp', { echo: 'strip' })).output.text)?.[0];
}

describe('putFile and getFile', () => {
  test.each([
    { what: 'tabs and blanks', text: '\ttitle x\n       \t.a\tb\t\tc \n\tend\n' },
    { what: 'empty lines', text: '\n\none\n\n\ntwo\n\n' },
    { what: 'lines of 100 characters', text: `${'x'.repeat(100)}\n${'0123456789'.repeat(16)}\n` },
    { what: 'lines at the right margin', text: [78, 79, 80].map((n) => `${'m'.repeat(n)}\n`).join('') },
    { what: 'exclamation marks', text: `${'!'.repeat(79)}\n!\n${'!'.repeat(161)}\n` },
    { what: 'no final line end', text: 'one\ntwo' },
    { what: 'only a line end', text: '\n' },
    { what: 'nothing at all', text: '' },
    { what: 'prompts and pagers', text: '*\n--More--\n:KILL \n*\n**MORE**\n' },
    { what: 'tildes and dollars', text: '~z ~~ $$ ^C\n' },
  ])('T5 · a file with $what comes back as it was put', async ({ text }) => {
    await using line = await startFakeline();
    await using rig = await startLoggedIn(line);
    const put = await rig.client.request('line.putFile', { file: FILE, text });
    expect(put).toMatchObject({ file: 'RMS; TMP TEXT', chars: text.length, verified: true });
    const got = await rig.client.request('line.getFile', { file: FILE });
    expect(got.text).toBe(text);
    expect(got).toMatchObject({ chars: text.length, lines: put.lines });
  });

  test.each([22, 23, 24, 45, 46, 60])('T5 · %i lines, over pages, come back exactly', async (count) => {
    const text = Array.from({ length: count }, (_, index) => `\tline ${index + 1}\n`).join('');
    await using line = await startFakeline({
      files: [{ directory: 'RMS', name1: 'TMP', name2: 'TEXT', text }],
    });
    await using rig = await startLoggedIn(line);
    expect(await rig.client.request('line.getFile', { file: FILE })).toEqual({
      file: FILE,
      text,
      lines: count,
      chars: text.length,
    });
  });

  test('T5 · 60 lines are put and got on a line that takes 65 characters, with messages in between', async () => {
    const text = Array.from(
      { length: 60 },
      (_, index) => `${index} ${'abcdefgh '.repeat(index % 12)}\n`,
    ).join('');
    await using line = await startFakeline({ inputCps: 1_500, messagesEveryMs: 500, seed: 7 });
    await using rig = await startLoggedIn(line);
    const put = await rig.client.request('line.putFile', { file: FILE, text });
    expect(put).toMatchObject({ lines: 60, verified: true });
    expect((await rig.client.request('line.getFile', { file: FILE })).text).toBe(text);
  });

  test('CR LF and lone CR are line ends like any other', async () => {
    await using line = await startFakeline();
    await using rig = await startLoggedIn(line);
    await rig.client.request('line.putFile', { file: FILE, text: 'a\r\nb\rc\n' });
    expect((await rig.client.request('line.getFile', { file: FILE })).text).toBe('a\nb\nc\n');
  });

  test('an unknown file gives file_failed with the words of ITS, and DDT is ready again', async () => {
    await using line = await startFakeline();
    await using rig = await startLoggedIn(line);
    expect(await rig.failure('line.getFile', { file: 'rms;no such' })).toMatchObject({
      name: 'file_failed',
      message: expect.stringContaining('NO SUCH - FILE NOT FOUND'),
    });
    expect((await rig.client.request('line.status', {})).activity).toEqual({ kind: 'ddt' });
  });

  test.each(['la36', 'aaa'])(
    'the terminal type is %s again afterwards, also after a failure',
    async (type) => {
      await using line = await startFakeline({ terminalType: type });
      await using rig = await startLoggedIn(line);
      const text = '\ta\n'.repeat(30);
      await rig.client.request('line.putFile', { file: FILE, text });
      expect(await terminalOf(rig)).toBe(type.toUpperCase());
      expect((await rig.client.request('line.getFile', { file: FILE })).text).toBe(text);
      await rig.failure('line.getFile', { file: 'rms;no such' });
      expect(await terminalOf(rig)).toBe(type.toUpperCase());
    },
  );

  test('away from DDT it is not_at_ddt, and nothing is sent', async () => {
    await using line = await startFakeline();
    await using rig = await startLoggedIn(line);
    await rig.send(':emacs');
    const before = line.receivedBytes().length;
    const refused = {
      name: 'not_at_ddt',
      message: expect.stringContaining('emacs'),
    };
    expect(await rig.failure('line.putFile', { file: FILE, text: 'x' })).toMatchObject(refused);
    expect(await rig.failure('line.getFile', { file: FILE })).toMatchObject(refused);
    expect(typedSince(line, before)).toBe('');
  });

  test('on a line of which nothing is known it is not_at_ddt, and nothing is sent', async () => {
    await using line = await startFakeline();
    await using rig = await LineRig.start({ port: line.port });
    await rig.open();
    expect(await rig.failure('line.getFile', { file: FILE })).toMatchObject({ name: 'not_at_ddt' });
    expect(line.receivedBytes()).toHaveLength(0);
  });

  test.each([
    { what: 'a control character', text: 'ab\u0003' },
    { what: 'an umlaut', text: 'ab\u00fc' },
  ])('$what cannot be put: refused with its position before the first byte', async ({ text }) => {
    await using line = await startFakeline();
    await using rig = await startLoggedIn(line);
    const before = line.receivedBytes().length;
    expect(await rig.failure('line.putFile', { file: FILE, text })).toMatchObject({
      name: 'input_not_seven_bit',
      message: expect.stringContaining('position 2'),
    });
    expect(typedSince(line, before)).toBe('');
  });

  test('a put that is cancelled leaves the file that was there, and DDT ready', async () => {
    await using line = await startFakeline({
      inputCps: 500,
      files: [{ directory: 'RMS', name1: 'TMP', name2: 'TEXT', text: 'as it was\n' }],
    });
    await using rig = await startLoggedIn(line);
    const controller = new AbortController();
    const text = 'half of this\n'.repeat(100);
    const putting = rig.client
      .request('line.putFile', { file: FILE, text }, { signal: controller.signal })
      .catch((error: unknown) => error);
    await line.waitFor(() => line.receivedBytes().includes('half of this\rhalf'), { what: 'the text' });
    controller.abort();
    expect(await putting).toMatchObject({ data: { name: 'file_failed' } });
    expect((await rig.client.request('line.getFile', { file: FILE })).text).toBe('as it was\n');
    expect((await rig.send(':kill', { echo: 'strip' })).output.text).toContain('JOB?');
  });
});
