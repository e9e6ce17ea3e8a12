import { expect, test } from 'vitest';
import { startFakeline } from '../src/index.ts';
import { TestClient } from './client.ts';

const CRLF = '\r\n\x1bK';

/** Each command behind the echo of its CR, in a DDT of its own, not logged in. */
test.each<[string, string, string]>([
  [
    'date is worded as in 07g',
    ':date',
    `   MONDAY, NOVEMBER 30, 2026  08:24:53 PM${CRLF}${CRLF}:KILL ${CRLF}*`,
  ],
  ['who lists the line', ':who', `T52 ___052${CRLF}${CRLF}:KILL ${CRLF}*`],
  ['tctyp shows the type', ':tctyp', `VT52${CRLF}:KILL ${CRLF}*`],
  ['tctyp with a type is answered by :KILL', ':tctyp vt52', `:KILL${CRLF}\x1bK*`],
  ['kill without a job', ':kill', ' JOB? '],
  ['print of no file', ':print rms;no file', `DSK: RMS; NO FILE - FILE NOT FOUND${CRLF}`],
  ['delete of no file', ':delete rms;tmp bin', `DSK: RMS; TMP BIN - FILE NOT FOUND${CRLF}`],
  ['listf of no directory', ':listf zork', `DSK: ZORK; .FILE. (DIR) - NON-EXISTENT DIRECTORY${CRLF}`],
  [
    'login of one without a directory',
    ':login foo',
    `${CRLF}KA: FOO; FOO MAIL - NON-EXISTENT DIRECTORY${CRLF}`,
  ],
  ['a name cut to six letters', ':nosuchthing', `SYS: SYS3; TS NOSUCH - FILE NOT FOUND${CRLF}`],
])('%s', async (_, command, expected) => {
  await using line = await startFakeline({
    pollMs: 0,
    ctrlZMs: 0,
    clock: () => new Date(2026, 10, 30, 20, 24, 53),
  });
  await using client = await TestClient.open(line.port);
  client.send('\x1a');
  await client.untilEnd('\x1bK\x1bK\x1bK');
  client.send(`${command}\r`);
  await expect(client.untilEnd(`${command}${CRLF}${expected}`)).resolves.toBeUndefined();
});

test('a second login is refused as in 05b, and :who knows the name', async () => {
  await using line = await startFakeline({ pollMs: 0, ctrlZMs: 0 });
  await using client = await TestClient.open(line.port);
  client.send('\x1a:login rms\r');
  await client.untilEnd(`:MSGS<CR>"${CRLF}`);
  client.send(':login rms\r');
  await client.untilEnd(`:login rms${CRLF}${CRLF}Already logged in as "RMS"? `);
  client.send(':who\r');
  await expect(client.untilEnd(`:who${CRLF}T52 RMS   ${CRLF}${CRLF}:KILL ${CRLF}*`)).resolves.toBeUndefined();
});

test('after an altmode login the pager asks without its tail', async () => {
  await using line = await startFakeline({ pollMs: 0, ctrlZMs: 0 });
  await using client = await TestClient.open(line.port);
  client.send('\x1arms\x1bu');
  await client.untilEnd(`:MSGS<CR>"${CRLF}`);
  client.send(':print info;pages text\r');
  await expect(client.untilEnd('--More--')).resolves.toBeUndefined();
});
