import { expect, test } from 'vitest';
import { openDdt } from './open.ts';

test('I13: a password is asked for without echo', async () => {
  await using on = await openDdt();
  on.client.send(':pword\r');
  await on.client.untilLines(':pword\r\n\x1bKPassword: ');
  on.client.send('secret\r');
  await on.client.untilLines(':KILL \r\n\x1bK*');
  expect(on.client.after('Password: ')).toBe('\r\n\x1bKOK\r\n\x1bK:KILL \r\n\x1bK*');
});

test('I12: an upper case terminal echoes so, and the command is the same', async () => {
  await using on = await openDdt({ upperCaseEcho: true });
  on.client.send(':create rms;a b\rHello\x03:print rms;a b\r');
  await expect(on.client.untilLines('\x1bH\x1bJHello\r\n\x1bK*')).resolves.toBeUndefined();
  expect(on.client.text).toContain(':CREATE RMS;A B\r\n\x1bK\x1bKCreating file DSK: RMS; A B ');
  expect(on.client.text).toContain('HELLO\r\n\x1bKWritten to');
});

test(':send of several lines goes to another user, and to oneself as a message', async () => {
  await using on = await openDdt({ clock: () => new Date(2026, 10, 30, 20, 37, 1) });
  on.client.send(':login rms\r:send foo hello\rthere\x03');
  await on.client.untilLines('there^C\r\n\x1bK\x1bK*');
  expect(on.line.sentMessages).toEqual([{ to: 'FOO', text: 'hello\nthere' }]);
  on.client.send(':send rms hi\x03');
  await expect(
    on.client.untilLines('[Message from RMS at KA  8:37pm]\r\n\x1bKhi\r\n\x1bK\x1bK*'),
  ).resolves.toBeUndefined();
});

test('rubout at --Attach Your Detached Tree-- logs in anew and the tree stays detached', async () => {
  await using on = await openDdt();
  on.client.send(':login rms\r:job foo\r:detach\r');
  await on.client.until(() => on.client.text.includes('Free.'), 'the detaching');
  const attach = '--Attach Your Detached Tree-- (Space=yes, Rubout=no)';
  on.client.send('\x1a:login rms\r');
  await on.client.untilLines(attach);
  on.client.send('\x7f');
  await on.client.untilLines('Flushed\r\n\x1bKTo see system messages, do ":MSGS<CR>"\r\n\x1bK');
  on.client.send(':logout\r');
  await on.client.until(() => on.client.text.split('Free.').length === 3, 'the logout');
  on.client.send('\x1a:login rms\r');
  await on.client.untilLines(attach);
  on.client.send(' ');
  await on.client.untilLines('Reowned $\r\n\x1bK\x1bK*');
  on.client.send('\x1b\x1bv');
  await expect(on.client.untilLines('* FOO - 3\r\n\x1bK\x1bK*')).resolves.toBeUndefined();
});
