import { expect, test } from 'vitest';
import type { FakelineOptions } from '../src/index.ts';
import { type OpenDdt, openDdt } from './open.ts';
import { Vt52 } from './vt52.ts';

const GREETING = 'type Help(^_H) for help.\r\n\x1bK';

interface OpenEmacs extends AsyncDisposable {
  readonly on: OpenDdt;
  /** Types, and waits until the screen's first lines and the mode line are these. */
  see(keys: string, first: readonly string[], mode: string): Promise<void>;
  screen(): Vt52;
}

async function openEmacs(options: FakelineOptions = {}): Promise<OpenEmacs> {
  const on = await openDdt(options);
  on.client.send(':login rms\r:emacs\r');
  await on.client.untilEnd(GREETING);
  const screen = (): Vt52 => new Vt52(on.client.text.slice(on.client.text.indexOf('\x1bH')));
  return {
    on,
    screen,
    see: async (keys, first, mode) => {
      on.client.send(keys);
      const isSeen = (): boolean => {
        const { lines } = screen();
        return first.every((line, i) => lines[i] === line) && lines[20] === mode;
      };
      await on.client.until(isSeen, JSON.stringify([...first, mode])).catch((error: unknown) => {
        throw new Error(`${String(error)}; the screen was\n${screen().lines.join('\n')}`);
      });
    },
    [Symbol.asyncDispose]: () => on[Symbol.asyncDispose](),
  };
}

const CHANGED = 'EMACS  (Fundamental)  Main:   *';

test('the editing keys do what they are for, and the screen shows it', async () => {
  await using emacs = await openEmacs();
  await emacs.see('Hello world\rsecond line\rthird', ['Hello world', 'second line', 'third'], CHANGED);
  await emacs.see('\x01\x10\x04\x04', ['Hello world', 'cond line', 'third'], CHANGED);
  await emacs.see('Se', ['Hello world', 'Second line'], CHANGED);
  await emacs.see('\x06\x06\x02\x0b', ['Hello world', 'Sec', 'third'], CHANGED);
  await emacs.see('\x0b', ['Hello world', 'Secthird', ''], CHANGED);
  await emacs.see('\x19', ['Hello world', 'Sec', 'third'], CHANGED);
  await emacs.see('\x10\x10\x05\x7f!', ['Hello worl!', 'Sec', 'third'], CHANGED);
  await emacs.see('\x0e\x05\tx\x11\x01', ['Hello worl!', 'Sec     x^A', 'third'], CHANGED);
  await emacs.see('\x01\r', ['Hello worl!', '', 'Sec     x^A', 'third'], CHANGED);
  expect([emacs.screen().row, emacs.screen().column]).toEqual([2, 0]);
});

test('a line that goes on below the window moves the text up, and the mode line stays what it is', async () => {
  await using emacs = await openEmacs();
  const rows = Array.from({ length: 19 }, (_, n) => `line ${n}`);
  await emacs.see(`${rows.join('\r')}\r`, rows, CHANGED);
  const long = 'w'.repeat(100);
  // The point's line comes to stand in row 12, as when a new one leaves the window.
  await emacs.see(long, ['line 7', 'line 8'], 'EMACS  (Fundamental)  Main:  --BOT-- *');
  const { lines, row, column } = emacs.screen();
  expect([lines[12], lines[13], row, column]).toEqual([`${'w'.repeat(79)}!`, 'w'.repeat(21), 13, 21]);
});

test('what cannot be done rings, and the text stays', async () => {
  await using emacs = await openEmacs();
  await emacs.see('x', ['x'], CHANGED);
  emacs.on.take();
  emacs.on.client.send('\x04\x06\x0e\x10\x0b\x07\x18z\x7f\x7f');
  await emacs.on.client.until(() => emacs.on.client.text.split('\x07').length === 9, 'eight bells');
  expect(emacs.screen().lines[0]).toBe('');
});

test('a file is found, searched, changed and saved; the mode line says which and whether', async () => {
  const files = [{ directory: 'RMS', name1: 'NOTES', name2: '3', text: 'one\nHello again\nthree\n' }];
  await using emacs = await openEmacs({ files });
  await emacs.see('\x18\x06notes >\r', ['one', 'Hello again'], 'EMACS  (Fundamental)  DSK: RMS; NOTES > (3)');
  expect(emacs.on.client.text).toContain('Find File (Default DSK: RMS; .FOO. >): notes >\r\r\n\x1bK');
  emacs.on.client.send('\x13hello\x1b');
  await emacs.on.client.until(() => emacs.screen().lines[21] === 'I-Search: hello $', 'the search');
  await emacs.see(' there', ['one', 'Hello there again'], 'EMACS  (Fundamental)  DSK: RMS; NOTES > (3)  *');
  await emacs.see('\x18\x13', ['one'], 'EMACS  (Fundamental)  DSK: RMS; NOTES > (4)');
  expect(emacs.screen().lines[21]).toBe('Written: DSK: RMS; NOTES 4');
  emacs.on.client.send('\x18\x03');
  await emacs.on.client.untilEnd('\x1bH\x1bK\x1bK*');
  emacs.on.client.send(':print notes 4\r');
  await emacs.on.client.untilLines('\x1bH\x1bJone\r\n\x1bKHello there again\r\n\x1bKthree\r\n\x1bK\x1bK*');
  emacs.on.client.send(':kill\r');
  await expect(emacs.on.client.untilLines(':kill\r\n\x1bK\x1bK*')).resolves.toBeUndefined();
});

test('^Z stops it, :continue shows the text again, a message spoils the screen and typing repairs it', async () => {
  await using emacs = await openEmacs();
  await emacs.see('text', ['text'], CHANGED);
  emacs.on.client.send('\x1a');
  await emacs.on.client.untilEnd('^Z\r\n\x1b4463)   .IOT 1,15   '.replace('\x1b', '\x1bK'));
  await emacs.see(':continue\r', ['text', ''], CHANGED);
  emacs.on.line.message('FOO', 'hello');
  await expect(emacs.see('!', ['text!', '', ''], CHANGED)).resolves.toBeUndefined();
});

test('a line too long for the screen goes on in the next row', async () => {
  await using emacs = await openEmacs();
  await expect(
    emacs.see(
      '0123456789'.repeat(10),
      [`${'0123456789'.repeat(7)}012345678!`, '901234567890123456789'],
      CHANGED,
    ),
  ).resolves.toBeUndefined();
});

test('a question is rubbed out and left with ^G; a file that is not there is new', async () => {
  await using emacs = await openEmacs();
  emacs.on.client.send('\x18\x06abc\x7f');
  await emacs.on.client.untilEnd('abc\b \b');
  await emacs.see('\x07', [''], 'EMACS  (Fundamental)  Main:');
  await expect(
    emacs.see('\x18\x06new file\r', [''], 'EMACS  (Fundamental)  DSK: RMS; NEW FILE'),
  ).resolves.toBeUndefined();
});

test('100,000 characters typed into EMACS arrive, and in seconds', async () => {
  await using emacs = await openEmacs();
  const { client } = emacs.on;
  const paste = `${'0123456789'.repeat(6)}\r`.repeat(1640);
  client.send(`${paste}\x18\x17big text\r`);
  const tail = (): string => client.received.subarray(-300).toString('latin1');
  await client.until(() => tail().includes('Written: DSK: RMS; BIG TEXT'), 'the file');
  client.send('\x18\x03:tctyp la36\r');
  await client.until(() => tail().endsWith('EMACS$J\r\n*'), 'DDT');
  emacs.on.take();
  const from = client.received.length;
  client.send(':print big text\r');
  await client.until(() => client.received.length > from + 100_000 && tail().endsWith('\r\n*'), 'the text');
  const printed = emacs.on.take().slice(':print big text\r\n'.length);
  expect(printed.replaceAll(/[\r\n*]/g, '')).toBe(paste.replaceAll('\r', ''));
}, 30_000);
