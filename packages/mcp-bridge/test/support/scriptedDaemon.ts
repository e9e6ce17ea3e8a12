/** A daemon of a few lines that answers as it is told: what the tools ask of it can be read, and what they make of its answers. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport, McpServer } from '@modelcontextprotocol/server';
import { RpcError } from '@pidp10/protocol/errors';
import { DaemonLink } from '../../src/daemonLink.ts';
import { Deliveries } from '../../src/deliveries.ts';
import { readSettings, type Settings } from '../../src/settings.ts';
import { defineTools } from '../../src/tools.ts';
import { outcome } from './answers.ts';

type Params = Record<string, unknown>;
/** A result, or an error to answer with. */
export type Script = (params: Params) => unknown;

const HELLO = {
  protocol: { major: 1, minor: 2 },
  daemon: { version: '0.1.0', pid: 4_242, name: 'line' },
  capabilities: ['line', 'floor'],
  epoch: 'e1',
};

export class ScriptedDaemon implements AsyncDisposable {
  /** Answers by method; whatever has none is answered with an outcome. */
  readonly scripts: Record<string, Script> = {};
  readonly received: { readonly method: string; readonly params: Params }[] = [];
  readonly #folder = mkdtempSync(join(tmpdir(), 'pidp10-bridge-'));
  #server: Server | undefined;
  #client: Client | undefined;

  static async start(settings: Partial<Settings> = {}): Promise<ScriptedDaemon> {
    const daemon = new ScriptedDaemon();
    await daemon.#listen();
    await daemon.#connect(settings);
    return daemon;
  }

  /** Calls a tool; with `onprogress` as a client that asks for progress. */
  async call(name: string, args: Params = {}, onprogress?: () => void) {
    const { content, isError, _meta } = await this.client.callTool(
      { name, arguments: args },
      onprogress && { onprogress },
    );
    const blocks = content.map((block) => (block.type === 'text' ? block.text : ''));
    return { blocks, text: blocks.join('\n'), isError: isError === true, meta: _meta };
  }

  get client(): Client {
    if (this.#client === undefined) throw new Error('not connected');
    return this.#client;
  }

  /** Parameters of the newest request of the method. */
  last(method: string): Params | undefined {
    return this.received.findLast((each) => each.method === method)?.params;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client?.close();
    this.#server?.close();
    rmSync(this.#folder, { recursive: true });
  }

  async #listen(): Promise<void> {
    this.#server = createServer((socket) => {
      socket.unref();
      socket.on('error', () => {});
      socket.setEncoding('utf8').on('data', (text: string) => {
        for (const line of text.split('\n').filter((each) => each !== '')) {
          const { id, method, params } = JSON.parse(line);
          this.received.push({ method, params });
          socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...this.#answer(method, params) })}\n`);
        }
      });
    });
    this.#server.listen(join(this.#folder, 'd.sock'));
    await once(this.#server, 'listening');
  }

  #answer(method: string, params: Params): Params {
    try {
      return { result: method === 'hello' ? HELLO : (this.scripts[method]?.(params) ?? outcome()) };
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      return { error: { code: error.code, message: error.message, data: error.data } };
    }
  }

  async #connect(more: Partial<Settings>): Promise<void> {
    const flags = { socket: join(this.#folder, 'd.sock'), stateDir: this.#folder, spawn: false };
    const settings = { ...readSettings(flags, {}), ...more };
    const deliveries = new Deliveries();
    const link = new DaemonLink(settings, () => deliveries.forget());
    const server = new McpServer({ name: 'x', version: '0' }, { capabilities: { tools: {} } });
    for (const tool of defineTools({ link, deliveries, settings })) tool.register(server);
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    await server.connect(ours);
    this.#client = new Client({ name: 'agent', version: '0' });
    await this.#client.connect(theirs);
  }
}
