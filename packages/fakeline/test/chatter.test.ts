import { expect, test } from 'vitest';
import { startFakeline } from '../src/index.ts';
import { TestClient } from './client.ts';

test('messages come by themselves, at the prompt and in EMACS, which paints anew, and once more after it', async () => {
  await using line = await startFakeline({ pollMs: 0, ctrlZMs: 0, messagesEveryMs: 10 });
  await using client = await TestClient.open(line.port);
  client.send('\x1a');
  await client.until(() => client.text.includes('message 2'), 'two messages');
  client.send(':emacs\r');
  await client.until(() => client.text.includes('type Help'), 'EMACS');
  const count = (): number => client.text.split('[Message from FOO').length;
  const from = count();
  await client.until(() => count() > from + 1, 'two more');
  client.send('abc');
  await client.until(() => client.text.includes('Main:   *'), 'the mode line');
  client.send('\x18\x03');
  await expect(client.until(() => count() > from + 3, 'still more')).resolves.toBeUndefined();
});

test('while nobody is on the line there are none', async () => {
  await using line = await startFakeline({ pollMs: 0, ctrlZMs: 80, messagesEveryMs: 5 });
  await using client = await TestClient.open(line.port);
  client.send('\x1a:logout\r');
  await client.until(() => client.text.includes('Free.'), 'the logout');
  client.send('\x1a');
  await client.until(() => client.after('Free.').includes('Happy hacking!'), 'the banner');
  expect(client.after('Free.').split('\x1bH\x1bJ')[0]).not.toContain('Message');
});
