import { expect, test } from 'vitest';
import { NOTICES, noticeText } from '../src/notices.ts';
import { openDdt } from './open.ts';

const NOW = new Date(2026, 10, 30, 20, 37, 1);

test.each([
  ['going_down', 'KA ITS 1652 GOING DOWN IN 3:00.  20:37:01\n'],
  ['revived', 'REVIVED.  20:37:01\n'],
  ['down', 'NOT IN OPERATION 20:37:01\n'],
  ['clock', 'IT IS NOW MONDAY, NOVEMBER 30, 2026  08:37:01 PM\n'],
] as const)('the notice %s', (name, text) => {
  expect(noticeText(name, NOW, 3)).toContain(text);
});

test('I07: a notice stands in the middle of a command, which goes on', async () => {
  await using on = await openDdt({ clock: () => NOW });
  for (const name of NOTICES) {
    on.client.send(':v');
    await on.client.untilLines(':v');
    on.line.notice(name);
    await on.client.until(() => on.client.text.includes(noticeText(name, NOW).split('\n')[0] ?? '-'), name);
    on.client.send('k\r');
    await expect(on.client.untilLines('k\r\n\x1bK\x1bK*')).resolves.toBeUndefined();
  }
});
