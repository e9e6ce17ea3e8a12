import { expect, test } from 'vitest';
import { type OpenDdt, openDdt } from './open.ts';

const MORE = 'PADDED MEMOWRECK".\r\n\x1bK**MORE**';
const END = 'full description.\r\n\x1bK\r\n\x1bK:KILL \r\n\x1bK*';

async function openAtMore(): Promise<OpenDdt> {
  const on = await openDdt();
  // The help text then wraps once before its page is full, as in recording 07a.
  on.client.send(`${':vk\r'.repeat(7)}:tctyp ?\r`);
  await on.client.untilEnd(MORE);
  on.take();
  return on;
}

test('space goes on at **MORE** and is gone', async () => {
  await using on = await openAtMore();
  on.client.send(' ');
  await on.client.untilEnd(END);
  expect(on.take().startsWith('\x1bH\x1bKUsers coming from TIPs')).toBe(true);
  on.client.send(':vk\r');
  await expect(on.client.untilEnd('\x1bK*:vk\r\n\x1bK\x1bK*')).resolves.toBeUndefined();
});

test.each([
  ['a letter', 'x', 'x', 'x'],
  ['rubout', '\x7f', '', '?? '],
  ['^G', '\x07', '\x07', ' QUIT? '],
])('%s goes on as well and is read by DDT afterwards', async (_, key, echo, after) => {
  await using on = await openAtMore();
  on.client.send(key);
  const isLetter = key === 'x';
  await on.client.untilEnd(isLetter ? END : `${END}${after}`);
  expect(on.take().startsWith(`${echo}\x1bH\x1bKUsers coming`)).toBe(true);
  on.client.send('\x04');
  await expect(on.client.untilEnd('^D XXX? ')).resolves.toBeUndefined();
});

test('the first time round the bottom nothing stops, and on paper never', async () => {
  await using on = await openDdt({ terminalType: 'la36' });
  on.client.send(':tctyp help\r');
  await on.client.untilEnd('full description.\r\n\n:KILL\r\n*');
  expect(on.client.text).not.toContain('MORE**');
});
