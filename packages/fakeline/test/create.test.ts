import { expect, test } from 'vitest';
import { startFakeline } from '../src/index.ts';
import { TestClient } from './client.ts';

test('rubout takes back what was typed, and the file has what is left', async () => {
  await using line = await startFakeline({ pollMs: 0, ctrlZMs: 0 });
  await using client = await TestClient.open(line.port);
  client.send('\x1a:create rms;a b\r');
  await client.untilEnd('Creating file DSK: RMS; A B   Type ^C to end input, ^_H for help.\r\n\x1bK');
  client.send('\tab\x01c\x7f\x7f\r\x7f');
  await client.untilEnd('\tab^Ac\b \b\b \b\b \b\r\n\x1bK');
  client.send('\x03');
  await client.untilEnd('Written to DSK: RMS; A B\r\n\x1bK:KILL \r\n\x1bK*');
  client.send(':print rms;a b\r');
  await expect(client.untilEnd('\x1bH\x1bJ\tab\r\n\x1bK\x1bK*')).resolves.toBeUndefined();
});

test('a stopped CREATE goes on with :proceed', async () => {
  await using line = await startFakeline({ pollMs: 0, ctrlZMs: 0 });
  await using client = await TestClient.open(line.port);
  client.send('\x1a:create rms;a b\r');
  await client.untilEnd('for help.\r\n\x1bK');
  client.send('one \x1a:proceed\rtwo\x03');
  await client.untilEnd('Written to DSK: RMS; A B\r\n\x1bK:KILL \r\n\x1bK*');
  client.send(':print rms;a b\r');
  await expect(client.untilEnd('\x1bH\x1bJone two\r\n\x1bK*')).resolves.toBeUndefined();
});
