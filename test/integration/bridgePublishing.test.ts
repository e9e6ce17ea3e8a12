/** What goes beside the tools, through the real bridge: groups, log messages, resources and their changes, prompts. */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it } from 'vitest';
import { connectClient, ERAS, RawBridge } from '../support/bridgeClient.ts';
import { eventually } from '../support/processes.ts';
import { BIN, Sandbox } from '../support/sandbox.ts';

const PATIENT = 30_000;

describe.each(ERAS)('groups of tools, protocol %s', (era) => {
  it('--caps and PIDP10_CAPS leave out what is not wanted, also from what is said about it', async () => {
    await using sandbox = await Sandbox.create();
    await using commands = await connectClient(era, sandbox, { args: ['--caps', 'commands'] });
    const names = (await commands.listTools()).map(({ name }) => name);
    expect(names).toContain('start_command');
    expect(names).not.toContain('open');
    expect(commands.instructions).not.toContain('ITS');
    await using line = await connectClient(era, sandbox, { env: { PIDP10_CAPS: 'line' } });
    const ofLine = (await line.listTools()).map(({ name }) => name);
    expect(ofLine).toContain('open');
    expect(ofLine).not.toContain('start_command');
    expect(line.instructions).not.toContain('start_command');
  });

  it('stream_log where there are no log messages is said, and the program runs', async () => {
    await using sandbox = await Sandbox.create();
    await sandbox.daemon();
    await using agent = await connectClient(era, sandbox);
    const started = await agent.call('start_command', { command: 'cat', stream_log: true, wait_ms: 0 });
    expect(started.isError).toBe(false);
    expect(started.text.includes('has no log messages any more')).toBe(era === '2026-07-28');
  });
});

describe('a client of 2025-11-25', () => {
  it('B12 · gets output as log messages: every line once, in order, without control sequences', async () => {
    await using sandbox = await Sandbox.create();
    await sandbox.daemon();
    const bridge = await RawBridge.start(sandbox);
    const script =
      'for i in 1 2 3 4 5; do printf "\\033[1mline %s\\033[0m\\n" $i; done; printf last; echo bad >&2';
    await bridge.call('start_command', {
      command: 'sh',
      args: ['-c', script],
      split_stderr: true,
      stream_log: true,
      wait_ms: PATIENT,
    });
    const logged = (stream: string) =>
      bridge.frames
        .filter(
          ({ method, params }) =>
            method === 'notifications/message' && params?.['logger'] === `session/s1/${stream}`,
        )
        .map(({ params }) => [params?.['level'], params?.['data']]);
    await eventually(
      'all is logged',
      async () => logged('stdout').length >= 6 && logged('stderr').length >= 1,
    );
    expect(logged('stdout')).toEqual(
      ['line 1', 'line 2', 'line 3', 'line 4', 'line 5', 'last'].map((data) => ['info', data]),
    );
    expect(logged('stderr')).toEqual([['warning', 'bad']]);
  });

  it('B14 · lists, reads and subscribes to the output of programs, and hears of new ones', async () => {
    await using sandbox = await Sandbox.create();
    await sandbox.daemon();
    const bridge = await RawBridge.start(sandbox);
    const count = (method: string) => bridge.frames.filter((each) => each.method === method).length;
    await bridge.call('start_command', { command: 'cat', wait_ms: 0 });
    await eventually('the list changed', async () => count('notifications/resources/list_changed') > 0);
    const uri = 'session://s1/stdout';
    expect(JSON.stringify((await bridge.request('resources/list')).result)).toContain(uri);
    expect((await bridge.request('resources/subscribe', { uri })).error).toBeUndefined();
    await bridge.call('send_input', { session_id: 's1', input: 'news', expect: 'news' });
    await eventually('an update', async () => count('notifications/resources/updated') > 0);
    expect(JSON.stringify((await bridge.request('resources/read', { uri })).result)).toContain('news');
    expect((await bridge.request('resources/unsubscribe', { uri })).error).toBeUndefined();
    expect((await bridge.request('resources/read', { uri: 'session://s9/stdout' })).error).toBeDefined();
    const prompt = await bridge.request('prompts/get', { name: 'gdb_guide' });
    expect(JSON.stringify(prompt.result)).toContain('set pagination off');
  });
});

describe('a client of 2026-07-28', () => {
  it('B14 · listens to the output of a program', async () => {
    await using sandbox = await Sandbox.create();
    await sandbox.daemon();
    const client = new Client(
      { name: 'listener', version: '0' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    const updated: string[] = [];
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      updated.push(params.uri);
    });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [BIN.bridge],
        env: sandbox.env,
        cwd: sandbox.folder,
      }),
    );
    try {
      await client.callTool({ name: 'start_command', arguments: { command: 'cat', wait_ms: 0 } });
      const uri = 'session://s1/stdout';
      const listening = await client.listen({ resourceSubscriptions: [uri] });
      await eventually('an update', async () => {
        await client.callTool({
          name: 'send_input',
          arguments: { session_id: 's1', input: 'news', expect: 'news' },
        });
        return updated.includes(uri);
      });
      await listening.close();
      expect(new Set(updated)).toEqual(new Set([uri]));
    } finally {
      await client.close();
    }
  });
});
