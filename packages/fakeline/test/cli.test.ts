import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runCli } from '../src/cli.ts';
import { FAULTS } from '../src/faults.ts';
import { TestClient } from './client.ts';

const BIN = fileURLToPath(new URL('../bin/fakeline.js', import.meta.url));
const RECORDING = fileURLToPath(new URL('fixtures/09b-second.jsonl', import.meta.url));

interface Run {
  readonly code: number | undefined;
  readonly out: string;
  readonly err: string;
}

async function run(...args: string[]): Promise<Run> {
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  const result = await runCli(args, streams);
  if (result.kind === 'running') await result.close();
  const text = (stream: PassThrough): string => String(stream.read() ?? '');
  return {
    code: result.kind === 'exit' ? result.code : undefined,
    out: text(streams.stdout),
    err: text(streams.stderr),
  };
}

test('--help is ASCII, of 100 columns at most, and names every fault', async () => {
  const { code, out } = await run('--help');
  expect(code).toBe(0);
  expect(out).toMatch(/^[\x20-\x7e\n]*$/);
  expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  for (const name of Object.keys(FAULTS)) expect(out).toContain(`  ${name} `);
});

test('one line says where it listens', async () => {
  expect((await run('--port', '0')).out).toMatch(/^fakeline: line 9 on 127\.0\.0\.1:\d+\n$/);
});

test.each([
  [['--zork'], /Unknown option '--zork'/],
  [['--baud', 'fast'], /--baud needs a number from 1, found "fast"/],
  [['--stall-every', '0'], /--stall-every needs a number from 1, found "0"/],
  [['--fault', 'zork'], /no fault is called "zork"/],
])('%j is refused with exit 2', async (args, message) => {
  const { code, err, out } = await run(...args);
  expect(code).toBe(2);
  expect(err).toMatch(message);
  expect(out).toBe('');
});

test('what cannot be served is exit 1', async () => {
  expect(await run('--port', '0', '--tctyp', 'zork')).toMatchObject({ code: 1 });
  expect(await run('--port', '0', '--trace', '/no/such/file')).toMatchObject({ code: 1 });
});

test('--trace serves the recording', async () => {
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  const result = await runCli(['--port', '0', '--trace', RECORDING, '--log'], streams);
  const port = Number(/:(\d+)\n/.exec(String(streams.stdout.read()))?.[1]);
  await using client = await TestClient.open(port);
  await client.untilClosed();
  expect(client.text).toBe('Line connection busy\r\n');
  if (result.kind === 'running') await result.close();
  expect(String(streams.stderr.read())).toContain('"kind":"accepted"');
});

test('the process takes commands on stdin, outlives its end, and exits 0 at SIGTERM', async () => {
  const child = spawn(process.execPath, [BIN, '--port', '0', '--poll-ms', '0', '--log'], { stdio: 'pipe' });
  const [ready] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  await using client = await TestClient.open(Number(/:(\d+)$/.exec(ready)?.[1]));
  await client.untilEnd('line 9\r\n\n');
  child.stdin.end('send hello\n');
  await client.untilEnd('hello');
  client.send('\x1a');
  await client.untilEnd('\x1bK\x1bK\x1bK');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('the flags for what comes unasked and for programs reach the line', async () => {
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  const flags = [
    '--boot-message',
    '--upper-case',
    '--messages-every',
    '20',
    '--ctrl-z-ms',
    '0',
    '--peek-ms',
    '10',
  ];
  const more = [
    '--stall-every',
    '5',
    '--stall-ms',
    '1',
    '--stall-echoes',
    '--midas-ms',
    '1',
    '--seed',
    '3',
    '--peek-jobs',
    '1',
  ];
  const result = await runCli(['--port', '0', ...flags, ...more], streams);
  const port = Number(/:(\d+)\n/.exec(String(streams.stdout.read()))?.[1]);
  await using client = await TestClient.open(port);
  await client.until(() => client.text.includes('KA ITS 1652 \x07IN OPERATION\x07 AT '), 'the boot');
  client.send('\x1a:vk\r');
  await client.until(
    () => client.text.includes(':VK') && client.text.includes('[Message from FOO'),
    'a message',
  );
  client.send('\r:peek\r');
  await client.until(() => client.text.split('Peek 632').length > 3, 'PEEK painting by itself');
  expect(client.text).toContain('USER00 HACTRN');
  if (result.kind === 'running') await result.close();
});
