import { expect, test } from 'vitest';
import type { FileSpec } from '../src/index.ts';
import { openDdt } from './open.ts';

const SOURCE = '\ttitle hello\na=1\ngo:\tmovei a,[1]\nmsg:\tasciz /Hello from MIDAS!\n/\n\tend go\n';
const files: readonly FileSpec[] = [{ directory: 'RMS', name1: 'HELLO', name2: '1', text: SOURCE }];
const END = '(52% used)\r\n\x1bK\r\n\x1bK:KILL \r\n\x1bK*';

test('MIDAS is silent for its time, and then done', async () => {
  await using on = await openDdt({ files, midasMs: 150 });
  const fromMs = performance.now();
  on.client.send(':midas rms;hello\r');
  await on.client.untilLines(':midas rms;hello\r\n\x1bKhello\r\n\x1bK');
  await on.client.untilLines(END);
  expect(performance.now() - fromMs).toBeGreaterThan(140);
});

test('what it made runs by its name and prints its text', async () => {
  await using on = await openDdt({ files });
  on.client.send(':login rms\r:midas rms;ts hello_rms;hello\r');
  await on.client.untilLines(END);
  on.client.send(':hello\r');
  await expect(
    on.client.untilLines(':hello\r\n\x1bKHello from MIDAS!\r\n\x1bK\x1bK:KILL \r\n\x1bK*'),
  ).resolves.toBeUndefined();
});

test('^Z stops it in its silence; :proceed goes on; :kill is the end of it', async () => {
  await using on = await openDdt({ files, midasMs: 60 });
  on.client.send(':midas rms;hello\r');
  await on.client.untilLines('hello\r\n\x1bKhello\r\n\x1bK');
  on.client.send('\x1a');
  await on.client.untilLines('^Z\r\n\x1bK13467)   .IOT 1,2   ');
  on.client.send(':proceed\r');
  await on.client.untilLines(END);
  on.client.send(':midas rms;hello\r');
  await on.client.untilLines('\r\n\x1bKhello\r\n\x1bK');
  on.client.send('\x1a:kill\r');
  await expect(on.client.untilLines(':kill\r\n\x1bK\x1bK*')).resolves.toBeUndefined();
});

test('a file that is not there is said so', async () => {
  await using on = await openDdt();
  on.client.send(':midas rms;zork\r');
  await expect(
    on.client.untilLines('DSK: RMS; ZORK > - FILE NOT FOUND\r\n\x1bK:KILL \r\n\x1bK*'),
  ).resolves.toBeUndefined();
});

test('^Z stops it in the middle of its printing, and :proceed prints the rest', async () => {
  const text = `BIG\n${Array.from({ length: 3000 }, (_, i) => `line ${i}\n`).join('')}`;
  await using on = await openDdt({
    terminalType: 'la36',
    baud: 1_000_000,
    midasListings: { 'RMS;BIG': [text] },
  });
  on.client.send(':midas rms;big\r');
  await on.client.until(() => on.client.text.includes('line 9\r\n'), 'the beginning');
  on.client.send('\x1a');
  await on.client.untilEnd('13467)   .IOT 1,2   ');
  expect(on.client.text).not.toContain('line 2999');
  on.client.send(':proceed\r');
  await on.client.untilEnd('line 2999\r\n:KILL\r\n*');
  const printed = on.client.text.replace(/\^Z[^]*:proceed\r\n/, '');
  expect(printed).toContain(text.replaceAll('\n', '\r\n'));
});
