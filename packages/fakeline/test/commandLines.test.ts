import { expect, test } from 'vitest';
import { runCommandLine } from '../src/commandLines.ts';
import { startFakeline } from '../src/index.ts';
import { TestClient } from './client.ts';

test('a line of text sets and clears faults', async () => {
  await using line = await startFakeline();
  expect(runCommandLine(line, 'fault refuse=Go away')).toBeUndefined();
  expect(line.faults.get('refuse')).toBe('Go away');
  expect(runCommandLine(line, 'clear refuse')).toBeUndefined();
  expect(line.faults.has('refuse')).toBe(false);
  line.faults.set('silence');
  expect(runCommandLine(line, ' clear ')).toBeUndefined();
  expect(line.faults.has('silence')).toBe(false);
});

test('a line of text sends, tells and drops', async () => {
  await using line = await startFakeline({ pollMs: 0 });
  await using client = await TestClient.open(line.port);
  runCommandLine(line, 'send one two\\r\\n');
  await client.untilEnd('one two\r\n');
  runCommandLine(line, 'message FOO hello there');
  await client.untilEnd('hello there\r\n\x1bK');
  runCommandLine(line, 'notice going_down 3');
  await client.until(() => client.text.includes('GOING DOWN IN 3:00.'), 'the notice');
  runCommandLine(line, 'disconnect');
  await client.untilClosed();
  expect(client.text).toContain('Disconnected from');
  expect(runCommandLine(line, 'drop fin')).toBeUndefined();
});

test('an empty line is nothing', async () => {
  await using line = await startFakeline();
  expect(runCommandLine(line, '')).toBeUndefined();
});

test.each([
  ['zork', /no command is called "zork"/],
  ['drop', /fin or reset, found ""/],
  ['notice zork', /one of going_down, revived, down, clock, found "zork"/],
  ['fault zork', /no fault is called "zork"/],
])('%j is answered %s', async (text, expected) => {
  await using line = await startFakeline();
  expect(runCommandLine(line, text)).toMatch(expected);
});
