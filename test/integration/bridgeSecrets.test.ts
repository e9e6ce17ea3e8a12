/**
 * Secrets, seen from an agent: a person is asked by a link, never by a form, and the agent gets what followed. Through the bundle,
 * with the real clients of both eras.
 */
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  ElicitationCompleteNotificationSchema,
  ElicitRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { type Fakeline, startFakeline } from '@pidp10/fakeline';
import { describe, expect, it } from 'vitest';
import { ERAS, ToolAnswer } from '../support/bridgeClient.ts';
import { eventually } from '../support/processes.ts';
import { BIN, Sandbox } from '../support/sandbox.ts';

const SECRET = 'Xyzzy-plugh-42';
const ASKS = 'stty -echo; printf "Password: "; read x; stty echo; echo; echo "len ${#x}"';

/** A type, since the clients want one that may have more fields. */
type Modes = { form?: Record<string, never>; url?: Record<string, never> };
type Said = { action: 'accept' | 'decline' | 'cancel' };

interface Link {
  readonly mode?: string;
  readonly message: string;
  readonly url?: string;
  readonly requestedSchema?: unknown;
}

describe.each(ERAS)('a client that can show links, protocol %s', (era) => {
  it('C02 · the person gives it on the page; the agent gets what followed, and nobody the secret', async () => {
    await using rig = await Rig.start(era, { form: {}, url: {} });
    rig.says = async ({ url }) => {
      await post(url);
      return { action: 'accept' };
    };
    await rig.call('send', { input: ':pword', expect: 'Password: $' });
    const answer = await rig.call('send_secret', { message: 'your ITS \u202epassword' });
    expect(answer.isError).toBe(false);
    expect(answer.text).toContain('OK');
    expect(answer.text).toContain('The secret was typed.');
    expect(rig.typed).toContain(`${SECRET}\r`);
    const [link, ...more] = rig.links;
    expect(more).toEqual([]);
    expect(link).toMatchObject({ mode: 'url', url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:/) });
    expect(link?.message).toMatch(/^tester asks for a secret .* the terminal line/);
    expect(link?.message).not.toContain('\u202e');
    expect(JSON.stringify([rig.links, rig.results])).not.toContain('plugh');
    if (era === '2025-11-25')
      await eventually('the client is told that it is over', () => rig.completed === 1);
  });

  it('C02 · B11 · a program gets it in the same way, and nothing else that the call says', async () => {
    await using rig = await Rig.start(era, { url: {} });
    rig.says = async ({ url }) => {
      await post(url);
      return { action: 'accept' };
    };
    await rig.call('start_command', {
      command: 'sh',
      args: ['-c', ASKS],
      use_pty: true,
      name: 'it',
      expect: 'word: ',
    });
    const answer = await rig.call('send_input', { session_id: 'it', elicit: true, input: 'not this' });
    expect(answer.text).toContain(`len ${SECRET.length}`);
    expect(rig.links[0]?.message).toContain('the program in session it');
    expect(JSON.stringify(rig.results)).not.toContain('plugh');
  });

  it('a person who says no, or who is not there: nothing is sent, and the agent is told what to do', async () => {
    await using rig = await Rig.start(era, { url: {} });
    await rig.call('send', { input: ':pword', expect: 'Password: $' });
    rig.says = async () => ({ action: 'decline' });
    const refused = await rig.call('send_secret', { message: 'pw' });
    expect(refused.isError).toBe(true);
    expect(refused.text).toMatch(/^secret_refused: .*Nothing was sent/);
    rig.says = async () => ({ action: 'cancel' });
    const ways = await rig.call('send_secret', { message: 'pw' });
    expect(ways.text).toContain('pidp10ctl secret k');
    const url = /http:\S+/.exec(ways.text)?.[0];
    await post(url);
    const answer = await rig.call('send_secret', { message: 'pw' });
    expect(answer.text).toContain('OK');
    expect(rig.links).toHaveLength(2);
  });

  it('C01 · where it would be shown it is not typed, and the agent told so', async () => {
    await using rig = await Rig.start(era, { url: {} });
    rig.says = async ({ url }) => {
      await post(url);
      return { action: 'accept' };
    };
    const answer = await rig.call('send_secret', { message: 'pw' });
    expect(answer.isError).toBe(true);
    expect(answer.text).toMatch(/^secret_not_sent: .*would be shown/);
    expect(rig.typed).not.toContain('plugh');
  });
});

describe.each(ERAS)('a client that only has forms, protocol %s', (era) => {
  it('C02 · is never asked by one: the agent passes the two ways on, and calls again', async () => {
    await using rig = await Rig.start(era, { form: {} });
    await rig.call('send', { input: ':pword', expect: 'Password: $' });
    const ways = await rig.call('send_secret', { message: 'pw' });
    expect(ways.isError).toBe(false);
    expect(ways.text).toMatch(/two ways.*open http:\/\/127\.0\.0\.1:\S+ .*pidp10ctl secret k1/);
    expect(rig.links).toEqual([]);
    await post(/http:\S+/.exec(ways.text)?.[0]);
    expect((await rig.call('send_secret', { message: 'pw' })).text).toContain('OK');
    expect(JSON.stringify(rig.results)).not.toContain('plugh');
  });
});

async function post(url = ''): Promise<void> {
  await fetch(url, {
    method: 'POST',
    headers: { origin: new URL(url).origin },
    body: new URLSearchParams({ secret: SECRET }),
  });
}

/** A daemon, a line with somebody logged in, and a client whose person does what the test says. */
class Rig implements AsyncDisposable {
  readonly links: Link[] = [];
  readonly results: unknown[] = [];
  completed = 0;
  says: (link: Link) => Promise<Said> = async () => ({ action: 'cancel' });
  readonly #line: Fakeline;
  readonly #sandbox: Sandbox;
  readonly #client: LegacyClient | ModernClient;

  private constructor(line: Fakeline, sandbox: Sandbox, era: (typeof ERAS)[number], elicitation: Modes) {
    this.#line = line;
    this.#sandbox = sandbox;
    const identity = { name: 'tester', version: '0' };
    const capabilities = { elicitation };
    if (era === '2025-11-25') {
      const client = new LegacyClient(identity, { capabilities });
      client.setRequestHandler(ElicitRequestSchema, ({ params }) => this.#answer(params));
      client.setNotificationHandler(ElicitationCompleteNotificationSchema, () => {
        this.completed += 1;
      });
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

  static async start(era: (typeof ERAS)[number], elicitation: Modes): Promise<Rig> {
    const [line, sandbox] = await Promise.all([startFakeline(), Sandbox.create()]);
    await sandbox.daemon();
    const rig = new Rig(line, sandbox, era, elicitation);
    const server = {
      command: process.execPath,
      args: [BIN.bridge, '--host', '127.0.0.1', '--port', String(line.port)],
      env: sandbox.env,
      cwd: sandbox.folder,
    };
    if (rig.#client instanceof LegacyClient) await rig.#client.connect(new LegacyTransport(server));
    else await rig.#client.connect(new ModernTransport(server));
    await rig.call('open', { login: 'rms' });
    return rig;
  }

  get typed(): string {
    return this.#line.receivedBytes().toString('latin1');
  }

  async call(name: string, args: Record<string, unknown>): Promise<ToolAnswer> {
    const call = { name, arguments: args };
    const result =
      this.#client instanceof LegacyClient
        ? await this.#client.callTool(call)
        : await this.#client.callTool(call);
    this.results.push(result);
    return new ToolAnswer(result);
  }

  async #answer(params: object): Promise<Said> {
    const link = params as Link;
    this.links.push(link);
    return await this.says(link);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.close();
    await this.#sandbox[Symbol.asyncDispose]();
    await this.#line.close();
  }
}
