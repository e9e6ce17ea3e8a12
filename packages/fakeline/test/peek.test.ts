import { expect, test } from 'vitest';
import { openDdt } from './open.ts';

const PAINTED = 'Null time = 33:13\r\n\x1bK\x1bJ';

test('PEEK paints by itself from the top, without a key', async () => {
  await using on = await openDdt({ peekMs: 20 });
  on.client.send(':peek\r');
  const paints = (): number => on.client.text.split('\x1bJ\x1bH\x1bKKA ITS 1652  Peek 632').length - 1;
  await on.client.until(() => paints() >= 3, 'three repaints');
  on.client.send('q');
  await expect(on.client.untilEnd('Q\r\n\x1bK:KILL \r\n\x1bK*')).resolves.toBeUndefined();
});

test('a line that does not fit ends in a --More-- without a tail; space shows the rest', async () => {
  await using on = await openDdt({ peekJobs: 40 });
  on.client.send(':peek\r');
  await on.client.untilEnd('\r\n\x1bK--More--');
  on.client.send(' ');
  await on.client.untilEnd('\r\n\x1bK--More--');
  on.client.send(' ');
  await on.client.untilEnd(PAINTED);
  on.client.send('q');
  await expect(on.client.untilEnd('Q\r\n\x1bK:KILL \r\n\x1bK*')).resolves.toBeUndefined();
});

test('^Z stops it and :proceed paints anew; stopped it paints nothing', async () => {
  await using on = await openDdt({ peekMs: 5 });
  on.client.send(':peek\r\x1a');
  await on.client.untilEnd('^Z\r\n\x1bK1503)   .IOT 1,7   ');
  on.client.send(':sleep 2\r');
  await on.client.untilEnd(':sleep 2\r\n\x1bK\x1bK*');
  on.client.send(':proceed\r');
  await on.client.until(() => /\x5d?proceed[^]*Peek 632[^]*Peek 632/.test(on.client.text), 'two paints');
  on.client.send('q');
  await expect(on.client.untilEnd('Q\r\n\x1bK:KILL \r\n\x1bK*')).resolves.toBeUndefined();
});

test('a message is overpainted at once', async () => {
  await using on = await openDdt();
  on.client.send(':peek\r');
  await on.client.untilEnd(PAINTED);
  on.line.message('FOO', 'hello');
  await on.client.untilEnd(PAINTED);
  expect(on.client.after('hello')).toContain('Peek 632');
});
