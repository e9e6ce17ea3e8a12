/** A daemon of a few lines that answers as it is told: what the tools ask of it can be read, and what they make of its answers. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport, McpServer } from '@modelcontextprotocol/server';
import { RpcError } from '@pidp10/protocol/errors';
import { ClientNews } from '../../src/clientNews.ts';
import { DaemonLink } from '../../src/daemonLink.ts';
import { Deliveries } from '../../src/deliveries.ts';
import { publish } from '../../src/publishing.ts';
import { Requests } from '../../src/requests.ts';
import { Resources } from '../../src/resources.ts';
import { readSettings, type Settings } from '../../src/settings.ts';
import { StreamLog } from '../../src/streamLog.ts';
import { Subscriptions } from '../../src/subscriptions.ts';
import { defineTools } from '../../src/tools.ts';
import { Watches } from '../../src/watches.ts';
import { outcome, sessionOutcome } from './answers.ts';

type Params = Record<string, unknown>;
/** A result, or an error to answer with. */
export type Script = (params: Params) => unknown;

const HELLO = {
  protocol: { major: 1, minor: 3 },
  daemon: { version: '0.1.0', pid: 4_242, name: 'line' },
  capabilities: ['line', 'floor', 'sessions'],
  epoch: 'e1',
};

export class ScriptedDaemon implements AsyncDisposable {
  /** Answers by method; whatever has none is answered with an outcome. */
  readonly scripts: Record<string, Script> = {};
  readonly received: { readonly method: string; readonly params: Params }[] = [];
  /** What hello says besides. */
  hello: Params = {};
  #sockets: Socket[] = [];
  readonly #held = new Map<string, (() => void)[]>();
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

  /** Of a bridge that finds it. */
  get settings(): Settings {
    return readSettings({ socket: join(this.#folder, 'd.sock'), stateDir: this.#folder, spawn: false }, {});
  }

  get client(): Client {
    if (this.#client === undefined) throw new Error('not connected');
    return this.#client;
  }

  /** Parameters of the newest request of the method. */
  last(method: string): Params | undefined {
    return this.received.findLast((each) => each.method === method)?.params;
  }

  /** To every connection. */
  notify(method: string, params: Params): void {
    for (const socket of this.#sockets)
      socket.write(`${JSON.stringify({ jsonrpc: '2.0', method, params })}\n`);
  }

  /** Answers of the method wait until they are released. */
  hold(method: string): void {
    this.#held.set(method, []);
  }

  release(method: string): void {
    const held = this.#held.get(method) ?? [];
    this.#held.delete(method);
    for (const answer of held) answer();
  }

  /** Hangs up on everybody; whoever dials again is served. */
  hangUp(): void {
    for (const socket of this.#sockets.splice(0)) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client?.close();
    this.#server?.close();
    rmSync(this.#folder, { recursive: true });
  }

  async #listen(): Promise<void> {
    this.#server = createServer((socket) => {
      socket.unref();
      this.#sockets.push(socket);
      socket.on('error', () => {});
      socket.setEncoding('utf8').on('data', (text: string) => {
        for (const line of text.split('\n').filter((each) => each !== '')) {
          const { id, method, params } = JSON.parse(line);
          this.received.push({ method, params });
          const answer = (): void => {
            socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...this.#answer(method, params) })}\n`);
          };
          const held = this.#held.get(method);
          if (held === undefined) answer();
          else held.push(answer);
        }
      });
    });
    this.#server.listen(join(this.#folder, 'd.sock'));
    await once(this.#server, 'listening');
  }

  #answer(method: string, params: Params): Params {
    try {
      if (method === 'hello') return { result: { ...HELLO, ...this.hello } };
      const byDefault = method.startsWith('session.') ? sessionOutcome() : outcome();
      return { result: this.scripts[method]?.(params) ?? byDefault };
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      return { error: { code: error.code, message: error.message, data: error.data } };
    }
  }

  async #connect(more: Partial<Settings>): Promise<void> {
    const settings = { ...this.settings, ...more };
    const { groups } = settings;
    const deliveries = new Deliveries();
    const link = new DaemonLink(settings, {
      onConnect: () => {
        deliveries.forget();
        watches.handleConnect();
      },
      onNotification: (name, params) => watches.handleNotification(name, params),
    });
    const watches = new Watches(link);
    const requests = new Requests(link, settings);
    const news = new ClientNews(() => 0);
    const subscriptions = new Subscriptions({ watches, groups, tellUpdated: (uri) => news.tellUpdated(uri) });
    const capabilities = { tools: {}, logging: {}, resources: { subscribe: true }, prompts: {} };
    const server = new McpServer({ name: 'x', version: '0' }, { capabilities });
    const log = new StreamLog(watches, news);
    const onSessions = () => news.tellListChanged();
    for (const tool of defineTools({ link, requests, deliveries, log, onSessions })) tool.register(server);
    const resources = new Resources(requests);
    publish(server, { groups, resources, subscriptions, hasSubscribe: true });
    news.attach(server, true);
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    await server.connect(ours);
    this.#client = new Client({ name: 'agent', version: '0' });
    await this.#client.connect(theirs);
  }
}
