import { expect, test } from 'vitest';
import type { Fakeline, FakelineOptions } from '../src/index.ts';
import { startFakeline } from '../src/index.ts';
import { TestClient } from './client.ts';

const PROMPT = '\r\n\x1bK\x1bK*';

async function open(
  options: FakelineOptions = {},
): Promise<{ line: Fakeline; client: TestClient } & AsyncDisposable> {
  const line = await startFakeline({ pollMs: 0, ctrlZMs: 0, ...options });
  const client = await TestClient.open(line.port);
  client.send('\x1a:vk\r');
  await client.until(() => client.text.includes(':vk') && client.text.endsWith('*'), 'the prompt');
  return {
    line,
    client,
    [Symbol.asyncDispose]: async () => {
      await client[Symbol.asyncDispose]();
      await line.close();
    },
  };
}

test('of what is typed while DDT sleeps 65 characters are kept; each other rings the bell (14b)', async () => {
  await using on = await open();
  on.client.send(':sleep 6\r');
  await on.client.untilEnd(':sleep 6\r\n\x1bK');
  on.client.send('1'.repeat(200));
  await on.client.untilEnd(`${'1'.repeat(65)}${'\x07'.repeat(135)}\r\n\x1bK*`);
  // DDT has read the 65 by now: rubbing out finds them.
  on.client.send('\x04');
  await expect(on.client.untilEnd('*^D XXX? ')).resolves.toBeUndefined();
});

test('^G ends a sleep and drops what was typed', async () => {
  await using on = await open();
  on.client.send(':sleep 30000\r:vk\r');
  await on.client.untilEnd(':vk\r\n\x1bK');
  on.client.send('\x07');
  await on.client.untilEnd('\x07 QUIT? ');
  on.client.send(':vk\r');
  await expect(on.client.untilEnd(`QUIT? :vk${PROMPT}`)).resolves.toBeUndefined();
});

const BIG = Array.from({ length: 100_000 }, (_, i) => `line ${i}\n`).join('');
const bigFile = [{ directory: 'SYS', name1: 'BIG', name2: 'TEXT', text: BIG }];

test.each([
  ['^S', '\x13', '^S\r\n*'],
  ['^G', '\x07', ' QUIT? '],
])('%s stops a flood, and the rest never comes (05b)', async (_, key, end) => {
  await using on = await open({ files: bigFile, terminalType: 'la36', baud: 200_000 });
  on.client.send(':print sys;big text\r');
  await on.client.until(() => on.client.text.includes('line 9\r\n'), 'the beginning');
  on.client.send(key);
  await on.client.untilEnd(end);
  on.client.send(':vk\r');
  await expect(on.client.untilEnd(`${end}:vk\r\n*`)).resolves.toBeUndefined();
});

test('what is typed into a flood is echoed behind it, what is too much rings once (14e)', async () => {
  await using on = await open({
    files: [{ ...bigFile[0], directory: 'SYS', name1: 'BIG', name2: 'TEXT', text: BIG.slice(0, 20_000) }],
    terminalType: 'la36',
    baud: 400_000,
  });
  on.client.send(':print sys;big text\r');
  await on.client.until(() => on.client.text.includes('line 9\r\n'), 'the beginning');
  on.client.send('0123456789'.repeat(30));
  await expect(on.client.untilEnd(`\r\n*\x07${'0123456789'.repeat(6)}01234`)).resolves.toBeUndefined();
});

test('a text of several pages is shown page by page on a VT52 and in one piece on paper', async () => {
  await using on = await open();
  on.client.send(':print info;pages text\r');
  await on.client.untilEnd('--More-- (Space=yes, Rubout=no)');
  expect(on.client.after('\x1bH\x1bJ').split('\r\n')).toHaveLength(24);
  for (let page = 2; page <= 4; page += 1) {
    on.client.send(' ');
    const goesOn = page < 4;
    await on.client.untilEnd(
      goesOn ? 'Rubout=no)' : `80 of INFO;PAGES TEXT: a text of several pages.${PROMPT}`,
    );
    expect(on.client.after('Rubout=no) ').startsWith('\x1bH\x1bKLine') || goesOn).toBe(true);
  }
  on.client.send(':tctyp la36\r');
  await on.client.untilEnd(':KILL\r\n*');
  on.client.send(':print info;pages text\r');
  await on.client.untilEnd('80 of INFO;PAGES TEXT: a text of several pages.\r\n*');
  expect(on.client.after(':print info')).not.toContain('\x1b');
  expect(on.client.after(':print info')).not.toContain('More');
});

test('the terminal type stays over logout and disconnect', async () => {
  await using on = await open();
  on.client.send(':tctyp la36\r:logout\r');
  await on.client.until(
    () => /\r\n\nKA ITS 1652  Console 52 Free. \d\d:\d\d:\d\d\r\n$/.test(on.client.text),
    'the logout',
  );
  on.client.socket.end();
  await on.line.waitFor(() => on.line.openConnections === 0, { what: 'the end' });
  await using next = await TestClient.open(on.line.port);
  next.send('\x1a');
  await next.untilEnd('Happy hacking!\r\n');
  expect(next.after('line 9\r\n\n')).not.toContain('\x1b');
});

test('a message of another user comes in the middle of a command (15c)', async () => {
  await using on = await open({ clock: () => new Date(2026, 10, 30, 20, 37, 1) });
  on.client.send(':list');
  await on.client.untilEnd(':list');
  on.line.message('FOO', 'second message');
  await on.client.untilEnd(
    ':list\r\n\x1bK\x07\x07\x07\x07\x07[Message from FOO at KA  8:37pm]\r\n\x1bKsecond message\r\n\x1bK',
  );
  on.client.send('j\r');
  await expect(on.client.untilEnd(`j${PROMPT}`)).resolves.toBeUndefined();
});

test('^Z stops a program and its job stays', async () => {
  await using on = await open();
  on.client.send(':create rms;a b\rtext\x1a');
  await on.client.untilEnd('text^Z\r\n\x1bK421574)   .IOT 1,2   ');
  on.client.send('\x1b\x1bv');
  await on.client.untilEnd('$$v\r\n\x1bK* CREATE - 3\r\n\x1bK\x1bK*');
  on.client.send(':kill\r');
  await expect(on.client.untilEnd(`:kill${PROMPT}`)).resolves.toBeUndefined();
});
