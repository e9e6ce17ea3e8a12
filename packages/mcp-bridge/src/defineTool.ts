/** From a tool as we write it to the SDK's: one literal each, its arguments parsed (I16), its name, texts and hints beside it. */
import {
  CLIENT_INFO_META_KEY,
  type McpServer,
  type ServerContext,
  type StandardSchemaWithJSON,
  type ToolAnnotations,
} from '@modelcontextprotocol/server';
import type * as z from 'zod';
import type { RequestId } from './deliveries.ts';
import type { ToolResult } from './toolResult.ts';

export interface ToolCall {
  readonly id: RequestId;
  /** Aborted when the client cancels; the SDK then drops the answer. */
  readonly signal: AbortSignal;
  /** As the MCP client calls itself. */
  readonly clientName: string;
  /** There if the client asked for progress. `progress` must rise. */
  readonly notifyProgress: ((progress: number, message: string) => Promise<void>) | undefined;
}

export interface ToolDefinition<S extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: S;
  readonly hints: ToolAnnotations;
  readonly run: (args: z.output<S>, call: ToolCall) => Promise<ToolResult>;
}

/** What is left when the type of the arguments is out of sight. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly register: (server: McpServer) => void;
}

/** Names of clients that do not say who they are. */
const UNNAMED = 'mcp-client';

export function defineTool<S extends z.ZodObject>(definition: ToolDefinition<S>): Tool {
  const { name, title, description, input, hints, run } = definition;
  const register = (server: McpServer): void => {
    server.registerTool(
      name,
      { title, description, inputSchema: lenient(input), annotations: { title, ...hints } },
      async (args: z.output<S>, context: ServerContext) => {
        const { content, ...rest } = await run(args, toCall(server, context));
        return { content: [...content], ...rest };
      },
    );
  };
  return { name, description, register };
}

/** Models fill optional arguments with null; that is what leaving them out means. */
function lenient<S extends z.ZodObject>(schema: S): StandardSchemaWithJSON<z.input<S>, z.output<S>> {
  const { validate, ...standard } = schema['~standard'];
  return { '~standard': { ...standard, validate: (value) => validate(withoutNulls(value)) } };
}

function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
}

function toCall(server: McpServer, { mcpReq }: ServerContext): ToolCall {
  const { id, signal, notify, envelope, _meta } = mcpReq;
  const progressToken = _meta?.progressToken;
  // Since 2026-07-28 every request says whose it is; before, initialize did.
  const clientName = toClientName(envelope) ?? server.server.getClientVersion()?.name ?? UNNAMED;
  return {
    id,
    signal,
    clientName,
    notifyProgress:
      progressToken === undefined
        ? undefined
        : (progress, message) =>
            notify({ method: 'notifications/progress', params: { progressToken, progress, message } }),
  };
}

/** The SDK checks the envelope, but its type does not name this field. */
function toClientName(envelope: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const info = envelope?.[CLIENT_INFO_META_KEY];
  return typeof info === 'object' && info !== null && 'name' in info && typeof info.name === 'string'
    ? info.name
    : undefined;
}
