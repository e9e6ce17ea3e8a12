/** From a tool as we write it to the SDK's: one literal each, its arguments parsed (I16), its name, texts and hints beside it. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ElicitRequestFormParams,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
  type StandardSchemaWithJSON,
  type ToolAnnotations,
} from '@modelcontextprotocol/server';
import type * as z from 'zod';
import type { RequestId } from './deliveries.ts';
import { type Answer, isQuestion, type Question, type Reply } from './guardedLine.ts';
import { reportProgress } from './progress.ts';
import { PROGRESS_EVERY_MS } from './settings.ts';
import type { ToolResult } from './toolResult.ts';

export interface ToolCall {
  readonly id: RequestId;
  /** Aborted when the client cancels; the SDK then drops the answer. */
  readonly signal: AbortSignal;
  /** As the MCP client calls itself. */
  readonly clientName: string;
  /** There if the client asked for progress. `progress` must rise. */
  readonly notifyProgress: ((progress: number, message: string) => Promise<void>) | undefined;
  /** When it came, on the clock of `performance`. */
  readonly startMs: number;
  /** The client can show a form to a person. */
  readonly canAsk: boolean;
  /** The client can show a person a link. */
  readonly canOpenLinks: boolean;
  /** To what was asked when this call was made before. */
  readonly reply: Reply | undefined;
}

export interface ToolDefinition<S extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Makes the schema of the arguments; called once, when they are first needed. */
  readonly input: () => S;
  readonly hints: ToolAnnotations;
  readonly run: (args: z.output<S>, call: ToolCall) => Promise<ToolResult | Question>;
}

/** What is left when the type of the arguments is out of sight. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly register: (server: McpServer) => void;
}

/** Names of clients that do not say who they are. */
export const UNNAMED = 'mcp-client';
/** Time for a person to answer, in ms. */
const ANSWER_WITHIN_MS = 600_000;
/** Name of the question among those of a call. There is one. */
const QUESTION_KEY = 'confirm';

export function defineTool<S extends z.ZodObject>(definition: ToolDefinition<S>): Tool {
  const { name, title, description, input, hints, run } = definition;
  const register = (server: McpServer): void => {
    server.registerTool(
      name,
      { title, description, inputSchema: lenient(input), annotations: { title, ...hints } },
      async (args: z.output<S>, context: ServerContext) => {
        const call = toCall(server, context);
        const made = await run(args, call);
        if (!isQuestion(made)) return toSdkResult(made);
        // Since 2026-07-28 a call ends with the question and is made again with the reply; before, the question is a
        // request of its own while the call waits. (The SDK's shim for the latter shows no progress.)
        if (isStateless(context)) return toInputRequired(made);
        if (made.url === undefined) return toSdkResult(await made.resume(await ask(made, call, context)));
        return toSdkResult(await resumeWithLink(server, made, call, context));
      },
    );
  };
  return { name, description, register };
}

/** Models fill optional arguments with null; that is what leaving them out means. The schema is made when it is needed. */
function lenient<S extends z.ZodObject>(toSchema: () => S): StandardSchemaWithJSON<z.input<S>, z.output<S>> {
  let schema: S | undefined;
  const standard = () => {
    schema ??= toSchema();
    return schema['~standard'];
  };
  return {
    '~standard': {
      version: 1,
      vendor: 'zod',
      validate: (value) => standard().validate(withoutNulls(value)),
      jsonSchema: {
        input: (options) => standard().jsonSchema.input(options),
        output: (options) => standard().jsonSchema.output(options),
      },
    },
  };
}

function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
}

export function toCall(server: McpServer, { mcpReq }: ServerContext): ToolCall {
  const { id, signal, notify, envelope, _meta } = mcpReq;
  const progressToken = _meta?.progressToken;
  // Since 2026-07-28 every request says whose it is; before, initialize did.
  const clientName = toClientName(envelope) ?? server.server.getClientVersion()?.name ?? UNNAMED;
  const capabilities =
    fieldOf(envelope, CLIENT_CAPABILITIES_META_KEY) ?? server.server.getClientCapabilities();
  return {
    id,
    signal,
    clientName,
    notifyProgress:
      progressToken === undefined
        ? undefined
        : (progress, message) =>
            notify({ method: 'notifications/progress', params: { progressToken, progress, message } }),
    startMs: performance.now(),
    canAsk: hasForms(capabilities),
    canOpenLinks: fieldOf(fieldOf(capabilities, 'elicitation'), 'url') !== undefined,
    reply: toReply(mcpReq),
  };
}

function toSdkResult({ content, ...rest }: ToolResult) {
  return { content: [...content], ...rest };
}

/** The era without a session, and without requests from server to client: each request carries what initialize said. */
function isStateless({ mcpReq }: ServerContext): boolean {
  return fieldOf(mcpReq.envelope, CLIENT_CAPABILITIES_META_KEY) !== undefined;
}

/** `elicitation: {}` is the form, which came first; `url` alone is not. */
function hasForms(capabilities: unknown): boolean {
  const elicitation = fieldOf(capabilities, 'elicitation');
  return (
    fieldOf(elicitation, 'form') !== undefined ||
    (typeof elicitation === 'object' && elicitation !== null && Object.keys(elicitation).length === 0)
  );
}

/** The box is empty until the person ticks it, also for clients that fill in defaults or accept in haste. */
function toForm(message: string): ElicitRequestFormParams {
  return {
    mode: 'form',
    message,
    requestedSchema: {
      type: 'object',
      properties: {
        confirm: {
          type: 'boolean',
          title: 'Type this line',
          description: 'Tick it only if you want the line typed exactly as it stands above.',
          default: false,
        },
      },
      required: ['confirm'],
    },
  };
}

function toInputRequired({ message, url, toToken }: Question) {
  const request =
    url === undefined ? inputRequired.elicit(toForm(message)) : inputRequired.elicitUrl({ message, url });
  return inputRequired({
    inputRequests: { [QUESTION_KEY]: request },
    requestState: toToken(),
  });
}

/** The client is told when the page has done its work, so that it can stop showing the link. */
async function resumeWithLink(
  server: McpServer,
  question: Question,
  call: ToolCall,
  context: ServerContext,
): Promise<ToolResult> {
  const elicitationId = crypto.randomUUID();
  try {
    return await question.resume(await ask(question, call, context, elicitationId));
  } finally {
    const complete = server.server.createElicitationCompletionNotifier(elicitationId);
    // A client that does not listen for it needs none.
    await complete().catch(() => undefined);
  }
}

/** Without an answer, or without one that can be understood, it is no yes. */
async function ask(
  { message, url }: Question,
  { notifyProgress, startMs, signal }: ToolCall,
  { mcpReq }: ServerContext,
  elicitationId = '',
): Promise<Answer> {
  const question =
    url === undefined ? toForm(message) : ({ mode: 'url', message, url, elicitationId } as const);
  await using _report =
    notifyProgress && reportProgress(notifyProgress, { everyMs: PROGRESS_EVERY_MS, startMs });
  try {
    const answer = await mcpReq.elicitInput(question, { signal, timeout: ANSWER_WITHIN_MS });
    return url !== undefined && answer.action === 'accept' ? 'yes' : toAnswer(answer);
  } catch (error) {
    console.error(`pidp10-mcp: no answer: ${error instanceof Error ? error.message : String(error)}`);
    return 'none';
  }
}

function toReply({ inputResponses, requestState }: ServerContext['mcpReq']): Reply | undefined {
  const token = requestState();
  const response = inputResponse(inputResponses, QUESTION_KEY);
  return typeof token === 'string' && response.kind === 'elicit'
    ? { token, answer: toAnswer(response), isAccepted: response.action === 'accept' }
    : undefined;
}

function toAnswer({ action, content }: { readonly action: string; readonly content?: unknown }): Answer {
  if (action === 'cancel') return 'none';
  return action === 'accept' && fieldOf(content, 'confirm') === true ? 'yes' : 'no';
}

/** As the era since 2026-07-28 says it with every request; undefined in the era before. */
export function toClientName(envelope: unknown): string | undefined {
  const name = fieldOf(fieldOf(envelope, CLIENT_INFO_META_KEY), 'name');
  return typeof name === 'string' ? name : undefined;
}

/** The SDK checks the envelope and the replies, but its types do not name their fields. */
function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
