/**
 * Lines that the daemon's guard stops, seen from an agent: the person at the client is asked, and nobody else can agree.
 * Through the bundle, with the real clients of both eras.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { type Fakeline, startFakeline } from '@pidp10/fakeline';
import { describe, expect, it } from 'vitest';
import { connectClient, ERAS, LEGACY_REVISION, RawBridge, ToolAnswer } from '../support/bridgeClient.ts';
import { eventually } from '../support/processes.ts';
import { BIN, Sandbox } from '../support/sandbox.ts';

const NOT_SENT = /^confirmation_required: .*nothing (?:was|of this input was) sent/;
const NO_DETOUR = /[Dd]o not try to get around the guard/;

interface Form {
  readonly message: string;
  readonly requestedSchema: unknown;
}
/** A type, since the clients want one that may have more fields. */
type Said = {
  action: 'accept' | 'decline' | 'cancel';
  content?: Record<string, string | number | boolean | string[]>;
};

const YES: Said = { action: 'accept', content: { confirm: true } };

describe.each(ERAS)('a client that can ask its person, protocol %s', (era) => {
  it('I17 · the person sees the whole line; after their yes it is typed, once, and another one is asked about again', async () => {
    await using rig = await Rig.start(era);
    rig.says = YES;
    const answer = await rig.send({ input: ':lock foo~g~-' });
    expect(answer.isError).toBe(false);
    expect(rig.forms).toHaveLength(1);
    expect(rig.forms[0]?.message).toMatch(
      /^tester wants to type .*\n\n:lock foo\u2407\n\nNothing has been sent/,
    );
    expect(rig.forms[0]?.message).toContain('bring ITS down');
    expect(JSON.stringify(rig.forms[0]?.requestedSchema)).toContain('"boolean"');
    expect(rig.typed.split(':lock foo\u0007')).toHaveLength(2);
    await rig.send({ input: ':LOCK' });
    expect(rig.forms).toHaveLength(2);
    expect(rig.typed.split(/:lock/i)).toHaveLength(3);
    await rig.send({ input: ':vk' });
    expect(rig.forms).toHaveLength(2);
  });

  it.each<[string, Said]>([
    ['declines', { action: 'decline' }],
    ['dismisses the form', { action: 'cancel' }],
    ['accepts without ticking the box', { action: 'accept', content: { confirm: false } }],
    ['accepts something else', { action: 'accept', content: { confirm: 'yes' } }],
    ['accepts an empty form', { action: 'accept' }],
  ])('I17 · nothing is sent when the person %s, and the agent is told so', async (_what, said) => {
    await using rig = await Rig.start(era);
    rig.says = said;
    const answer = await rig.send({ input: ':lock' });
    expect(rig.forms).toHaveLength(1);
    expect(answer.isError).toBe(true);
    expect(answer.text).toMatch(NOT_SENT);
    expect(answer.text).toMatch(NO_DETOUR);
    expect(rig.typed).not.toMatch(/lock/i);
  });

  it('I17 · nobody is asked about what cannot be seen whole: several lines, the rest of a line, more than fits', async () => {
    await using rig = await Rig.start(era);
    rig.says = YES;
    await rig.send({ input: ':lo~-' });
    for (const input of ['ck', ':vk\n:lock', ':lock\n:vk', `:lock ${'x'.repeat(300)}`]) {
      const answer = await rig.send({ input });
      expect(answer.isError).toBe(true);
      expect(answer.text).toMatch(NOT_SENT);
      expect(answer.text).toContain('send it alone and in one piece');
    }
    expect(rig.forms).toEqual([]);
    expect(rig.typed).not.toMatch(/lock/i);
  });

  it('I17 · a client that cannot ask gets the command for its person, and nothing is sent', async () => {
    await using line = await startFakeline();
    await using sandbox = await Sandbox.create();
    await sandbox.daemon();
    await using agent = await connectClient(era, sandbox, { args: lineArgs(line) });
    await agent.call('open', { login: 'rms' });
    const answer = await agent.call('send', { input: ":lock it's" });
    expect(answer.isError).toBe(true);
    expect(answer.text).toMatch(NOT_SENT);
    expect(answer.text).toContain("pidp10ctl send --confirm ':lock it'\\''s'");
    expect(answer.text).toContain('theirs to run, not yours');
    expect(answer.text).toMatch(NO_DETOUR);
    const tried = await agent.call('send', { input: ':lock', confirm: true });
    expect(tried.text).toContain('Unknown argument confirm');
    expect(line.receivedBytes().toString('latin1')).not.toMatch(/lock/i);
  });
});

describe('who agrees', () => {
  it('I17 · a reply without a question, of another call or used before is no yes', async () => {
    await using line = await startFakeline();
    await using sandbox = await Sandbox.create();
    await sandbox.daemon();
    const bridge = new RawBridge(sandbox.run(BIN.bridge, { args: lineArgs(line) }));
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '0' },
      'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
    };
    const call = async (name: string, args: object, more: object = {}) =>
      (await bridge.request('tools/call', { name, arguments: args, _meta, ...more })).result as {
        readonly resultType?: string;
        readonly requestState?: string;
      };
    await call('open', { login: 'rms' });
    const yes = (requestState: string | undefined) => ({
      requestState,
      inputResponses: { confirm: { action: 'accept', content: { confirm: true } } },
    });
    const typed = () => line.receivedBytes().toString('latin1').split(/:lock/i).length - 1;
    const forged = await call('send', { input: ':lock' }, yes('forged'));
    expect(forged.resultType).toBe('input_required');
    const other = await call('send', { input: ':lock 2' }, yes(forged.requestState));
    expect(other.resultType).toBe('input_required');
    // That question is spent, too.
    const spent = await call('send', { input: ':lock' }, yes(forged.requestState));
    expect(spent.resultType).toBe('input_required');
    expect(typed()).toBe(0);
    expect((await call('send', { input: ':lock' }, yes(spent.requestState))).resultType).not.toBe(
      'input_required',
    );
    expect(typed()).toBe(1);
    expect((await call('send', { input: ':lock' }, yes(spent.requestState))).resultType).toBe(
      'input_required',
    );
    expect(typed()).toBe(1);
  });

  it('I17 · a call that is cancelled while the person thinks is never sent, and the line is free meanwhile', async () => {
    await using rig = await Rig.start('2025-11-25');
    const giveUp = new AbortController();
    rig.says = new Promise<Said>(() => {});
    const call = rig.send({ input: ':lock' }, giveUp.signal).catch((error: unknown) => error);
    await eventually('the person is asked', () => rig.forms.length === 1);
    expect((await rig.send({ input: ':vk' })).isError).toBe(false);
    giveUp.abort();
    expect(await call).toBeInstanceOf(Error);
    expect((await rig.send({ input: ':vk' })).isError).toBe(false);
    expect(rig.typed).not.toMatch(/lock/i);
  });

  it('I17 · the validator of forms is loaded with the first reply, never at the start, and does its work', async () => {
    await using line = await startFakeline();
    await using sandbox = await Sandbox.create();
    await sandbox.daemon();
    const preload = join(sandbox.folder, 'preload.cjs');
    writeFileSync(
      preload,
      `const Module = require('node:module'); const load = Module._load;
      Module._load = function (name, ...rest) {
        if (name.includes('ajv.cjs')) process.stderr.write('LOADED ' + name + '\\n');
        return load.call(this, name, ...rest);
      };`,
    );
    const bridge = new RawBridge(
      sandbox.run(BIN.bridge, { args: lineArgs(line), nodeArgs: ['--require', preload] }),
    );
    await bridge.request('initialize', {
      protocolVersion: LEGACY_REVISION,
      capabilities: { elicitation: {} },
      clientInfo: { name: 'raw', version: '0' },
    });
    bridge.writeFrame({ method: 'notifications/initialized' });
    await bridge.call('open', { login: 'rms' });
    const reply = async (content: unknown, count: number) => {
      const id = bridge.beginCall('send', { input: ':lock' });
      const forms = () => bridge.frames.filter(({ method }) => method === 'elicitation/create');
      await bridge.program.until('the question', () => forms().length === count);
      expect(bridge.program.stderr.includes('LOADED')).toBe(count > 1);
      bridge.writeFrame({ id: forms().at(-1)?.id, result: { action: 'accept', content } });
      return await bridge.toolAnswer(id);
    };
    expect((await reply({ confirm: 'yes' }, 1)).text).toMatch(NOT_SENT);
    expect(bridge.program.stderr).toContain('confirm must be boolean');
    expect((await reply({ confirm: true }, 2)).isError).toBe(false);
    expect(line.receivedBytes().toString('latin1').split(':lock')).toHaveLength(2);
  });
});

function lineArgs(line: Fakeline): string[] {
  return ['--host', '127.0.0.1', '--port', String(line.port)];
}

/** A daemon, a line with somebody logged in, and a client whose person says what the test says. */
class Rig implements AsyncDisposable {
  readonly forms: Form[] = [];
  says: Said | Promise<Said> = { action: 'cancel' };
  readonly #line: Fakeline;
  readonly #sandbox: Sandbox;
  readonly #client: LegacyClient | ModernClient;

  private constructor(line: Fakeline, sandbox: Sandbox, era: (typeof ERAS)[number]) {
    this.#line = line;
    this.#sandbox = sandbox;
    const identity = { name: 'tester', version: '0' };
    const capabilities = { elicitation: {} };
    if (era === '2025-11-25') {
      const client = new LegacyClient(identity, { capabilities });
      client.setRequestHandler(ElicitRequestSchema, ({ params }) => this.#answer(params));
      this.#client = client;
    } else {
      const client = new ModernClient(identity, {
        capabilities,
        versionNegotiation: { mode: { pin: era } },
      });
      client.setRequestHandler('elicitation/create', ({ params }) => this.#answer(params));
      this.#client = client;
    }
  }

  static async start(era: (typeof ERAS)[number]): Promise<Rig> {
    const [line, sandbox] = await Promise.all([startFakeline(), Sandbox.create()]);
    await sandbox.daemon();
    const rig = new Rig(line, sandbox, era);
    const server = {
      command: process.execPath,
      args: [BIN.bridge, ...lineArgs(line)],
      env: sandbox.env,
      cwd: sandbox.folder,
    };
    if (rig.#client instanceof LegacyClient) await rig.#client.connect(new LegacyTransport(server));
    else await rig.#client.connect(new ModernTransport(server));
    await rig.#client.callTool({ name: 'open', arguments: { login: 'rms' } });
    return rig;
  }

  get typed(): string {
    return this.#line.receivedBytes().toString('latin1');
  }

  async send(args: Record<string, unknown>, signal?: AbortSignal): Promise<ToolAnswer> {
    const call = { name: 'send', arguments: { quiet_ms: 300, ...args } };
    const options = signal === undefined ? {} : { signal };
    return new ToolAnswer(
      this.#client instanceof LegacyClient
        ? await this.#client.callTool(call, undefined, options)
        : await this.#client.callTool(call, options),
    );
  }

  async #answer(params: object): Promise<Said> {
    const { message, requestedSchema } = params as Form;
    this.forms.push({ message, requestedSchema });
    return await this.says;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.close();
    await this.#sandbox[Symbol.asyncDispose]();
    await this.#line.close();
  }
}
