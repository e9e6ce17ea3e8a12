/**
 * Composition root: one MCP server for both eras of the protocol on standard input and output, its tools, one link to the
 * daemon. It owns nothing but that connection: it may be killed at any moment.
 */
import type { Readable } from 'node:stream';
import { McpServer, parseJSONRPCMessage } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { DaemonLink } from './daemonLink.ts';
import { Deliveries } from './deliveries.ts';
import { INSTRUCTIONS } from './instructions.ts';
import { watchParent } from './parentWatch.ts';
import type { Settings } from './settings.ts';
import { StdioTransport } from './stdioTransport.ts';
import type { FrameOutput } from './stdoutGuard.ts';
import { defineTools } from './tools.ts';
import { VERSION } from './version.ts';

export interface BridgeOptions {
  readonly settings: Settings;
  readonly input: Readable;
  readonly output: FrameOutput;
  /** Ends the process. The line belongs to the daemon: there is nothing to tidy up here. */
  readonly exit: () => void;
}

/** Serves until the client is gone, then calls `exit`. */
export function serveBridge({ settings, input, output, exit }: BridgeOptions): void {
  const deliveries = new Deliveries();
  const link = new DaemonLink(settings, () => deliveries.forget());
  const tools = defineTools({ link, deliveries, settings });
  const transport = new StdioTransport({
    input,
    output,
    parse: parseJSONRPCMessage,
    onAnswer: (id, isResult) => deliveries.trySend(id, isResult),
    onEnd: exit,
  });
  watchParent({ getParent: () => process.ppid, onGone: exit });
  serveStdio(
    () => {
      const server = new McpServer(
        { name: 'pidp10-mcp', title: 'PiDP-10 terminal line', version: VERSION },
        { instructions: INSTRUCTIONS, capabilities: { tools: { listChanged: false } } },
      );
      for (const tool of tools) tool.register(server);
      return server;
    },
    { transport, onerror: (error) => console.error(`pidp10-mcp: ${error.message}`) },
  );
}
