/** The tools as clients see them. A change here is a change of the contract with every agent that knows them. */

import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport, McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { DaemonLink } from '../src/daemonLink.ts';
import { Deliveries } from '../src/deliveries.ts';
import { Requests } from '../src/requests.ts';
import { readSettings } from '../src/settings.ts';
import { defineTools } from '../src/tools.ts';

async function listTools(caps = 'line') {
  const settings = readSettings({ caps }, {});
  const link = new DaemonLink(settings, { onConnect: () => {} });
  const requests = new Requests(link, settings);
  const log = { follow: async () => undefined };
  const tools = defineTools({ link, requests, deliveries: new Deliveries(), log, onSessions: () => {} });
  const server = new McpServer({ name: 'x', version: '0' }, { capabilities: { tools: {} } });
  for (const tool of tools) tool.register(server);
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(ours);
  const client = new Client({ name: 'x', version: '0' });
  await client.connect(theirs);
  const listed = await client.listTools();
  await client.close();
  return listed.tools;
}

/** Of mcp-runner, where it has them. */
const COMMANDS = [
  'start_command(command, args=[], split_stderr=false, use_pty=false, stream_log=false, cwd?, env?, name?, rows?, cols?, timeout_ms?, wait_ms?, expect?)',
  'send_input(session_id, input?, bytes?, no_enter=false, elicit=false, elicit_message?, await_response_ms?, expect?, close_input=false)',
  'send_signal(session_id, signal, target?)',
  'read_output(session_id, strip_ansi=true, timeout_ms=2000, expect?, max_chars=20000, from?)',
  'read_stderr(session_id, strip_ansi=true, timeout_ms=2000, expect?, max_chars=20000, from?)',
  'stop_command(session_id, grace_ms=3000)',
  'delete_session(session_id)',
  'get_status(session_id)',
  'list_sessions()',
  'resize_session(session_id, rows, cols)',
  'read_screen(session_id)',
];

function toSignature({ name, inputSchema }: Awaited<ReturnType<typeof listTools>>[number]): string {
  const properties = Object.entries(inputSchema.properties ?? {}).map(([parameter, schema]) => {
    const value =
      typeof schema === 'object' && schema !== null && 'default' in schema ? schema['default'] : undefined;
    const isRequired = inputSchema.required?.includes(parameter) === true;
    return `${parameter}${value === undefined ? (isRequired ? '' : '?') : `=${JSON.stringify(value)}`}`;
  });
  return `${name}(${properties.join(', ')})`;
}

it('PARITY A · names, parameters and defaults are those that users of pidp10-mcp know', async () => {
  const shown = (await listTools()).map(toSignature);
  expect(shown).toEqual([
    'open(host?, port?, timeout_ms=5000, login?, terminal?, floor="wait")',
    'send(input, timeout_ms=10000, raw=false, dry_run=false, settle_ms=150, echo="strip", paste=false, floor="wait", floor_wait_ms=30000, expect?, quiet_ms=700, auto_more=true, max_chars=20000, max_pages=20, until?, to_file?)',
    'read(timeout_ms=2000, from?, flush=false, floor="wait", expect?, quiet_ms=700, auto_more=true, max_chars=20000, max_pages=20, until?, to_file?)',
    'peek(last_n_chars=2000)',
    'screen(changed_since?, at?)',
    'put_file(file, text, floor="wait")',
    'get_file(file, floor="wait")',
    'status()',
    'close()',
    'send_secret(message, prompt?)',
    'floor(action="status", message?, force=false, wait_ms=30000, lease_ms=60000)',
    'say(text)',
    'mark(text)',
    'history(from?, to?, limit=50, output_chars=0)',
    'search(text?, pattern?, ignore_case=false, order="newest", limit=20, context=0, since?, until?, from?, to?)',
  ]);
});

it('tell clients what is safe: only peek, screen, status, history and search are read-only; send, send_secret, put_file, close and floor may destroy', async () => {
  const hints = (await listTools()).map(({ name, annotations }) => {
    const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations ?? {};
    return [name, readOnlyHint, destructiveHint, idempotentHint, openWorldHint];
  });
  expect(hints).toEqual([
    ['open', false, false, true, true],
    ['send', false, true, false, true],
    ['read', false, false, false, true],
    ['peek', true, undefined, true, true],
    ['screen', true, undefined, true, true],
    ['put_file', false, true, true, true],
    ['get_file', false, false, true, true],
    ['status', true, undefined, true, false],
    ['close', false, true, true, true],
    ['send_secret', false, true, false, true],
    ['floor', false, true, true, false],
    ['say', false, false, false, false],
    ['mark', false, false, false, false],
    ['history', true, undefined, true, true],
    ['search', true, undefined, true, true],
  ]);
});

it('M08 · every description fits, all tools together cost a model little, and each has a title', async () => {
  const tools = await listTools();
  for (const { description = '', title } of tools) {
    expect(Buffer.byteLength(description)).toBeLessThanOrEqual(2_000);
    expect(title).toBeTruthy();
  }
  expect(JSON.stringify(tools).length).toBeLessThan(17_600);
});

it('declare no structured output: a client that shows it shows nothing else', async () => {
  for (const tool of await listTools()) expect(tool.outputSchema).toBeUndefined();
});

describe('with the groups line and commands', () => {
  it('PARITY B · names, parameters and defaults are those that users of mcp-runner know', async () => {
    const both = (await listTools('line,commands')).map(toSignature);
    expect(both.slice(0, 14)).toEqual((await listTools('line')).slice(0, 14).map(toSignature));
    expect(both.slice(14)).toEqual([
      'search(session_id?, stderr=false, text?, pattern?, ignore_case=false, order="newest", limit=20, context=0, since?, until?, from?, to?)',
      ...COMMANDS,
    ]);
    expect((await listTools('commands')).map(toSignature)).toEqual([
      'search(session_id, stderr=false, text?, pattern?, ignore_case=false, order="newest", limit=20, context=0, since?, until?, from?, to?)',
      ...COMMANDS,
    ]);
  });

  it('tell clients what is safe: only get_status, list_sessions and read_screen are read-only', async () => {
    const hints = (await listTools('commands')).slice(1).map(({ name, annotations }) => {
      const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations ?? {};
      return [name, readOnlyHint, destructiveHint, idempotentHint, openWorldHint];
    });
    expect(hints).toEqual([
      ['start_command', false, true, false, true],
      ['send_input', false, true, false, true],
      ['send_signal', false, true, false, false],
      ['read_output', false, false, false, true],
      ['read_stderr', false, false, false, true],
      ['stop_command', false, true, true, false],
      ['delete_session', false, true, true, false],
      ['get_status', true, undefined, true, false],
      ['list_sessions', true, undefined, true, false],
      ['resize_session', false, false, true, false],
      ['read_screen', true, undefined, true, true],
    ]);
  });

  it('M08 · both groups together stay small, and each description fits', async () => {
    const tools = await listTools('line,commands');
    for (const { description = '', title } of tools) {
      expect(Buffer.byteLength(description)).toBeGreaterThan(50);
      expect(Buffer.byteLength(description)).toBeLessThanOrEqual(2_000);
      expect(title).toBeTruthy();
    }
    expect(JSON.stringify(tools).length).toBeLessThan(27_700);
  });
});
