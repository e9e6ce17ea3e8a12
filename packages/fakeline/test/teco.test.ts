import { expect, test } from 'vitest';
import { openDdt } from './open.ts';

test('ht types the buffer out from the top, ^C leaves the job, :kill ends it (07f)', async () => {
  await using on = await openDdt();
  on.client.send(':teco\r');
  await on.client.untilEnd('\x1bH\x1bJ\x1bKTECO.1213');
  on.client.send('iHello\rtwo\n\x1b\x1b');
  await on.client.untilEnd(
    '\x1bHello\r\n'.replace('\x1b', '\x1bK') + '\x1bKtwo^J\r' + '\n'.repeat(18) + '\x1bK *',
  );
  on.client.send('ht\x1b\x1b');
  await on.client.untilEnd('ht$$\x1bHHello\r\n\x1bKtwo^J');
  on.client.send('\x03');
  await on.client.untilEnd('\x1bK\x1bK*');
  on.client.send('\x1a');
  await on.client.untilEnd('*^Z?? ');
  on.client.send(':kill\r');
  await expect(on.client.untilEnd('^Z?? :kill\r\n\x1bK\x1bK*')).resolves.toBeUndefined();
});

test('^Z stops it with its address', async () => {
  await using on = await openDdt();
  on.client.send(':teco\rik\x1a');
  await expect(on.client.untilEnd('4463)   .IOT 1,15   ')).resolves.toBeUndefined();
});
