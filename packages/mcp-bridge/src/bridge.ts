/**
 * Composition root: one MCP server for both eras of the protocol on standard input and output, its tools, resources and
 * prompts, one link to the daemon. It owns nothing but that connection: it may be killed at any moment.
 */
import type { Readable } from 'node:stream';
import { McpServer, parseJSONRPCMessage } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { ClientNews } from './clientNews.ts';
import { DaemonLink } from './daemonLink.ts';
import { Deliveries } from './deliveries.ts';
import { toInstructions } from './instructions.ts';
import { watchListens } from './listens.ts';
import { watchParent } from './parentWatch.ts';
import { publish } from './publishing.ts';
import { Requests } from './requests.ts';
import { Resources } from './resources.ts';
import type { Settings } from './settings.ts';
import { StdioTransport } from './stdioTransport.ts';
import type { FrameOutput } from './stdoutGuard.ts';
import { StreamLog } from './streamLog.ts';
import { Subscriptions } from './subscriptions.ts';
import { defineTools } from './tools.ts';
import { VERSION } from './version.ts';
import { Watches } from './watches.ts';

export interface BridgeOptions {
  readonly settings: Settings;
  readonly input: Readable;
  readonly output: FrameOutput;
  /** Ends the process. The line belongs to the daemon: there is nothing to tidy up here. */
  readonly exit: () => void;
}

/** Serves until the client is gone, then calls `exit`. */
export function serveBridge({ settings, input, output, exit }: BridgeOptions): void {
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
  const news = new ClientNews(() => output.queuedBytes);
  const requests = new Requests(link, settings);
  const resources = new Resources(requests);
  const subscriptions = new Subscriptions({ watches, groups, tellUpdated: (uri) => news.tellUpdated(uri) });
  const tools = defineTools({
    link,
    requests,
    deliveries,
    log: new StreamLog(watches, news),
    onSessions: () => news.tellListChanged(),
  });
  const transport = new StdioTransport({
    input,
    output,
    parse: watchListens(parseJSONRPCMessage, subscriptions),
    onAnswer: (id, isResult) => deliveries.trySend(id, isResult),
    onEnd: exit,
  });
  watchParent({ getParent: () => process.ppid, onGone: exit });
  serveStdio(
    ({ era }) => {
      const isLegacy = era === 'legacy';
      const server = new McpServer(
        { name: 'pidp10-mcp', title: 'PiDP-10 terminal line', version: VERSION },
        {
          instructions: toInstructions(groups),
          capabilities: {
            tools: { listChanged: false },
            prompts: { listChanged: false },
            resources: { listChanged: true, subscribe: true },
            // Since 2026-07-28 log messages belong to a request.
            ...(isLegacy && { logging: {} }),
          },
        },
      );
      for (const tool of tools) tool.register(server);
      publish(server, { groups, resources, subscriptions, hasSubscribe: isLegacy });
      news.attach(server, isLegacy);
      return server;
    },
    { transport, onerror: (error) => console.error(`pidp10-mcp: ${error.message}`) },
  );
}
